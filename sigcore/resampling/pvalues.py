"""Every p-value formula, once: from counts to p, and the Monte Carlo interval of p."""

from __future__ import annotations

from functools import lru_cache

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
    x, above = beta.quantile(np.r_[hits, misses], np.r_[trials - hits + 1, trials - misses + 1], miss)
    ends[some, 0], ends[rest, 1] = x[: len(hits)], above[len(hits) :]
    return ends


def doubled(first: ArrayLike, second: ArrayLike) -> Floats:
    """The two-sided p from two one-sided ones: twice the smaller, at most 1."""
    return np.asarray(np.minimum(1.0, 2.0 * np.minimum(first, second)))
