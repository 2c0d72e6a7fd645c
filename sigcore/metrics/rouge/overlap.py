"""Counts of what summaries share with their references: words and pairs of words, or longest common subsequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from sigcore.metrics.rouge.subsequence import Placed, common, place
from sigcore.metrics.rouge.summaries import Reader
from sigcore.text import bounds
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


class LcsOverlap:
    """Overlap in the longest common subsequences of all pairs of sentences.

    A word of the reference is common where it is in the subsequence shared with any sentence of the summary; a word
    counts at most as often as the summary has it. Source: Lin 2004, 3.2.
    """

    def __init__(self, references: Streams, reader: Reader) -> None:
        self._read = reader.sentences
        self._references = [list(map(reader.sentences, stream)) for stream in references]

    def counts(self, texts: Sequence[str], start: int) -> Ints:
        """As in Overlap. Cost: for two sentences O(words) steps on numbers of that many bits.

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
