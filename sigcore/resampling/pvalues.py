"""Every p-value formula, once: from counts to p, and the Monte Carlo interval of p."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from sigcore.errors import OptionError
from sigcore.types import ESTIMATORS, TIE_RULES, Estimator, Floats, TieRule

# Quantiles of the beta distribution, for exact intervals of p. scipy.special has them too, but importing it takes a
# sixth of the time of a whole short command. The tests compare the two.

STEPS = 100  # of Newton's method at most; five are usual
NEAR = 1e-7  # an error of log I that the next step reduces to its square
TERMS = 20_000  # of the continued fraction at most: usual are as many as the root of the smaller parameter
LAST = 1e-14  # the relative change by the last term
SHIFT = 16  # from here on five terms of Stirling's series are exact


def quantile(a: Floats, b: Floats, share: float) -> tuple[Floats, Floats]:
    """x and 1 - x (N,) with I_x(a, b) = share, I being the regularised incomplete beta function.

    `a` and `b` (N,) are 0.5 or more; `share` is one half or less. log I is concave in log x, so that Newton's method
    there comes nearer with each step after the first.
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    scale = _log_scale(a, b)
    out = _start(a, b, scale, share)
    left = np.arange(len(out))
    for _ in range(STEPS):
        t, p, q = out[left], a[left], b[left]
        rest = _log_rest(t)
        fraction = _fraction(np.exp(t), p, q)
        error = math.log(share) - (scale[left] + p * t + q * rest - np.log(fraction))
        out[left] = np.minimum(t + error * np.exp(rest) / (p * fraction), t / 2)  # log x stays below 0
        left = left[np.abs(error) > NEAR]
        if not left.size:
            break
    return np.exp(out), -np.expm1(out)


def _log_rest(t: Floats) -> Floats:
    """log(1 - exp(t)) for t below 0, by the formula that loses no digits there."""
    half = -math.log(2)
    return np.where(t < half, np.log1p(-np.exp(np.minimum(t, half))), np.log(-np.expm1(np.maximum(t, half))))


def _start(a: Floats, b: Floats, scale: Floats, share: float) -> Floats:
    """log x of a guess: as if log odds were normal, or as if I were a power of x where that is larger."""
    from statistics import NormalDist

    odds = np.log(a / b) + NormalDist().inv_cdf(share) * np.sqrt(1 / a + 1 / b)
    guess = np.maximum(-np.logaddexp(0.0, -odds), (math.log(share) - scale) / a)
    return np.minimum(guess, -np.log1p((b + 1) / (a + 1)))  # the fraction is for x below about the mean


def _fraction(x: Floats, a: Floats, b: Floats) -> Floats:
    """The continued fraction F with I_x(a, b) = x^a (1 - x)^b / (a B(a, b) F), for x below the mean, by Lentz's method."""
    value, c, d = np.ones_like(x), np.ones_like(x), np.zeros_like(x)
    done = np.zeros(len(x), dtype=bool)  # no number depends on those beside it
    for k in range(1, TERMS):
        j = k // 2
        if k % 2:
            term = -(a + j) * (a + b + j) * x / ((a + 2 * j) * (a + 2 * j + 1))
        else:
            term = j * (b - j) * x / ((a + 2 * j - 1) * (a + 2 * j))
        d = 1 / (1 + term * d)
        c = 1 + term / c
        factor = np.where(done, 1.0, c * d)
        value *= factor
        done |= np.abs(factor - 1) < LAST
        if done.all():
            break
    return value


def _log_scale(a: Floats, b: Floats) -> Floats:
    """-log(a B(a, b)), without the cancellation of large logarithms of factorials."""
    whole = a + b
    return (
        (a - 0.5) * np.log1p(b / a)
        + (b - 0.5) * np.log1p(a / b)
        + 0.5 * np.log(whole / (2 * math.pi))
        - np.log(a)
        - _stirling(a)
        - _stirling(b)
        + _stirling(whole)
    )


def _stirling(z: Floats) -> Floats:
    """log Gamma(z) - (z - 1/2) log z + z - log(2 pi) / 2."""
    out, z = np.zeros_like(z), np.array(z)
    for _ in range(SHIFT):
        small = z < SHIFT
        if not small.any():
            break
        low = z[small]
        out[small] += (low + 0.5) * np.log1p(1 / low) - 1
        z[small] = low + 1
    square = 1 / (z * z)
    series = 1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))
    return out + series / z


FORMULAS: dict[Estimator, str] = {
    "valid": "(c + 1) / (R + 1): the observed split is one of the possible ones, so p is never 0 (Phipson & Smyth 2010)",
    "paper": "c / R: as printed in the papers; can be 0",
}

# A pseudo-statistic within this share of the largest difference of segment scores from the cut-off is a tie: rounding
# must not break a tie, and a tie must not depend on the unit or the origin of the scores.
TOLERANCE = 1e-11

MOST_KNOWN = 10_000  # intervals of one number of trials


def tolerance(cutoff: ArrayLike, unit: ArrayLike) -> Floats:
    """The distance within which a pseudo-statistic equals the cut-off; `unit` is the size of segment differences."""
    return np.asarray(TOLERANCE * np.maximum(unit, np.abs(cutoff)))


def exceedances(beyond: ArrayLike, ties: ArrayLike, rule: TieRule) -> Floats:
    """The number of resamples that count against the gain, under a rule for ties."""
    if rule not in TIE_RULES:
        raise OptionError(f"ties = {rule!r} is unknown.", "", f"Choose from: {', '.join(TIE_RULES)}.")
    share = {"counted": 1.0, "strict": 0.0, "half": 0.5}[rule]
    return np.asarray(np.asarray(beyond, dtype=np.float64) + share * np.asarray(ties, dtype=np.float64))


def p_values(count: ArrayLike, resamples: int, estimator: Estimator) -> Floats:
    """p of `count` exceedances in this number of resamples, under an estimator."""
    if estimator not in ESTIMATORS:
        raise OptionError(f"estimator = {estimator!r} is unknown.", "", f"Choose from: {', '.join(ESTIMATORS)}.")
    count = np.asarray(count, dtype=np.float64)
    return np.asarray((count + 1) / (resamples + 1) if estimator == "valid" else count / resamples)


def clopper_pearson(count: ArrayLike, trials: int, level: float = 0.95) -> tuple[Floats, Floats]:
    """The exact interval (low, high) of a probability, from `count` successes (any shape) in `trials` trials; nan for nan."""
    asked = np.asarray(count, dtype=np.float64)
    counts, places = np.unique(asked, return_inverse=True)
    known = _known_ends(trials, level)
    ends = {one: known.get(one) for one in counts.tolist()}
    new = np.array([one for one, pair in ends.items() if pair is None and not np.isnan(one)])
    if len(new):
        found = dict(zip(new.tolist(), map(tuple, _ends(new, trials, (1 - level) / 2).tolist()), strict=True))
        if len(known) > MOST_KNOWN:
            known.clear()
        known.update(found)
        ends |= found
    pairs = np.array([pair or (np.nan, np.nan) for pair in ends.values()]).reshape(-1, 2)[places]
    return pairs[..., 0].reshape(asked.shape), pairs[..., 1].reshape(asked.shape)


@lru_cache(maxsize=16)
def _known_ends(trials: int, level: float) -> dict[float, tuple[float, float]]:
    """The ends of the intervals that are already computed, by count: the same few come again and again."""
    return {}


def _ends(counts: Floats, trials: int, miss: float) -> Floats:
    """The ends (N, 2) of the exact intervals of different counts (N,)."""
    ends = np.tile([0.0, 1.0], (len(counts), 1))
    some, rest = counts > 0, counts < trials
    hits, misses = counts[some], trials - counts[rest]
    x, above = quantile(np.r_[hits, misses], np.r_[trials - hits + 1, trials - misses + 1], miss)
    ends[some, 0], ends[rest, 1] = x[: len(hits)], above[len(hits) :]
    return ends


def doubled(first: ArrayLike, second: ArrayLike) -> Floats:
    """The two-sided p from two one-sided ones: twice the smaller, at most 1."""
    return np.asarray(np.minimum(1.0, 2.0 * np.minimum(first, second)))
