"""Bounds and words of calibrations: plans, rates, coverage, drawn worlds and notes, at each number."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sigcore import OptionError, Settings, Study, Undefined
from sigcore.executors import Serial
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies import trust
from sigcore.studies.statistics import measure
from sigcore.studies.trust import compute as trust_compute
from sigcore.studies.trust import plan as trust_plan
from sigcore.studies.trust import result as trust_result
from sigcore.studies.trust import worlds
from sigcore.study import LOCAL, Runtime
from sigcore.types import SEGMENT
from tests.made import score_set

OWN = (("own_scores", {}),)


@pytest.mark.parametrize(
    ("change", "words"),
    [({"repetitions": 0}, "repetitions = 0"), ({"repetitions": trust.MOST_REPETITIONS + 1}, "repetitions = "),
     ({"repetitions": trust.MOST_REPETITIONS}, ""), ({"repetitions": 1}, ""), ({"planted": (0.0,)}, "planted"),
     ({"planted": (1.0,)}, ""), ({"planted": (math.nextafter(1, 2),)}, "planted"), ({"planted": (1e-9, 1.0)}, ""),
     ({"planted": (0.5, 0.0)}, "planted"), ({"resamples": -1}, "resamples"), ({"resamples": 0}, ""), ({"resamples": 1}, ""),
     ({"rule": "unpaired_t", "null": "segment", "planted": (0.5,)}, ""), ({"rule": "unpaired_t", "planted": (0.5,)}, "no gain"),
     ({"rule": "riezler_maxwell", "null": "halves"}, "unpaired tests"), ({"rule": "rank_sum", "null": "halves"}, "")],
)  # fmt: skip
def test_the_numbers_of_a_plan(change: dict[str, Any], words: str) -> None:
    if not words:
        trust.TrustPlan(**change)
        return
    with pytest.raises(OptionError, match=words):
        trust.TrustPlan(**change)


@pytest.mark.parametrize(("rule", "null", "halves"), [("", "auto", False), ("rank_sum", "auto", True), ("unpaired_t", "halves", True),
                                                    ("rank_sum", "segment", False), ("riezler_maxwell", "auto", False)])  # fmt: skip
def test_halves_are_for_unpaired_tests(rule: str, null: Any, halves: bool) -> None:
    assert trust.TrustPlan(rule=rule, null=null).halves == halves


def test_coverage_is_of_half_a_gain_where_none_is_planted() -> None:
    plans = [trust.TrustPlan(coverage=c, planted=p) for c in (True, False) for p in ((), (0.2, 1.0))]
    assert [trust_plan.covered_shares(plan) for plan in plans] == [(0.5,), (0.2, 1.0), (), ()]
    parts = trust_compute._parts(plans[1])
    assert [(part.share, part.stream, part.coverage) for part in parts] == [
        (0.0, 0, False), (0.2, 1, False), (1.0, 2, False), (0.2, 1000, True), (1.0, 1001, True),
    ]  # fmt: skip
    assert [part.words for part in (parts[0], parts[1], parts[3])] == [
        "repetitions without a difference", "repetitions with a gain", "intervals of a known gain",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("correction", "tests", "resamples"),
    [
        ("none", 1, 999),
        ("none", 50, 999),
        ("bonferroni", 5, 999),
        ("bonferroni", 6, 1999),
        ("bonferroni", 10, 1999),
        ("bonferroni", 11, 2999),
    ],
)
def test_corrections_get_the_resamples_that_they_need(correction: str, tests: int, resamples: int) -> None:
    """For each five tests that p may be multiplied by a thousand more; a number that was asked for stays."""
    assert trust_plan.resamples_of(trust.TrustPlan(), correction, tests) == resamples
    assert trust_plan.resamples_of(trust.TrustPlan(resamples=7), correction, tests) == 7


@pytest.mark.parametrize(
    ("first", "second"), [([1.0, 2.0, 4.0], [2.0, 5.0]), ([3.0, 1.0], [9.0, 8.0, 7.0]), ([1.0, 5.0], [1.0, 5.0])]
)
def test_unpaired_tests_are_those_of_scipy(first: list[float], second: list[float]) -> None:
    one, other = np.array(first), np.array(second)
    assert trust_plan.unpaired("unpaired_t", one, other) == pytest.approx(stats.ttest_ind(one, other).pvalue)
    wanted = stats.mannwhitneyu(one, other, method="asymptotic").pvalue
    assert trust_plan.unpaired("rank_sum", one, other) == pytest.approx(min(1.0, wanted))
    for rule in ("unpaired_t", "rank_sum"):
        assert trust_plan.unpaired(rule, np.ones(3), np.ones(2)) == 1


def test_riezler_and_maxwells_p_by_hand() -> None:
    """The mean is taken off the absolute gains; what reaches the gain counts, and one more."""
    scores = [np.array([[0.0, 1.0, -4.0, 2.0, 3.0], [0.0] * 5])]
    drawn: Any = SimpleNamespace(scores=scores)
    # absolute gains 0, 1, 4, 2, 3 have the mean 2: -2, -1, 2, 0, 1
    for gain, reached in ((1.0, 2), (-1.0, 2), (1.01, 1), (2.0, 1), (2.01, 0), (0.0, 3)):
        found = trust_plan.riezler_maxwell(drawn, np.array([gain]), np.array([[0, 1]]))
        assert found.tolist() == pytest.approx([(reached + 1) / 6])


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.95, 0.99, "as often as it says"), (math.nextafter(0.95, 1), 0.99, "safe"), (0.9, 0.95, "as often as it says"),
     (0.9, math.nextafter(0.95, 0), "too seldom")],
)  # fmt: skip
def test_coverage_at_its_level(low: float, high: float, verdict: str) -> None:
    one = trust.Coverage(0.5, 1.0, 19, 20, low, high)
    assert one.verdict == verdict
    assert (
        one.sentence
        == f"95.0% [{100 * low:.1f}%, {100 * high:.1f}%] of the 95% intervals held a true gain of 50% of the pair's own."
    )


def test_coverage_has_an_exact_interval() -> None:
    held = np.array([1.0] * 8 + [0.0] * 2)
    found = trust_result.covering(0.5, 1.25, held)
    assert (found.share, found.gain, found.covered, found.of) == (0.5, 1.25, 8, 10)
    assert (found.low, found.high) == pytest.approx((stats.beta.ppf(0.025, 8, 3), stats.beta.ppf(0.975, 9, 2)))


def test_rates_count_p_at_most_alpha() -> None:
    """With exact intervals, and the share of tests of a grid; nothing without p."""
    p = np.array([0.01, 0.05, math.nextafter(0.05, 1), 1.0])
    found = trust_result.rates(p, (0.05, 0.01))
    assert [(one.alpha, one.rejected, one.of, one.share) for one in found] == [(0.05, 2, 4, 0.5), (0.01, 1, 4, 0.25)]
    for one in found:
        assert (one.low, one.high) == pytest.approx(tuple(map(float, clopper_pearson(one.rejected, 4))))
    assert found[0].words == f"50.0% [{100 * found[0].low:.1f}%, {100 * found[0].high:.1f}%]"
    assert trust_result.rates(p[:0], (0.05,)) == ()
    assert trust_result.found_share(np.array([[0.05, 0.2], [0.01, 0.05]]), (0.05, 0.01)) == (0.75, 0.25)


@pytest.mark.parametrize(("p", "clear"), [(0.05, True), (math.nextafter(0.05, 1), False)])
def test_p_that_is_too_small_somewhere_in_words(p: float, clear: bool) -> None:
    """A share of at most all of the true nulls."""
    for excess, at, share in ((0.3, 0.1, "40.0%"), (0.7, 0.4, "100.0%")):
        found = trust_result.Uniformity(excess, at, p).sentence
        words = f"Somewhere p is too small: {share} of true nulls have p at most {at:g} (Smirnov's test: p = 0.05"
        assert found.startswith(words) if clear else found == "Nowhere is p clearly too small."


def plain(n: int = 24, count: int = 2, seed: int = 3, documents: tuple[str, ...] = (), **more: Any) -> Study:
    """Systems with scores of one decimal."""
    rng = np.random.default_rng(seed)
    testset, outputs = score_set(*np.round(rng.normal(size=(1, n)) + rng.normal(size=(count, n)), 1))
    given = {"unit": "segment", "seed": 7, **more}
    return Study(replace(testset, documents=documents), outputs, OWN, ("approximate_randomization",), **given)


def test_a_result_while_it_grows() -> None:
    """Nothing is known of uniformity before the first repetition; a histogram has twenty bins with their upper edges."""
    found = trust.run(plain(), trust.TrustPlan(3, resamples=19, planted=(0.5,)))
    none = replace(found, p_values=np.zeros(0))
    assert (none.done, none.uniformity) == (0, None)
    assert (found.done, found.uniformity is None) == (3, False)
    edges = replace(found, p_values=np.array([0.0, 0.05, 0.0500001, 0.1, 0.95, 0.9500001, 1.0]))
    assert edges.histogram.tolist() == [2, 2, *[0] * 16, 1, 2]
    rows = found.rows()
    assert [row["planted"] for row in rows] == [0, 0, 0.5, 0.5]


def test_shifts_of_centred_systems_have_equal_sums() -> None:
    """Where documents change sides under a test of segments, and only there."""
    study = plain(documents=tuple(f"d{k // 4}" for k in range(24)))
    (measured,) = measure(study.testset, study.outputs, OWN)
    groups = np.arange(24) // 4
    test = trust_compute.significance.get("approximate_randomization")
    of = worlds.world(measured.systems, groups, None, test, Settings(), np.array([[0, 1]]), None, 19, 7)
    assert (of.nulls, of.units, of.coarse) == (6, 24, True)
    sums = [one.values.sum(axis=0) for one in of.centred]
    assert sums[0] == pytest.approx(sums[1], abs=24 / 2**16)
    fine = worlds.world(measured.systems, None, groups, test, Settings(), np.array([[0, 1]]), None, 19, 7)
    assert (fine.nulls, fine.units, fine.coarse) == (24, 6, False)
    same = worlds.world(measured.systems, groups, groups, test, Settings(), np.array([[0, 1]]), None, 19, 7)
    assert (same.nulls, same.units, same.coarse, same.unit_of) == (6, 6, False, None)
    assert [one.n for one in same.systems] == [6, 6]


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_outputs_are_exchanged_unit_by_unit(share: float) -> None:
    """A pair keeps its outputs with probability (1 + share) / 2, and every unit holds both of them."""
    study = plain(n=2000)
    (measured,) = measure(study.testset, study.outputs, OWN)
    test = trust_compute.significance.get("approximate_randomization")
    of = worlds.world(measured.systems, None, None, test, Settings(), np.array([[0, 1]]), None, 19, 7)
    first, second = worlds.exchanged(of, np.random.default_rng(1), share)
    mine, theirs = (one.values for one in measured.systems)
    kept = (first.values == mine).all(axis=1) & (second.values == theirs).all(axis=1)
    swapped = (first.values == theirs).all(axis=1) & (second.values == mine).all(axis=1)
    assert (kept | swapped).all()
    differ = (mine != theirs).any(axis=1)
    probability = (1 + share) / 2
    error = math.sqrt(probability * (1 - probability) / differ.sum())
    assert abs(kept[differ].mean() - probability) <= 4 * error


@pytest.mark.parametrize("share", [0.25, 1.0])
@pytest.mark.parametrize("count", [2, 3])
def test_the_planted_gain_is_that_share_of_the_gain(share: float, count: int) -> None:
    """Of several systems the largest of the family."""
    study = plain(count=count)
    (measured,) = measure(study.testset, study.outputs, OWN)
    test = trust_compute.significance.get("approximate_randomization")
    pairs = np.column_stack(np.triu_indices(count, k=1))
    of = worlds.world(measured.systems, None, None, test, Settings(), pairs, None, 19, 7)
    scores = measured.scores
    gains = [scores[a] - scores[b] for a, b in pairs]
    assert worlds.planted_gain(of, share) == pytest.approx(share * max(gains, key=abs))


def test_units_without_a_score_are_left_out() -> None:
    (measured,) = measure(*score_set([1.0, 2.0, 4.0], [0.0, 0.0, 0.0]), OWN)
    one = measured.systems[0]
    assert worlds.unit_scores(one).tolist() == [1, 2, 4]
    values = one.values.copy()
    values[1] = 0
    with np.errstate(invalid="ignore"):
        assert worlds.unit_scores(replace(one, values=values)).tolist() == [1, 4]


@pytest.mark.parametrize(("n", "refused"), [(3, True), (4, False)])
def test_an_unpaired_test_needs_four_units(n: int, refused: bool) -> None:
    plan = trust.TrustPlan(2, rule="unpaired_t")
    if refused:
        with pytest.raises(Undefined, match="at least 4 units"):
            trust.run(plain(n=n), plan)
        return
    assert trust.run(plain(n=n), plan).done == 2


@pytest.mark.parametrize(("n", "refused"), [(9, True), (10, False)])
def test_coverage_and_a_bootstrap_need_ten_units(n: int, refused: bool) -> None:
    rng = np.random.default_rng(4)
    testset, outputs = score_set(*rng.normal(size=(2, n)))
    study = Study(testset, outputs, OWN, ("approximate_randomization",), "segment", seed=7)
    for asked, plan, words in (
        (study, trust.TrustPlan(1, resamples=19, coverage=True), "have no interval"),
        (replace(study, tests=("bootstrap_shift",)), trust.TrustPlan(1, resamples=19), "gives no p"),
    ):
        if refused:
            with pytest.raises(Undefined, match=words):
                trust.run(asked, plan)
        else:
            assert trust.run(asked, plan).done == 1


@pytest.mark.parametrize(("documents", "few"), [(9, True), (10, False)])
def test_few_units_that_change_sides_are_noted(documents: int, few: bool) -> None:
    names = tuple(f"d{k // 2}" for k in range(2 * documents))
    found = trust.run(plain(n=2 * documents, documents=names, unit="document"), trust.TrustPlan(1, resamples=19))
    said = [note for note in found.notes if "can change sides in" in note]
    assert said == ([f"9 documents can change sides in {2**9} ways, so repetitions are seldom new."] if few else [])


@pytest.mark.parametrize(
    ("documents", "null"), [((), "segment"), (("d",) * 24, "segment"), (tuple(f"d{k}" for k in range(24)), "segment"),
                            (tuple(f"d{k // 2}" for k in range(24)), "document")],
)  # fmt: skip
def test_documents_change_sides_where_there_are_several_of_several_segments(
    documents: tuple[str, ...], null: str
) -> None:
    found, _ = trust_compute._null(plain(documents=documents).testset, "auto", SEGMENT)
    assert str(found) == null


def test_notes_of_halves_and_of_unpaired_tests() -> None:
    """How many units a half has; that units are common; that a flawed rule is no verdict; what a family counts."""
    halves = trust.run(plain(n=25), trust.TrustPlan(1, rule="rank_sum")).notes
    assert len(halves) == 1
    assert "The halves have 12 segments each" in halves[0]
    common = trust.run(plain(), trust.TrustPlan(1, rule="rank_sum", null="segment")).notes
    assert [("ignores that the systems have the same segments" in note) for note in common] == [True]
    flawed = trust.run(plain(), trust.TrustPlan(1, rule="riezler_maxwell", resamples=19)).notes
    assert [("is here to be seen to fail" in note) for note in flawed] == [True]
    grid = trust.run(plain(count=3), trust.TrustPlan(1, resamples=19)).notes
    assert [note.startswith("A repetition rejects where at least one of 3 tests does") for note in grid] == [True]


def test_blocks_of_repetitions_end_with_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every repetition once, whatever the size of a block; what is known is shown after a number of them."""
    seen: list[int] = []
    monkeypatch.setattr(trust_compute, "repeated", lambda of, number, share, stream: [float(number)])
    for count in (3, 4, 5):
        found = trust_compute._repetitions(None, trust_compute.Part(0.0, 0), count, Runtime(Serial()))  # type: ignore[arg-type]
        assert [one for part in found for (one,) in part] == list(range(count))
    monkeypatch.setattr(trust_compute, "SHOWN", 8)
    trust.run(plain(), trust.TrustPlan(17, resamples=19), Runtime(publish=lambda so_far: seen.append(so_far.done)))
    assert seen == [8, 16]
    assert LOCAL.publish is None


def test_levels_of_a_calibration_are_in_order() -> None:
    """Those that are always counted, and that of the study, the largest first; each planted share has all."""
    found = trust.run(plain(alpha=0.03), trust.TrustPlan(2, resamples=19, planted=(0.5, 1.0), coverage=True))
    assert [one.alpha for one in found.rates] == [0.05, 0.03, 0.01]
    assert [(one.share, [rate.alpha for rate in one.rates]) for one in found.planted] == [
        (0.5, [0.05, 0.03, 0.01]), (1.0, [0.05, 0.03, 0.01]),
    ]  # fmt: skip
    assert [(one.share, one.of) for one in found.coverage] == [(0.5, 2), (1.0, 2)]
    assert found.at(0.03).alpha == 0.03
    assert len(found.planted_p) == 2


@pytest.mark.parametrize(
    ("rule", "test", "resamples"),
    [("", "approximate_randomization", 19), ("riezler_maxwell", "riezler_maxwell", 19), ("rank_sum", "rank_sum", 0)],
)
def test_the_setup_of_a_calibration(rule: str, test: str, resamples: int) -> None:
    """A rule takes the place of the test; unpaired ones draw nothing."""
    setup = trust.run(plain(), trust.TrustPlan(1, resamples=19, rule=rule)).setup
    assert (setup.test, setup.resamples, setup.n, setup.segments) == (test, resamples, 24, 24)
    assert setup.test_title == trust.RULES.get(rule, "Approximate randomization")
    assert f"test:{test}|" in setup.signature


def world_of(
    n: int,
    null_of: Any = None,
    unit_of: Any = None,
    rule: str = "",
    count: int = 2,
    test: str = "approximate_randomization",
    **more: Any,
) -> Any:
    """A world of scores, each its own number."""
    columns = np.arange(count * n, dtype=float).reshape(count, n) ** 1.5
    (measured,) = measure(*score_set(*columns), OWN)
    pairs = np.column_stack(np.triu_indices(count, k=1))
    settings = more.pop("settings", Settings())
    made = worlds.world(
        measured.systems, null_of, unit_of, trust_compute.significance.get(test), settings, pairs, None, 99, 7, rule
    )
    return replace(made, **more)


@pytest.mark.parametrize(
    ("null_of", "unit_of"),
    [(None, None), ([0, 0, 0, 1, 1, 2], None), (None, [0, 0, 0, 1, 1, 2]), ([0, 0, 0, 1, 1, 2], [0, 0, 1, 2, 2, 3]),
     ([0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 2])],
)  # fmt: skip
def test_units_are_drawn_whole_with_replacement(null_of: Any, unit_of: Any) -> None:
    """Those of the null or of the test, whichever are larger; every copy is a unit of its own, with all of its rows."""
    groups = [None if one is None else np.array(one) for one in (null_of, unit_of)]
    of = world_of(6, *groups)
    rows = [one.values[:, 0].tolist() for one in of.systems]
    inner = np.arange(len(of.null_of)) if of.unit_of is None else of.unit_of
    larger = of.null_of if of.nulls <= of.units else inner
    known = {tuple(np.array(rows[0])[larger == k].tolist()) for k in range(int(larger.max()) + 1)}
    for seed in range(8):
        drawn = worlds.redrawn(of, np.random.default_rng(seed))
        finer = drawn.null_of if of.nulls > of.units else drawn.unit_of
        outer = drawn.null_of if of.nulls <= of.units else drawn.unit_of
        count = int(larger.max()) + 1
        assert int(outer.max()) + 1 == count
        own = drawn.systems[0].values[:, 0]
        assert {tuple(own[outer == k].tolist()) for k in range(count)} <= known
        places = [rows[0].index(value) for value in own.tolist()]
        assert drawn.systems[1].values[:, 0].tolist() == [rows[1][k] for k in places]
        assert (drawn.unit_of is None) == (of.unit_of is None)
        if finer is not None:  # what is together inside of a unit still is, and nothing else
            inside = of.null_of if of.nulls > of.units else inner
            for a in range(len(own)):
                for b in range(len(own)):
                    same = outer[a] == outer[b] and inside[places[a]] == inside[places[b]]
                    assert (finer[a] == finer[b]) == same


@pytest.mark.parametrize(("n", "known"), [(9, False), (10, True)])
def test_every_gain_is_in_an_interval_that_is_not_known(n: int, known: bool) -> None:
    """Of too few units; else the interval of the pair holds its gain, and ends on both sides."""
    of = world_of(n)
    low, high = worlds.interval(of, of.systems, None, 5)
    gain = of.systems[0].corpus_score - of.systems[1].corpus_score
    assert low < gain < high
    assert (math.isfinite(low), math.isfinite(high)) == (known, known)
    if not known:
        assert worlds.covered(of, 0, 0.5, 1) == [1.0]


def test_p_of_a_rule_is_that_of_both_directions() -> None:
    """Of every pair, and 1 where two systems are the same."""
    of = world_of(12, rule="riezler_maxwell", count=3, test="bootstrap_shift", settings=Settings(correction="none"))
    same = [of.systems[0], of.systems[1], replace(of.systems[0], system="again")]
    p = worlds.tested(of, same, 5)
    assert p.shape == (3,)
    assert p[1] == 1.0
    assert p[0] == p[2] < 1
    unpaired = world_of(12, rule="unpaired_t", count=3, settings=Settings(correction="none"))
    scores = [one.values[:, 0] for one in unpaired.systems]
    wanted = [stats.ttest_ind(scores[a], scores[b]).pvalue for a, b in ((0, 1), (0, 2), (1, 2))]
    assert worlds.tested(unpaired, unpaired.systems, 5).tolist() == pytest.approx(wanted)


def test_a_bootstrap_of_few_units_that_differ_has_no_p() -> None:
    """Which counts as 1 in a repetition."""
    base = np.arange(20.0)
    (measured,) = measure(*score_set(base, base + (base < 9) * (1 + base)), OWN)
    of = world_of(20, test="bootstrap_shift", systems=measured.systems)
    assert np.isnan(worlds.tested(of, of.systems, 5)).all()
    assert worlds.repeated(of, 0) == [1.0]
    enough = measure(*score_set(base, base + (base < 10) * (1 + base)), OWN)[0].systems
    assert np.isfinite(worlds.tested(replace(of, systems=enough), enough, 5)).all()


def test_repetitions_begin_without_a_gain() -> None:
    """The share and the stream that nobody named are 0."""
    of = world_of(30)
    assert worlds.repeated(of, 3) == worlds.repeated(of, 3, 0.0, 0)
    assert {tuple(worlds.repeated(of, k)) for k in range(6)} != {
        tuple(worlds.repeated(of, k, 0.0, 1)) for k in range(6)
    }
    one, other = (worlds.exchanged(of, np.random.default_rng(2), *share) for share in ((), (0.0,)))
    assert [a.values.tolist() for a in one] == [b.values.tolist() for b in other]


@pytest.mark.parametrize("n", [24, 25])
def test_halves_take_turns_and_have_nothing_in_common(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two halves of one system of as many units; an odd one is left out."""
    seen: list[tuple[list[float], list[float]]] = []
    monkeypatch.setattr(worlds, "unpaired", lambda rule, a, b: seen.append((a.tolist(), b.tolist())) or 0.5)
    of = world_of(n, rule="rank_sum", halves=True)
    for number in range(4):
        assert worlds.repeated(of, number) == [0.5]
        first, second = seen[-1]
        own = set(of.systems[number % 2].values[:, 0].tolist())
        assert len(first) == len(second) == n // 2
        assert not set(first) & set(second)
        assert set(first) | set(second) <= own
