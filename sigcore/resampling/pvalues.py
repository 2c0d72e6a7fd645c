"""Every p-value formula, once: from counts to p, and the Monte Carlo interval of p."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sigcore.errors import OptionError
from sigcore.resampling import beta
from sigcore.types import ESTIMATORS, TIE_RULES, Estimator, Floats, TieRule

FORMULAS: dict[Estimator, str] = {
    "valid": "(c + 1) / (R + 1): the observed split is one of the possible ones, so p is never 0 (Phipson & Smyth 2010)",
    "paper": "c / R: as printed in the papers; can be 0",
}

# A pseudo-statistic within this share of the largest difference of segment scores from the cut-off is a tie: rounding
# must not break a tie, and a tie must not depend on the unit or the origin of the scores.
TOLERANCE = 1e-11


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
    miss = (1 - level) / 2
    some, rest = counts > 0, counts < trials  # false for nan
    low, high = np.where(np.isnan(counts), np.nan, 0.0), np.where(np.isnan(counts), np.nan, 1.0)
    hits, misses = counts[some], trials - counts[rest]
    x, above = beta.quantile(np.r_[hits, misses], np.r_[trials - hits + 1, trials - misses + 1], miss)
    low[some], high[rest] = x[: len(hits)], above[len(hits) :]
    return low[places].reshape(asked.shape), high[places].reshape(asked.shape)


def doubled(first: ArrayLike, second: ArrayLike) -> Floats:
    """The two-sided p from two one-sided ones: twice the smaller, at most 1."""
    return np.asarray(np.minimum(1.0, 2.0 * np.minimum(first, second)))
