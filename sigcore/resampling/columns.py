"""All statistics of all systems and metrics as one matrix, multiplied exactly."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import Undefined
from sigcore.resampling.scatter import MOST_ADDED, added_up, compiled
from sigcore.types import LARGEST, Floats

Index = NDArray[np.intp]

EXACT32 = 2.0**24  # whole numbers up to here are exact in single precision

# The largest number of a column must be between this and LARGEST. With scores of 1e200 bootstrap tests gave p = 1 for
# every pair.
LEAST = 1 / LARGEST

# A column that is at most this much below one of the LOOK_BACK columns before it, by whole numbers, is stored as the
# difference: n-grams of one length are counts of shorter ones less a few, often the same few for every system.
BELOW, LOOK_BACK = 8, 15
FIRST = 16  # most others are refused by so many of their first numbers
NONE = -1

MOST_BITS = 131_072  # units of which a block's swaps are added up as bits: 8 MB, as many as weights have


@dataclass(frozen=True, eq=False)
class Columns:
    """The different columns of many statistics (n, C), as whole numbers: true value = whole / scale.

    `where[m]` (S, K) says which column holds statistic k of system s in the m-th metric, and `less[m]` (S, K) which column
    is subtracted from it (NONE: none). Sums of whole numbers are exact in any order, so neither threads nor the linear
    algebra library can change a result, and neither can a subtraction.
    """

    whole: Floats
    single: NDArray[np.float32] | None
    scale: Floats
    where: tuple[Index, ...]
    less: tuple[Index, ...]
    total: Floats = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.whole.sum(axis=0) / self.scale)

    @property
    def n(self) -> int:
        """The number of segments."""
        return int(self.whole.shape[0])

    def totals(self, metric: int) -> Floats:
        """Sums over all segments, (S, K)."""
        return _difference(self.total, self.where[metric], self.less[metric])

    def sums(self, weights: NDArray[np.float32]) -> Floats:
        """The exact sums of every column under every row of weights: (rows, n) -> (C, rows).

        Columns come first so that the score of many resamples reads each statistic from one stretch of memory.
        """
        if self.single is not None:
            product = self.single @ weights.T  # (C, n) @ (n, rows) -> (C, rows)
            # No entry is negative, and rounding is monotone: if the end is below 2^24, so was every partial sum.
            if product.size == 0 or float(product.max()) < EXACT32:
                return self._true(product)
        return self._true(self.whole.T @ weights.T.astype(np.float64))

    def chosen(self, bits: NDArray[np.uint8], small: NDArray[np.int16]) -> Floats:
        """The exact sums of every column over the units whose bits are set, (C, rows), by a compiled loop."""
        return self._true(added_up(bits, small))

    @property
    def small(self) -> NDArray[np.int16] | None:
        """What `chosen` adds up, (n, C); None if the loop is not loaded, or cannot add up so large numbers, or so many."""
        return self._small if compiled() and self.n <= MOST_BITS else None

    @cached_property
    def _small(self) -> NDArray[np.int16] | None:
        return self.whole.astype(np.int16) if float(np.abs(self.whole).max(initial=0.0)) <= MOST_ADDED else None

    def _true(self, whole: NDArray[Any]) -> Floats:
        if (self.scale == 1.0).all():
            return np.asarray(whole, dtype=np.float64)
        return np.asarray(whole / self.scale[:, None])

    def pick(self, sums: Floats, metric: int) -> Floats:
        """The sums of one metric, (K, S, rows), from those of all columns, (C, rows)."""
        return _difference(sums, self.where[metric].T, self.less[metric].T)


def scale_of(values: Floats) -> float:
    """The power of two that makes values (n,) whole: 1 for counts, 2 for halves, ...

    Values with no short binary form (a third, most neural scores) are rounded as finely as 53 bits allow for
    the sum of n of them, an error of about 1e-11 of the score.

    Raises: Undefined for numbers whose squares a double cannot hold.
    """
    largest = float(np.abs(values).max(initial=0.0))
    if largest > 0 and not LEAST <= largest <= LARGEST:
        raise Undefined(f"Numbers as large as {largest:.3g} cannot be summed precisely.", "", "Rescale the scores.")
    most = int(np.floor(51 - np.log2(largest) - np.log2(len(values)))) if largest > 0 else 0
    for power in range(0, min(11, most + 1)):
        scaled = values * 2.0**power
        if np.array_equal(scaled, np.rint(scaled)):
            return float(2.0**power)
    return float(2.0**most)


def sums_of(values: Floats) -> Floats:
    """The sums (K,) of one system's statistics (n, K), exactly as `gather` makes them, without a copy of all systems."""
    return np.array([np.rint(column * (scale := scale_of(column))).sum() / scale for column in values.T])


def gather(values: Sequence[Sequence[Floats]]) -> Columns:
    """The Columns of `values[metric][system]`, each (n, K); equal columns are stored once."""
    stored = _Stored()
    where, less = list[Index](), list[Index]()
    for systems in values:
        places = np.array([stored.places(matrix) for matrix in systems], dtype=np.intp)
        where.append(places[:, :, 0])
        less.append(places[:, :, 1])
    columns = stored.columns
    scale = np.array([1.0 if counts else scale_of(one) for one, counts in zip(columns, stored.counts, strict=True)])
    whole = np.column_stack(columns)
    np.rint(np.multiply(whole, scale, out=whole), out=whole)  # in place: of thousands of systems each copy is large
    # a block's sum is at most n times the largest entry only for bootstrap; the check after the product covers both
    single = (
        np.ascontiguousarray(whole.T, dtype=np.float32)
        if whole.min(initial=0.0) >= 0 and whole.max(initial=0.0) < EXACT32
        else None
    )
    return Columns(whole, single, scale, tuple(where), tuple(less))


def _digest(column: Floats) -> bytes:
    """What tells columns apart: thousands of them as bytes would be a second copy of all."""
    return hashlib.sha256(column.tobytes()).digest()


class _Stored:
    """The columns so far, and where every requested one is: a column, and the one that is subtracted from it.

    `counts` says of each column that its numbers are whole and small, so that its scale is 1.
    """

    def __init__(self) -> None:
        self.columns: list[Floats] = []
        self.counts: list[bool] = []
        self._places: dict[bytes, tuple[int, int]] = {}

    def places(self, matrix: Floats) -> list[tuple[int, int]]:
        """The place of every column of the matrix, (K, 2)."""
        whole, keys, found = _Whole(matrix), list[bytes](), list[tuple[int, int]]()
        for k, column in enumerate(whole.rows):
            keys.append(_digest(column))
            if keys[k] not in self._places:
                self._places[keys[k]] = self._below(whole, k, keys) or (self._added(column, whole.small[k]), NONE)
            found.append(self._places[keys[k]])
        return found

    def _below(self, whole: _Whole, k: int, keys: Sequence[bytes]) -> tuple[int, int] | None:
        """The place of a column of whole numbers a little below one before it; None if there is none."""
        for before in whole.near(k) if whole.small[k] else ():
            difference = whole.rows[before] - whole.rows[k]
            if difference.min() < 0 or difference.max() > BELOW:
                continue
            own, subtracted = self._places[keys[before]]
            if subtracted == NONE:
                return own, self._alone(difference)
        return None

    def _alone(self, column: Floats) -> int:
        """Where this column of small numbers is, without another one to subtract."""
        key = _digest(column)
        own, subtracted = self._places.get(key, (0, 0))
        if subtracted != NONE:
            own = self._added(column, True)
            self._places[key] = own, NONE
        return own

    def _added(self, column: Floats, counts: bool) -> int:
        self.columns.append(column.copy())  # a view would hold its whole matrix
        self.counts.append(counts)
        return len(self.columns) - 1


class _Whole:
    """The columns of a matrix (n, K) as `rows` (K, n), and which of them are whole and small; all are looked at together."""

    def __init__(self, matrix: Floats) -> None:
        self.rows = np.ascontiguousarray(matrix.T)
        whole = (np.rint(self.rows) == self.rows).all(axis=1)
        # small enough to stay whole in any sum of a few
        self.small: list[bool] = (whole & (np.abs(self.rows).max(axis=1) < EXACT32)).tolist()
        first = np.where(np.array(self.small)[:, None], self.rows[:, :FIRST], np.nan)
        before = np.concatenate([np.full((LOOK_BACK, first.shape[1]), np.nan), first[:-1]])
        apart = np.lib.stride_tricks.sliding_window_view(before, LOOK_BACK, axis=0) - first[:, :, None]
        maybe = np.all((apart >= 0) & (apart <= BELOW), axis=1)
        self._maybe: list[list[bool]] = maybe.tolist()  # (K, LOOK_BACK)

    def near(self, k: int) -> Iterator[int]:
        """The columns before the k-th one that may be a little above it, the nearest first."""
        return (k - back for back, maybe in enumerate(reversed(self._maybe[k]), 1) if maybe)


def _difference(sums: Floats, where: Index, less: Index) -> Floats:
    """The sums at `where` minus those at `less` where there is one."""
    out = np.asarray(sums[where])
    subtracted = less != NONE
    if subtracted.any():
        out[subtracted] -= sums[less[subtracted]]
    return out
