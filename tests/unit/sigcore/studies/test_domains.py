"""Domains: the counts of the paper by loops over test sets that are read as files, and partial conjunction by definition."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from sigcore import Cancelled, MismatchError, OptionError, Settings, Undefined
from sigcore.executors import Threads
from sigcore.studies import domains, gain, matrix, pairs, prepared
from sigcore.studies.domains.parts import share
from sigcore.studies.prepared import drawn_sets
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset
from sigcore.types import DOCUMENT, SEGMENT
from tests.made import text_set
from tests.oracles import domains as slow

BLEU = (("bleu", {}),)
RATES = (0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.24)
HOW = pairs.How(resamples=999, seed=5)
NAMES = ("news", "talk", "mail")


def with_domains(n: int = 150, rates: tuple[float, ...] = RATES) -> tuple[Testset, list[Outputs], tuple[str, ...]]:
    """Text with documents of five segments, in three domains that alternate by document; the last segments are news."""
    testset, outputs = text_set(n, rates, seed=3)
    documents = tuple(f"d{i // 5}" for i in range(n))
    return (
        replace(testset, documents=documents),
        outputs,
        tuple(NAMES[i // 5 % 3] if i < n - 10 else "news" for i in range(n)),
    )


def picked(testset: Testset, outputs: list[Outputs], rows: Any, documents: Any = None) -> tuple[Testset, list[Outputs]]:
    """A test set of these segments, which may be repeated, as if they had been read from files."""
    references = tuple(tuple(stream[i] for i in rows) for stream in testset.references)
    names = () if documents is None else tuple(f"drawn {k}" for k in documents)
    whole = Testset("picked", "text", len(rows), references, documents=names)
    return whole, [replace(item, segments=tuple(item.segments[i] for i in rows)) for item in outputs]


def grid(testset: Testset, outputs: list[Outputs], unit: str) -> Any:
    """The grid of the paper's test."""
    found = matrix.run(Study(testset, outputs, tests=["two_delta_bootstrap"], unit=unit, resamples=999, seed=5))
    return matrix.read(found, "bleu", "two_delta_bootstrap", Settings("greater", correction="none"))


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_calibration_is_that_of_loops(unit: str) -> None:
    """Each drawn test set as a test set of its own, each pair turned to its gain there, its sign compared with the population's."""
    testset, outputs, _ = with_domains(rates=tuple(0.2 + k / 200 for k in range(len(RATES))))
    ready = prepared.prepare(testset, outputs, BLEU, HOW, unit=unit)
    population = grid(testset, outputs, unit).gains
    near = agree = tested = 0
    for part in drawn_sets(ready, 60, 12, 5):
        own = grid(*picked(testset, outputs, part.segments, part.unit_of), unit)
        for i in range(len(RATES)):
            for j in range(len(RATES)):
                if own.gains[i, j] > 0:
                    tested = tested + (not math.isnan(own.p_values[i, j]))
                    if 0.04 <= own.p_values[i, j] <= 0.06:
                        near = near + 1
                        if population[i, j] > 0:
                            agree = agree + 1
    found = domains.calibration(ready, ready.real, 60, 12, HOW)
    assert (found.pairs, found.agree, found.tested) == (near, agree, tested)
    assert 0 < found.agree < found.pairs
    low, high = slow.exact_interval(agree, near)
    content = found.as_dict()
    assert (content["percent"], content["low"], content["high"]) == pytest.approx(
        (100 * agree / near, 100 * low, 100 * high)
    )
    assert f"{100 * agree / near:.1f}%" in str(found)


def test_drawn_test_sets() -> None:
    """Segments are drawn with replacement; documents whole, each copy as its own unit, until there are enough segments."""
    testset, outputs, _ = with_domains(60, (0.1, 0.2))
    single = list(drawn_sets(prepared.prepare(testset, outputs, BLEU, HOW, unit="segment"), 200, 2, 1))
    assert [part.n for part in single] == [200, 200]
    assert 50 < len(set(single[0].segments.tolist())) <= 60
    assert single[0].segments.tolist() != single[1].segments.tolist()
    (part,) = drawn_sets(prepared.prepare(testset, outputs, BLEU, HOW, unit="document"), 98, 1, 1)
    assert part.n == 100
    assert part.unit_of is not None
    for k in range(20):
        own = part.segments[part.unit_of == k]
        assert own.tolist() == list(range(own[0], own[0] + 5))
        assert own[0] % 5 == 0


def test_table_is_that_of_loops() -> None:
    """Every cell of the table, and of borderline pairs, is what loops find in test sets of one domain each."""
    testset, outputs, names = with_domains(240)
    result = domains.run(testset, outputs, BLEU, domains.DomainsPlan(names, "talk", draws=0), HOW, unit="segment")
    assert result.domains == ("talk", "news", "mail")
    assert result.segments == tuple(names.count(name) for name in result.domains)
    own = {n: grid(*picked(testset, outputs, [i for i in range(240) if names[i] == n]), "segment") for n in NAMES}
    home, total = own["talk"], 0
    for item in (*result.real.table, *result.real.borderline):
        rows = []
        for i in range(len(RATES)):
            for j in range(len(RATES)):
                if home.gains[i, j] > 0:
                    rows.append((home.p_values[i, j], home.gains[i, j], own[item.other].gains[i, j]))
        number, same = slow.same_sign(rows, item.low, item.high, closed=item in result.real.borderline)
        assert (item.pairs, item.same) == (number, same)
        total += number
        low, high = slow.exact_interval(same, number) if number else (0.0, 1.0)
        content = item.as_dict()
        assert (content["low_ci"], content["high_ci"]) == pytest.approx((100 * low, 100 * high), abs=1e-6)
        assert math.isnan(content["same_sign_percent"]) == (number == 0)
    assert total > 20
    assert [(item.low, item.high) for item in result.real.table[::2]] == list(domains.BINS)


def test_published_shares() -> None:
    """The paper's 869 of 942 are 92%, and 48 of 58 are 83%; the exact intervals are those of binomial tails."""
    assert [round(share(part, whole)[0]) for part, whole in ((869, 942), (48, 58), (41, 58), (28, 58))] == [
        92,
        83,
        71,
        48,
    ]
    low, high = slow.exact_interval(48, 58)
    assert share(48, 58)[1:] == pytest.approx((100 * low, 100 * high))


def test_ends_of_bins() -> None:
    """The lower end belongs to a bin, the upper to the next; pairs without a gain at home are in none; 0 is no same sign."""
    p = np.array([0.01, 0.02, 0.02, 0.015, math.nan])
    gains, other = np.array([1.0, 1.0, 0.0, 2.0, 1.0]), np.array([1.0, -1.0, 1.0, 0.0, 1.0])
    found = {item.low: (item.pairs, item.same) for item in domains.cells(p, gains, {"x": other})}
    assert found == {0.00125: (0, 0), 0.0025: (0, 0), 0.005: (0, 0), 0.01: (2, 1), 0.02: (1, 0), 0.04: (0, 0)}


def test_replicability_on_domains() -> None:
    """The p-values are one-sided in the direction of the whole test set; the counts are those of the definition."""
    testset, outputs, names = with_domains(240)
    result = domains.run(testset, outputs, BLEU, domains.DomainsPlan(names, draws=0), HOW, unit="segment")
    whole = grid(testset, outputs, "segment")
    own = [grid(*picked(testset, outputs, [i for i in range(240) if names[i] == n]), "segment") for n in result.domains]
    assert len(result.replicability) == 28
    for item in result.replicability:
        i, j = (result.systems.index(name) for name in (item.system, item.baseline))
        assert whole.gains[i, j] >= 0
        assert list(item.p_values) == [part.p_values[i, j] for part in own]
        assert item.bonferroni == slow.count(item.p_values, 0.05, "bonferroni")
        assert item.fisher == slow.count(item.p_values, 0.05, "fisher")
        assert item.significant == sum(p <= 0.05 for p in item.p_values)
    assert len({item.fisher for item in result.replicability}) > 2
    both = replace(HOW, side="two-sided")
    again = domains.run(testset, outputs, BLEU, domains.DomainsPlan(names, draws=0), both, unit="segment")
    assert [item.p_values for item in again.replicability] == [item.p_values for item in result.replicability]


@pytest.mark.parametrize("seed", range(40))
def test_counts_are_those_of_the_definition(seed: int) -> None:
    """The counts by both rules are those of loops, for p-values of all sizes."""
    p = np.random.default_rng(seed).beta(0.3, 1.5, 1 + seed % 6).tolist()
    found = domains.replicated("a", "b", p, 0.05)
    assert found.bonferroni == slow.count(p, 0.05, "bonferroni")
    assert found.fisher == slow.count(p, 0.05, "fisher")


def test_partial_conjunction_by_hand() -> None:
    """Of p .01, .02, .5: Bonferroni 3 x .01, 2 x .02, .5; an undefined p is no effect."""
    assert domains.partial_conjunction([0.5, 0.01, 0.02], "bonferroni").tolist() == pytest.approx([0.03, 0.04, 0.5])
    assert domains.replicated("a", "b", [0.01, math.nan], 0.05).bonferroni == 1
    assert domains.replicated("a", "b", [0.0, 0.0], 0.05).fisher == 2


@pytest.mark.parametrize("combine", ["bonferroni", "fisher"])
def test_counts_are_rarely_too_large(combine: Any) -> None:
    """Two real effects on four domains: more than two are counted in at most about alpha of 4,000 experiments."""
    rng = np.random.default_rng(7)
    p = rng.random((4000, 4))
    p[:, :2] *= 1e-9
    counts = np.array([(domains.partial_conjunction(row.tolist(), combine) <= 0.05).sum() for row in p])
    assert (counts >= 2).all()
    assert 0.03 < (counts > 2).mean() <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 4000)


def test_sizes_are_equal() -> None:
    """The thresholds by domain are of equally many first segments of each."""
    testset, outputs, names = with_domains(150)
    result = domains.run(testset, outputs, BLEU, domains.DomainsPlan(names, draws=0), HOW, unit="segment")
    least = min(result.segments)
    assert [(name, item.segments) for name, item in result.sizes] == [(name, least) for name in result.domains]
    rows = [i for i in range(150) if names[i] == "mail"][:least]
    own = gain.thresholds(gain.read(grid(*picked(testset, outputs, rows), "segment")))[0]
    assert dict(result.sizes)["mail"].threshold.n == own.n


def test_mixtures_are_apart() -> None:
    """Mixtures have their own table and calibration, and change nothing about the real systems."""
    testset, outputs, names = with_domains(120, RATES[:4])
    plan = domains.DomainsPlan(names, draws=3, segments=60)
    alone = domains.run(testset, outputs, BLEU, plan, HOW, unit="segment")
    both = domains.run(testset, outputs, BLEU, replace(plan, mixtures=5), HOW, unit="segment")
    assert alone.mixed is None
    assert both.mixed is not None
    assert (alone.real.table, alone.real.calibration) == (both.real.table, both.real.calibration)
    assert both.mixed.calibration is not None
    assert both.mixed.calibration.tested > 3 * 10 * 9 / 2 * 0.9
    ready = prepared.prepare(testset, outputs, BLEU, HOW, unit="segment")
    made = ready.mixed(5)
    assert both.mixed.calibration == domains.calibration(ready, made, 60, 3, HOW)
    home = ready.part(np.array([i for i in range(120) if names[i] == both.home]))
    near = prepared.points(made, home, HOW).p_values
    assert both.mixed.borderline[0].pairs == ((near >= 0.04) & (near <= 0.06)).sum()


def test_few_units_are_reported() -> None:
    """With documents as units, domains with fewer than ten have no p, which is counted as no effect and reported."""
    testset, outputs, names = with_domains(120, (0.1, 0.4))
    result = domains.run(testset, outputs, BLEU, domains.DomainsPlan(names, draws=0), HOW, unit="document")
    few = [name for name, units in zip(result.domains, result.units, strict=True) if units < 10]
    assert few
    assert any(note.startswith(", ".join(few)) for note in result.notes)
    (item,) = result.replicability
    assert [math.isnan(p) for p in item.p_values] == [units < 10 for units in result.units]


def test_result_does_not_depend_on_workers() -> None:
    """One thread or three give the same result; a partial result has all but the calibration."""
    testset, outputs, names = with_domains(90, RATES[:4])
    plan, how = domains.DomainsPlan(names, draws=3, segments=50), pairs.How(resamples=1100, seed=2)
    so_far = list[domains.DomainsResult]()
    one = domains.run(testset, outputs, BLEU, plan, how, runtime=Runtime(executor=Threads(1), publish=so_far.append))
    many = domains.run(testset, outputs, BLEU, plan, how, runtime=Runtime(executor=Threads(3)))
    assert one.real.calibration == many.real.calibration
    assert one.real.table == many.real.table
    assert [str(item.as_dict()) for item in one.replicability] == [str(item.as_dict()) for item in many.replicability]
    assert len(so_far) == 1
    assert so_far[0].real.calibration is None
    assert so_far[0].real.table == one.real.table


def test_progress_and_cancel() -> None:
    """Progress is reported by domains and by test sets, and an exception from it ends the study."""
    testset, outputs, names = with_domains(90, (0.1, 0.2))
    seen = list[tuple[str, int, int]]()
    plan = domains.DomainsPlan(names, draws=3, segments=50)
    domains.run(testset, outputs, BLEU, plan, HOW, runtime=Runtime(progress=lambda *step: seen.append(step)))
    assert {step[1:] for step in seen if step[0] == "domains"} == {(0, 3), (1, 3), (2, 3)}
    assert {step[1:] for step in seen if step[0] == "test sets of 50 segments"} == {(0, 3), (1, 3), (2, 3)}

    def stop(stage: str, done: int, total: int) -> None:
        if stage.startswith("test sets"):
            raise Cancelled

    with pytest.raises(Cancelled):
        domains.run(testset, outputs, BLEU, plan, HOW, runtime=Runtime(progress=stop))


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"domain_of": ("a", "b")}, MismatchError),
        ({"domain_of": ("a",) * 60}, Undefined),
        ({"domain_of": ("a",) * 59 + (" ",)}, MismatchError),
        ({"home": "nowhere"}, Undefined),
        ({"draws": -1}, OptionError),
        ({"alpha": 0.0}, OptionError),
    ],
)
def test_plans_that_cannot_be_used_are_refused(changes: dict[str, Any], error: type[Exception]) -> None:
    """Too few, one, blank or unknown domains, and numbers out of range are errors; so is a single system."""
    testset, outputs, names = with_domains(60, (0.1, 0.2))
    with pytest.raises(error):
        domains.run(testset, outputs, BLEU, replace(domains.DomainsPlan(names), **changes), HOW)
    with pytest.raises(Undefined):
        domains.run(testset, outputs[:1], BLEU, domains.DomainsPlan(names), HOW)


def test_bins_of_the_calibration_count_every_p_once() -> None:
    """The bins hold each test with p below .5 and a gain on the population exactly once; alpha changes counts alone."""
    testset, outputs, names = with_domains(120)
    plan = domains.DomainsPlan(names, draws=4)
    result = domains.run(testset, outputs, BLEU, plan, HOW, unit="segment")
    found = result.real.calibration
    assert found is not None
    edges = [(item.low, item.high) for item in found.bins]
    assert edges == list(pairwise(domains.EDGES))
    assert 0 < sum(item.pairs for item in found.bins) <= found.tested
    assert all(item.agree <= item.pairs for item in found.bins)
    ready = prepared.prepare(testset, outputs, BLEU, HOW, unit="segment")
    p = np.concatenate(
        [prepared.points(ready.real, part, HOW).p_values for part in drawn_sets(ready, 120, 4, HOW.seed)]
    )
    assert [item.pairs for item in found.bins] == [int(((p >= low) & (p < high)).sum()) for low, high in edges]
    strict = domains.at_alpha(result, 0.001)
    again = domains.run(testset, outputs, BLEU, replace(plan, alpha=0.001), HOW, unit="segment")
    assert [i.as_dict() for i in strict.replicability] == [i.as_dict() for i in again.replicability]
    assert strict.sentences == again.sentences


def test_automatic_takes_documents_only_where_every_domain_has_enough() -> None:
    """With fewer than ten documents in a domain segments are drawn and a note says so; with ten everywhere, documents."""
    testset, outputs, names = with_domains(120)
    few = domains.run(testset, outputs, BLEU, domains.DomainsPlan(names, draws=0), HOW)
    assert few.setup.unit == SEGMENT
    assert any("fewer than 10 documents" in note for note in few.notes)
    testset, outputs, names = with_domains(200)
    enough = domains.run(testset, outputs, BLEU, domains.DomainsPlan(names, draws=0), HOW)
    assert enough.setup.unit == DOCUMENT
    assert not any("Segments were resampled" in note for note in enough.notes)


def test_ten_documents_in_each_domain_are_enough() -> None:
    """Thirty documents, ten of each domain, are drawn; where one of them moves to another domain, segments are."""
    testset, outputs, _ = with_domains(150, RATES[:3])
    even = tuple(NAMES[i // 5 % 3] for i in range(150))
    moved = ("talk",) * 5 + even[5:]
    for names, unit in ((even, DOCUMENT), (moved, SEGMENT)):
        assert domains.run(testset, outputs, BLEU, domains.DomainsPlan(names, draws=0), HOW).setup.unit == unit


# ---- several test sets


def two_sets() -> list[tuple[Testset, list[Outputs]]]:
    """Two test sets with other segments and other numbers of references; the second lacks the last system."""
    first, outputs = text_set(60, RATES, seed=3)
    second, others = text_set(45, RATES, seed=4)
    one = replace(first, name="one", documents=tuple(f"d{i // 5}" for i in range(60)))
    two = replace(second, name="two", references=(*second.references, second.references[0]), digest="")
    return [(one, outputs), (two, others[:-1])]


def test_test_sets_are_domains_with_their_own_references() -> None:
    """The signs and p are those of each test set alone, as matrix has them; a system that one lacks is left out."""
    sets = two_sets()
    plan = domains.DomainsPlan((), home="two", draws=0)
    result = domains.run_sets(sets, BLEU, plan, HOW, unit="segment")
    assert result.domains == ("two", "one")
    assert result.segments == (45, 60)
    assert any(f"{sets[0][1][-1].system} is left out" in note for note in result.notes)
    assert any("different numbers of references" in note for note in result.notes)
    grids = {one.name: grid(one, outputs, "segment") for one, outputs in sets}
    for item in result.replicability:
        for name, p in zip(result.domains, item.p_values, strict=True):
            systems = grids[name].systems
            assert p == grids[name].p_values[systems.index(item.system), systems.index(item.baseline)]
    home, other = grids["two"], grids["one"]
    pairs_of = [(a, b) for a in range(len(home.systems)) for b in range(a)]
    counts = []
    for a, b in pairs_of:
        p = home.p_values[a, b] if home.gains[a, b] > 0 else home.p_values[b, a]
        counts.append((float(p), float(home.gains[a, b]), float(other.gains[a, b])))
    for cell in result.real.table:
        assert (cell.pairs, cell.same) == slow.same_sign(counts, cell.low, cell.high)


def test_documents_of_two_test_sets_stay_apart() -> None:
    """Documents of the same name in two test sets are two; where one has none, segments are the unit."""
    (one, outputs), (two, others) = two_sets()
    assert domains.together([(one, outputs), (two, others)]).testset.documents == ()
    again = replace(two, documents=tuple(f"d{i // 5}" for i in range(45)))
    joined = domains.together([(one, outputs), (again, others)]).testset
    assert len(set(joined.documents)) == 12 + 9
    assert joined.domains == ("one",) * 60 + ("two",) * 45


def test_test_sets_without_common_systems_are_refused() -> None:
    """One test set, or two with fewer than two systems in common, are refused."""
    (one, outputs), (two, others) = two_sets()
    with pytest.raises(Undefined, match="only one test set"):
        domains.together([(one, outputs)])
    with pytest.raises(Undefined, match="Fewer than two systems"):
        domains.together([(one, outputs[:2]), (two, others[1:])])


def test_many_other_domains_are_shown_together() -> None:
    """Up to seven others one by one; more are one column, in which a pair counts once for each."""
    cells = [domains.Cell(0.01, 0.02, f"d{k}", 4, k % 5) for k in range(9)]
    assert domains.readable(cells[:7]) == tuple(cells[:7])
    assert domains.readable(cells) == (domains.Cell(0.01, 0.02, "9 others", 36, sum(k % 5 for k in range(9))),)


def test_curves_have_the_pairs_and_the_thresholds_of_equal_sizes() -> None:
    """Every domain is cut to its first segments, as many as the smallest has; gains and p are those of that part alone."""
    testset, outputs, domain_of = with_domains()
    result = domains.run(
        testset, outputs, BLEU, domains.DomainsPlan(domain_of, draws=0, mixtures=2), HOW, unit="segment"
    )
    least = min(result.segments)
    for curve in result.curves[: len(result.domains)]:
        rows = [i for i, name in enumerate(domain_of) if name == curve.domain][:least]
        alone = grid(*picked(testset, outputs, rows), "segment")
        positive = np.sort(np.abs(alone.gains[np.triu_indices(len(RATES), k=1)]))
        np.testing.assert_allclose(np.sort(curve.gains), positive, atol=1e-12)
    assert [curve.synthetic for curve in result.curves] == [False] * 3 + [True] * 3
    assert len(result.sizes) == sum(len(curve.sizes) for curve in result.curves)
