"""Bounds and words of domains: shares, bins, signs, counts and test sets as domains, at each number."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, binom, chi2

from sigcore import MismatchError, OptionError, Undefined
from sigcore.studies import domains, pairs, prepared
from sigcore.studies.domains import compute as domains_compute
from sigcore.studies.domains import parts as domains_parts
from sigcore.studies.statistics import Measured
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, DOCUMENT, SEGMENT
from tests.made import score_set

OWN = (("own_scores", {}),)
HOW = pairs.How(resamples=99, seed=5)
UP, DOWN = math.nextafter(0.06, 1), math.nextafter(0.04, 0)


def statistics(*scores: list[float]) -> list[SufficientStatistics]:
    """Systems whose score is the mean of their column."""
    testset, outputs = score_set(*scores)
    return list(prepared.prepare(testset, outputs, OWN, HOW).measured.systems)


@pytest.mark.parametrize(("part", "whole"), [(0, 0), (0, 5), (3, 5), (5, 5)])
def test_a_share_in_percent(part: int, whole: int) -> None:
    percent, low, high = domains_parts.share(part, whole)
    assert percent == pytest.approx(100 * part / whole if whole else math.nan, nan_ok=True)
    assert low == pytest.approx(100 * beta.ppf(0.025, part, whole - part + 1) if part else 0)
    assert high == pytest.approx(100 * beta.ppf(0.975, part + 1, whole - part) if part < whole else 100)


def test_bins_hold_p_from_their_low_end_to_below_their_high_one() -> None:
    """Those of a calibration and those of the table; borderline pairs have both ends."""
    edges = np.array(domains_parts.EDGES)
    p = np.concatenate([edges[:-1], np.nextafter(edges[1:], 0), [0.5]])
    right = np.arange(len(p)) % 2 == 0
    found = domains_parts._counted(p, right, 3, 100, len(p))
    assert [(one.low, one.high, one.pairs) for one in found.bins] == [(low, high, 2) for low, high in pairwise(edges)]
    assert sum(one.agree for one in found.bins) == right[:-1].sum()
    assert (found.pairs, found.draws, found.segments, found.tested) == (
        int(((p >= 0.04) & (p <= 0.06)).sum()),
        3,
        100,
        21,
    )
    near = domains_parts._counted(np.array([DOWN, 0.04, 0.05, 0.06, UP]), np.array([1, 1, 0, 1, 1], bool), 1, 10, 5)
    assert (near.pairs, near.agree) == (3, 2)
    assert "66.7% found" in str(near)
    none = replace(near, pairs=0, agree=0)
    assert str(none) == "None of the 5 tests on drawn test sets had p from 0.04 to 0.06."


def test_cells_count_pairs_with_the_same_sign_elsewhere() -> None:
    """A gain of 0 at home is left out, and one of 0 elsewhere is not the same sign."""
    ends = [low for low, _ in domains_parts.BINS] + [math.nextafter(high, 0) for _, high in domains_parts.BINS]
    table = domains_parts.cells(np.array(ends), np.ones(12), {"talk": np.repeat([1.0, -1.0], 6)})
    assert [(one.pairs, one.same) for one in table] == [(2, 1)] * 6
    p, gains = np.full(6, 0.05), np.array([1.0, 1, 1, -1, -1, 0])
    (cell,) = domains_parts.borderline(p, gains, {"talk": np.array([2.0, -2, 0, -2, 2, 0])})
    assert (cell.pairs, cell.same) == (5, 2)
    (ended,) = domains_parts.borderline(np.array([DOWN, 0.04, 0.06, UP]), np.ones(4), {"talk": np.ones(4)})
    assert ended.pairs == 2


@pytest.mark.parametrize(("others", "together"), [(7, False), (8, True)])
def test_seven_other_domains_are_shown_one_by_one(others: int, together: bool) -> None:
    cells = [domains_parts.Cell(low, 0.1, f"d{k}", 10, k) for low in (0.0, 0.05) for k in range(others)]
    found = domains_parts.readable(cells)
    assert len(found) == (2 if together else 2 * others)
    if together:
        assert [(one.other, one.pairs, one.same) for one in found] == [("8 others", 80, 28)] * 2


def test_bins_in_words() -> None:
    cells = [domains_parts.Cell(low, high, o, 1, 1) for low, high in ((0.02, 0.04), (0.04, 0.06)) for o in "ab"]
    assert [(words, len(own)) for words, own in domains_parts.bins_of(cells)] == [
        ("0.02 to below 0.04", 2), ("0.04 to 0.06", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("p", [[0.01, 0.03, 0.2], [0.5, 0.001], [1.0, 1.0, 1.0], [0.04]])
def test_partial_conjunction_by_its_definition(p: list[float]) -> None:
    """u is refused by the n - u + 1 largest p: the smallest of them times their number, or Fisher's sum; never falling."""
    ordered, n = sorted(p), len(p)
    bonferroni = [min(1.0, (n - u) * ordered[u]) for u in range(n)]
    fisher = [float(chi2.sf(-2 * sum(math.log(x) for x in ordered[u:]), 2 * (n - u))) for u in range(n)]
    for combine, plain in (("bonferroni", bonferroni), ("fisher", fisher)):
        found = domains_parts.partial_conjunction(p, combine)  # type: ignore[arg-type]
        assert found.tolist() == pytest.approx([max(plain[: u + 1]) for u in range(n)])


@pytest.mark.parametrize(
    ("alpha", "counts"), [(0.03, (2, 1, 1)), (math.nextafter(0.03, 0), (1, 0, 1)), (0.01, (1, 0, 1))]
)
def test_p_equal_to_alpha_counts_as_an_effect(alpha: float, counts: tuple[int, int, int]) -> None:
    """0.01 times three domains is 0.03; Fisher's p of the smallest two is far below."""
    found = domains_parts.replicated("A", "B", [0.03, 0.01, 0.9], alpha)
    fisher = domains_parts.partial_conjunction([0.03, 0.01, 0.9], "fisher")
    bonferroni = domains_parts.partial_conjunction([0.03, 0.01, 0.9], "bonferroni")
    assert bonferroni[0] == 3 * 0.01
    assert (found.significant, found.bonferroni) == counts[:2]
    assert found.fisher == sum(one <= alpha for one in fisher)


def test_counts_of_domains_in_words() -> None:
    made = [domains_parts.Replicated("A", "B", (), 0, one, other) for one, other in ((0, 1), (1, 2), (2, 2))]
    assert domains_compute.of_counts(made, 2, 0.05) == (
        "At alpha 0.05, 2 of 3 pairs by Bonferroni (3 by Fisher) differ on at least one of the 2 domains, "
        "1 (2) on all of them in the same direction."
    )
    assert domains_compute.of_few([], SEGMENT) == ()
    (few,) = domains_compute.of_few(["talk"], SEGMENT)
    assert few.startswith("talk: fewer than 10 segments, so")
    assert "talk has fewer than 10 documents, too" in domains_compute.of_segments(["talk"])
    assert "talk, news have fewer than 10 documents each, too" in domains_compute.of_segments(["talk", "news"])


@pytest.mark.parametrize(("turn", "agree"), [(1, True), (-1, False)])
def test_signs_on_another_domain(turn: int, agree: bool) -> None:
    """Lower scores with the same gains there, or their opposites: every pair has the same sign, or none has; p at home decides the bin."""
    home = np.random.default_rng(4).normal(size=(9, 30))
    testset, outputs = score_set(*np.hstack([home, turn * (home - 5)]))
    plan = domains.DomainsPlan(("home",) * 30 + ("other",) * 30, "home", draws=0, alpha=0.2)
    found = domains.run(testset, outputs, OWN, plan, pairs.How(resamples=999, seed=5))
    cells = [*found.real.table, *found.real.borderline]
    assert {cell.other for cell in cells} == {"other"}
    assert sum(cell.pairs for cell in cells) > 5
    assert all(cell.same == cell.pairs * agree for cell in cells)
    assert (found.home, found.domains, found.segments, found.units) == ("home", ("home", "other"), (30, 30), (30, 30))
    p = found.curves[0].p_values
    inside = [int(((p >= low) & (p < high)).sum()) for low, high in domains_parts.BINS]
    assert [cell.pairs for cell in found.real.table] == inside
    assert (found.mixed, len(found.replicability), found.real.calibration) == (None, 36, None)
    if agree:  # of equal domains, what holds on one holds on both
        for one in found.replicability:
            assert one.p_values[0] == pytest.approx(one.p_values[1], abs=0.05)


def test_plans_of_domains() -> None:
    """The largest domain is home, the first of equally large ones; numbers may be 0, blanks may not."""
    testset, outputs = score_set([1.0, 2, 3, 4, 5], [2.0, 1, 3, 5, 4])

    def names(*domain_of: str, **more: Any) -> list[str]:
        return domains_compute._check(testset, outputs, domains.DomainsPlan(domain_of, **more))

    assert names("a", "b", "b", "c", "c") == ["b", "a", "c"]
    assert names("a", "b", "b", "c", "c", home="c", draws=0, segments=0) == ["c", "a", "b"]
    for more in ({"draws": -1}, {"segments": -1}):
        with pytest.raises(OptionError, match="draws ="):
            names("a", "b", "b", "c", "c", **more)
    with pytest.raises(MismatchError, match="4 domains for 5 segments"):
        names("a", "b", "b", "c")
    with pytest.raises(MismatchError) as blank:
        names("a", "b", " ", "c", "")
    assert blank.value.where.endswith("segment 3")
    with pytest.raises(Undefined, match="All segments are of the domain a"):
        names(*"aaaaa")
    with pytest.raises(Undefined, match="no domain z"):
        names("a", "b", "b", "c", "c", home="z")


@pytest.mark.parametrize(("documents", "chosen"), [(9, SEGMENT), (10, AUTO)])
def test_ten_documents_of_every_domain_are_drawn(documents: int, chosen: Any) -> None:
    """With one fewer in one domain, segments are drawn, and the domain is named; a unit that was asked for stays."""
    names = [f"d{k}" for k in range(20 + documents) for _ in range(2)]
    domain_of = ["big"] * 40 + ["small"] * (2 * documents)
    testset = Testset("x", "scores", len(names), documents=tuple(names))
    found, why = domains_compute._unit(testset, AUTO, domain_of)
    assert found == chosen
    assert [words.split(":")[1].split(" has")[0] for words in why] == ([" small"] if documents < 10 else [])
    assert domains_compute._unit(testset, DOCUMENT, domain_of) == (DOCUMENT, ())


def outputs_of(*names: str, group: str = "") -> list[Outputs]:
    """Outputs of two segments."""
    return [Outputs(name, ("1", "2"), group=group) for name in names]


def test_test_sets_become_domains() -> None:
    """Two of them with two common systems; their group is the first that is given, and documents stay apart."""
    first, second = (Testset(name, "scores", 2, documents=("d", " ")) for name in ("one", "two"))
    joined = domains_parts.together([(first, outputs_of("A", "B", "C")), (second, outputs_of("B", "A", group="g"))])
    assert (joined.testset.name, joined.testset.n) == ("one + two", 4)
    assert joined.testset.domains == ("one", "one", "two", "two")
    assert joined.testset.documents == ("one: d", "", "two: d", "")
    assert [(one.system, one.segments, one.group) for one in joined.outputs] == [
        ("A", ("1", "2", "1", "2"), "g"), ("B", ("1", "2", "1", "2"), "g"),
    ]  # fmt: skip
    assert joined.notes[1] == "C is left out: not every test set has an output of it."
    bare = replace(second, documents=())
    more = domains_parts.together([(first, outputs_of("A", "B")), (bare, outputs_of("B", "A", "D", "E"))])
    assert more.testset.documents == ()
    assert more.notes[1] == "D, E are left out: not every test set has an output of it."
    assert len(domains_parts.together([(first, outputs_of("A", "B"))] * 2).notes) == 1
    with pytest.raises(Undefined, match="only one test set"):
        domains_parts.together([(first, outputs_of("A", "B"))])
    with pytest.raises(Undefined, match="Fewer than two systems"):
        domains_parts.together([(first, outputs_of("A", "B")), (second, outputs_of("B", "C"))])


@pytest.mark.parametrize(("columns", "fits"), [(("a", "b"), True), (("a", "c"), False)])
def test_statistics_of_test_sets_have_the_same_columns(
    columns: tuple[str, ...], fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their rows come one after the other, under both signatures."""
    (first,) = statistics([1.0, 2.0], [3.0, 4.0])[:1]
    parts = [
        Measured(SimpleNamespace(), {}, (replace(first, columns=names, signature=names[1]),))  # type: ignore[arg-type]
        for names in (("a", "b"), columns)
    ]
    monkeypatch.setattr(domains_parts, "measure", lambda *_: [parts.pop(0)])
    sets = [(Testset(name, "scores", 2), outputs_of("A", "B")) for name in ("one", "two")]
    joined = domains_parts.together(sets)
    if not fits:
        with pytest.raises(MismatchError, match="different columns"):
            joined.measure(OWN)
        return
    (system,) = joined.measure(OWN).systems
    assert system.values.tolist() == np.vstack([first.values, first.values]).tolist()
    assert system.signature == "b"


def test_test_sets_with_different_numbers_of_references_are_noted() -> None:
    one, two = (SimpleNamespace(name=str(k), references=((),) * k) for k in (1, 2))
    assert len(list(domains_parts._notes([one, one], []))) == 1  # type: ignore[list-item]
    assert "different numbers of references" in list(domains_parts._notes([one, two], []))[1]  # type: ignore[list-item]


def test_a_binomial_law_for_the_counts() -> None:
    """With two true effects of three, more than two are counted with a probability of at most alpha."""
    rng = np.random.default_rng(5)
    wrong = sum(domains_parts.replicated("A", "B", [0.0, 0.0, p], 0.1).bonferroni > 2 for p in rng.random(400).tolist())
    assert wrong <= binom.ppf(0.999, 400, 0.1)
