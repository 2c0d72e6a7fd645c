"""The mean of a number per pair of systems, with a standard error that accounts for pairs that share systems."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sigcore.types import Floats, Ints

FEWEST_SYSTEMS = 4  # fewer have no two pairs without a system in common
NOTHING = 1e-24  # a variance that is only rounding error


@dataclass(frozen=True)
class Mean:
    """The mean of a number over pairs of systems: its standard error, the degrees of freedom of the error, the interval
    (`low`, `high`) and the two-sided p of "it is 0"; nan where they cannot be estimated."""

    value: float
    error: float
    freedom: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True)
class _Variances:
    """Two estimates of the variance of the mean: by leaving out one system at a time, and without its bias."""

    jackknife: float
    unbiased: float


def mean_over_pairs(values: Floats, pairs: Ints, level: float = 0.95) -> Mean:
    """The mean of `values` (P,) over `pairs` (P, 2) of systems, with a t-test that accounts for pairs that share systems.

    The jackknife that leaves out one system with all its pairs at a time counts the variance of single pairs twice:
    with a dozen systems it is up to twice the variance. So the variance is estimated without bias, from products over
    pairs that share no system, but never below half of the jackknife's, its limit where pairs are independent. An unbiased estimate is a difference and hence less certain: its degrees of freedom, S - 1 for the
    jackknife, shrink with the square of the ratio of the two (Satterthwaite).

    Without any difference p is 1 and there is no interval; with fewer than four systems, or where no system differs from
    another, there is no p. Cost: O(P + S^2).

    Source: Efron & Stein 1981, The jackknife estimate of variance (its bias); Satterthwaite 1946. The level is measured
    in tests/calibration/test_metrics_differ.py.
    """
    from scipy.stats import t

    values = np.asarray(values, dtype=np.float64)
    if not len(values):
        return Mean(*[math.nan] * 6)
    mean = float(values.mean())
    if not values.any():
        return Mean(0.0, 0.0, math.nan, math.nan, math.nan, 1.0)
    systems, places = np.unique(pairs, return_inverse=True)
    variances = _variances(values, places.reshape(-1, 2), len(systems)) if len(systems) >= FEWEST_SYSTEMS else None
    if variances is None or variances.jackknife <= NOTHING:
        return Mean(mean, math.nan, math.nan, math.nan, math.nan, math.nan)
    ratio = min(1.0, variances.unbiased / variances.jackknife)
    error = math.sqrt(max(ratio, 0.5) * variances.jackknife)
    freedom = (len(systems) - 1) * (ratio**2 if ratio > 0.5 else 1.0)
    half = float(t.ppf((1 + level) / 2, freedom)) * error
    return Mean(mean, error, freedom, mean - half, mean + half, 2 * float(t.sf(abs(mean) / error, freedom)))


def _variances(values: Floats, places: Ints, systems: int) -> _Variances | None:
    """Both variances of the mean; None where leaving out a system leaves no pair, or all pairs share a system."""
    pairs, total = len(values), float(values.sum())
    each, counts = (np.bincount(places.ravel(), np.repeat(w, 2), systems) for w in (values, np.ones(pairs)))
    if (counts == pairs).any():
        return None
    without = (total - each) / (pairs - counts)
    jackknife = (systems - 1) / systems * float(((without - without.mean()) ** 2).sum())
    squares = float((values**2).sum())
    # products of two pairs in order: all of them, less those of a pair with itself, less those that share one system
    apart = total**2 - squares - (float((each**2).sum()) - 2 * squares)
    number = pairs**2 - pairs - (float((counts**2).sum()) - 2 * pairs)
    if number <= 0:
        return None
    return _Variances(jackknife, (total / pairs) ** 2 - apart / number)
