"""From counts to p: formulas by hand, and intervals against published figures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from sigcore.errors import OptionError
from sigcore.resampling.pvalues import clopper_pearson, doubled, exceedances, p_of_counts, p_values, tolerance

# Correct conclusions, pairs, and the printed limits in percent: Graham et al. 2014, Tables 1 and 2.
PRINTED = [
    (30, 55, 40.6, 68.0),
    (31, 55, 42.3, 69.7),
    (32, 55, 44.1, 71.3),
    (33, 55, 45.9, 73.0),
    (34, 55, 47.7, 74.6),
    (48, 66, 60.4, 83.0),
    (50, 66, 63.6, 85.5),
    (51, 66, 65.3, 86.7),
    (52, 66, 67.0, 87.9),
    (53, 66, 68.7, 89.1),
    (54, 66, 70.4, 90.2),
]


@pytest.mark.parametrize(
    ("count", "resamples", "estimator", "p"),
    [
        (0, 99, "valid", 0.01),
        (4, 99, "valid", 0.05),
        (99, 99, "valid", 1.0),
        (0, 1, "valid", 0.5),
        (0, 100, "paper", 0.0),
        (5, 100, "paper", 0.05),
        (2.5, 9, "valid", 0.35),
    ],
)
def test_p_by_hand(count, resamples, estimator, p):
    """p is (c + 1) / (R + 1), or c / R as printed."""
    assert p_values(count, resamples, estimator) == pytest.approx(p, rel=1e-15)


@pytest.mark.parametrize(("rule", "count"), [("counted", 7.0), ("strict", 3.0), ("half", 5.0)])
def test_ties(rule, count):
    """Ties count fully, not at all, or half."""
    assert exceedances(3, 4, rule) == count


@pytest.mark.parametrize("wrong", [lambda: exceedances(1, 1, "some"), lambda: p_values(1, 9, "mid")])
def test_unknown_rule_is_refused(wrong):
    """An unknown rule or estimator names the known ones."""
    with pytest.raises(OptionError, match="Choose from"):
        wrong()


@pytest.mark.parametrize(("count", "trials", "low", "high"), PRINTED)
def test_clopper_pearson_as_printed(count, trials, low, high):
    """The exact interval rounds to the printed limits."""
    got = clopper_pearson(count, trials)
    assert (round(100 * float(got[0]), 1), round(100 * float(got[1]), 1)) == (low, high)


@pytest.mark.parametrize("trials", [1, 10, 999])
def test_clopper_pearson_ends(trials):
    """No hit has the lower limit 0 and the upper 1 - (miss)^(1/R); all hits mirror it."""
    low, high = clopper_pearson(np.array([0, trials]), trials)
    end = 1 - 0.025 ** (1 / trials)
    assert (low[0], high[1]) == (0.0, 1.0)
    assert high[0] == pytest.approx(end)
    assert low[1] == pytest.approx(1 - end)


def test_clopper_pearson_equals_scipy():
    """The interval is scipy's exact one for every count."""
    from scipy.stats import binomtest

    low, high = clopper_pearson(np.arange(41), 40, level=0.9)
    for k in range(41):
        exact = binomtest(k, 40).proportion_ci(0.9, method="exact")
        assert (low[k], high[k]) == pytest.approx((exact.low, exact.high), abs=1e-12)


def test_doubled():
    """Twice the smaller side, never above 1."""
    np.testing.assert_array_equal(doubled([0.1, 0.6, 0.5], [0.9, 0.7, 0.5]), [0.2, 1.0, 1.0])


def test_tolerance_is_small_and_goes_with_the_scores():
    """A tie is far wider than float noise, far narrower than any gain that is printed, in any unit."""
    assert 1e-13 < float(tolerance(0.5, 100.0)) < 1e-6
    assert float(tolerance(0.5e6, 1e8)) == pytest.approx(1e6 * float(tolerance(0.5, 100.0)))
    assert float(tolerance(-3e6, 1.0)) == pytest.approx(3e-5)


@pytest.mark.parametrize("trials", [1, 2, 9, 1000])
def test_clopper_pearson_at_half_counts(trials):
    """Half a success, as half a tie counts: each end still has its tail of the beta distribution, and lies where it should."""
    from scipy.stats import beta

    counts = np.arange(0.5, trials, 1.0)
    low, high = clopper_pearson(counts, trials, 0.9)
    np.testing.assert_allclose(beta.cdf(low, counts, trials - counts + 1), 0.05, rtol=1e-9)
    np.testing.assert_allclose(beta.sf(high, counts + 1, trials - counts), 0.05, rtol=1e-9)
    assert (low < counts / trials).all()
    assert (counts / trials < high).all()
    whole_low, whole_high = clopper_pearson(np.arange(trials + 1), trials, 0.9)
    assert ((whole_low[:-1] <= low) & (low <= whole_low[1:])).all()
    assert ((whole_high[:-1] <= high) & (high <= whole_high[1:])).all()


def test_an_unsure_centre_widens_the_interval_to_both_sides():
    """Where the centre of the null may be wrong, what is near the cut-off may count or not: the interval holds both; a pair
    with a sure centre keeps its own, and p is the same."""
    beyond, ties = np.array([20, 20]), np.array([15, 15])
    for rule, count in (("counted", 35), ("strict", 20)):
        p, low, high = p_of_counts(beyond, ties, 1_000, rule, "valid", np.array([0.1, 0.0]))
        sure = p_of_counts(beyond, ties, 1_000, rule, "valid")
        assert p.tolist() == sure[0].tolist() == [(count + 1) / 1_001] * 2
        exact = [binomtest(k, 1_000).proportion_ci(0.95, method="exact") for k in (20, count, 35)]
        assert low == pytest.approx([exact[0].low, exact[1].low])
        assert high == pytest.approx([exact[2].high, exact[1].high])
