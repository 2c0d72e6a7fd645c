"""Quantiles of the beta distribution against scipy's, and against cases that a formula gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betaincinv

from sigcore.resampling import pvalues
from sigcore.resampling.pvalues import clopper_pearson


@pytest.mark.parametrize("share", [1e-9, 0.005, 0.025, 0.05, 0.5])
@pytest.mark.parametrize("trials", [1, 2, 5, 10, 63, 100, 999, 10_000, 1_000_000, 10_000_000])
def test_quantiles_are_scipys(trials, share):
    """Both tails, for whole and half counts from the smallest to the largest."""
    some = np.r_[0.5, 1, 1.5, 2, np.arange(3, min(trials, 400)), np.linspace(1, trials, 150).round()]
    some = np.unique(np.r_[some, trials - 1, trials - 0.5, trials])
    a = some[(some > 0) & (some <= trials)]
    for first, second in ((a, trials - a + 1), (trials - a + 1, a)):
        x, rest = pvalues.quantile(first, second, share)
        wanted = betaincinv(first, second, share)
        assert x == pytest.approx(wanted, rel=1e-10)
        assert rest == pytest.approx(betaincinv(second, first, 1 - share), rel=1e-8)


@pytest.mark.parametrize("trials", [50, 999, 10_000, 1_000_000])
def test_no_digit_depends_on_how_many_are_asked(trials):
    """Few are computed one after the other, many as arrays: to the last bit the same."""
    a = np.unique(np.r_[0.5, 1, np.linspace(2, trials, 40).round()])
    b = trials - a + 1
    assert len(a) > 4 * pvalues.FEW
    x, rest = pvalues.quantile(a, b, 0.025)
    for few in (1, 3, pvalues.FEW, pvalues.FEW + 1):
        parts = [pvalues.quantile(a[i : i + few], b[i : i + few], 0.025) for i in range(0, len(a), few)]
        assert np.concatenate([part[0] for part in parts]).tobytes() == x.tobytes()
        assert np.concatenate([part[1] for part in parts]).tobytes() == rest.tobytes()


@pytest.mark.parametrize("a", [0.5, 1.0, 7.0, 1e6])
def test_powers(a):
    """With b = 1, I_x(a, 1) is x to the power of a; with a = 1 it is 1 - (1 - x)^b."""
    x, _ = pvalues.quantile(np.array([a]), np.array([1.0]), 0.025)
    assert x[0] == pytest.approx(0.025 ** (1 / a), rel=1e-13)
    _, rest = pvalues.quantile(np.array([1.0]), np.array([a]), 0.025)
    assert rest[0] == pytest.approx(0.975 ** (1 / a), rel=1e-13)


def test_interval_of_any_shape():
    """Scalars and tables of counts; the ends are 0 and 1, and nan stays nan."""
    low, high = clopper_pearson([[0, 3], [10, np.nan]], 10)
    assert low.shape == high.shape == (2, 2)
    assert (low[0, 0], high[1, 0]) == (0.0, 1.0)
    assert low[0, 1] == pytest.approx(betaincinv(3, 8, 0.025), rel=1e-12)
    assert high[0, 1] == pytest.approx(betaincinv(4, 7, 0.975), rel=1e-12)
    assert np.isnan([low[1, 1], high[1, 1]]).all()
    assert [float(end) for end in clopper_pearson(5, 10)] == pytest.approx([0.187086, 0.812914], abs=1e-6)
