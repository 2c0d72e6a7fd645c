"""All statistics of all systems and metrics as one matrix, multiplied exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import Undefined
from sigcore.types import Floats

Index = NDArray[np.intp]

# Whole numbers up to here are exact in single and in double precision.
EXACT32, EXACT64 = 2.0**24, 2.0**53


@dataclass(frozen=True, eq=False)
class Columns:
    """The different columns of many statistics (n, C), as whole numbers: true value = whole / scale.

    `where[m]` (S, K) says which column holds statistic k of system s in the m-th metric. Sums of whole numbers
    are exact in any order, so neither threads nor the linear algebra library can change a result.
    """

    whole: Floats
    single: NDArray[np.float32] | None
    scale: Floats
    where: tuple[Index, ...]
    total: Floats = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.whole.sum(axis=0) / self.scale)

    @property
    def n(self) -> int:
        """The number of segments."""
        return int(self.whole.shape[0])

    def totals(self, metric: int) -> Floats:
        """Sums over all segments, (S, K)."""
        return np.asarray(self.total[self.where[metric]])

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
        return np.asarray(sums[self.where[metric].T])


def scale_of(values: Floats) -> float:
    """The power of two that makes values (n,) whole: 1 for counts, 2 for halves, ...

    Values with no short binary form (a third, most neural scores) are rounded as finely as 53 bits allow for
    the sum of n of them, an error of about 1e-11 of the score.

    Raises: Undefined for numbers near the ends of what a double can hold.
    """
    largest = float(np.abs(values).max(initial=0.0))
    most = int(np.floor(51 - np.log2(largest) - np.log2(len(values)))) if largest > 0 else 0
    if not -970 <= most <= 1000:
        raise Undefined(f"Numbers as large as {largest:.3g} cannot be summed precisely.", "", "Rescale the scores.")
    for power in range(0, min(11, most + 1)):
        scaled = values * 2.0**power
        if np.array_equal(scaled, np.rint(scaled)):
            return float(2.0**power)
    return float(2.0**most)


def gather(values: Sequence[Sequence[Floats]]) -> Columns:
    """The Columns of `values[metric][system]`, each (n, K); equal columns are stored once."""
    kept: dict[bytes, int] = {}
    columns: list[Floats] = []
    where: list[Index] = []
    for systems in values:
        index = np.empty((len(systems), systems[0].shape[1]), dtype=np.intp)
        for s, matrix in enumerate(systems):
            for k in range(matrix.shape[1]):
                column = np.ascontiguousarray(matrix[:, k])
                index[s, k] = kept.setdefault(column.tobytes(), len(columns))
                if index[s, k] == len(columns):
                    columns.append(column)
        where.append(index)
    scale = np.array([scale_of(column) for column in columns])
    whole = np.rint(np.column_stack(columns) * scale)
    # a block's sum is at most n times the largest entry only for bootstrap; the check after the product covers both
    single = (
        np.ascontiguousarray(whole.T, dtype=np.float32)
        if whole.min(initial=0.0) >= 0 and whole.max(initial=0.0) < EXACT32
        else None
    )
    return Columns(whole, single, scale, tuple(where))
