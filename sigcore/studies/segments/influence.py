"""What each segment adds to the gain of a pair, and to the gains of some resamples: the jackknife's influence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.formatting import format_gain
from sigcore.resampling.blocks import blocks, generator, joined
from sigcore.results import freeze
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.types import Floats, Ints


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


def influences(pair: Sequence[SufficientStatistics], changes: Sequence[Floats] = ()) -> Influences:
    """What each row of the two systems adds to their gain; all rows together are the gain. `changes` are those of
    `Metric.left_out` for both, where there are any.

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
    sums = [item.total - item.values for item in pair]
    without = gain_of(pair, [one + change for one, change in zip(sums, changes, strict=True)] if changes else sums)
    known = without[np.isfinite(without)]
    middle = known.mean() if len(known) else np.nan
    return Influences(gain, gain / n + (n - 1) / n * (middle - without), without)


@dataclass(frozen=True, eq=False)
class Behind:
    """The resamples with a gain from `low` to `high`: how many of the first `of` resamples, how often each of them drew (or
    swapped) a segment on average, (n,), and what each segment adds to their gains, (n,)."""

    low: float
    high: float
    resamples: int
    of: int
    swapped: bool
    often: Floats
    added: Floats

    def __post_init__(self) -> None:
        freeze(self)

    def sentence(self, decimals: int) -> str:
        """What these resamples are, and in which order their segments come."""
        noun = "shuffles" if self.swapped else "resamples"
        low, high = (format_gain(end, decimals) for end in (self.low, self.high))
        where = f"of {low}" if low == high else f"from {low} to {high}"
        if math.isinf(self.low + self.high):
            where = f"of at most {high}" if math.isinf(self.low) else f"of at least {low}"
        verb = "has" if self.resamples == 1 else "have"
        start = f"{self.resamples:,} of the first {self.of:,} {noun} {verb} a gain {where}."
        if not self.resamples:
            return start
        more = "more often it was kept than swapped" if self.swapped else "more often than once it was drawn"
        return f"{start} To these gains, each segment adds its influence, times how much {more}."

    def fact(self, place: int, decimals: int) -> str:
        """What the segment at a place adds, and how often it was drawn or swapped."""
        adds, often = format_gain(float(self.added[place]), decimals + 2), float(self.often[place])
        told = f"swapped in {often:.0%} of them" if self.swapped else f"drawn {often:.2f} times in each"
        return f"adds {adds} to these gains, {told}"


def behind(
    found: Influences, null: Floats, ends: tuple[float, float], draws: str, seed: int, unit_of: Ints | None = None
) -> Behind:
    """What each segment adds to the gains of the resamples whose pseudo-gain `null` (R,) is between two ends.

    A swap turns the sign of a segment's influence, and a segment that is drawn k times counts k times. So a segment adds its
    influence times (1 - 2 share of swaps), or (mean of k - 1). All of them together are the mean of these gains, less the
    centre of the null: exactly for a mean, to first order for other metrics. `unit_of` (n,) are the units that are drawn.

    Cost: the weights of R resamples are drawn again from the seed, O(R n).
    """
    n = len(found.influences) if unit_of is None else int(unit_of.max()) + 1
    inside, sums = (null >= ends[0]) & (null <= ends[1]), np.zeros(n)
    for block in blocks(len(null)):
        wanted = inside[block.start : block.start + block.size].astype(np.float32)
        place = 0
        for weights in joined(generator(seed, draws, block.index), draws, block.size, n):
            sums += wanted[place : place + len(weights)] @ weights
            place += len(weights)
    often = sums / max(int(inside.sum()), 1)
    often = often if unit_of is None else often[unit_of]
    swapped = draws == "swap"
    added = found.influences * ((1 - 2 * often) if swapped else (often - 1)) * bool(inside.any())
    return Behind(*ends, int(inside.sum()), len(null), swapped, often, added)
