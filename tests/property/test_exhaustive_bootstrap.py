"""Bootstrap tests against all n^n draws of one to five units, and against themselves under many seeds."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.executors import Serial
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies import compare, matrix
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES, TIE_RULES
from tests import some
from tests.made import score_set, text_set
from tests.oracles.all_draws import drawn_gains, exact_p

TESTS = ("bootstrap_shift", "paired_bootstrap", "two_delta_bootstrap")
RESAMPLES = 20_000


def label_set(n: int, seed: int) -> tuple[Testset, list[Outputs]]:
    """Labels that two systems guess, one better than the other: accuracy and macro-F1 take few values."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 2, n)
    guesses = [np.where(rng.random(n) < right, gold, 1 - gold) for right in (0.9, 0.5)]
    outputs = [Outputs(f"sys{k}", tuple(map(str, guess))) for k, guess in enumerate(guesses)]
    return Testset("labels", "text", n, (tuple(map(str, gold)),)), outputs


def made(metric: str, n: int, seed: int) -> tuple[Testset, list[Outputs]]:
    """A small test set of the kind that the metric takes."""
    if metric == "own_scores":
        rng = np.random.default_rng(seed)
        return score_set(rng.integers(0, 4, n), rng.integers(0, 4, n))
    return text_set(n, (0.15, 0.3), seed) if metric in ("chrf", "bleu") else label_set(n, seed)


@pytest.mark.parametrize("metric", ["own_scores", "accuracy", "exact_match", "chrf"])
@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("seed", some.first([1, 2, 3, 4], 2))
def test_counts_are_those_of_all_draws(metric, n, seed):
    """On every side the count of R draws is one that R draws with the exact p can well give (99.99%)."""
    testset, outputs = made(metric, n, seed)
    run = compare.run(
        Study(testset, outputs, [(metric, {})], TESTS, resamples=RESAMPLES), runtime=Runtime(executor=Serial())
    )
    systems = run.matrix.measured[0].systems
    sign = -1.0 if systems[0].better == "lower" else 1.0
    rows = [item.values.tolist() for item in systems]
    gains = drawn_gains(*rows, lambda sums: sign * float(systems[0].score(np.array(sums))))
    for test in TESTS:
        for side in SIDES:
            result = compare.read(run, metric, Settings(side), [side]).result(test, side)
            p = exact_p(test, gains, result.gain, side)
            least = result.tail - result.ties  # without ties, where the centre of the null is not known exactly
            low = clopper_pearson(
                least if run.matrix.draws[0].tallies[test].error.any() else result.tail, RESAMPLES, 0.9999
            )[0]
            high = clopper_pearson(result.tail, RESAMPLES, 0.9999)[1]
            factor = 2 if result.doubled else 1
            assert min(1, factor * low) - 1e-12 <= p <= min(1, factor * high) + 1e-12, (test, side)


def test_the_seed_does_not_decide_ties():
    """50 segments, 8 against 2 discordant: p of 40 seeds is one number but for Monte Carlo error (it was two: .019, .038)."""
    first, second = np.repeat([1.0, 0.0, 1.0], [8, 2, 40]), np.repeat([0.0, 1.0, 1.0], [8, 2, 40])
    testset, outputs = score_set(first, second)
    p, intervals = [], []
    for seed in range(40):
        run = matrix.run(
            Study(testset, outputs, [("own_scores", {})], TESTS, resamples=10_000, seed=seed),
            runtime=Runtime(executor=Serial()),
        )
        result = matrix.read(run, "own_scores", "bootstrap_shift", Settings("greater", correction="none"))
        p.append(result.p_values[0, 1])
        intervals.append((result.p_low[0, 1], result.p_high[0, 1]))
        assert run.draws[0].tallies["bootstrap_shift"].counts[:, 1].sum() > 0
    assert np.std(p) < 2 * np.sqrt(np.mean(p) / 10_000)
    assert sum(low <= np.mean(p) <= high for low, high in intervals) >= 33  # 95% of 40, but for chance


@pytest.mark.parametrize("rule", TIE_RULES)
def test_the_tie_rule_works_on_the_shift(rule):
    """Ties are there, so that the rule for them makes a difference."""
    first, second = np.repeat([1.0, 0.0, 1.0], [8, 2, 40]), np.repeat([0.0, 1.0, 1.0], [8, 2, 40])
    testset, outputs = score_set(first, second)
    run = compare.run(
        Study(testset, outputs, [("own_scores", {})], TESTS, resamples=2000), runtime=Runtime(executor=Serial())
    )
    result = compare.read(run, "own_scores", Settings("greater", ties=rule), ["greater"])
    shift, twice = (result.result(test, "greater") for test in ("bootstrap_shift", "two_delta_bootstrap"))
    assert shift.ties > 0
    assert shift.p_value == twice.p_value  # of a mean, both are centred on the gain


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_the_expectation_is_that_of_the_draws(metric):
    """The centre of a metric that is not a mean lies within the error of the mean of many draws."""
    testset, outputs = text_set(60, (0.1, 0.2), seed=5)
    run = matrix.run(
        Study(testset, outputs, [(metric, {})], TESTS, resamples=40_000), runtime=Runtime(executor=Serial()), keep=True
    )
    tally = run.draws[0].tallies["bootstrap_shift"]
    gains = np.concatenate([scores[0] - scores[1] for scores in run.draws[0].scores])
    assert not tally.error.any()
    assert abs(tally.means[0] - gains.mean()) <= 4 * gains.std() / np.sqrt(len(gains))
    assert tally.means[0] != tally.gains[0]
