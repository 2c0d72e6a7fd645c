"""How often conclusions agree with people's, with exact intervals, and whether metrics or tests differ in this."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigcore.resampling.pvalues import clopper_pearson
from sigcore.types import Ints

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Accuracy:
    """Correct conclusions of one metric and test at alpha: `percent` with its exact interval (`low`, `high`).

    `pairs` are those on which there is a conclusion; all shares are nan if there are none.
    (`system_low`, `system_high`) is the interval from leaving out one system at a time, nan if it does not exist.
    `best`: no other metric and test at this alpha has a larger share.
    """

    metric: str
    metric_title: str
    test: str
    test_title: str
    alpha: float
    correct: int
    pairs: int
    percent: float
    low: float
    high: float
    system_low: float
    system_high: float
    best: bool = False


@dataclass(frozen=True)
class McNemar:
    """Two columns of one table: pairs that only the first, only the second gets right, and the exact p of a difference."""

    first: str
    second: str
    only_first: int
    only_second: int
    p_value: float


@dataclass(frozen=True)
class Difference:
    """Do the metrics under one test (or the tests under one metric) differ in their accuracy at alpha?

    `between` is "metrics" or "tests", `held` the test or metric that is fixed. Chi-square treats the columns as
    independent; Cochran's Q and McNemar's test account for the shared pairs. nan where a statistic is 0 / 0. `pairs` is
    the number of pairs on which all columns have a conclusion: all of these tests are on them.
    """

    between: str
    held: str
    held_title: str
    alpha: float
    names: tuple[str, ...]
    chi_square: float
    df: int
    chi_p: float
    q: float
    q_p: float
    mcnemar: tuple[McNemar, ...]
    pairs: int

    @property
    def smallest(self) -> McNemar:
        """The pair of columns with the smallest McNemar p that is defined."""
        return min(self.mcnemar, key=lambda pair: math.inf if math.isnan(pair.p_value) else pair.p_value)


def percent(correct: int, pairs: int, level: float = 0.95) -> tuple[float, float, float]:
    """Accuracy in percent with the limits of its exact (Clopper-Pearson) interval; nan without pairs.

    Source: Graham, Mathur & Baldwin 2014, Tables 1 and 2; all 72 cells are reproduced to the printed digit.
    """
    if not pairs:
        return math.nan, math.nan, math.nan
    low, high = clopper_pearson(correct, pairs, level)
    return 100 * correct / pairs, 100 * float(low), 100 * float(high)


def leave_one_out(right: Bools, pairs: Ints, level: float = 0.95) -> tuple[float, float]:
    """Interval of the accuracy (percent) from leaving out one system with all its pairs at a time.

    `right` (P,) says which pairs are correct, `pairs` (P, 2) which systems they consist of. The jackknife variance with a
    t quantile of S - 1 degrees, cut at 0 and 100. nan where fewer than three systems or no spread is left.
    """
    from scipy.stats import t

    systems = np.unique(pairs)
    without = [right[(pairs != s).all(axis=1)] for s in systems]
    if len(systems) < 3 or not all(len(rest) for rest in without):
        return math.nan, math.nan
    shares = np.array([rest.mean() for rest in without])
    count = len(systems)
    error = math.sqrt((count - 1) / count * float(((shares - shares.mean()) ** 2).sum()))
    if error < 1e-12:
        return math.nan, math.nan
    half = float(t.ppf(1 - (1 - level) / 2, count - 1)) * error
    middle = float(right.mean())
    return 100 * max(0.0, middle - half), 100 * min(1.0, middle + half)


def chi_square(correct: Ints, pairs: int) -> tuple[float, int, float]:
    """Pearson's chi-square (no continuity correction) of k counts of correct pairs, each out of `pairs`: X2, df, p.

    nan, df, nan if all or none are correct in every column: then nothing can differ.
    """
    from scipy.stats import chi2

    correct = np.asarray(correct, dtype=np.float64)
    expected, df = correct.mean(), len(correct) - 1
    if df < 1 or not 0 < expected < pairs:
        return math.nan, max(df, 0), math.nan
    spread = float(((correct - expected) ** 2).sum())
    value = float(spread / expected + spread / (pairs - expected))
    return value, df, float(chi2.sf(value, df))


def cochran_q(right: Bools) -> tuple[float, int, float]:
    """Cochran's Q of k columns on the same P pairs, `right` (k, P): Q, df, p; nan, df, nan if no pair distinguishes them.

    Source: Cochran 1950, The comparison of percentages in matched samples.
    """
    from scipy.stats import chi2

    k = len(right)
    columns, rows = right.sum(axis=1).astype(np.float64), right.sum(axis=0).astype(np.float64)
    below = float((rows * (k - rows)).sum())
    if k < 2 or below == 0:
        return math.nan, max(k - 1, 0), math.nan
    value = k * (k - 1) * float(((columns - columns.mean()) ** 2).sum()) / below
    return value, k - 1, float(chi2.sf(value, k - 1))


def mcnemar(first: Bools, second: Bools) -> tuple[int, int, float]:
    """Pairs that only the first gets right, that only the second does, and the exact two-sided p of a difference (nan
    without pairs)."""
    from scipy.stats import binom

    if not len(first):
        return 0, 0, math.nan
    one, other = int((first & ~second).sum()), int((second & ~first).sum())
    if one + other == 0:
        return 0, 0, 1.0
    return one, other, min(1.0, 2 * float(binom.cdf(min(one, other), one + other, 0.5)))
