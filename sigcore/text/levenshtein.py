"""Statistics of word and character error rates per segment, against references read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from sigcore.text import bounds
from sigcore.text.bounds import Bound
from sigcore.text.chunks import Done, in_chunks, products
from sigcore.text.compiled import Kernels, usable
from sigcore.text.symbols import Joined, Streams, Symbols, check_length, checked, code_points, joined
from sigcore.text.tokens import Tokenizer
from sigcore.text.word_numbers import WordVocabulary
from sigcore.types import Floats, Ints

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
        self._references = joined(streams)
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


def edit_distances(text: Symbols, references: Joined, start: int) -> Ints:
    """The edits (segments, references) between segments `start` and following and each of their references."""
    edits = np.zeros((text.lengths.size, len(references.starts)), dtype=np.int64)
    if usable(KERNELS):
        from sigcore.text.kernels.levenshtein import distances

        distances(text.numbers, text.starts, references.numbers, references.starts, start, edits)
    else:
        plain_distances(text, references, start, edits)
    return edits


def plain_distances(text: Symbols, references: Joined, first: int, edits: Ints) -> None:
    """Do the same as the kernel `distances`, in plain Python."""
    for i, row in enumerate(edits):
        words = text.numbers[text.starts[i] : text.starts[i + 1]].tolist()
        for stream, starts in enumerate(references.starts):
            gold = references.numbers[starts[first + i] : starts[first + i + 1]].tolist()
            # the distance is the same in both directions, and the memory grows with the square of the second length
            row[stream] = bit_distance(*sorted((words, gold), key=len, reverse=True))


def bit_distance(text: Iterable[int], gold: Sequence[int]) -> int:
    """The edits that turn the text into the gold, a whole row of the grid in one number of gold's length in bits.

    Neighbours in a column of the grid differ by -1, 0 or +1; `up` and `down` have a bit where they rise and fall.
    Source: Myers 1999, in the form of Hyyrö 2003.
    """
    places: dict[int, int] = {}
    for j, symbol in enumerate(gold):
        places[symbol] = places.get(symbol, 0) | 1 << j
    full, last = (1 << len(gold)) - 1, 1 << len(gold) >> 1
    up, down, edits = full, 0, len(gold)
    for symbol in text:
        same = places.get(symbol, 0)
        level = ((((same & up) + up) ^ up) | same | down) & full  # where the diagonal does not rise
        right_up, right_down = (down | ~(level | up)) & full, level & up
        edits += bool(right_up & last) - bool(right_down & last) if last else 1
        right_up = right_up << 1 | 1
        up = (right_down << 1 | ~(level | right_up)) & full
        down = right_up & level
    return edits


def _call_kernels() -> None:
    from sigcore.text.kernels.levenshtein import distances

    line = code_points(["ab"], whitespace=False)
    gold = joined([line])
    distances(line.numbers, line.starts, gold.numbers, gold.starts, 0, np.zeros((1, 1), dtype=np.int64))


# For the characters of a segment; for its words a tenth of that.
KERNELS = Kernels("sigcore.text.kernels.levenshtein", __name__, _call_kernels, saves=7e-5, seconds=3.0, grows=2)
