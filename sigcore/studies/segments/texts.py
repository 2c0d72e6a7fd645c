"""The texts behind the rows of a pair: source, references, both outputs, document, domain and ratings of each segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Literal, get_args

import numpy as np
import regex

from sigcore import data, readers
from sigcore.errors import MismatchError, ReadError
from sigcore.judgments import Judgments
from sigcore.studies.segments.structures import PIECES
from sigcore.studies.segments.words import words
from sigcore.testset import Outputs, Testset
from sigcore.types import Bools, Floats, Ints

# In what alone the two outputs differ: letters' case, punctuation, digits, the order of the words; or in words.
Edit = Literal["", "case", "punctuation", "numbers", "order", "words"]
EDITS: tuple[Edit, ...] = get_args(Edit)
NAMING = ("question", "run", "document", "cluster")  # roles of columns that can name a segment
FIRST = 8  # letters of a text that are counted in both
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

    @property
    def labels(self) -> tuple[str, str]:
        """What the sources and the references are called: of scored answers, the prompts and the right answers."""
        return ("prompt", "right answer") if self.testset.kind == "scores" else ("source", "reference")

    @property
    def main(self) -> Sequence[str]:
        """The texts that say what the segments are about: the first reference, else the source; the prompts first where
        answers are scored; () without any."""
        known = [stream for stream in (*self.testset.references[:1], self.testset.sources) if stream]
        return known[-1 if self.testset.kind == "scores" else 0] if known else ()

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
        """The length of the first reference (without one, of the source or the longer output; of answers, of the prompt) in
        words, (n,); in letters where the script has no blanks."""
        streams = [self.main] if self.main else [self.system.segments, self.baseline.segments]
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
    if any(one.count(letter) != other.count(letter) for letter in set(one[:FIRST]) if letter.isalpha()):
        return "words"  # soon seen of most: in the other kinds no letter differs
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


def answers_of(collection: data.Collection, loaded: data.Ready, shown: Texts) -> Texts:
    """The same with prompts, right answers and answers in place of scores, where the logs behind the scores have them.

    A row of a log belongs to the segment that its names call so. If several rows do, and say different things, nothing is
    shown of them. Cost: each file is read once more.
    """
    names, n = (shown.system.system, shown.baseline.system), shown.testset.n
    said = [_said(collection, loaded, name) for name in names]
    prompts, right = (
        tuple(one or other for one, other in zip(*(part[k] for part in said), strict=True)) for k in (0, 1)
    )
    if not any(map(any, (prompts, said[0][2], said[1][2]))):
        return shown
    answers = [
        tuple(said_ or score for said_, score in zip(part[2], outputs.segments, strict=True))
        if any(part[2])
        else outputs.segments
        for part, outputs in zip(said, (shown.system, shown.baseline), strict=True)
    ]
    testset = Testset(
        shown.testset.name, "scores", n, (right,) if any(right) else (), prompts if any(prompts) else (),
        shown.testset.domains, shown.testset.documents,
    )  # fmt: skip
    system, baseline = map(Outputs, names, answers)
    return Texts(testset, system, baseline, shown.ids)


def _said(collection: data.Collection, loaded: data.Ready, system: str) -> list[tuple[str, ...]]:
    """The prompts, right answers and answers of a system, each (n,) and "" where its log does not say."""
    found: list[dict[str, set[str]]] = [{}, {}, {}]
    for called, row in _rows(collection, loaded, system):
        for part, text in zip(found, (row.prompt, row.right, row.answer), strict=True):
            if text:
                part.setdefault(called, set()).add(text)
    ids = loaded.ids or tuple(map(str, range(loaded.testset.n)))
    return [
        tuple(next(iter(texts)) if len(texts := part.get(name, set())) == 1 else "" for name in ids) for part in found
    ]


def _rows(collection: data.Collection, loaded: data.Ready, system: str) -> Iterator[tuple[str, readers.Answered]]:
    """The rows of the logs of a system, each with the name of its segment (or its number from 0, where there are none)."""
    choice = (collection.testset, collection.measure)
    for item, first in zip(collection.edited(), collection.items, strict=True):
        scores = (item.role, item.kind, item.name) == ("system", "scores", system)
        if scores and (item.testset or choice[0], item.measure) == choice:
            rows, columns = _of_system(collection, item.file, first.name)
            called = _called(rows, columns, loaded.ids)
            if called is None and not loaded.ids and len(rows) == loaded.testset.n:
                called = list(map(str, range(len(rows))))
            yield from zip(called or (), rows, strict=False)


def _of_system(collection: data.Collection, file: str, system: str) -> tuple[list[readers.Answered], list[str]]:
    """The rows of a file that are about a system and the chosen test set, and the columns that can name segments."""
    try:
        rows = [row for one in collection.detected if one.file == file for row in readers.answered(file, one.data)]
    except ReadError:  # scores in rows of another kind, which their own reader has read
        return [], []
    roles = [(claim.role, claim.column) for claim in collection.claims if claim.file == file]
    rows = _among(rows, [column for role, column in roles if role == "system"], system)
    rows = _among(rows, [column for role, column in roles if role == "task"], collection.testset) or rows
    return rows, [column for role, column in roles if role in NAMING]


def _among(rows: Sequence[readers.Answered], columns: Sequence[str], name: str) -> list[readers.Answered]:
    """The rows in which all of the columns have that name."""
    return [row for row in rows if all(readers.clean(row.cell(column)) == name for column in columns)]


def _called(rows: Sequence[readers.Answered], columns: Sequence[str], ids: Sequence[str]) -> list[str] | None:
    """The name of the segment of each row, from the column, or the two columns, that name all segments; None if none do."""
    for chosen in ((column,) for column in columns), permutations(columns, 2):
        for parts in chosen:
            called = [readers.of_segment(map(row.cell, parts)) for row in rows]
            if ids and set(ids) <= set(called):
                return called
    return None
