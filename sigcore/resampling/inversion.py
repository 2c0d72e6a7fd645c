"""The interval of a gain that a randomization test does not reject, from the draws of the test itself.

Under a true gain delta each unit's part of the gain, less its share of delta, is as likely to have one sign as the other. So
the pseudo-gain of a draw is d - delta S, where d is the pseudo-gain of the test and S the mean sign of the units, weighted by
their shares. The draw counts where this reaches |g - delta|: for every delta between (g - d) / (1 - S) and (g + d) / (1 + S).
At delta = 0 this is the test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sigcore.resampling.blocks import BLOCK, Block
from sigcore.resampling.spool import Spool
from sigcore.types import Floats

# Intervals use the first of so many shuffles: the Monte Carlo error of an end is then about a hundredth of the standard error
# of the gain, if gains are roughly normal.
INVERTED = 64 * BLOCK
MOST_GAINS = 100_000_000  # gains of pairs on resamples that intervals are made of: some seconds
ALPHA = 0.05  # intervals hold the gains that the two-sided test does not reject at it
ROUNDING = 1e-12  # a mean sign this near 1 is that of no swap


def rank_of(alpha: float, resamples: int) -> int:
    """Which of the sorted draws is the end of an interval, from 1: with so many that count, p is just at most alpha."""
    return math.floor(alpha * (resamples + 1) + ROUNDING)


def possible(pseudo: Floats, signs: Floats, gains: Floats | float, slack: Floats | float) -> Floats:
    """The true gain that each draw speaks for: one-sided, it counts against every gain from there on.

    Pseudo-gains and mean signs have one shape, such as (P, B), which gains and their ties fit. p of "the true gain is at most
    delta" is (1 + draws with at most delta) / (R + 1), and of "at least delta" the same with at least. It is nan where a draw
    counts for every gain: an undefined one, the observed outputs, all of them swapped.
    """
    ahead = gains - pseudo
    ahead[np.abs(ahead) <= slack] = 0.0  # a tie at no gain stays one
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.isnan(pseudo) | (1.0 - np.abs(signs) <= ROUNDING), np.nan, ahead / (1.0 - signs))


def reached(pseudo: Floats, balance: Floats, gains: Floats, slack: Floats) -> tuple[Floats, Floats]:
    """Between which true gains each draw counts, (P, B) each: pseudo-gains and mean signs (P, B), gains and their ties (P,)."""
    # two-sided, a draw and its mirror image count
    one = possible(pseudo, balance, gains[:, None], slack[:, None])
    other = possible(-pseudo, -balance, gains[:, None], slack[:, None])
    always = np.isnan(one)
    return np.where(always, -np.inf, np.minimum(one, other)), np.where(always, np.inf, np.maximum(one, other))


class Inversion:
    """The ends of the intervals of P pairs, taken block by block in memory that does not grow with the number of blocks.

    p(delta) = (1 + draws that count at delta) / (R + 1). The gains with p above alpha lie between the k-th smallest lower and
    the k-th largest upper end of the draws, where k = floor(alpha (R + 1)).
    """

    def __init__(self, gains: Floats, slack: Floats, resamples: int, alpha: float) -> None:
        self._gains, self._slack, self._alpha, self.resamples = gains, slack, alpha, resamples
        self._kept = rank_of(alpha, resamples)
        self._low = self._high = np.empty((len(gains), 0))
        self.done = 0

    def add(self, pseudo: Floats, balance: Floats) -> None:
        """Take in the draws of one block; those after `resamples` are not used."""
        if self.done >= self.resamples or not self._kept:
            return
        low, high = reached(pseudo, balance, self._gains, self._slack)
        self._low = np.concatenate([self._low, low], axis=1)
        self._high = np.concatenate([self._high, high], axis=1)
        self.done += pseudo.shape[1]
        if self._low.shape[1] > 3 * self._kept:
            self._low = np.partition(self._low, self._kept - 1, axis=1)[:, : self._kept]
            self._high = -np.partition(-self._high, self._kept - 1, axis=1)[:, : self._kept]

    def ends(self) -> Floats:
        """The intervals (P, 2) from the draws so far; nan where they are too few for any end, or every gain agrees."""
        rank = rank_of(self._alpha, self.done)
        out = np.full((len(self._gains), 2), np.nan)
        if rank and len(self._gains):
            out[:, 0] = np.partition(self._low, rank - 1, axis=1)[:, rank - 1]
            out[:, 1] = -np.partition(-self._high, rank - 1, axis=1)[:, rank - 1]
            out[~np.isfinite(out).all(axis=1)] = np.nan
        return out


class Kept:
    """What is kept of the shuffles of several metrics: all pseudo-gains, if asked for, and the intervals that they give.

    Intervals are made of the metrics for which they are `wanted` (None: all). `gains` and `ties` have the gains (P,) of each metric, and how near a pseudo-gain
    is to one that it equals. `returned` is how many of the first shuffles `add` must get. `spools` hold the pseudo-gains, or
    None.
    """

    def __init__(
        self,
        gains: Sequence[Floats],
        ties: Sequence[Floats],
        resamples: int,
        keep: bool,
        wanted: Sequence[bool] | None = None,
    ) -> None:
        used = min(resamples, INVERTED)
        self.spools = [Spool(len(of), resamples) if keep else None for of in gains]
        self._intervals = [
            Inversion(of, tie, used, ALPHA) if asked and len(of) * used <= MOST_GAINS else None
            for of, tie, asked in zip(gains, ties, [True] * len(gains) if wanted is None else wanted, strict=True)
        ]
        self.returned = resamples if keep else used if any(self._intervals) else 0
        self._signs: list[list[Floats]] = [[] for _ in gains]

    def add(self, block: Block, pseudo: Sequence[Floats], signs: Sequence[Floats]) -> None:
        """Take in the pseudo-gains and the mean signs of one block, (P, size) for each metric."""
        for spool, values in zip(self.spools, pseudo, strict=False):
            if spool is not None:
                spool.put(block.index, values)
        for one, held, values, sign in zip(self._intervals, self._signs, pseudo, signs, strict=False):
            if one is not None:
                one.add(values, sign)
            if self.spools[0] is not None:
                held.append(sign)

    def signs(self) -> list[Floats | None]:
        """The mean signs (P, R') of the shuffles that intervals use, of each metric; None where the pseudo-gains are not kept."""
        return [np.concatenate(held, axis=1) if held else None for held in self._signs]

    def ends(self) -> list[Floats | None]:
        """The intervals (P, 2) of each metric so far; None for too many pairs."""
        return [None if one is None else one.ends() for one in self._intervals]
