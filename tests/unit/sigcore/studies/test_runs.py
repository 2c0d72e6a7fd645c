"""Several runs against one baseline: the app's own test on all runs together, and what the runs add."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from sigcore.studies import compare
from sigcore.studies.matrix import Settings
from sigcore.studies.runs import against
from sigcore.studies.statistics import measure
from sigcore.study import Study
from sigcore.testset import Outputs
from tests.made import score_set, text_set
from tests.oracles.all_swaps import exact_p, pseudo_gains


def runs(n=200, m=3, metric="bleu"):
    """A baseline and m runs of another system on made text, with the test set."""
    testset, outputs = text_set(n, (0.25, 0.2, 0.22, 0.18)[: m + 1])
    named = [outputs[0], *(Outputs("tuned", item.segments, str(k)) for k, item in enumerate(outputs[1:]))]
    (measured,) = measure(testset, named, [(metric, {})])
    return testset, outputs, measured.systems


def result(systems, **more):
    """The test of all but the first against the first."""
    chosen = {"test": "approximate_randomization", "resamples": 2000, "seed": 7} | more
    return against(systems[0], {"tuned": systems[1:]}, {"tuned": "Tuned"}, **chosen)[0]


def test_single_runs_are_those_of_compare():
    """The p of every run is that of the page that compares two systems, bit by bit."""
    testset, outputs, systems = runs()
    got = result(systems)
    for k in range(3):
        pair = compare.run(Study(testset, [outputs[k + 1], outputs[0]], tests=None, resamples=2000, seed=7))
        single = compare.read(pair, "bleu", Settings(), ["two-sided"]).results[0]
        assert got.p_values[k] == single.p_value
        assert got.gains[k] == pytest.approx(single.gain)


def test_spread_and_t():
    """Average, s_opt and t are those of the scores; s_sel is close to the bootstrap standard deviation by hand."""
    _, _, systems = runs()
    got = result(systems)
    scores = [item.corpus_score for item in systems]
    assert got.average == pytest.approx(np.mean(scores[1:]))
    assert got.gain == pytest.approx(np.mean(scores[1:]) - scores[0])
    assert got.s_opt == pytest.approx(np.std(scores[1:], ddof=1))
    expected = ttest_1samp(np.array(scores[1:]) - scores[0], 0)
    assert (got.run_t, got.run_p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))
    rng = np.random.default_rng(1)
    slow = [
        np.std([float(one.score(one.values[rng.integers(0, one.n, one.n)].sum(axis=0))) for _ in range(400)])
        for one in systems[1:]
    ]
    assert got.s_sel == pytest.approx(np.mean(slow), rel=0.1)


def test_all_runs_are_swapped_together():
    """With few segments p is that of all 2^n swaps of the sums over the runs."""
    _, _, systems = runs(n=9)
    together = np.sum([item.values for item in systems[1:]], axis=0)
    base = 3 * systems[0].values
    score = systems[0].score
    gains = pseudo_gains(together, base, lambda sums: float(score(np.array(sums))))
    exact = exact_p(gains, "two-sided")
    got = result(systems, resamples=20_000).p_value
    assert abs(got - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4


def test_equal_outputs_give_one():
    """Runs that equal the baseline have p = 1, no gain, and no t."""
    _, _, systems = runs()
    got = result([systems[0]] * 4)
    assert (got.gain, got.p_value, got.adjusted) == (0, 1, 1)
    assert math.isnan(got.run_t)
    assert got.p_values.tolist() == [1, 1, 1]


def test_error_rates_are_better_where_lower():
    """Under TER a lower score is a gain."""
    _, _, systems = runs(metric="ter")
    got = result(systems)
    assert got.gain == pytest.approx(systems[0].corpus_score - got.average)


def test_several_systems_are_corrected():
    """Adjusted p-values are Holm's over the systems, and one run has no spread."""
    _, _, systems = runs()
    named = {"first": systems[1:3], "second": systems[3:]}
    first, second = against(systems[0], named, {"first": "", "second": ""}, "approximate_randomization", 999, 1)
    small, large = sorted([first.p_value, second.p_value])
    assert sorted([first.adjusted, second.adjusted]) == pytest.approx(
        [min(1, 2 * small), min(1, max(2 * small, large))]
    )
    assert math.isnan(second.s_opt)
    assert second.run_df == 0


def test_bootstrap_needs_units_that_differ():
    """Runs that differ from the baseline on nine of sixty segments have no bootstrap p and no interval; randomization has a p."""
    base = np.arange(60.0)
    testset, outputs = score_set(base, *(base + np.where(base < 9, 1 + k, 0) for k in range(2)))
    (measured,) = measure(testset, outputs, [("own_scores", {})])
    got = result(measured.systems, test="bootstrap_shift", resamples=200)
    assert math.isnan(got.p_value)
    assert math.isnan(got.p_values[0])
    assert math.isnan(got.interval[0])
    assert np.isfinite(result(measured.systems, resamples=200).p_value)


def test_bootstrap_needs_units():
    """A bootstrap test of nine segments has no p, and no interval is given."""
    _, _, systems = runs(n=9)
    got = result(systems, test="bootstrap_shift", resamples=200)
    assert math.isnan(got.p_value)
    assert math.isnan(got.adjusted)
    assert math.isnan(got.interval[0])
