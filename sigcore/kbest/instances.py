"""What a method learns from: lists of hypotheses as arrays, with their statistics and the quality of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sigcore.errors import MismatchError
from sigcore.kbest.lists import offsets_of, rows_of
from sigcore.kbest.sparse import Features, stacked
from sigcore.types import Floats, Ints

Objective = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Instances:
    """m lists of hypotheses, H in all, one list after the other at `offsets` (m + 1,).

    `features` (H, F), a full array or `Sparse`; `statistics` (H, K) of an additive metric; `quality` (H,), larger = better, 0 to 1 where the
    metric is (sentence BLEU+1, or the metric of one segment). `objective` turns sums of statistics (..., K) into the
    metric, oriented so that larger is better. `cost` is, for k-best MIRA, the quality of hypotheses whose statistics
    were added to a background (..., K) -> (...); None where the metric has none.

    Raises: MismatchError for arrays that do not fit each other.
    """

    features: Features = field(repr=False)
    statistics: Floats = field(repr=False)
    quality: Floats = field(repr=False)
    offsets: Ints = field(repr=False)
    objective: Objective
    cost: Objective | None = None

    def __post_init__(self) -> None:
        size = len(self.features)
        if len(self.statistics) != size or len(self.quality) != size or self.offsets[-1] != size:
            raise MismatchError("Features, statistics and qualities of different numbers of hypotheses.")

    @property
    def m(self) -> int:
        """The number of lists."""
        return len(self.offsets) - 1

    @cached_property
    def lengths(self) -> Ints:
        """The number of hypotheses of every list, (m,)."""
        return np.diff(self.offsets)

    @cached_property
    def padded(self) -> Ints:
        """The positions of the hypotheses (m, longest); short lists are filled with their first hypothesis."""
        columns = np.arange(int(self.lengths.max()))
        inside = columns < self.lengths[:, None]
        return np.asarray(self.offsets[:-1, None] + np.where(inside, columns, 0))

    def best(self, weights: Floats) -> Ints:
        """The position of the hypothesis with the highest score in every list, (m,); of equal ones the first."""
        return first_of_largest(self.features @ weights, self.offsets)

    def value(self, chosen: Ints) -> float:
        """The oriented metric of the chosen hypotheses (m,); -inf where it is not defined."""
        value = float(self.objective(self.statistics[chosen].sum(axis=0)))
        return value if np.isfinite(value) else -np.inf

    def of(self, lists: Sequence[int] | Ints) -> Instances:
        """These lists, in that order; a list may be repeated."""
        rows = rows_of(self.offsets, lists)
        return replace(
            self,
            features=self.features[rows],
            statistics=self.statistics[rows],
            quality=self.quality[rows],
            offsets=offsets_of(self.lengths[np.asarray(lists, dtype=np.int64)]),
        )


def joined(parts: Sequence[Instances]) -> Instances:
    """All lists of all parts, one after the other."""
    return replace(
        parts[0],
        features=stacked([part.features for part in parts]),
        statistics=np.concatenate([part.statistics for part in parts]),
        quality=np.concatenate([part.quality for part in parts]),
        offsets=offsets_of(np.concatenate([part.lengths for part in parts])),
    )


def first_of_largest(values: Floats, offsets: Ints) -> Ints:
    """The position of the largest value in every list, (m,); of equal ones the first."""
    largest = np.repeat(np.maximum.reduceat(values, offsets[:-1]), np.diff(offsets))
    places = np.flatnonzero(values == largest)
    return places[np.searchsorted(places, offsets[:-1])]
