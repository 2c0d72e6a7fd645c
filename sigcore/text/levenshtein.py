"""Statistics of word and character error rates per segment, against references read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.text import bounds
from sigcore.text.bounds import Bound
from sigcore.text.chunks import Done, in_chunks, products
from sigcore.text.symbols import UNKNOWN, Streams, Symbols, check_length, checked, code_points
from sigcore.text.tokens import Tokenizer
from sigcore.text.word_numbers import WordVocabulary
from sigcore.types import Floats, Ints

LAST = 0x10FFFF  # the last code point: no character
Read = Callable[[Sequence[str]], Symbols]


class LevenshteinReferences:
    """The references of a test set, read once; `rows` are the edits of any number of systems.

    `learn` turns the lines of a reference into symbols, `read` the lines of a system; `bound` is on the length of one
    segment. Several threads may call `rows` at once. Raises: SigError if there is no reference, MismatchError if two differ in length.
    """

    def __init__(self, references: Streams, learn: Read, read: Read, bound: Bound) -> None:
        self.n = len(checked(references)[0])
        self._read, self._bound = read, bound
        streams = [learn(stream) for stream in references]
        self._references = texts_of(streams)
        self._lengths = np.stack([stream.lengths for stream in streams], axis=1)  # (n, references)

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 2) of one system: edits to the closest reference, and the length of that one.

        The closest has the fewest edits; of equally close ones the longest is used, which gives the lower rate, so
        the order of the references does not matter. `done` as in chunks.in_chunks. Raises: MismatchError if the system
        has more or fewer segments than the references, SigError for a segment over the bound. Cost: O(length * length)
        in time and O(length) in memory for a segment and a reference.
        Source: Levenshtein 1966; Nießen et al. 2000 for several references.
        """
        check_length(segments, self.n)
        rows = np.empty((self.n, 2))

        def fill(start: int, stop: int) -> None:
            text, lengths = self._read(segments[start:stop]), self._lengths[start:stop]
            bounds.check(self._bound, text.lengths, lengths, start)
            edits = edit_distances(text, self._references, start)
            rows[start:stop, 0] = edits.min(axis=1)
            rows[start:stop, 1] = np.where(edits == edits.min(axis=1, keepdims=True), lengths, 0).max(axis=1)

        in_chunks(self.n, fill, done, products(segments, self._lengths))
        return rows


def of_words(references: Streams, tokenize: str, lowercase: bool) -> LevenshteinReferences:
    """The references as words of the named tokenizer."""
    words = WordVocabulary(Tokenizer(tokenize, lowercase))
    return LevenshteinReferences(references, words.learn, words.read, bounds.WER)


def of_characters(references: Streams, lowercase: bool, whitespace: bool) -> LevenshteinReferences:
    """The references as characters; whitespace at the ends of a segment never counts."""

    def read(lines: Sequence[str]) -> Symbols:
        lowered = [line.strip().lower() if lowercase else line.strip() for line in lines]
        return code_points(lowered, whitespace)

    return LevenshteinReferences(references, read, read, bounds.CER)


def edit_distances(text: Symbols, references: Sequence[Texts], start: int) -> Ints:
    """The edits (segments, references) between segments `start` and following and each of their references.

    Bit-parallel: a row of the grid is one number. Source: Myers 1999; Hyyrö 2003.
    """
    from rapidfuzz.distance.Levenshtein import distance

    own = Texts.of(text, listed=isinstance(references[0].symbols, list))
    edits = [[distance(own.line(i), gold.line(start + i)) for gold in references] for i in range(text.lengths.size)]
    return np.array(edits, dtype=np.int64).reshape(-1, len(references))


@dataclass(frozen=True, eq=False)
class Texts:
    """Lines of numbers in the form that is compared fastest: a string with a character for each number; or else a list."""

    symbols: str | list[int]
    starts: list[int]

    @classmethod
    def of(cls, text: Symbols, listed: bool) -> Texts:
        """The lines; in a string unknown words are a character that no word has."""
        starts = text.starts.tolist()
        if listed:
            return cls(text.numbers.tolist(), starts)
        coded = np.where(text.numbers == UNKNOWN, LAST, text.numbers).astype("<u4")
        return cls(coded.tobytes().decode("utf-32-le", "surrogatepass"), starts)

    def line(self, i: int) -> str | list[int]:
        """Line i."""
        return self.symbols[self.starts[i] : self.starts[i + 1]]


def texts_of(streams: Sequence[Symbols]) -> list[Texts]:
    """The lines of each reference, all in one form: as strings where characters are enough for all of their words."""
    listed = any(stream.numbers.max(initial=0) >= LAST for stream in streams)
    return [Texts.of(stream, listed) for stream in streams]
