"""Features of which most are 0: rows of numbers that take memory only where they are not 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from sigcore.types import Bools, Floats, Ints

FULL = 1_000_000  # numbers that sparse features may have and be a full array, which is faster and which MERT can search


def worth(numbers: int, size: int) -> bool:
    """Whether so many `numbers` other than 0, of `size` in all, are better sparse than a full array."""
    return size > FULL and 2 * numbers < size


@dataclass(frozen=True, eq=False)
class Sparse:
    """H rows of F numbers, (H, F), as scipy's csr_array: 12 bytes for each number that is not 0.

    It has those operations of an array of two dimensions that lists and methods need: rows by position, products with
    vectors from both sides, and the difference of two. Products differ from those of the full array by rounding alone.
    """

    matrix: Any = field(repr=False)  # Any: scipy.sparse.csr_array, which has no types
    __array_ufunc__ = None  # so that `vector @ features` asks this class

    def __post_init__(self) -> None:
        self.matrix.sum_duplicates()
        self.matrix.eliminate_zeros()
        for part in self.parts:
            part.setflags(write=False)

    @classmethod
    def of(cls, starts: Ints, columns: Ints, values: Floats, width: int) -> Sparse:
        """The rows whose numbers other than 0 are `values` at `columns`, those of row i from starts[i] to starts[i + 1]."""
        from scipy.sparse import csr_array  # most lists are full, and need no scipy

        # a copy: duplicates and zeros are removed in place
        return cls(csr_array((values, columns, starts), shape=(len(starts) - 1, width), copy=True))

    @property
    def shape(self) -> tuple[int, int]:
        """(H, F)."""
        rows, columns = self.matrix.shape
        return int(rows), int(columns)

    @property
    def parts(self) -> tuple[Ints, Ints, Floats]:
        """Where rows start, (H + 1,), and the columns and the values of all numbers that are not 0, row by row."""
        return self.matrix.indptr, self.matrix.indices, self.matrix.data

    @property
    def rows(self) -> Ints:
        """The row of every number that is not 0."""
        return np.repeat(np.arange(len(self)), np.diff(self.matrix.indptr))

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def __getitem__(self, rows: Ints | slice) -> Sparse:
        return Sparse(self.matrix[rows])

    def __matmul__(self, weights: Floats) -> Floats:
        return np.asarray(self.matrix @ weights)

    def __rmatmul__(self, weights: Floats) -> Floats:
        return np.asarray(weights @ self.matrix)

    def __sub__(self, other: Sparse) -> Sparse:
        return Sparse(self.matrix - other.matrix)

    def row(self, k: int) -> Floats:
        """One row as a full array, (F,)."""
        starts, columns, values = self.parts
        out = np.zeros(self.shape[1])
        out[columns[starts[k] : starts[k + 1]]] = values[starts[k] : starts[k + 1]]
        return out

    def times(self, factors: Floats) -> Sparse:
        """Every column times its factor, (F,)."""
        starts, columns, values = self.parts
        return Sparse.of(starts, columns, values * factors[columns], self.shape[1])

    def moments(self) -> tuple[Floats, Floats]:
        """The mean and the standard deviation of every column, (F,) each, zeros included."""
        size, width = self.shape
        _, columns, values = self.parts
        means = np.bincount(columns, values, width) / size
        squares = np.bincount(columns, (values - means[columns]) ** 2, width)
        zeros = size - np.bincount(columns, minlength=width)
        return means, np.sqrt((squares + zeros * means**2) / size)


Features: TypeAlias = "Floats | Sparse"


def stacked(parts: Sequence[Features]) -> Features:
    """All rows of all parts, which have the same columns, one after the other."""
    full = [part for part in parts if not isinstance(part, Sparse)]
    if len(full) == len(parts):
        return np.concatenate(full)
    from scipy.sparse import csr_array, vstack

    return Sparse(
        vstack([part.matrix if isinstance(part, Sparse) else csr_array(part) for part in parts], format="csr")
    )


def beside(features: Features, more: Floats) -> Features:
    """The features (H, F) and more columns (H, k) after them."""
    if not isinstance(features, Sparse):
        return np.column_stack([features, more])
    from scipy.sparse import csr_array, hstack

    return Sparse(hstack([features.matrix, csr_array(more)], format="csr"))


def columns_of(features: Features, places: Ints) -> Features:
    """These columns in this order, (H, len(places)), a full array where that is better; -1 is a column of zeros."""
    known = np.flatnonzero(places >= 0)
    if not isinstance(features, Sparse):
        out = np.zeros((len(features), len(places)))
        out[:, known] = features[:, places[known]]
        return out
    new = np.full(features.shape[1], -1)
    new[places[known]] = known
    starts, columns, values = features.parts
    kept = new[columns] >= 0
    counts = np.concatenate([[0], np.cumsum(kept)])[starts]
    found = Sparse.of(counts, new[columns[kept]], values[kept], len(places))
    return found if worth(int(counts[-1]), len(found) * len(places)) else found.matrix.toarray()


def column(features: Features, place: int) -> Floats:
    """One column, (H,)."""
    if not isinstance(features, Sparse):
        return features[:, place]
    weights = np.zeros(features.shape[1])
    weights[place] = 1.0
    return features @ weights


def moments(features: Features) -> tuple[Floats, Floats]:
    """The mean and the standard deviation of every column, (F,) each."""
    return features.moments() if isinstance(features, Sparse) else (features.mean(axis=0), features.std(axis=0))


def varying(features: Features, starts: Ints) -> Floats:
    """In how many lists, which begin at `starts`, each feature has different values, (F,)."""
    if not isinstance(features, Sparse):
        spread = np.maximum.reduceat(features, starts) - np.minimum.reduceat(features, starts)
        return np.asarray((spread > 0).sum(axis=0, dtype=np.float64))
    size, width = features.shape
    list_of = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, size)))
    # a feature varies in a list where a hypothesis differs from the first one
    apart = features - features[starts[list_of]]
    seen: Ints = np.unique(list_of[apart.rows] * width + apart.parts[1])
    return np.bincount(seen % width, minlength=width).astype(np.float64)


def ends(features: Features) -> tuple[Floats, Floats]:
    """The smallest and the largest value of every column, (F,) each."""
    if not isinstance(features, Sparse):
        return features.min(axis=0), features.max(axis=0)
    return features.matrix.min(axis=0).toarray().ravel(), features.matrix.max(axis=0).toarray().ravel()


def finite(features: Features, largest: float) -> tuple[int, int] | None:
    """(row, column) of the first number that is not finite or larger than `largest`; None without one."""
    values = features.parts[2] if isinstance(features, Sparse) else features
    bad: Bools = ~(np.abs(values) <= largest)
    if not bad.any():
        return None
    first = np.argwhere(bad)[0]
    if isinstance(features, Sparse):
        return int(features.rows[first[0]]), int(features.parts[1][first[0]])
    return int(first[0]), int(first[1])
