"""The mixed model of runs and units: against its oracle, usual t tests, and what every pair must keep."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sigcore.studies import runs
from sigcore.studies.runs import mixed
from sigcore.study import Settings, Study
from tests.made import score_set, text_set
from tests.oracles import mixed_model

PAIR = np.array([[0, 1]])


def made(
    first: int, second: int, n: int, seed: int, run: float = 0.3, unit: float = 0.5
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n)
    one, other = (
        common + unit * rng.normal(size=n) + run * rng.normal(size=(m, 1)) + rng.normal(size=(m, n))
        for m in (first, second)
    )
    return one + 0.4, other


def fitted(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    rows = [np.arange(len(one)), np.arange(len(one), len(one) + len(other))]
    errors, freedom = mixed.fit(np.concatenate([one, other]), rows, PAIR)
    return float(errors[0]) ** 2, float(freedom[0])


@pytest.mark.parametrize("shape", [(3, 3, 12), (2, 5, 7), (1, 3, 9), (4, 4, 2)])
@pytest.mark.parametrize("spread", [(0.0, 0.0), (0.0, 2.0), (0.6, 0.0), (3.0, 0.5)])
def test_variances_are_those_of_the_sums_of_squares(shape, spread) -> None:
    """Variance and degrees of freedom are those of the oracle, also for different numbers of runs and few units."""
    for seed in range(6):
        one, other = made(*shape, seed, *spread)
        assert fitted(one, other) == pytest.approx(mixed_model.fitted(one.tolist(), other.tolist()), rel=1e-9)


def test_one_run_of_each_is_the_paired_t_test() -> None:
    """Without other runs only units are left: t over their differences, one-sided and two-sided."""
    one, other = made(1, 1, 20, 3)
    variance, df = fitted(one, other)
    gain = np.array([one.mean() - other.mean()])
    for side in ("two-sided", "greater", "less"):
        p = mixed.p_of(gain, np.array([math.sqrt(variance)]), np.array([df]), side)
        assert p[0] == pytest.approx(stats.ttest_rel(one[0], other[0], alternative=side).pvalue, rel=1e-9)


def test_runs_that_differ_much_make_it_the_t_test_of_the_runs() -> None:
    """Where runs differ far more than units, the model has nearly its t and its degrees of freedom."""
    one, other = made(3, 4, 400, 5, run=40.0)
    variance, df = fitted(one, other)
    usual = stats.ttest_ind(one.mean(axis=1), other.mean(axis=1))
    assert (one.mean() - other.mean()) / math.sqrt(variance) == pytest.approx(usual.statistic, rel=1e-3)
    assert df == pytest.approx(5, rel=1e-2)


def test_runs_that_are_equal_by_chance_do_not_make_a_gain_certain() -> None:
    """Two runs of the same score, each right on other units: the standard error is a third of the one over units alone, where
    what a system is on a unit adds nothing. Copies of a run leave the units alone, with their degrees of freedom."""
    rng = np.random.default_rng(3)
    right = np.repeat([1.0, 0.0], [14, 6])
    one, other = (np.array([rng.permutation(right) for _ in range(2)]) for _ in range(2))
    units = float((one.mean(axis=0) - other.mean(axis=0)).var(ddof=1)) / 20
    variance, df = fitted(one, other)
    assert (variance, df) == (pytest.approx(units / 9), 2)
    copies = np.array([one[0], one[0]]), np.array([other[0], other[0]])
    usual = stats.ttest_rel(one[0], other[0])
    variance, df = fitted(*copies)
    assert (df, variance) == (pytest.approx(19), pytest.approx((one[0] - other[0]).var(ddof=1) / 20))
    assert usual.df == 19


def test_without_a_part_of_units_it_is_the_t_test_of_the_runs() -> None:
    """Where the units vary less than what is left, the model is exactly t of the runs, with its degrees of freedom; no pair has
    fewer degrees of freedom than the smaller of its two parts."""
    seen = 0
    for seed in range(40):
        one, other = made(3, 3, 30, seed, run=0.1, unit=0.0)
        variance, df = fitted(one + 0.0, other)
        usual = stats.ttest_ind(one.mean(axis=1), other.mean(axis=1))
        gain = one.mean() - other.mean()
        assert df >= 4
        if df == 4 and gain / math.sqrt(variance) == pytest.approx(usual.statistic):
            seen += 1
    assert 10 <= seen <= 30


def test_values_of_a_mean_are_its_scores() -> None:
    """The jackknife's values of an average are the scores of its units, and always have the score as their mean."""
    scores = np.random.default_rng(1).normal(size=(2, 8))
    without = (scores.sum(axis=1, keepdims=True) - scores) / 7
    np.testing.assert_allclose(mixed.values_of(without, scores.mean(axis=1)), scores, atol=1e-12)
    other = mixed.values_of(without**3, np.array([5.0, 6.0]))
    np.testing.assert_allclose(other.mean(axis=1), [5, 6])


def test_nothing_varies_or_one_unit_gives_no_p() -> None:
    """A standard error of 0, or of one unit, is unknown."""
    constant = np.ones((2, 5))
    assert all(map(math.isnan, fitted(constant, constant + 1)[:1]))
    errors, freedom = mixed.fit(np.ones((4, 1)), [np.arange(2), np.arange(2, 4)], PAIR)
    assert np.isnan([*errors, *freedom]).all()


def read(side="two-sided", lower: bool = False):
    one, other = made(3, 2, 30, 8)
    testset, outputs = score_set(*one, *other)
    plan = runs.RunsPlan({"A": outputs[:3], "B": outputs[3:]})
    option = {"better": "lower"} if lower else {}
    found = runs.run(Study(testset, (), [("own_scores", option)], resamples=400), plan)
    return one, other, runs.read(found, "own_scores", Settings(side=side))


def test_results_carry_the_model_in_both_directions() -> None:
    """p is symmetric two-sided and complements one-sided, intervals are mirrored, and agree with p."""
    one, other, result = read()
    variance, df = mixed_model.fitted(one.tolist(), other.tolist())
    gain = one.mean() - other.mean()
    expected = 2 * stats.t.sf(abs(gain) / math.sqrt(variance), df)
    np.testing.assert_allclose(result.mixed_p, [[1, expected], [expected, 1]], rtol=1e-9)
    assert result.mixed_df[0, 1] == result.mixed_df[1, 0] == pytest.approx(df)
    reach = stats.t.ppf(0.975, df) * math.sqrt(variance)
    np.testing.assert_allclose(result.mixed_intervals[0, 1], [gain - reach, gain + reach], rtol=1e-6)
    np.testing.assert_allclose(result.mixed_intervals[1, 0], -result.mixed_intervals[0, 1][::-1])
    assert (result.mixed_p[0, 1] <= 0.05) == (result.mixed_intervals[0, 1].min() > 0)
    ahead = read("greater")[2].mixed_p
    assert ahead[0, 1] == pytest.approx(expected / 2)
    assert ahead[0, 1] + ahead[1, 0] == pytest.approx(1)
    assert read("greater", lower=True)[2].mixed_p[0, 1] == pytest.approx(1 - expected / 2)


def test_the_verdict_and_the_interval_are_those_of_the_model() -> None:
    """The grid has the model's p and intervals, is neither drawn nor exact, and the shuffle stays beside it."""
    *_, result = read()
    grid, setup = result.grid, result.setup
    np.testing.assert_array_equal(grid.p_values, result.mixed_p)
    np.testing.assert_array_equal(grid.gain_intervals, result.mixed_intervals)
    assert (setup.test, setup.resamples, setup.exact, grid.interval_method) == ("runs_mixed", 0, False, "mixed model")
    assert (result.shuffle.test, result.resamples) == ("runs_exact", 400)
    assert result.shuffled_low[0, 1] < result.shuffled_p[0, 1] < result.shuffled_high[0, 1]
    assert "test:runs_mixed|shuffle:runs_exact|sides:two-sided" in setup.signature


def test_ties_and_estimators_leave_the_verdict_alone() -> None:
    """A rule as printed elsewhere concerns the tests that draw; p of the model is a verdict all the same."""
    one, other = made(3, 2, 30, 8)
    testset, outputs = score_set(*one, *other)
    found = runs.run(
        Study(testset, (), [("own_scores", {})], resamples=400), runs.RunsPlan({"A": outputs[:3], "B": outputs[3:]})
    )
    usual, printed = (
        runs.read(found, "own_scores", rules) for rules in (Settings(), Settings(ties="strict", estimator="paper"))
    )
    np.testing.assert_array_equal(usual.grid.p_values, printed.grid.p_values)
    assert not printed.setup.as_printed
    assert printed.shuffle.as_printed


def test_corpus_metrics_take_part() -> None:
    """BLEU has a p and an interval around its gain."""
    testset, outputs = text_set(60, (0.1, 0.12, 0.2, 0.22))
    half = len(outputs) // 2
    plan = runs.RunsPlan({"A": outputs[:half], "B": outputs[half:]})
    result = runs.read(runs.run(Study(testset, (), [("bleu", {})], resamples=200), plan), "bleu")
    low, high = result.mixed_intervals[0, 1]
    assert low < result.grid.gains[0, 1] < high
    assert 0 < result.mixed_p[0, 1] <= 1
