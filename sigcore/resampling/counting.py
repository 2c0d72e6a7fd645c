"""The numbers of pseudo-statistics beyond and exactly on the cut-offs of many pairs, for every side at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.resampling.pvalues import tolerance
from sigcore.types import Floats, Ints

# The number of raw counts per pair.
RAW = 6


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
        sums = [_row_sums(mark) for mark in marks]
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


def _row_sums(marks: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How many are true in each row; adding bytes is faster than counting row by row."""
    return np.asarray(marks.view(np.int8).sum(axis=1, dtype=np.int32))


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
