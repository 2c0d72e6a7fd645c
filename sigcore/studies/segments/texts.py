"""The texts behind the rows of a pair: source, references, both outputs, document, domain and ratings of each segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import regex

from sigcore import data
from sigcore.errors import MismatchError
from sigcore.judgments import Judgments
from sigcore.studies.segments.structures import PIECES
from sigcore.studies.segments.words import words
from sigcore.testset import Outputs, Testset
from sigcore.types import Bools, Floats, Ints

# In what alone the two outputs differ: letters' case, punctuation, digits, the order of the words; or in words.
Edit = Literal["", "case", "punctuation", "numbers", "order", "words"]
EDITS: tuple[Edit, ...] = get_args(Edit)
MARKS, NUMBER = regex.compile(r"[^\p{L}\p{M}\p{N}]+"), regex.compile(r"\p{N}+(?:[.,]\p{N}+)*")


@dataclass(frozen=True, eq=False)
class Texts:
    """What the outputs of a pair say on each of the n segments of a test set.

    `ids` are the names that the files give to segments, () if they give none. `ratings` (2, n) are the means of people's
    ratings of both outputs, nan where nobody rated; None without ratings.

    Raises: MismatchError if the lengths differ.
    """

    testset: Testset
    system: Outputs
    baseline: Outputs
    ids: tuple[str, ...] = field(default=(), repr=False)
    ratings: Floats | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        lengths = {self.testset.n, self.system.n, self.baseline.n, len(self.ids) or self.testset.n}
        if len(lengths) > 1:
            raise MismatchError(f"Texts of different lengths: {sorted(lengths)}.", self.testset.name)

    @property
    def documents(self) -> tuple[str, ...]:
        """The document of every segment; () without documents."""
        return self.testset.documents

    @property
    def domains(self) -> tuple[str, ...]:
        """The domain of every segment; () without domains."""
        return self.testset.domains if any(self.testset.domains) else ()

    @property
    def readable(self) -> bool:
        """Whether the outputs are texts, whose words can be compared."""
        return self.testset.kind == "text"

    @property
    def structured(self) -> bool:
        """Whether the outputs are trees or links beside gold ones, whose parts can be compared."""
        return self.testset.kind in PIECES and bool(self.testset.references)

    def references(self, place: int) -> tuple[str, ...]:
        """The references of a segment."""
        return tuple(stream[place] for stream in self.testset.references)

    def source(self, place: int) -> str:
        """The source of a segment; "" without one."""
        return self.testset.sources[place] if self.testset.sources else ""

    def all_of(self, place: int) -> list[str]:
        """Every text of a segment."""
        return [
            *([self.testset.sources[place]] if self.testset.sources else []),
            *(stream[place] for stream in self.testset.references),
            self.system.segments[place],
            self.baseline.segments[place],
        ]

    @cached_property
    def joined(self) -> list[str]:
        """The texts of every segment, one below the other."""
        return ["\n".join(self.all_of(place)) for place in range(self.testset.n)]

    @cached_property
    def folded(self) -> list[str]:
        """The same without case."""
        return [text.casefold() for text in self.joined]

    @cached_property
    def differing(self) -> Bools:
        """Where the two outputs are not the same, (n,)."""
        pairs = zip(self.system.segments, self.baseline.segments, strict=True)
        return np.array([one != other for one, other in pairs], dtype=bool)

    @cached_property
    def lengths(self) -> Ints:
        """The length of the first reference (without one, of the source or the longer output) in words, (n,); in letters
        where the script has no blanks."""
        known = [stream for stream in (*self.testset.references[:1], self.testset.sources) if stream]
        streams: Sequence[Sequence[str]] = known[:1] or [self.system.segments, self.baseline.segments]
        unspaced = bool(data.writing(streams[0])[0])
        measured = [[len("".join(one.split())) if unspaced else len(one.split()) for one in of] for of in streams]
        return np.array(measured, dtype=np.int64).max(axis=0)

    @cached_property
    def edits(self) -> list[Edit]:
        """In what alone the two outputs of every segment differ."""
        return [edit(one, other) for one, other in zip(self.system.segments, self.baseline.segments, strict=True)]


def edit(one: str, other: str) -> Edit:
    """In what alone two texts differ; "words" for anything else, "" if they are the same."""
    if one == other:
        return ""
    one, other = one.casefold(), other.casefold()
    if one == other:
        return "case"
    letters = MARKS.sub("", one), MARKS.sub("", other)
    if letters[0] == letters[1]:
        return "punctuation"
    if NUMBER.sub("0", one) == NUMBER.sub("0", other):
        return "numbers"
    if len(letters[0]) != len(letters[1]):
        return "words"
    return "order" if sorted(words(one)) == sorted(words(other)) else "words"


def ratings_of(judgments: Judgments, texts: Texts) -> Floats | None:
    """The mean rating of both outputs on every segment, (2, n), in the first dimension that was rated; None if no rating
    is of a segment of the test set.

    Ratings call a segment as the files do, or by its number from 1 (from 0 if one has the number 0).
    """
    used = judgments.counted & (judgments.dimension == judgments.dimension[np.flatnonzero(judgments.counted)[:1]])
    sums, counts = np.zeros((2, texts.testset.n)), np.zeros((2, texts.testset.n))
    called = [array[used].tolist() for array in (judgments.system, judgments.document, judgments.segment)]
    start = 0 if "0" in called[2] else 1
    places = {str(k + start): k for k in range(texts.testset.n)} | {name: k for k, name in enumerate(texts.ids)}
    systems = {texts.system.system: 0, texts.baseline.system: 1}
    for system, document, segment, score in zip(*called, judgments.score[used].tolist(), strict=True):
        place = places.get(f"{segment} of {document}", places.get(segment))
        if system in systems and place is not None:
            sums[systems[system], place] += score
            counts[systems[system], place] += 1
    if not counts.any():
        return None
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
