"""What each segment adds to the gain of a pair: the jackknife's influence, and the gain without the segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.results import freeze
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.types import Floats


@dataclass(frozen=True, eq=False)
class Influences:
    """Per row of statistics, (n,): what it adds to the gain, and the gain without it (nan where that is undefined)."""

    gain: float
    influences: Floats
    without: Floats

    def __post_init__(self) -> None:
        freeze(self)


def gain_of(pair: Sequence[SufficientStatistics], sums: Sequence[Floats]) -> Floats:
    """The gains (...) of the first system over the second, of the sums (..., K) of both; positive: the first is better."""
    first, second = pair
    with np.errstate(all="ignore"):
        scores = [oriented(item.score(of), item.better) for item, of in zip((first, second), sums, strict=True)]
    return np.asarray(scores[0] - scores[1])


def influences(pair: Sequence[SufficientStatistics]) -> Influences:
    """What each row of the two systems adds to their gain; all rows together are the gain.

    The influence of row u is g / n + (n - 1) / n (m - g_without_u), with m the mean of all gains without a row: the share of
    all, and how far the gain falls below m without this row. For a mean it is the difference in row u, divided by n. The
    jackknife's pseudo-values have g in place of m, and sum to g less its bias: where a score has a kink, as BLEU at the
    length of the reference, up to one BLEU else.

    Cost: O(n K), one call of the score. Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, Chapter 11:
    (n - 1) (m - g_without_u).
    """
    n = pair[0].n
    gain = float(gain_of(pair, [item.total for item in pair]))
    if n == 1:
        return Influences(gain, np.array([gain]), np.array([np.nan]))
    without = gain_of(pair, [item.total - item.values for item in pair])
    known = without[np.isfinite(without)]
    middle = known.mean() if len(known) else np.nan
    return Influences(gain, gain / n + (n - 1) / n * (middle - without), without)
