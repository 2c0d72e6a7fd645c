"""What docs/pvalues.md and docs/units.md claim in words about p, intervals and ties, and no other test measures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, chi2, norm

from sigcore import significance
from sigcore.executors import Serial
from sigcore.formatting import format_p, format_p_interval
from sigcore.resampling.pvalues import TOLERANCE, clopper_pearson, doubled, p_values, tolerance
from sigcore.significance import FEW_UNITS, LEAST_UNITS, rejection_rate
from sigcore.significance.engine import INTERVAL_RESAMPLES
from sigcore.studies import compare
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from sigcore.types import ESTIMATORS, SIDES, TIE_RULES
from tests.made import score_set
from tests.oracles.all_swaps import exact_p, pseudo_gains


def test_numbers_of_how_p_is_printed() -> None:
    """The examples of docs/pvalues.md: p and its interval where no resample counts, and twice a share."""
    low, high = (float(end[0]) for end in clopper_pearson(np.array([0]), 10_000))
    assert format_p(1 / 10_001, 10_000, high) == "0.00010"
    assert format_p_interval((low, high), 10_000) == "[0, 0.00037]"
    assert format_p(0.0, 10_000, high) == "< 0.00037"
    assert [format_p(p, 10_000) for p in (0.2131, 0.0308)] == ["0.21", "0.031"]
    p = float(p_values(np.array([2351]), 10_000, "valid")[0])
    assert format_p(float(doubled(p, 1 - p)), 10_000) == "0.47"


def test_the_size_of_a_tie() -> None:
    """10^-11 of the difference, of the cut-off or of a two hundredth of a score: 10^-9 for BLEU, whose scores differ by
    up to 100 on a segment."""
    assert float(tolerance(0.5, 100.0)) == pytest.approx(1e-9)
    assert float(tolerance(7.0, 2.0)) == pytest.approx(7e-11)
    assert significance.contract.ROUNDING == 1 / 200
    assert pytest.approx(5e-14) == significance.contract.ROUNDING * TOLERANCE


def test_equal_statistics_have_p_one_under_every_rule() -> None:
    """Systems with the same statistics get p = 1 under every test, side, rule for ties and estimator."""
    same = np.arange(12.0) % 5
    tests = tuple(significance.members())
    testset, outputs = score_set(same, same)
    run = compare.run(
        Study(testset, outputs, [("own_scores", {})], tests, resamples=99), runtime=Runtime(executor=Serial())
    )
    for ties in TIE_RULES:
        for estimator in ESTIMATORS:
            found = compare.read(run, "own_scores", Settings(SIDES[0], estimator, ties), SIDES)
            assert len(found.results) == len(tests) * len(SIDES)
            assert {item.p_value for item in found.results} == {1.0}


@pytest.mark.parametrize("alpha", [0.1, 0.05, 0.01])
def test_the_plus_one_holds_the_level_of_randomization(alpha: float) -> None:
    """Where each of 2^n splits was as likely to be observed, p <= alpha has at most the chance alpha with the +1, for
    any R; without it the chance is larger than alpha for R = 100 and 1,000."""
    splits = np.arange(1, 1025) / 1024  # the share of splits at least as extreme as the observed one
    for resamples in (19, 99, 100, 250, 1000):
        counts = np.arange(resamples + 1)
        chance = {
            estimator: float(
                (binom.pmf(counts, resamples, splits[:, None]) * (p_values(counts, resamples, estimator) <= alpha))
                .sum(axis=1)
                .mean()
            )
            for estimator in ESTIMATORS
        }
        assert chance["valid"] <= alpha + 1e-12
        assert resamples not in (100, 1000) or chance["paper"] > alpha


def test_what_the_monte_carlo_interval_contains() -> None:
    """It contains the p of infinitely many resamples under 95% of seeds or more, that of another seed under fewer:
    two seeds differ by the root of 2 times as much."""
    resamples = 1000
    counts = np.arange(resamples + 1)
    low, high = clopper_pearson(counts, resamples)
    for p in (0.01, 0.05, 0.3):
        chance = binom.pmf(counts, resamples, p)
        assert chance[(low <= p) & (p <= high)].sum() >= 0.95
        shares = counts / resamples
        other = (low[:, None] <= shares) & (shares <= high[:, None])
        assert chance @ other @ chance < 0.92
        gaps = chance @ (shares[:, None] - shares) ** 2 @ chance
        assert math.sqrt(gaps / (chance @ (shares - p) ** 2)) == pytest.approx(1.4, abs=0.05)


def test_five_units_have_no_smaller_p() -> None:
    """All five differences alike: two of the 32 ways to swap are as extreme, so p is 0.0625."""
    gains = pseudo_gains([[float(k)] for k in range(1, 6)], [[0.0]] * 5, lambda sums: sums[0])
    assert exact_p(gains, "two-sided") == 2 / 2**5 == 0.0625


def test_picking_the_winner_first_doubles_false_alarms() -> None:
    """Over all equally likely splits, the one-sided p of whoever is ahead rejects twice as often as one of a fixed side."""
    gains = np.array(pseudo_gains([[float(2**k)] for k in range(8)], [[0.0]] * 8, lambda sums: sums[0]))
    fixed = (gains >= gains[:, None]).mean(axis=1)
    winner = (gains >= np.abs(gains)[:, None]).mean(axis=1)
    for alpha in (0.05, 0.01):
        assert (fixed <= alpha).mean() <= alpha
        assert (winner <= alpha).mean() == 2 * (fixed <= alpha).mean() > alpha


def test_the_monte_carlo_error_of_an_interval() -> None:
    """The 2.5% point of 100,352 normal draws has a standard error below a hundredth of their standard deviation."""
    share = 0.025
    error = math.sqrt(share * (1 - share) / INTERVAL_RESAMPLES) / norm.pdf(norm.ppf(share))
    assert 0.005 < error < 0.01
    drawn = np.quantile(np.random.default_rng(0).normal(size=(40, INTERVAL_RESAMPLES)), share, axis=1)
    assert drawn.std(ddof=1) == pytest.approx(error, rel=0.5)


def test_the_error_of_a_design_effect() -> None:
    """The variance of m normal numbers has a relative standard error of sqrt(2 / (m - 1)): 28% for 26, 7% for 450."""
    for m, printed in ((26, 0.28), (450, 0.07)):
        error = chi2(m - 1).std() / (m - 1)
        assert error == pytest.approx(math.sqrt(2 / (m - 1)))
        assert error == pytest.approx(printed, abs=0.005)


def test_bootstraps_with_few_units_reject_too_often() -> None:
    """Every bootstrap test rejects more than 5% below 60 units, and more often with 10 than with 60."""
    for test in significance.members().values():
        rates = [rejection_rate(test.name, n, 0.05) for n in (*range(LEAST_UNITS, FEW_UNITS), FEW_UNITS)]
        if test.draws == "bootstrap":
            measured = [rate for rate in rates if rate is not None]
            assert len(measured) == len(rates)
            assert min(measured[:-1]) > 0.05
            assert measured[0] > measured[-1]
