"""Every p-value formula, once: what counts, from counts to p, and the Monte Carlo interval of p."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sigcore.errors import OptionError
from sigcore.types import ESTIMATORS, TIE_RULES, Estimator, Floats, Ints, Side, TieRule

# A pseudo-statistic within this share of the largest difference of segment scores from the cut-off is a tie: rounding
# must not break a tie, and a tie must not depend on the unit or the origin of the scores.
TOLERANCE = 1e-11

Part = TypeVar("Part", float, Floats)

# The number of raw counts per pair.
RAW = 6

FORMULAS: dict[Estimator, str] = {
    "valid": "(c + 1) / (R + 1): the observed split is one of the possible ones, so p is never 0 (Phipson & Smyth 2010)",
    "paper": "c / R: as printed in the papers; can be 0",
}


# What counts: the cut-offs, and how many pseudo-statistics are beyond and exactly on them.


def beyond_the_gain(gain: Floats, side: Side) -> tuple[Floats, Floats]:
    """The usual cut-offs (low, high): at least the gain, at most the gain, or at least its size on both sides."""
    if side == "greater":
        return np.full_like(gain, -np.inf), gain
    if side == "less":
        return gain, np.full_like(gain, np.inf)
    return -np.abs(gain), np.abs(gain)


def tolerance(cutoff: ArrayLike, unit: ArrayLike) -> Floats:
    """The distance within which a pseudo-statistic equals the cut-off; `unit` is the size of segment differences."""
    return np.asarray(TOLERANCE * np.maximum(unit, np.abs(cutoff)))


@dataclass(frozen=True, eq=False)
class Thresholds:
    """The cut-offs of P pairs, computed once for all blocks.

    A pair has at most two different cut-offs, its lower and its upper one; `start` and `end` (2, P) are where the
    tolerance around each begins and ends. `low` and `high` (sides, P) say which of the two a side uses: 0, 1, or -1
    for none. Where the tolerances of a side's two cut-offs meet (`meet`), every pseudo-statistic reaches one of them;
    `one` says that no pair has two.
    """

    start: Floats
    end: Floats
    low: Ints
    high: Ints
    meet: NDArray[np.bool_]
    one: bool

    def part(self, pairs: slice) -> Thresholds:
        """The thresholds of some of the pairs."""
        return Thresholds(
            self.start[:, pairs],
            self.end[:, pairs],
            self.low[:, pairs],
            self.high[:, pairs],
            self.meet[:, pairs],
            self.one,
        )

    def count(self, null: Floats, defined: bool = False) -> Ints:
        """Raw counts (RAW, P) of pseudo-statistics (P, B); those of many blocks may be added before `sides`.

        Above the end of the lower and of the upper tolerance, at least their start, how many are defined (all of them
        where the caller knows that they are `defined`), and how many are not.
        """
        whole = np.full(len(null), null.shape[1])
        undefined = np.zeros_like(whole) if defined else np.count_nonzero(np.isnan(null), axis=1)
        marks = [null > self.end[0][:, None], null >= self.start[0][:, None]]
        if not self.one:
            marks += [null > self.end[1][:, None], null >= self.start[1][:, None]]
        sums = [np.asarray(mark.view(np.int8).sum(axis=1, dtype=np.int32)) for mark in marks]
        return np.array([sums[0], sums[-2], sums[1], sums[-1], whole - undefined, undefined])

    def sides(self, raw: Ints) -> Ints:
        """The counts beyond and on the cut-offs of each side, (sides, 2, P), from raw counts (RAW, P).

        Four comparisons serve all sides: what is not above is below. Undefined pseudo-statistics count as beyond every
        cut-off: a resample that cannot be scored must not support a gain.
        """
        above, least, size, undefined = raw[:2], raw[2:4], raw[4], raw[5]
        beyond = _chosen(above, self.high) + _chosen(size - least, self.low) + undefined
        reached = _chosen(least, self.high) + _chosen(size - above, self.low) + undefined
        reached = np.where(self.meet, size + undefined, reached)
        return np.stack([beyond, reached - beyond], axis=1)


def _chosen(values: NDArray[Any], which: Ints) -> NDArray[Any]:
    """For each side the row of `values` (2, P) that it uses, (sides, P); 0 where it uses none."""
    return np.where(which < 0, 0, np.where(which == 0, values[0], values[1]))


def thresholds(sides: Sequence[tuple[Floats, Floats]], units: Floats) -> Thresholds:
    """The thresholds of cut-offs (low, high), each (P,), infinite where a side has none, one pair of them a side.

    `units` (P,) are the sizes by which ties are recognised.
    """
    cuts = np.array(sides, dtype=np.float64)  # (sides, 2, P)
    finite = np.isfinite(cuts)
    both = np.stack([np.where(finite, cuts, np.inf).min(axis=(0, 1)), np.where(finite, cuts, -np.inf).max(axis=(0, 1))])
    which = np.where(~finite, -1, np.where(cuts == both[0], 0, np.where(cuts == both[1], 1, 2)))
    assert which.max(initial=0) < 2, "a test has at most two cut-offs for each pair"
    slack = tolerance(both, units)
    start, end = both - slack, both + slack
    low, high = which[:, 0], which[:, 1]
    meet = (low >= 0) & (high >= 0) & (_chosen(start, high) <= _chosen(end, low))
    one = np.array_equal(start[0], start[1]) and np.array_equal(end[0], end[1])
    return Thresholds(start, end, low, high, meet, one)


# From counts to p.


def exceedances(beyond: ArrayLike, ties: ArrayLike, rule: TieRule) -> Floats:
    """The number of resamples that count against the gain, under a rule for ties."""
    if rule not in TIE_RULES:
        raise OptionError(f"ties = {rule!r} is unknown.", "", f"Choose from: {', '.join(TIE_RULES)}.")
    share = {"counted": 1.0, "strict": 0.0, "half": 0.5}[rule]
    return np.asarray(np.asarray(beyond, dtype=np.float64) + share * np.asarray(ties, dtype=np.float64))


def p_values(count: ArrayLike, resamples: ArrayLike, estimator: Estimator) -> Floats:
    """p of `count` exceedances in this number of resamples (of each, or of all), under an estimator."""
    if estimator not in ESTIMATORS:
        raise OptionError(f"estimator = {estimator!r} is unknown.", "", f"Choose from: {', '.join(ESTIMATORS)}.")
    count, resamples = np.asarray(count, dtype=np.float64), np.asarray(resamples, dtype=np.float64)
    return np.asarray((count + 1) / (resamples + 1) if estimator == "valid" else count / resamples)


def p_of_counts(
    beyond: Ints, ties: Ints, resamples: int | Ints, rule: TieRule, estimator: Estimator, error: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """p and its Monte Carlo interval, each (P,), from the counts (P,) of one side in so many resamples, of all pairs or of
    each (P,); `error` (P,) says how far the centre of the null may be wrong."""
    count = exceedances(beyond, ties, rule)
    low, high = clopper_pearson(count, resamples)
    if error is not None and error.any():
        # without, and with, all that is as near the cut-off
        unsure = error > 0
        low = np.where(unsure, np.minimum(low, clopper_pearson(beyond, resamples)[0]), low)
        high = np.where(unsure, np.maximum(high, clopper_pearson(beyond + ties, resamples)[1]), high)
    return p_values(count, resamples, estimator), low, high


def doubled(first: ArrayLike, second: ArrayLike) -> Floats:
    """The two-sided p from two one-sided ones: twice the smaller, at most 1."""
    return np.asarray(np.minimum(1.0, 2.0 * np.minimum(first, second)))


# The interval of p.

MOST_KNOWN = 10_000  # intervals of one number of trials


def clopper_pearson(count: ArrayLike, trials: int | Ints, level: float = 0.95) -> tuple[Floats, Floats]:
    """The exact interval (low, high) of a probability, from `count` successes (any shape) in `trials` trials, of all or of
    each; nan for nan."""
    asked = np.asarray(count, dtype=np.float64)
    if isinstance(trials, np.ndarray):
        return _of_each(asked, trials, level)
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


def _of_each(counts: Floats, trials: Ints, level: float) -> tuple[Floats, Floats]:
    """The intervals of counts whose numbers of trials differ: together for each number."""
    out = np.empty((2, *counts.shape))
    for one in np.unique(trials).tolist():
        out[:, trials == one] = clopper_pearson(counts[trials == one], one, level)
    return out[0], out[1]


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


# Quantiles of the beta distribution, for exact intervals of p, and of t. scipy.special has them too, but importing it takes a
# sixth of the time of a whole short command. The tests compare the two.

STEPS = 100  # of Newton's method at most; five are usual
NEAR = 1e-7  # an error of log I that the next step reduces to its square
TERMS = 20_000  # of the continued fraction at most: usual are as many as the root of the smaller parameter
LAST = 1e-14  # the relative change by the last term
FEW = 8  # fractions: so many are faster one after the other than as arrays
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


def student(freedom: Floats, share: float) -> Floats:
    """What the absolute value of t exceeds with probability `share`, (N,), for N numbers of degrees of freedom, 1 or more."""
    # freedom / (freedom + t^2) has the beta distribution
    x, rest = quantile(freedom / 2, np.full(len(freedom), 0.5), share)
    return np.sqrt(freedom * rest / x)


def of_student(t: Floats, freedom: Floats, side: Side = "two-sided") -> Floats:
    """p of t with these degrees of freedom, in the shape of both; nan for a t that is nan."""
    from scipy.special import stdtr  # scipy.stats takes half a second to import

    if side == "two-sided":
        return np.asarray(2 * stdtr(freedom, -np.abs(t)))
    return np.asarray(stdtr(freedom, -t if side == "greater" else t))


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
    if len(x) <= FEW:
        return np.array([_of_one(*one) for one in zip(x.tolist(), a.tolist(), b.tolist(), strict=True)])
    value, c, d = np.ones_like(x), np.ones_like(x), np.zeros_like(x)
    done = np.zeros(len(x), dtype=bool)  # no number depends on those beside it
    for k in range(1, TERMS):
        term = _term(k, x, a, b)
        d = 1 / (1 + term * d)
        c = 1 + term / c
        factor = np.where(done, 1.0, c * d)
        value *= factor
        done |= np.abs(factor - 1) < LAST
        if done.all():
            break
    return value


def _of_one(x: float, a: float, b: float) -> float:
    """The continued fraction of one x, to the last bit that of `_fraction` for many."""
    value, c, d = 1.0, 1.0, 0.0
    for k in range(1, TERMS):
        term = _term(k, x, a, b)
        d = 1 / (1 + term * d)
        c = 1 + term / c
        value *= c * d
        if abs(c * d - 1) < LAST:
            break
    return value


def _term(k: int, x: Part, a: Part, b: Part) -> Part:
    """The k-th numerator of the fraction; the same formula serves numbers and arrays of them."""
    j = k // 2
    if k % 2:
        return -(a + j) * (a + b + j) * x / ((a + 2 * j) * (a + 2 * j + 1))
    return j * (b - j) * x / ((a + 2 * j - 1) * (a + 2 * j))


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
