"""k-best lists: the hypotheses of every segment with their features, one list after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sigcore.errors import MismatchError, SigError, UnknownMember
from sigcore.testset import digest
from sigcore.types import Floats, Ints


@dataclass(frozen=True, eq=False)
class KBest:
    """The k-best lists of n segments: H hypotheses, those of segment i at `offsets[i]` to `offsets[i + 1]`.

    `features` (H, F) has a column for each of `names`. `scores` (H,) is the score that the lists came with, nan where a
    hypothesis has none. The first hypothesis of a list is the one that the decoder chose.

    Raises: MismatchError for arrays that do not fit each other; SigError for an empty list, for features that are not
    finite, and for two features with one name.
    """

    name: str
    texts: tuple[str, ...] = field(repr=False)
    offsets: Ints = field(repr=False)
    names: tuple[str, ...]
    features: Floats = field(repr=False)
    scores: Floats = field(repr=False)

    def __post_init__(self) -> None:
        for name, kind in (("offsets", np.int64), ("features", np.float64), ("scores", np.float64)):
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
        numbers = [array.tobytes().hex() for array in (self.offsets, self.features, self.scores)]
        return digest(self.texts, self.names, numbers)

    def column(self, name: str) -> Floats:
        """The values of one feature, (H,).

        Raises: UnknownMember for a name that is not there.
        """
        if name not in self.names:
            raise UnknownMember("feature", name, self.names)
        return self.features[:, self.names.index(name)]

    def of(self, segments: Sequence[int] | Ints) -> KBest:
        """The lists of these segments, in that order; a segment may be repeated."""
        rows = rows_of(self.offsets, segments)
        lengths = self.lengths[np.asarray(segments, dtype=np.int64)]
        return replace(
            self,
            texts=tuple(self.texts[i] for i in rows.tolist()),
            offsets=offsets_of(lengths),
            features=self.features[rows],
            scores=self.scores[rows],
        )

    def with_features(self, names: Sequence[str], values: Floats) -> KBest:
        """The same lists with more features: `values` (H, more)."""
        return replace(self, names=(*self.names, *names), features=np.column_stack([self.features, values]))

    def without(self, name: str) -> KBest:
        """The same lists without one feature."""
        self.column(name)
        kept = [k for k, other in enumerate(self.names) if other != name]
        return replace(self, names=tuple(self.names[k] for k in kept), features=self.features[:, kept])

    def outputs(self, chosen: Ints) -> tuple[str, ...]:
        """The texts of the chosen hypotheses (n,), given as positions among all."""
        return tuple(self.texts[i] for i in chosen.tolist())

    def distinct(self) -> KBest:
        """The lists without repetitions: of hypotheses with one text and equal features the first is kept."""
        rows = _first_of_each(self)
        if len(rows) == self.size:
            return self
        counts = np.bincount(self.segment_of[rows], minlength=self.n)
        return replace(
            self,
            texts=tuple(self.texts[i] for i in rows.tolist()),
            offsets=offsets_of(counts),
            features=self.features[rows],
            scores=self.scores[rows],
        )


def merged(first: KBest, second: KBest) -> KBest:
    """The union of the lists of each segment, those of `first` before those of `second`.

    Raises: MismatchError for lists of other segments or with other features.
    """
    if first.n != second.n or first.names != second.names:
        raise MismatchError(f"{first.name} and {second.name} have other segments or features.")
    order = np.argsort(np.concatenate([first.segment_of, second.segment_of]), kind="stable")
    texts = (*first.texts, *second.texts)
    return replace(
        first,
        texts=tuple(texts[i] for i in order.tolist()),
        offsets=offsets_of(first.lengths + second.lengths),
        features=np.concatenate([first.features, second.features])[order],
        scores=np.concatenate([first.scores, second.scores])[order],
    ).distinct()


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
    for i, (segment, text) in enumerate(zip(lists.segment_of.tolist(), lists.texts, strict=True)):
        key = (segment, text, lists.features[i].tobytes())
        if key not in seen:
            seen.add(key)
            kept.append(i)
    return np.array(kept, dtype=np.int64)


def _check(lists: KBest) -> None:
    size, columns = len(lists.texts), len(lists.names)
    if lists.features.shape != (size, columns) or lists.scores.shape != (size,):
        shapes = f"{lists.features.shape} features, {lists.scores.shape} scores"
        raise MismatchError(f"{size} hypotheses with {columns} names of features, but {shapes}.", lists.name)
    if len(lists.offsets) < 2 or lists.offsets[0] != 0 or lists.offsets[-1] != size:
        raise MismatchError(f"The lists do not cover the {size} hypotheses.", lists.name)
    if (np.diff(lists.offsets) < 1).any():
        empty = int(np.flatnonzero(np.diff(lists.offsets) < 1)[0])
        raise SigError(f"Segment {empty + 1} has no hypotheses.", lists.name, "Every segment needs at least one.")
    if len(set(lists.names)) < columns:
        twice = next(name for name in lists.names if lists.names.count(name) > 1)
        raise SigError(f"Two features are named {twice!r}.", lists.name, "Give each its own name.")
    if not np.isfinite(lists.features).all():
        row, column = np.argwhere(~np.isfinite(lists.features))[0]
        where = f"{lists.name}, segment {lists.segment_of[row] + 1}"
        raise SigError(f"The feature {lists.names[column]} is not a finite number.", where, "Correct or remove it.")
