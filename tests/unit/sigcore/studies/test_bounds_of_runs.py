"""Bounds and words of several runs: variances, draws, notes, records and p, at each number."""

from __future__ import annotations

import hashlib
import math
import struct
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sigcore import OptionError, Settings, Study, Undefined
from sigcore.resampling.blocks import BLOCK
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.significance import LEAST_UNITS
from sigcore.studies import compare, runs
from sigcore.studies.runs import compute, draws, mixed, notes
from sigcore.studies.runs import result as runs_result
from sigcore.studies.statistics import measure
from sigcore.study import Runtime
from sigcore.testset import Outputs, Testset
from sigcore.types import SEGMENT
from tests.made import score_set

OWN = (("own_scores", {}),)


def systems(*sizes: int, n: int = 20, seed: int = 1, shift: float = 0.5) -> tuple[Testset, dict[str, list[Outputs]]]:
    """A test set of scores, and systems A, B ... with so many runs."""
    rng = np.random.default_rng(seed)
    testset, outputs = score_set(
        *(np.round(rng.normal(size=n) + shift * k, 3) for k, size in enumerate(sizes) for _ in range(size))
    )
    rest = iter(outputs)
    return testset, {name: [next(rest) for _ in range(size)] for name, size in zip("ABCD", sizes, strict=False)}


def run_of(*sizes: int, resamples: int = 60, shuffle: str = "exact", **more: Any) -> Any:
    """The run of such systems."""
    testset, given = systems(*sizes, **more)
    study = Study(testset, (), OWN, resamples=resamples, seed=3)
    return runs.run(study, runs.RunsPlan(given, shuffle))


def read(*sizes: int, settings: Settings | None = None, **more: Any) -> runs.RunsResult:
    return runs.read(run_of(*sizes, **more), "own_scores", settings)


# The mixed model.


@pytest.mark.parametrize(("n", "known"), [(1, False), (2, True)])
def test_two_units_are_needed_for_an_error(n: int, known: bool) -> None:
    values = np.random.default_rng(1).normal(size=(4, n))
    error, freedom = mixed.fit(values, [np.arange(2), np.arange(2, 4)], np.array([[0, 1]]))
    assert np.isfinite([error[0], freedom[0]]).all() == known


def test_a_gain_that_nothing_moves_has_no_error() -> None:
    error, freedom = mixed.fit(np.ones((2, 5)), [np.array([0]), np.array([1])], np.array([[0, 1]]))
    assert np.isnan([error[0], freedom[0]]).all()


@pytest.mark.parametrize(
    ("units", "of_runs", "rest", "variance", "freedom"),
    [
        ((1.0, 9.0), (2.0, 3.0), 1.0, 2.0, 3.0), ((1.0, 9.0), (0.1, 3.0), 1.0, 1 / 9, 3.0), ((1.0, 9.0), (0.1, 3.0), 2.0, 1 / 9, 3.0),
        ((1.0, 9.0), (2.0, 3.0), 0.5, 2.5, 6.25 / 0.7), ((1.0, 9.0), (0.0, 3.0), 0.95, 1 / 9, 3.0),
    ],
)  # fmt: skip
def test_the_variance_of_units_and_of_runs_together(
    units: tuple[float, float], of_runs: tuple[float, float], rest: float, variance: float, freedom: float
) -> None:
    """What is in both counts once; units that add nothing leave t of the runs; a ninth of the units' variance is the least."""
    found = mixed.together(units, of_runs, rest, 0.7)
    assert found == pytest.approx((variance, freedom))


def test_parts_of_units_have_the_score_as_their_mean() -> None:
    """Of a mean each unit's part is its own score."""
    scores = np.array([[1.0, 4.0, 7.0], [0.0, 0.0, 6.0]])
    without = (scores.sum(axis=1, keepdims=True) - scores) / 2
    found = mixed.values_of(without, scores.mean(axis=1))
    assert found == pytest.approx(scores)


@pytest.mark.parametrize(("freedom", "known"), [(1.0, True), (0.999, False)])
def test_an_interval_needs_a_degree_of_freedom(freedom: float, known: bool) -> None:
    ends = mixed.intervals(np.array([2.0, 2.0]), np.array([0.5, math.nan]), np.array([freedom, 5.0]), 0.95)
    reach = stats.t.ppf(0.975, freedom) * 0.5
    assert ends[0].tolist() == pytest.approx([2 - reach, 2 + reach] if known else [math.nan] * 2, nan_ok=True)
    assert np.isnan(ends[1]).all()


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_scores_of_runs_alone_are_students_t(better: Any, side: Any) -> None:
    """scipy's test with pooled variance for every two systems; nan for single runs, for equal ones and on the diagonal."""
    scores = [np.array([1.0, 2.0, 4.0]), np.array([2.0, 5.0]), np.array([3.0])]
    sign = 1 if better == "higher" else -1
    t, df, p = mixed.of_runs_alone(scores, better, side)
    for i, j in ((0, 1), (1, 0)):
        found = stats.ttest_ind(sign * scores[i], sign * scores[j], alternative=side)
        assert (t[i, j], df[i, j], p[i, j]) == pytest.approx((found.statistic, 3, found.pvalue))
    variance = ((scores[0] - scores[0].mean()) ** 2).sum() / 2
    assert t[0, 2] == pytest.approx(sign * (scores[0].mean() - 3) / math.sqrt(variance * (1 / 3 + 1)))
    assert df[0, 2] == 2
    assert np.isnan(np.diag(t)).all()
    assert np.isnan(np.diag(df)).all()
    same, freedom, _ = mixed.of_runs_alone([np.array([1.0, 1.0]), np.array([2.0, 2.0]), np.array([3.0])], better, side)
    assert np.isnan(same).all()
    assert freedom[0, 1] == 2


# Draws of runs.


def test_drawn_runs_by_hand() -> None:
    """One run is itself; of two equal ones nothing varies; of m the deviations are multiplied by the root of m / (m - 1)."""
    one = np.array([[1.0, 2.0, 3.0]])
    assert draws._drawn(one, (1,), 5, 0).tolist() == [1, 2, 3]
    assert draws._drawn(np.repeat(one, 3, axis=0), (1,), 5, 0) == pytest.approx([1, 2, 3])
    both = np.zeros((2, 400))
    both[1] = 2.0
    found = draws._drawn(both, (1,), 5, 0)
    assert set(np.round(found, 12)) == {round(1 + math.sqrt(2) * k, 12) for k in (-1, 0, 1)}
    assert found.var() == pytest.approx(1.0, rel=0.2)  # as much as an average of two runs with a variance of 2


@pytest.mark.parametrize(
    ("rows", "numbers", "parts"), [(7, 5, [2, 2, 2, 1]), (7, 10, [1] * 7), (7, 11, [1] * 7), (4, 0, [4])]
)
def test_masks_are_drawn_in_parts_that_fit(
    rows: int, numbers: int, parts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draws, "IN_MEMORY", 10)
    assert list(draws._strips(rows, numbers)) == parts


def test_multevals_shuffle_needs_as_many_runs_of_each() -> None:
    for sizes, words in (((2, 3), "there are 2 and 3"), ((1, 2), "there are 1 and 2")):
        with pytest.raises(OptionError, match=words):
            run_of(*sizes, shuffle="multeval")
    assert run_of(2, 2, shuffle="multeval").shuffle == "multeval"


def test_steps_are_counted_for_each_pair_of_numbers_of_runs() -> None:
    """Two systems with one run and one with two: pairs of 1 and 1, and of 1 and 2 in either order."""
    testset, given = systems(1, 1, 2)
    seen: list[tuple[str, int, int]] = []
    study = Study(testset, (), OWN, resamples=30, seed=3)
    runs.run(study, runs.RunsPlan(given), Runtime(progress=lambda *words: seen.append(words)))
    own = [(done, total) for stage, done, total in seen if stage == "shuffling runs"]
    assert own[-1][0] == own[-1][1]


def test_runs_are_refused_where_something_is_missing() -> None:
    testset, given = systems(1, 1)
    for wrong, shuffle, error, words in (
        ({"A": given["A"]}, "exact", Undefined, "only one system"), ({**given, "C": []}, "exact", Undefined, "C has no runs"),
        (given, "mine", OptionError, "shuffle = 'mine'"),
    ):  # fmt: skip
        with pytest.raises(error, match=words):
            compute._check(testset, wrong, shuffle)
    compute._check(testset, given, "exact")


# How alike runs are, and what is said of it.


def test_how_alike_runs_are_by_hand() -> None:
    """The variance of a difference of means over that of a division at random; nan where nothing varies."""
    rows, pairs = [np.array([0, 1]), np.array([2])], np.array([[0, 1]])
    left_out = np.array([[1.0, 3.0], [1.0, 3.0], [2.0, 2.0]])
    # by unit: values -1, -1, 0 and 1, 1, 0: S^2 = 1 / 3 of each, times 1 / 2 + 1; differences of means -1 and 1
    assert compute.alike(left_out, rows, pairs).tolist() == pytest.approx([2 / (2 / 3 * 1.5)])
    assert np.isnan(compute.alike(np.ones((3, 2)), rows, pairs)).all()


def test_the_spread_over_segments_needs_two_draws() -> None:
    """The deviation of each run over the draws, averaged over the runs."""
    found = run_of(2, 1, resamples=1)
    assert np.isnan(found.of("own_scores").s_sel).all()
    assert np.isfinite(run_of(2, 1, resamples=2).of("own_scores").s_sel).all()


@pytest.mark.parametrize(("opt", "named"), [(0.5, False), (math.nextafter(0.5, 1), True), (math.nan, False)])
def test_runs_that_differ_by_more_than_half_are_unstable(opt: float, named: bool) -> None:
    assert notes.unstable(["A"], np.array([1.0]), np.array([opt])) == (("A",) if named else ())
    zeros = np.zeros(1)
    one = runs.RunsTest("A", "A", zeros, 0, (0, 0), 1, (0, 1), 1, 1.0, opt, 0, 0, 0, zeros, zeros)
    assert one.unstable == named


@pytest.mark.parametrize(
    ("sizes", "warned"),
    [((1, 1), False), ((1, 2), True), ((2, 2), True), ((1, 3), True), ((2, 3), False), ((3, 3), False), ((2, 2, 9), True), ((1, 3, 3), True)],
)  # fmt: skip
def test_two_runs_of_a_pair_are_a_caveat(sizes: tuple[int, ...], warned: bool) -> None:
    """The two systems with the fewest runs have more than two and at most four."""
    run: Any = SimpleNamespace(sizes=sizes, by_model=max(sizes) > 1)
    assert notes._two(run) == (notes.TWO_RUNS if warned else "")


@pytest.mark.parametrize(
    ("n", "by_model", "words"),
    [(9, True, "p assumes normal effects of segments, which 9 of them cannot show."), (10, True, ""), (9, False, "")],
)
def test_ten_units_are_enough_for_the_model(n: int, by_model: bool, words: str) -> None:
    run: Any = SimpleNamespace(n=n, by_model=by_model, unit=SEGMENT)
    assert notes._few_units(run) == words


@pytest.mark.parametrize(
    ("n", "alike", "words"),
    [
        (33, [1.5], ""), (33, [1.51], "the gain varies 1.5 times"), (9, [5.0], ""), (10, [5.0], "the gain varies 5.0 times"),
        (33, [math.nan, 1.6], "the gain varies 1.6 times"), (33, [1.6, 1.8, 1.1], "the gains of 2 pairs vary up to 1.8 times"),
        (33, [1.6, 1.1], "the gains of 1 pair vary up to 1.6 times"), (33, [math.nan], ""),
    ],
)  # fmt: skip
def test_runs_are_alike_where_chance_does_not_explain_it(n: int, alike: list[float], words: str) -> None:
    """Above 1 by more than two standard errors: of 33 units by 2 sqrt(2 / 32) = 1 / 2."""
    run: Any = SimpleNamespace(n=n, unit=SEGMENT)
    found = notes._alike(run, SimpleNamespace(alike=np.array(alike)))  # type: ignore[arg-type]
    assert (words in found) if words else not found


@pytest.mark.parametrize("sizes", [(1, 1), (1, 3), (3, 3)])
def test_notes_of_runs(sizes: tuple[int, ...]) -> None:
    """Single runs are named; p of the model is about other runs and units; MultEval's shuffle has its flaw."""
    found = read(*sizes).grid.notes
    single = [note for note in found if note.startswith("Only one run of")]
    names = ", ".join(name for name, size in zip("AB", sizes, strict=True) if size == 1)
    assert [note.split(" was given")[0] for note in single] == ([f"Only one run of {names}"] if names else [])
    assert (notes.GIVEN in found) == (max(sizes) > 1)
    assert notes.MULTEVAL_FLAW not in found
    assert notes.MULTEVAL_FLAW in read(3, 3, shuffle="multeval").grid.notes


def test_systems_that_are_the_same_on_every_unit_are_noted() -> None:
    """p is 1 in all tests."""
    testset, given = systems(2, 2)
    study = Study(testset, (), OWN, resamples=60, seed=3)
    found = runs.read(runs.run(study, runs.RunsPlan({"A": given["A"], "B": given["A"][::-1]})), "own_scores")
    assert sum(note.startswith("A and B have the same") for note in found.grid.notes) == 1
    for p in (found.mixed_p, found.shuffled_p, found.swapped_p, found.nested_p):
        assert p[0, 1] == p[1, 0] == 1


@pytest.mark.parametrize(("n", "known"), [(9, False), (10, True)])
def test_ten_units_have_a_bootstrap_of_runs(n: int, known: bool) -> None:
    """p and intervals of the gains and of the scores; on the diagonal p is 1 in any case."""
    found = read(2, 2, n=n)
    assert found.nested_intervals is not None
    assert np.isfinite(found.nested_p[0, 1]) == known
    assert np.isfinite(found.nested_intervals[0, 1]).all() == known
    assert np.isfinite(found.grid.score_intervals).all() == known
    assert np.diag(found.nested_p).tolist() == [1, 1]


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_numbers_of_runs_by_hand(better: str) -> None:
    """Averages, deviations, the score of all runs as one output, and standard errors over segments."""
    testset, given = systems(2, 3)
    study = Study(testset, (), (("own_scores", {"better": better}),), resamples=60, seed=3)
    found = runs.read(runs.run(study, runs.RunsPlan(given)), "own_scores")
    sign = 1 if better == "higher" else -1
    for k, own in enumerate(given.values()):
        values = np.array([[float(cell) for cell in one.segments] for one in own])
        assert found.scores[k] == pytest.approx(values.mean(axis=1))
        assert found.average[k] == pytest.approx(values.mean())
        assert found.s_opt[k] == pytest.approx(values.mean(axis=1).std(ddof=1))
        assert found.over_segments[k] == pytest.approx(np.mean(values.std(axis=1, ddof=1)) / math.sqrt(20))
        assert found.together[k] == pytest.approx(values.mean())
    assert np.isnan(found.over_documents).all()
    assert found.grid.gains[0, 1] == pytest.approx(sign * (found.average[0] - found.average[1]))
    low, high = found.mixed_intervals[0, 1]
    reach = stats.t.ppf(0.975, found.mixed_df[0, 1])
    assert (low + high) / 2 == pytest.approx(found.grid.gains[0, 1])
    assert found.mixed_p[0, 1] == pytest.approx(
        2 * stats.t.sf(abs(found.grid.gains[0, 1]) / ((high - low) / 2 / reach), found.mixed_df[0, 1])
    )
    assert found.mixed_intervals[1, 0].tolist() == pytest.approx([-high, -low])
    assert (found.grid.p_values.tolist(), found.resamples) == (found.mixed_p.tolist(), 60)


def test_runs_that_are_swapped_as_one_have_the_p_of_their_sums() -> None:
    """Randomization of two systems, a segment of which is the sum over the runs; of three pairs each has its own."""
    testset, given = systems(2, 2, 2)
    study = Study(testset, (), OWN, resamples=60, seed=3)
    found = runs.read(runs.run(study, runs.RunsPlan(given)), "own_scores")
    sums = [np.sum([[float(cell) for cell in one.segments] for one in own], axis=0) for own in given.values()]
    whole, outputs = score_set(*sums)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        pair = Study(whole, [outputs[i], outputs[j]], OWN, ("approximate_randomization",), resamples=60, seed=3)
        wanted = compare.read(compare.run(pair), "own_scores", Settings(correction="none")).results[0]
        assert found.swapped_p[i, j] == wanted.p_value
    assert len({found.swapped_p[i, j] for i, j in ((0, 1), (0, 2), (1, 2))}) > 1
    for p in (found.nested_p, found.shuffled_p, found.swapped_p, found.mixed_p):
        assert np.array_equal(p, p.T)
        assert np.diag(p).tolist() == [1, 1, 1]


def test_single_runs_have_the_p_of_the_shuffle() -> None:
    """No model of runs without a second one; its resamples are those of the grid."""
    found = read(1, 1, n=12)
    assert found.grid.p_values.tolist() == found.shuffled_p.tolist()
    assert (found.setup.by_formula, found.setup.resamples, found.grid.interval_method) == (False, 60, "percentile")
    assert (found.setup.test, found.setup.test_title) == (draws.EXACT.name, draws.EXACT.title)
    assert found.setup.least_p == pytest.approx(1 / 61)
    assert np.isnan(found.s_opt).all()
    model = read(1, 2, n=12)
    assert (model.setup.by_formula, model.setup.resamples, model.grid.interval_method) == (True, 0, "mixed model")
    assert (model.setup.test, model.setup.test_title) == (mixed.NAME, mixed.TITLE)
    assert (model.shuffle.test, model.shuffle.test_title) == (draws.EXACT.name, draws.EXACT.title)
    assert (model.setup.least_p, model.setup.least_by_units) == (0, 0)
    assert model.shuffle.least_p == pytest.approx(1 / 61)
    several = read(1, 1, 1, n=12, settings=Settings(correction="bonferroni"))
    assert several.setup.least_p == pytest.approx(3 / 61)
    assert read(1, 1, n=12, settings=Settings(correction="bonferroni")).setup.correction == "none"


@pytest.mark.parametrize(
    ("sizes", "side", "n", "least"),
    [((1, 1), "two-sided", 4, 2 / 2**4), ((1, 1), "greater", 4, 1 / 2**4), ((2, 2), "two-sided", 3, 2 / 6**3),
     ((1, 3), "two-sided", 3, 1 / 4**3), ((1, 2, 3), "two-sided", 2, 1 / 10**2), ((3, 3), "less", 2, 1 / 20**2),
     ((1, 1), "two-sided", 1, 1.0)],
)  # fmt: skip
def test_the_least_p_of_all_divisions(sizes: tuple[int, ...], side: Any, n: int, least: float) -> None:
    """One of C(a + b, a) to the n; its reverse too where both have as many runs."""
    run: Any = SimpleNamespace(sizes=sizes, n=n)
    counted: Any = SimpleNamespace(differing=np.full((2, 2), n))
    assert runs_result._least_by_units(run, counted, side) == pytest.approx(least)
    fewer: Any = SimpleNamespace(differing=np.array([[0, n - 1], [n - 1, 0]]))
    wanted = least if max(sizes) > 1 else min(1.0, 2 * least)
    assert runs_result._least_by_units(run, fewer, side) == pytest.approx(wanted)


# Runs against one output.


def against(base: np.ndarray, *columns: np.ndarray, better: str = "higher", **more: Any) -> runs.RunsTest:
    """Runs with these scores against a baseline."""
    testset, outputs = score_set(base, *columns)
    (found,) = measure(testset, outputs, [("own_scores", {"better": better})])
    asked = {"test": "approximate_randomization", "resamples": 60, "seed": 3, **more}
    return compute.against(found.systems[0], {"x": list(found.systems[1:])}, {"x": "X"}, **asked)[0]


@pytest.mark.parametrize(("n", "differ", "known"), [(9, 9, False), (10, 10, True), (30, 9, False), (30, 10, True)])
def test_an_interval_against_a_baseline_needs_ten_units_that_differ(n: int, differ: int, known: bool) -> None:
    base = np.arange(float(n))
    found = against(base, base + (np.arange(n) < differ) * (1 + base))
    assert np.isfinite(found.interval).all() == known
    p = against(base, base + (np.arange(n) < differ) * (1 + base), test="bootstrap_shift").p_value
    assert math.isfinite(p) == known


@pytest.mark.parametrize("shifts", [(1.0,), (1.0, 3.0), (-1.0, 0.0, 4.0)])
def test_a_gain_that_is_the_same_on_every_unit_has_an_interval_without_width(shifts: tuple[float, ...]) -> None:
    """Whatever units are drawn, the average of the runs is ahead by the average of what they add."""
    base = np.arange(24.0) ** 1.5
    found = against(base, *(base + shift for shift in shifts), resamples=600)
    assert found.interval == pytest.approx((np.mean(shifts), np.mean(shifts)))
    assert found.gains.tolist() == pytest.approx(list(shifts))
    noise = 3 * np.sin(7 * base)
    low, high = against(base, *(base + shift + noise for shift in shifts), resamples=2_000).interval
    own = np.mean(shifts) + noise
    half = stats.t.ppf(0.975, 23) * own.std(ddof=1) / math.sqrt(24)
    assert (low, high) == pytest.approx((own.mean() - half, own.mean() + half), abs=0.25 * half)


def test_one_and_two_runs_against_a_baseline() -> None:
    """One has no deviation and no t; of two the t is that of their gains; equal ones have none."""
    base = np.arange(12.0)
    one = against(base, base + 1)
    assert (one.run_df, one.average, one.gain) == (0, 6.5, 1)
    assert np.isnan([one.s_opt, one.run_t, one.run_p]).all()
    two = against(base, base + 1, base + 3, better="lower")
    assert (two.run_df, two.gain, two.s_opt) == (1, -2, pytest.approx(math.sqrt(2)))
    assert (two.run_t, two.run_p) == pytest.approx(tuple(stats.ttest_1samp([-1.0, -3.0], 0)))
    same = against(base, base + 1, base + 1)
    assert (same.s_opt, same.unstable) == (0, False)
    assert np.isnan([same.run_t, same.run_p]).all()


# Records of runs.


def test_measured_rates_are_shares_of_each_test() -> None:
    """Each row has one rate between 0 and 1 for each test."""
    for rates in runs_result.RATES.values():
        assert len(rates) == len(runs_result.TESTS) == 7
        assert all(0 < rate < 1 for rate in rates)


def test_a_run_says_what_it_holds() -> None:
    """Two products for each column of each run on each unit, the runs of each system, and its metrics."""
    found = run_of(2, 3, n=12)
    columns = found.of("own_scores").measured.systems[0].values.shape[1]
    assert found.products == 2 * 12 * 5 * columns
    assert (found.sizes, found.by_model, run_of(1, 1).by_model) == ((2, 3), True, False)
    with pytest.raises(Undefined, match="bleu was not computed"):
        found.of("bleu")


def test_keys_of_draws_are_the_first_numbers_of_the_contents() -> None:
    """Four numbers of 32 bits of the digest of all runs, in the order of their contents; the systems too."""
    _, given = systems(2, 3, 1)
    plan = compute._plan(given)
    marks = {
        name: hashlib.sha256("\n".join(sorted(one.digest for one in own)).encode()).digest()
        for name, own in given.items()
    }
    order = sorted(marks, key=lambda name: marks[name].hex())
    assert list(plan.keys) == [struct.unpack(">4I", marks[name][:16]) for name in order]
    assert [len(rows) for rows in plan.rows] == [len(given[name]) for name in order]
    assert np.concatenate(plan.rows).tolist() == list(range(6))
    assert [one.digest for one in plan.flat] == [d for name in order for d in sorted(o.digest for o in given[name])]
    assert [given[name][k].digest for name, own in zip(order, plan.given, strict=True) for k in own] == [
        one.digest for one in plan.flat
    ]
    assert plan.kinds(np.array([[0, 1], [1, 0], [0, 2], [1, 2]])) == 4


def test_two_systems_have_the_numbers_of_their_pair() -> None:
    """Row over column; of more systems there is no such number."""
    table = np.array([[0.0, 0.25], [0.75, 0.0]])
    two: Any = SimpleNamespace(systems=("A", "B"))
    assert runs_result._pair(two, p=table, none=None) == {"p": 0.25, "none": None}
    for names in ((), ("A",), ("A", "B", "C")):
        assert runs_result._pair(SimpleNamespace(systems=names), p=table) == {}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sizes", "asked", "side", "used"),
    [((1, 1), "auto", "two-sided", "none"), ((2, 1, 1), "auto", "two-sided", "holm"), ((2, 1), "holm", "greater", "holm"),
     ((1, 1, 2), "bonferroni", "two-sided", "bonferroni"), ((1, 2), "bonferroni", "two-sided", "none")],
)  # fmt: skip
def test_the_correction_of_runs(sizes: tuple[int, ...], asked: str, side: Any, used: str) -> None:
    """A single test needs none, two directions are two tests, and Holm's is the usual one."""
    found = read(*sizes, settings=Settings(side, correction=asked))  # type: ignore[arg-type]
    assert found.setup.correction == used
    assert found.shuffle.correction == "none"
    p = np.array([found.grid.p_values[i, j] for i, j in zip(*np.triu_indices(len(sizes), k=1), strict=True)])
    if used == "bonferroni":
        adjusted = [found.grid.adjusted[i, j] for i, j in zip(*np.triu_indices(len(sizes), k=1), strict=True)]
        assert adjusted == pytest.approx(np.minimum(1.0, 3 * p))


def test_a_correction_by_the_joint_null_is_refused() -> None:
    with pytest.raises(Undefined, match="needs the joint null"):
        read(2, 1, 1, settings=Settings(correction="joint"))


@pytest.mark.parametrize("sizes", [(1, 1), (2, 2)])
def test_the_p_of_shuffles_has_an_interval(sizes: tuple[int, ...]) -> None:
    """Clopper's and Pearson's of the counted shuffles; the model has none."""
    found = read(*sizes, n=12)
    counted = round(found.shuffled_p[0, 1] * 61) - 1
    low, high = clopper_pearson(counted, 60)
    assert (found.shuffled_low[0, 1], found.shuffled_high[0, 1]) == pytest.approx((float(low), float(high)), abs=0.02)
    assert np.isnan(found.grid.p_low[0, 1]) == (max(sizes) > 1)
    if max(sizes) == 1:
        assert found.grid.p_low.tolist() == found.shuffled_low.tolist()
        assert found.grid.p_high.tolist() == found.shuffled_high.tolist()


def test_errors_over_documents_are_those_of_their_sums() -> None:
    """Of documents of four segments each the deviation of their means; design effects are those of the unit."""
    testset, given = systems(2, 1, n=40)
    documents = replace(testset, documents=tuple(f"d{k // 4}" for k in range(40)))
    for unit, known in (("segment", False), ("document", True)):
        study = Study(documents, (), OWN, unit=unit, resamples=60, seed=3)
        found = runs.read(runs.run(study, runs.RunsPlan(given)), "own_scores")
        for k, own in enumerate(given.values()):
            means = (
                np.array([[float(cell) for cell in one.segments] for one in own]).reshape(len(own), 10, 4).mean(axis=2)
            )
            assert found.over_documents[k] == pytest.approx(np.mean(means.std(axis=1, ddof=1)) / math.sqrt(10))
        assert (found.grid.design_effect is not None, found.grid.score_design_effect is not None) == (known, known)
        assert (found.setup.n, found.setup.segments) == (10 if known else 40, 40)
        assert ("|segments:40" in found.setup.signature) == known


def test_intervals_are_of_the_first_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """More resamples than intervals need leave them and the spread as they are."""
    monkeypatch.setattr(compute, "INTERVAL_RESAMPLES", BLOCK)
    few, more = (read(2, 2, resamples=resamples) for resamples in (BLOCK, 2 * BLOCK))
    assert few.s_sel.tolist() == more.s_sel.tolist()
    assert few.nested_intervals is not None
    assert more.nested_intervals is not None
    assert np.array_equal(few.nested_intervals, more.nested_intervals)
    assert few.grid.score_intervals.tolist() == more.grid.score_intervals.tolist()
    base = np.arange(20.0)
    one, other = (
        against(base, base + np.sin(base), base * 1.1, resamples=resamples) for resamples in (BLOCK, 2 * BLOCK)
    )
    assert (one.s_sel, one.interval) == (other.s_sel, other.interval)


@pytest.mark.parametrize(("most", "known"), [(60, True), (59, False)])
def test_intervals_of_too_many_gains_are_left_out(most: int, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs times draws."""
    monkeypatch.setattr(compute, "MOST_GAINS", most)
    assert (read(2, 2, resamples=60).nested_intervals is not None) == known
    assert read(2, 1, 1, resamples=60).nested_intervals is None
    single = read(1, 1, resamples=60)
    assert (single.grid.gain_intervals is not None) == known


@pytest.mark.parametrize(("n", "undefined"), [(LEAST_UNITS - 1, True), (LEAST_UNITS, False)])
def test_equal_systems_have_a_p_also_of_few_units(n: int, undefined: bool) -> None:
    """Below the least number of units the hierarchical bootstrap has no p of systems that differ; equal ones have one."""
    differing = np.array([[0, 0, n], [0, 0, n], [n, n, 0]])
    found = runs_result._few(SimpleNamespace(n=n), SimpleNamespace(differing=differing))  # type: ignore[arg-type]
    assert found.tolist() == [[False, False, undefined], [False, False, undefined], [undefined, undefined, False]]
