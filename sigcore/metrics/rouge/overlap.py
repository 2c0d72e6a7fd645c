"""Counts of what summaries share with their references: words and pairs of words, or longest common subsequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from sigcore.metrics.rouge.summaries import Reader
from sigcore.text.symbols import Streams, Symbols, Vocabulary
from sigcore.types import Ints


class Overlap(Protocol):
    """The references of a test set, read once; `counts` compares any summaries with them."""

    def counts(self, texts: Sequence[str], start: int) -> Ints:
        """(references, summaries, 3): units in common, in the reference, in the summary.

        Summary i is compared with segment start + i of each reference.
        """
        ...


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
        """As in Overlap. Cost: O(g log g) for g grams."""
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


class Placed(NamedTuple):
    """A sentence by its words: for each word a number whose bits are its positions; and the length of the sentence."""

    places: Mapping[str, int]
    length: int


class LcsOverlap:
    """Overlap in the longest common subsequences of all pairs of sentences.

    A word of the reference is common where it is in the subsequence shared with any sentence of the summary; a word
    counts at most as often as the summary has it. Source: Lin 2004, 3.2.
    """

    def __init__(self, references: Streams, reader: Reader) -> None:
        self._read = reader.sentences
        self._references = [list(map(reader.sentences, stream)) for stream in references]

    def counts(self, texts: Sequence[str], start: int) -> Ints:
        """As in Overlap. Cost: for two sentences O(words) steps on numbers of that many bits."""
        out = np.empty((len(self._references), len(texts), 3), dtype=np.int64)
        for i, text in enumerate(texts):
            summary = self._read(text)
            have = Counter(word for sentence in summary for word in sentence)
            placed = list(map(place, summary))
            for r, stream in enumerate(self._references):
                gold = stream[start + i]
                marked = Counter(word for sentence in gold for word in union(sentence, placed))
                out[r, i] = (marked & have).total(), sum(map(len, gold)), have.total()
        return out


def place(sentence: Sequence[str]) -> Placed:
    """The places of a sentence's words."""
    places: dict[str, int] = {}
    for k, word in enumerate(sentence):
        places[word] = places.get(word, 0) | 1 << k
    return Placed(places, len(sentence))


def union(gold: Sequence[str], summary: Sequence[Placed]) -> list[str]:
    """The words of a reference's sentence that are in its common subsequence with any sentence of the summary."""
    marked = 0
    for sentence in summary:
        marked |= common(gold, sentence)
    return [word for i, word in enumerate(gold) if marked >> i & 1]


def common(gold: Sequence[str], sentence: Placed) -> int:
    """A number whose bits are the places in `gold` of one longest common subsequence.

    Of several it is the one found by going back from the end, preferring a match, then skipping a word of `gold`, then one of
    the sentence. Words of `gold` that the sentence does not have change nothing and are left out first.
    Source: ROUGE-1.5.5 (which one of several).
    """
    met = [(i, sentence.places[word]) for i, word in enumerate(gold) if word in sentence.places]
    rows = table([places for _, places in met], sentence.length)
    k, j, marked = len(met), sentence.length, 0
    left = grown(rows[k], j)
    while left:
        i, places = met[k - 1]
        if places >> (j - 1) & 1:
            k, j, left = k - 1, j - 1, left - 1
            marked |= 1 << i
        elif grown(rows[k - 1], j) == left:
            k -= 1
        else:
            j -= 1
    return marked


def table(met: Sequence[int], length: int) -> list[int]:
    """The rows of the usual table of lengths, one more than `met`, each as one number.

    Bit j of row i is 0 where the longest common subsequence with the first i words grows with word j of the sentence.
    Source: Hyyrö 2004.
    """
    every = (1 << length) - 1
    rows = [every]
    for places in met:
        row = rows[-1]
        match = row & places
        rows.append((row + match | row - match) & every)
    return rows


def grown(row: int, j: int) -> int:
    """The length of the common subsequence with the first j words of the sentence."""
    return j - (row & (1 << j) - 1).bit_count()
