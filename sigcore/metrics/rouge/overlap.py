"""Counts of what summaries share with their references: words and pairs of words, or longest common subsequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

import numpy as np

from sigcore.metrics.rouge.words import Reader
from sigcore.text import bounds
from sigcore.text.symbols import Streams, Symbols, Vocabulary
from sigcore.types import Ints

# The longest common subsequence of two sentences that ROUGE-1.5.5 finds, in memory that grows with their lengths.

# The words of a sentence up to this length are held as numbers; those of a longer one only while they have space.
SHORT = 4_000
BITS = 8 * 256  # for one word of a longer sentence
# A table of at most this many bits is held as a whole.
WHOLE = 1 << 26


class Placed(NamedTuple):
    """A sentence by its words, and its length."""

    places: dict[str, int] | LongPlaces
    length: int


def place(sentence: Sequence[str]) -> Placed:
    """The places of a sentence's words."""
    if len(sentence) > SHORT:
        return Placed(LongPlaces(sentence), len(sentence))
    places: dict[str, int] = {}
    for k, word in enumerate(sentence):
        places[word] = places.get(word, 0) | 1 << k
    return Placed(places, len(sentence))


class LongPlaces:
    """The places of the words of a long sentence, in O(words) of memory.

    One number has as many bits as the sentence has words, so the numbers of all words would grow with the square. Most
    are made when they are needed, those that were needed first are held.
    """

    def __init__(self, sentence: Sequence[str]) -> None:
        self._positions: dict[str, list[int]] = {}
        for k, word in enumerate(sentence):
            self._positions.setdefault(word, []).append(k)
        self._held: dict[str, int] = {}
        self._spare = BITS * len(sentence)

    def __contains__(self, word: object) -> bool:
        """Whether the sentence has the word."""
        return word in self._positions

    def __getitem__(self, word: str) -> int:
        """The positions of a word, as bits. Raises: KeyError for a word that the sentence does not have."""
        places = self._held.get(word)
        if places is None:
            places = bits(self._positions[word])
            if self._spare > 0:
                self._held[word] = places
                self._spare -= places.bit_length()
        return places


def bits(positions: Sequence[int]) -> int:
    """The number whose bits are these positions, which ascend."""
    octets = bytearray((positions[-1] >> 3) + 1)
    for k in positions:
        octets[k >> 3] |= 1 << (k & 7)
    return int.from_bytes(octets, "little")


def common(gold: Sequence[str], sentence: Placed) -> int:
    """A number whose bits are the places in `gold` of one longest common subsequence.

    Of several it is the one found by going back from the end, preferring a match, then skipping a word of `gold`, then one of
    the sentence. Words of `gold` that the sentence does not have change nothing and are left out first.
    Source: ROUGE-1.5.5 (which one of several).
    """
    met = [i for i, word in enumerate(gold) if word in sentence.places]
    words = [gold[i] for i in met]
    rows = table(words, sentence)
    k, j, marked = len(met), sentence.length, bytearray((len(gold) >> 3) + 1)
    left = grown(rows[k], j)
    while left:
        places, before = sentence.places[words[k - 1]], rows[k - 1]
        while not places >> (j - 1) & 1 and grown(before, j) != left:
            j -= 1
        k -= 1
        if places >> (j - 1) & 1:
            j, left = j - 1, left - 1
            marked[met[k] >> 3] |= 1 << (met[k] & 7)
    return int.from_bytes(marked, "little")


def table(words: Sequence[str], sentence: Placed) -> list[int] | SparseRows:
    """The rows of the usual table of lengths, one more than `words`, each as one number.

    Bit j of row i is 0 where the longest common subsequence with the first i words grows with word j of the sentence.
    Source: Hyyrö 2004.
    """
    every = (1 << sentence.length) - 1
    if len(words) * sentence.length > WHOLE:
        return SparseRows(words, sentence, every)
    return following(every, words, sentence.places, every)


def following(row: int, words: Sequence[str], places: dict[str, int] | LongPlaces, every: int) -> list[int]:
    """A row, and the row after each of these words."""
    rows = [row]
    for word in words:
        match = row & places[word]
        row = (row + match | row - match) & every
        rows.append(row)
    return rows


class SparseRows:
    """The rows of a large table in about the root of its memory: every k-th row is held.

    The others are computed again, k rows at a time, when the way back from the end comes to them.
    """

    def __init__(self, words: Sequence[str], sentence: Placed, every: int) -> None:
        self._words, self._places, self._every = words, sentence.places, every
        self._step = isqrt(len(words)) + 1
        self._held = [every]
        for start in range(0, len(words) - self._step + 1, self._step):
            rows = following(self._held[-1], words[start : start + self._step], sentence.places, every)
            self._held.append(rows[-1])
        self._block, self._rows = -1, list[int]()

    def __getitem__(self, row: int) -> int:
        """One row; cheap where the rows are read from the last to the first."""
        block, place = divmod(row, self._step)
        if block != self._block:
            words = self._words[block * self._step : (block + 1) * self._step - 1]
            self._rows = following(self._held[block], words, self._places, self._every)
            self._block = block
        return self._rows[place]


def grown(row: int, j: int) -> int:
    """The length of the common subsequence with the first j words of the sentence."""
    return j - (row & (1 << j) - 1).bit_count()


# ---- words and pairs of words


class Grams(NamedTuple):
    """Which grams are counted: all words but the last `words_left`, and the pairs of words at these distances.

    `words_left` is None if single words are not counted.
    """

    words_left: int | None
    distances: tuple[int, ...] = ()


class GramOverlap:
    """Overlap in grams; a gram counts as often as it occurs on the side with fewer."""

    def __init__(self, references: Streams, reader: Reader, grams: Grams) -> None:
        self._grams = grams
        self._words = Vocabulary(reader.tokens)
        self._references = [self._words.learn(stream) for stream in references]
        self._size = 1 + max(int(stream.numbers.max(initial=0)) for stream in self._references)

    def counts(self, texts: Sequence[str], start: int) -> Ints:
        """(references, summaries, 3): units in common, in the reference, in the summary; summary i is compared with segment
        start + i of each reference. Cost: O(g log g) for g grams."""
        summaries = self._words.read(texts)
        out = np.empty((len(self._references), len(texts), 3), dtype=np.int64)
        out[..., 2] = totals(summaries.lengths, self._grams)
        summary_grams = np.unique(self._keys(summaries), return_counts=True)
        for counts, stream in zip(out, self._references, strict=True):
            gold = stretch(stream, start, start + len(texts))
            counts[:, 1] = totals(gold.lengths, self._grams)
            counts[:, 0] = self._common(summary_grams, np.unique(self._keys(gold), return_counts=True), len(texts))
        return out

    def _keys(self, text: Symbols) -> Ints:
        """One number for each gram of known words: its line, and its one or two words."""
        numbers = text.numbers.astype(np.int64)
        lines = np.repeat(np.arange(text.lengths.size), text.lengths)
        heads = numbers + lines * self._size
        parts = []
        if self._grams.words_left is not None:
            ahead = text.starts[1:][lines] - np.arange(numbers.size)  # words from here to the end of the line
            parts.append(heads[(numbers >= 0) & (ahead > self._grams.words_left)] * (self._size + 1))
        for distance in self._grams.distances:
            same_line = lines[:-distance] == lines[distance:]
            known = same_line & (numbers[:-distance] >= 0) & (numbers[distance:] >= 0)
            parts.append(heads[:-distance][known] * (self._size + 1) + numbers[distance:][known] + 1)
        return np.concatenate(parts)

    def _common(self, summary: tuple[Ints, Ints], gold: tuple[Ints, Ints], lines: int) -> Ints:
        """The number of grams in common, (lines,), from the keys and counts of both sides."""
        keys, here, there = np.intersect1d(summary[0], gold[0], assume_unique=True, return_indices=True)
        times = np.minimum(summary[1][here], gold[1][there])
        line = keys // (self._size * (self._size + 1))
        return np.bincount(line, weights=times, minlength=lines).astype(np.int64)


def totals(lengths: Ints, grams: Grams) -> Ints:
    """The number of grams in summaries of these lengths in words."""
    pairs = sum((np.maximum(lengths - distance, 0) for distance in grams.distances), np.zeros_like(lengths))
    return pairs if grams.words_left is None else pairs + np.maximum(lengths - grams.words_left, 0)


def stretch(text: Symbols, start: int, stop: int) -> Symbols:
    """The lines start .. stop - 1."""
    first, last = text.starts[start], text.starts[stop]
    return Symbols(text.numbers[first:last], text.starts[start : stop + 1] - first)


# ---- longest common subsequences


class LcsOverlap:
    """Overlap in the longest common subsequences of all pairs of sentences.

    A word of the reference is common where it is in the subsequence shared with any sentence of the summary; a word
    counts at most as often as the summary has it. Source: Lin 2004, 3.2.
    """

    def __init__(self, references: Streams, reader: Reader) -> None:
        self._read = reader.sentences
        self._references = [list(map(reader.sentences, stream)) for stream in references]

    def counts(self, texts: Sequence[str], start: int) -> Ints:
        """As of GramOverlap. Cost: for two sentences O(words) steps on numbers of that many bits.

        Raises: SigError for a summary over the bound.
        """
        out = np.empty((len(self._references), len(texts), 3), dtype=np.int64)
        for i, text in enumerate(texts):
            summary = self._read(text)
            have = Counter(word for sentence in summary for word in sentence)
            placed = list(map(place, summary))
            for r, stream in enumerate(self._references):
                gold = stream[start + i]
                in_gold = sum(map(len, gold))
                cost = in_gold * (have.total() + bounds.SENTENCE * len(summary))
                bounds.refuse(bounds.ROUGE_L, start + i, (have.total(), in_gold), cost)
                marked = Counter(word for sentence in gold for word in union(sentence, placed))
                out[r, i] = (marked & have).total(), in_gold, have.total()
        return out


def union(gold: Sequence[str], summary: Sequence[Placed]) -> list[str]:
    """The words of a reference's sentence that are in its common subsequence with any sentence of the summary."""
    marked = 0
    for sentence in summary:
        marked |= common(gold, sentence)
    return [word for i, word in enumerate(gold) if marked >> i & 1]


# The references of a test set, read once; `counts` compares any summaries with them.
Overlap = GramOverlap | LcsOverlap
