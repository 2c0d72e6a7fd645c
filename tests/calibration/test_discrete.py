"""Metrics of few values: no test rejects a true null too often where ties count against the gain; where they do not, or
where the rule is flawed, it is seen."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from sigcore import significance
from sigcore.executors import Serial
from sigcore.significance import FEW_UNITS, rejection_rate
from sigcore.studies import compare, units
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from sigcore.testset import Outputs
from sigcore.types import SIDES, TIE_RULES, TieRule
from tests import some
from tests.calibration.discrete import DISCRETE, LENGTH, SEGMENTS, answers, documents, population
from tests.calibration.nulls import (
    ALPHAS,
    FLAWED,
    Null,
    allowance,
    band,
    exchanged,
    p_values,
    rejections,
    statistics_of,
)
from tests.drawn import DRAWN
from tests.oracles.printed_tests import graham_figure_4
from tests.stored import stored

TESTS = [significance.get(name) for name in DRAWN]
AR, SHIFT, PAIRED = "approximate_randomization", "bootstrap_shift", "paired_bootstrap"


def most(test: str, n: int, alpha: float, replications: int) -> float:
    """The highest rate a test may show: randomization and bootstraps as elsewhere; with few units a bootstrap the rate
    that the notes give for it."""
    known = None if test == AR or n >= FEW_UNITS else rejection_rate(test, n, alpha)
    return band(replications, alpha)[1] + allowance(test, n, alpha) if known is None else band(replications, known)[1]


def hold_the_level(null: Null, n: int, replications: int, resamples: int) -> None:
    """No test rejects too often, and with 50 units none is idle; the flawed one is above the band at .05."""
    rates = rejections(null, TESTS, replications=replications, resamples=resamples, seed=n)
    assert rates.pop((FLAWED, "two-sided", 0.05)) > band(replications)[1]
    rates.pop((FLAWED, "two-sided", 0.01))
    for (test, side, alpha), rate in rates.items():
        assert rate <= most(test, n, alpha, replications), (test, side, alpha, rate)
        assert n < 50 or alpha < 0.05 or rate > 0.01, (test, side, alpha, rate)


@pytest.mark.parametrize("metric", some.first(["accuracy", "aer"]))
def test_few_values_quick(metric: str) -> None:
    """50 segments, 500 null test sets."""
    hold_the_level(exchanged(population(metric), 50), 50, 500, 199)


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 50, 200])
@pytest.mark.parametrize("metric", DISCRETE)
def test_few_values(metric: str, n: int) -> None:
    """2000 null test sets of each size."""
    hold_the_level(exchanged(population(metric), n), n, 2000, 499)


@pytest.mark.slow
def test_a_flawed_test_fails_at_one_percent() -> None:
    """The bootstrap that takes absolute values before the shift rejects about twice too often at .01 as well: of 4000
    null test sets more than the band and the allowance let pass."""
    null = exchanged(population("accuracy"), 200)
    rates = rejections(null, [significance.get(SHIFT)], replications=4000, resamples=499, seed=3)
    assert rates[SHIFT, "two-sided", 0.01] <= most(SHIFT, 200, 0.01, 4000) < rates[FLAWED, "two-sided", 0.01]


# ---- documents


def over_documents(count: int, replications: int, resamples: int) -> None:
    """The outputs of whole documents change sides: over documents no test rejects too often."""
    systems, _ = documents()
    sums = [units.summed(item, np.arange(SEGMENTS) // LENGTH) for item in systems]
    hold_the_level(exchanged(sums, count), count, replications, resamples)


def over_segments(count: int, replications: int) -> None:
    """Over the segments of the same documents every test rejects far too often, randomization too."""
    systems, segments = documents()
    rates = rejections(exchanged(systems, count, segments), TESTS, replications=replications, resamples=199, seed=count)
    for test in TESTS:
        for alpha in ALPHAS:
            rate = rates[test.name, "two-sided", alpha]
            assert rate > max(2 * alpha, most(test.name, count, alpha, replications)), (test.name, alpha, rate)


def test_documents_of_few_values_quick() -> None:
    """40 documents of 5 segments under accuracy, 500 null test sets over documents, 300 over segments."""
    over_documents(40, 500, 199)
    over_segments(40, 300)


@pytest.mark.slow
@pytest.mark.parametrize("count", [10, 50, 200])
def test_documents_of_few_values(count: int) -> None:
    """2000 null test sets over documents; of 1000 over segments at 50 and 200."""
    over_documents(count, 2000, 499)
    if count > 10:
        over_segments(count, 1000)


# ---- ties


@cache
def sizes(differing: int, ties: TieRule) -> dict[tuple[str, str, float], float]:
    """The exact share of the 2^D null test sets on which p <= alpha: 300 segments, of which D differ between two systems,
    each in favour of one or the other with probability 1/2."""
    out: dict[tuple[str, str, float], float] = {}
    for first in range(differing + 1):
        right = np.ones((2, 300), dtype=bool)
        right[1, :first], right[0, first:differing] = False, False
        p = p_values(statistics_of("accuracy", *answers(right)), TESTS, 4999, 1, ties)
        for test, sides in p.items():
            for side, value in sides.items():
                for alpha in ALPHAS:
                    share = float(binom.pmf(first, differing, 0.5)) * (value <= alpha)
                    out[test, side, alpha] = out.get((test, side, alpha), 0.0) + share
    return out


@pytest.mark.slow
def test_randomization_that_counts_ties_holds_its_level_quick() -> None:
    """However few segments differ, the share is at most alpha on every side."""
    for differing in (1, 3, 4, 5, 6, 7, 12):
        for side in SIDES:
            for alpha in ALPHAS:
                assert sizes(differing, "counted")[AR, side, alpha] <= alpha, (differing, side, alpha)


def test_strict_ties_reject_what_cannot_be_seen_quick() -> None:
    """One of 300 segments differs: without ties randomization and the paired bootstrap reject always, at .01 as well;
    where ties count, never. Strict, every test is above .05 with four."""
    for test in (AR, PAIRED):
        for alpha in ALPHAS:
            assert sizes(1, "strict")[test, "two-sided", alpha] == pytest.approx(1)
            assert sizes(1, "counted")[test, "two-sided", alpha] == sizes(1, "half")[test, "two-sided", alpha] == 0.0
    for test in DRAWN:
        assert sizes(4, "strict")[test, "two-sided", 0.05] > 0.05


def test_half_ties_reject_too_often_quick() -> None:
    """Half of the ties: randomization rejects .0625 at .05 with five of 300 segments that differ and .0156 at .01 with
    seven, the paired bootstrap .25 at .05 with three."""
    assert sizes(5, "half")[AR, "two-sided", 0.05] == pytest.approx(0.0625)
    assert sizes(7, "half")[AR, "two-sided", 0.01] == pytest.approx(0.015625)
    assert sizes(3, "half")[PAIRED, "two-sided", 0.05] == pytest.approx(0.25)


def test_units_that_do_not_differ_do_not_count_quick() -> None:
    """With four of 300 segments that differ the paired bootstrap rejects as often as docs/pvalues.md says; randomization never
    does."""
    rate = sizes(4, "counted")[PAIRED, "two-sided", 0.05]
    assert rate == pytest.approx(stored("few_units.four_that_differ"))
    assert sizes(4, "counted")[AR, "two-sided", 0.05] == 0.0


def test_identical_systems_quick() -> None:
    """The rule of Koehn as printed (strict, without plus one) gives identical systems p = 0, so it would reject always;
    here p is 1 under every test, rule and estimator."""
    assert graham_figure_4([0.0] * 1000, 0.0) / 1000 == 0
    testset, outputs = answers(np.ones((2, 50), dtype=bool))
    pair = [Outputs(name, outputs[0].segments) for name in ("one", "other")]
    run = compare.run(
        Study(testset, pair, [("accuracy", {})], DRAWN, resamples=200), runtime=Runtime(executor=Serial())
    )
    for side in SIDES:
        for rule in TIE_RULES:
            for item in compare.read(run, "accuracy", Settings(side, "paper", rule), [side]).results:
                assert item.p_value == 1
