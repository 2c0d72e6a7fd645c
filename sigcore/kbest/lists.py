"""k-best lists: the hypotheses of every segment with their features, one list after the other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sigcore.errors import MismatchError, SigError, UnknownMember
from sigcore.kbest import sparse
from sigcore.kbest.sparse import Features, Sparse
from sigcore.testset import digest
from sigcore.types import LARGEST, Floats, Ints


@dataclass(frozen=True, eq=False)
class KBest:
    """The k-best lists of n segments: H hypotheses, those of segment i at `offsets[i]` to `offsets[i + 1]`.

    `features` (H, F), a full array or `Sparse`, has a column for each of `names`; `values` (H, C) for each of `others`, which are not features, such
    as the score of a judge. `scores` (H,) is the score that the lists came with, nan where a hypothesis has none. The
    first hypothesis of a list is the one that the decoder chose. `start` is the number that the file gives its first segment.

    Raises: MismatchError for arrays that do not fit each other; SigError for an empty list, for features that are not
    finite or too large, and for two features with one name.
    """

    name: str
    texts: tuple[str, ...] = field(repr=False)
    offsets: Ints = field(repr=False)
    names: tuple[str, ...]
    features: Features = field(repr=False)
    scores: Floats = field(repr=False)
    others: tuple[str, ...] = ()
    values: Floats = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
    start: int = 0

    def __post_init__(self) -> None:
        if not self.others:
            object.__setattr__(self, "values", np.zeros((len(self.texts), 0)))
        kinds = (("offsets", np.int64), ("features", np.float64), ("scores", np.float64), ("values", np.float64))
        for name, kind in kinds:
            if isinstance(getattr(self, name), Sparse):
                continue
            array = np.ascontiguousarray(getattr(self, name), dtype=kind)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        _check(self)

    @property
    def n(self) -> int:
        """The number of segments."""
        return len(self.offsets) - 1

    @property
    def size(self) -> int:
        """The number of hypotheses."""
        return len(self.texts)

    @cached_property
    def lengths(self) -> Ints:
        """The number of hypotheses of every segment, (n,)."""
        return np.diff(self.offsets)

    @cached_property
    def segment_of(self) -> Ints:
        """The segment of every hypothesis, (H,)."""
        return np.repeat(np.arange(self.n), self.lengths)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of the texts, the features and the scores."""
        features = self.features.parts if isinstance(self.features, Sparse) else (self.features,)
        arrays = (self.offsets, *features, self.scores, self.values)
        return digest(self.texts, self.names, self.others, [hashlib.sha256(array.data).hexdigest() for array in arrays])

    def column(self, name: str) -> Floats:
        """The values of one feature, or of one of the other columns, (H,).

        Raises: UnknownMember for a name that is not there.
        """
        if name in self.names:
            return sparse.column(self.features, self.names.index(name))
        if name in self.others:
            return self.values[:, self.others.index(name)]
        raise UnknownMember("column", name, (*self.names, *self.others))

    def of(self, segments: Sequence[int] | Ints) -> KBest:
        """The lists of these segments, in that order; a segment may be repeated."""
        return self._at(rows_of(self.offsets, segments), self.lengths[np.asarray(segments, dtype=np.int64)])

    def with_features(self, names: Sequence[str], values: Floats) -> KBest:
        """The same lists with more features: `values` (H, more)."""
        return replace(self, names=(*self.names, *names), features=sparse.beside(self.features, values))

    def under(self, names: Sequence[str]) -> KBest:
        """The same lists with these features, in this order; a feature that they do not have is 0."""
        if tuple(names) == self.names:
            return self
        place = {name: k for k, name in enumerate(self.names)}
        places = np.array([place.get(name, -1) for name in names], dtype=np.int64)
        return replace(self, names=tuple(names), features=sparse.columns_of(self.features, places))

    def aside(self, name: str) -> KBest:
        """The same lists, in which this column is not a feature.

        Raises: UnknownMember for a name that is not there.
        """
        column = self.column(name)
        if name in self.others:
            return self
        kept = [k for k, other in enumerate(self.names) if other != name]
        return replace(
            self,
            names=tuple(self.names[k] for k in kept),
            features=sparse.columns_of(self.features, np.array(kept, dtype=np.int64)),
            others=(*self.others, name),
            values=np.column_stack([self.values, column]),
        )

    def outputs(self, chosen: Ints) -> tuple[str, ...]:
        """The texts of the chosen hypotheses (n,), given as positions among all."""
        return tuple(self.texts[i] for i in chosen.tolist())

    def head(self, size: int) -> KBest:
        """The first `size` hypotheses of every list; shorter lists as they are."""
        lengths = np.minimum(self.lengths, size)
        place = np.arange(self.size) - np.repeat(self.offsets[:-1], self.lengths)
        return self._at(np.flatnonzero(place < size), lengths)

    def distinct(self) -> KBest:
        """The lists without repetitions: of hypotheses with one text and equal numbers the first is kept."""
        rows = _first_of_each(self)
        return self if len(rows) == self.size else self._at(rows, np.bincount(self.segment_of[rows], minlength=self.n))

    def _at(self, rows: Ints, lengths: Ints) -> KBest:
        """The hypotheses at these positions, as lists of these lengths."""
        return replace(
            self,
            texts=tuple(self.texts[i] for i in rows.tolist()),
            offsets=offsets_of(lengths),
            features=self.features[rows],
            scores=self.scores[rows],
            values=self.values[rows],
        )


def merged(first: KBest, second: KBest) -> KBest:
    """The union of the lists of each segment, those of `first` before those of `second`.

    Raises: MismatchError for lists of other segments or with other features.
    """
    if (first.n, first.names, first.others) != (second.n, second.names, second.others):
        raise MismatchError(f"{first.name} and {second.name} have other segments or features.")
    order = np.argsort(np.concatenate([first.segment_of, second.segment_of]), kind="stable")
    every = replace(
        first,
        texts=(*first.texts, *second.texts),
        offsets=offsets_of(np.concatenate([first.lengths, second.lengths])),
        features=sparse.stacked([first.features, second.features]),
        scores=np.concatenate([first.scores, second.scores]),
        values=np.concatenate([first.values, second.values]),
    )
    return every._at(order, first.lengths + second.lengths).distinct()


def offsets_of(lengths: Sequence[int] | Ints) -> Ints:
    """Where lists of these lengths begin, and where the last one ends, (n + 1,)."""
    return np.concatenate([[0], np.cumsum(np.asarray(lengths, dtype=np.int64))]).astype(np.int64)


def rows_of(offsets: Ints, lists: Sequence[int] | Ints) -> Ints:
    """The positions of all members of these lists, list by list."""
    lists = np.asarray(lists, dtype=np.int64)
    lengths = offsets[lists + 1] - offsets[lists]
    starts = offsets_of(lengths)
    return np.repeat(offsets[lists] - starts[:-1], lengths) + np.arange(starts[-1])


def _first_of_each(lists: KBest) -> Ints:
    seen: set[tuple[int, str, bytes]] = set()
    kept = []
    row = _row_bytes(lists.features)
    for i, (segment, text) in enumerate(zip(lists.segment_of.tolist(), lists.texts, strict=True)):
        key = (segment, text, row(i) + lists.values[i].tobytes())
        if key not in seen:
            seen.add(key)
            kept.append(i)
    return np.array(kept, dtype=np.int64)


def _row_bytes(features: Features) -> Callable[[int], bytes]:
    """What gives the numbers of a row as bytes, equal for equal rows."""
    if not isinstance(features, Sparse):
        return lambda i: features[i].tobytes()
    starts, columns, values = features.parts
    return lambda i: columns[starts[i] : starts[i + 1]].tobytes() + values[starts[i] : starts[i + 1]].tobytes()


def _check(lists: KBest) -> None:
    size, columns = len(lists.texts), len(lists.names)
    wanted = (size, columns), (size,), (size, len(lists.others))
    if (lists.features.shape, lists.scores.shape, lists.values.shape) != wanted:
        shapes = f"{lists.features.shape} features, {lists.scores.shape} scores, {lists.values.shape} other values"
        raise MismatchError(f"{size} hypotheses with {columns} names of features, but {shapes}.", lists.name)
    if len(lists.offsets) < 2 or lists.offsets[0] != 0 or lists.offsets[-1] != size:
        raise MismatchError(f"The lists do not cover the {size} hypotheses.", lists.name)
    if (np.diff(lists.offsets) < 1).any():
        empty = int(np.flatnonzero(np.diff(lists.offsets) < 1)[0])
        raise SigError(f"Segment {empty + 1} has no hypotheses.", lists.name, "Every segment needs at least one.")
    named = (*lists.names, *lists.others)
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise SigError(f"Two columns are named {twice!r}.", lists.name, "Give each its own name.")
    bad = sparse.finite(lists.features, LARGEST)
    if bad is not None:
        row, column = bad
        where = f"{lists.name}, segment {lists.segment_of[row] + 1}"
        why = "too large" if np.isfinite(lists.column(lists.names[column])[row]) else "not a finite number"
        raise SigError(f"The feature {lists.names[column]} is {why}.", where, "Correct or remove it.")
