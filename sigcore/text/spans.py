"""Entities as segments: the words or the text with typed spans, and how many of an output's spans gold has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from sigcore.errors import MismatchError, ReadError
from sigcore.text.chunks import Done, in_chunks
from sigcore.types import Floats

# "-" counts words, ":" letters. No leading zeros, so that equal spans are equal texts.
SPAN = re.compile(r"(0|[1-9][0-9]*)([-:])([1-9][0-9]*)\t(\S.*)", re.DOTALL)
COLUMNS = ("tp", "pred", "gold")
SAME_WORDS = "Entities need the same words in the same sentences: let every system tag the gold words."
SAME_TEXT = "Entities need the same text in every file: their places count its letters."
UNKNOWN = ("[UNK]", "<unk>")  # what a model's tokenizer writes for a word that it lacks
MOST_UNKNOWN = 0.5  # of the words of a sentence: with more, nothing says that it is the same one
BEFORE = 15  # letters that are shown before the first one that differs


class Span(NamedTuple):
    """One entity: its first word or letter, the one after its last, whether words are counted, and its type."""

    start: int
    end: int
    of_words: bool
    type: str


def read_spans(segment: str, sentence: int) -> tuple[str, set[str]]:
    """The words or the text of a segment, and its spans as they are written.

    Raises: ReadError for a line that is no span.
    """
    text, *lines = segment.split("\n")
    bad = next((line for line in lines if SPAN.fullmatch(line) is None), None)
    if bad is not None:
        what = f"sentence {sentence}: {bad[:40]!r} is not an entity; expected a place (0-2 or 0:9), TAB and a type."
        raise ReadError(what, fix="Write one entity per line, below the words.")
    return text, set(lines)


def parsed(span: str) -> Span:
    """The parts of a span as it is written."""
    match = SPAN.fullmatch(span)
    assert match is not None
    return Span(int(match[1]), int(match[3]), match[2] == "-", match[4])


def all_of(segment: str) -> list[Span]:
    """The spans of a segment that was read, in order."""
    return sorted(map(parsed, segment.split("\n")[1:]))


def covered(segment: str, span: Span) -> str:
    """The words of a span."""
    text = segment.partition("\n")[0]
    return " ".join(text.split("\t")[span.start : span.end]) if span.of_words else text[span.start : span.end]


def _first_other(own: Sequence[str], gold: Sequence[str]) -> tuple[int, str | None, str | None]:
    """The place of the first word that is another one, and both; 0 where there is none. Of many that a model does not know each is."""
    known = UNKNOWN if sum(map(own.count, UNKNOWN)) <= MOST_UNKNOWN * len(own) else ()
    words = enumerate(zip_longest(own, gold), 1)
    return next(((k, a, b) for k, (a, b) in words if a != b and (a not in known or b is None)), (0, None, None))


def check_text(own: str, gold: str, sentence: int, names: tuple[str, str] = ("system", "gold")) -> None:
    """Raise MismatchError, with the first word or letter that differs, unless both have the same text; `names` are theirs.

    A word that a model does not know ([UNK]) stands for any one.
    """
    if own == gold:
        return
    if "\t" in own or "\t" in gold:
        place, mine, right = _first_other(own.split("\t"), gold.split("\t"))
        if not place:
            return
        found, wanted = ("no more words" if word is None else f"{word!r}" for word in (mine, right))
        what = f"sentence {sentence}, token {place}: {names[0]} {found}, {names[1]} {wanted}."
        raise MismatchError(what, "", SAME_WORDS)
    letters = enumerate(zip_longest(own, gold))
    place = next(k for k, pair in letters if pair[0] != pair[1])
    found, wanted = (repr(text[max(0, place - BEFORE) : place + BEFORE]) for text in (own, gold))
    what = f"segment {sentence}, letter {place + 1}: {names[0]} {found}, {names[1]} {wanted}."
    raise MismatchError(what, "", SAME_TEXT)


@dataclass(frozen=True, eq=False)
class GoldSpans:
    """The text and the gold spans of every segment."""

    known: list[tuple[str, set[str]]]

    def rows(self, segments: Sequence[str], done: Done | None) -> Floats:
        """(n, 3): spans of the output that gold has too, spans of the output, gold spans.

        Raises: MismatchError if the words of a segment differ from gold.
        """
        counts = np.zeros((len(segments), len(COLUMNS)))

        def work(start: int, stop: int) -> None:
            for i in range(start, stop):
                text, own = read_spans(segments[i], i + 1)
                right, gold = self.known[i]
                check_text(text, right, i + 1)
                counts[i] = len(own & gold), len(own), len(gold)

        in_chunks(len(segments), work, done)
        return counts


def gold_spans(segments: Sequence[str]) -> GoldSpans:
    """The gold spans of all segments.

    Raises: ReadError for a line that is no span.
    """
    return GoldSpans([read_spans(segment, i + 1) for i, segment in enumerate(segments)])


def first_difference(
    segments: Sequence[str], gold: Sequence[str], names: tuple[str, str] = ("system", "gold")
) -> MismatchError | None:
    """The error of `check_text` for the first segment whose words differ from gold; None if all agree."""
    for i, (own, other) in enumerate(zip(segments, gold, strict=False)):
        try:
            check_text(own.partition("\n")[0], other.partition("\n")[0], i + 1, names)
        except MismatchError as difference:
            return difference
    return None
