"""All statistics of all systems and metrics as one matrix, multiplied exactly."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import Undefined
from sigcore.types import LARGEST, Floats

Index = NDArray[np.intp]

# Whole numbers up to here are exact in single and in double precision.
EXACT32, EXACT64 = 2.0**24, 2.0**53

# The largest number of a column must be between this and LARGEST. With scores of 1e200 bootstrap tests gave p = 1 for
# every pair.
LEAST = 1 / LARGEST

# A column that is at most this much below one of the LOOK_BACK columns before it, by whole numbers, is stored as the
# difference: n-grams of one length are counts of shorter ones less a few, often the same few for every system.
BELOW, LOOK_BACK = 8, 15
NONE = -1


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
        places = np.array(
            [[stored.place(matrix, k) for k in range(matrix.shape[1])] for matrix in systems], dtype=np.intp
        )
        where.append(places[:, :, 0])
        less.append(places[:, :, 1])
    columns = stored.columns
    scale = np.array([scale_of(column) for column in columns])
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
    """The columns so far, and where every requested one is: a column, and the one that is subtracted from it."""

    def __init__(self) -> None:
        self.columns: list[Floats] = []
        self._places: dict[bytes, tuple[int, int]] = {}

    def place(self, matrix: Floats, k: int) -> tuple[int, int]:
        """The place of column k of the matrix, after those before it."""
        column = np.ascontiguousarray(matrix[:, k])
        key = _digest(column)
        if key not in self._places:
            self._places[key] = self._below(matrix, k) or (self._added(column), NONE)
        return self._places[key]

    def _below(self, matrix: Floats, k: int) -> tuple[int, int] | None:
        """The place of a column of whole numbers a little below one before it; None if there is none."""
        column, near = matrix[:, k], matrix[0] - matrix[0, k]  # most are refused by their first number
        for before in range(k - 1, max(k - 1 - LOOK_BACK, -1), -1):
            if not 0 <= near[before] <= BELOW:
                continue
            difference = np.ascontiguousarray(matrix[:, before] - column)
            if difference.min() < 0 or difference.max() > BELOW or not (_whole(difference) and _whole(column)):
                continue
            own, subtracted = self._places[_digest(matrix[:, before])]
            if subtracted == NONE:
                return own, self._alone(difference)
        return None

    def _alone(self, column: Floats) -> int:
        """Where this column is, without another one to subtract."""
        own, subtracted = self._places.get(_digest(column), (0, 0))
        if subtracted != NONE:
            own = self._added(column)
            self._places[_digest(column)] = own, NONE
        return own

    def _added(self, column: Floats) -> int:
        self.columns.append(column)
        return len(self.columns) - 1


def _whole(column: Floats) -> bool:
    """Whether all numbers are whole, and small enough to stay so in any sum of a few."""
    return bool(np.abs(column).max() < EXACT32 and np.array_equal(column, np.rint(column)))


def _difference(sums: Floats, where: Index, less: Index) -> Floats:
    """The sums at `where` minus those at `less` where there is one."""
    out = np.asarray(sums[where])
    subtracted = less != NONE
    if subtracted.any():
        out[subtracted] -= sums[less[subtracted]]
    return out
