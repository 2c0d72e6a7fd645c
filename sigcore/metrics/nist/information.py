"""The information of n-grams, computed from all references of a test set, and the statistics of NIST per segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from sigcore.metrics.nist.words import MtevalWords
from sigcore.text.chunks import Done, in_chunks
from sigcore.text.compiled import usable
from sigcore.text.ngrams import KERNELS, ngram_counts
from sigcore.text.symbols import Joined, Numbers, Streams, Symbols, Vocabulary, check_length, checked, joined
from sigcore.types import Floats, Ints

ORDER = 5


class NistReferences:
    """The references of a test set, read once; `rows` are the NIST statistics of any number of systems.

    Several threads may call `rows` at once. Raises: SigError if there is no reference,
    MismatchError if two differ in length.
    """

    def __init__(self, references: Streams, tokenize: str = "13a", case: bool = False) -> None:
        self.n = len(checked(references)[0])
        self._words = Vocabulary(MtevalWords(tokenize, case).tokens)
        streams = [self._words.learn(stream) for stream in references]
        self._references = joined(streams)
        self._information = information(self._references, ORDER)
        self._mean_lengths = np.sum([stream.lengths for stream in streams], axis=0) / len(streams)  # (n,)

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 11) of one system: information matched and n-grams of each order, mean reference length.

        `done` as in chunks.in_chunks. Raises: MismatchError if the system has more or fewer segments than
        the references.
        """
        check_length(segments, self.n)
        rows = np.zeros((self.n, 2 * ORDER + 1))
        rows[:, 2 * ORDER] = self._mean_lengths

        def fill(start: int, stop: int) -> None:
            words = self._words.read(segments[start:stop])
            rows[start:stop, :ORDER] = matched(words, self._references, self._information, start)
            rows[start:stop, ORDER : 2 * ORDER] = ngram_counts(words.lengths, ORDER)

        in_chunks(self.n, fill, done)
        return rows


def information(references: Joined, order: int) -> Floats:
    """For each symbol of the references (symbols, order): the information of the n-grams that begin there, in bits.

    It is log2 of how often the n-gram without its last word occurs over how often the whole does, in all
    references together (for one word: all words over the word). 0 where the segment ends before the n-gram.
    Cost: O(order N log N) for N symbols. Source: Doddington 2002, section 3.
    """
    numbers = references.numbers.astype(np.int64)
    left = symbols_left(references)
    bits = np.zeros((numbers.size, order))
    before, names = np.full(numbers.size, float(numbers.size)), numbers
    for k in range(order):
        fits = left > k
        index, counts = counted(names[fits])
        often = np.zeros(numbers.size)
        often[fits] = counts[index]
        bits[fits, k] = np.log2(before[fits] / often[fits])
        before, names = often, np.zeros_like(numbers)
        names[fits] = index
        longer = np.flatnonzero(left > k + 1)
        names[longer] = names[longer] * (numbers.size + 1) + numbers[longer + k + 1]
    return bits


def symbols_left(references: Joined) -> Ints:
    """For each symbol the number of symbols from it to the end of its segment, including itself."""
    starts = np.append(references.starts[:, :-1].ravel(), references.numbers.size)
    lengths = np.diff(starts)
    return np.repeat(starts[1:], lengths) - np.arange(references.numbers.size)


def counted(values: Ints) -> tuple[Ints, Ints]:
    """(for each value the index of its distinct value, the count of each distinct value)."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    return index, counts


def matched(text: Symbols, references: Joined, given: Floats, start: int) -> Floats:
    """The information (segments, order) of the clipped n-gram matches of segments `start` and following."""
    totals = np.zeros((text.lengths.size, given.shape[1]))
    if usable(KERNELS):
        from sigcore.text.kernels.ngrams import weighted_matches

        weighted_matches(text.numbers, text.starts, references.numbers, references.starts, given, start, totals)
    else:
        plain_matches(text, references, given, start, totals)
    return totals


def plain_matches(text: Symbols, references: Joined, given: Floats, first: int, totals: Floats) -> None:
    """Do the same as the kernel weighted_matches, in plain Python: add the same numbers in the same order."""
    order = totals.shape[1]
    for i, row in enumerate(totals):
        most: Counter[tuple[int, ...]] = Counter()
        weights: dict[tuple[int, ...], float] = {}
        for starts in references.starts:
            begin, end = starts[first + i : first + i + 2]
            gold = ngrams(references.numbers[begin:end], order)
            most |= Counter(ngram for _, ngram in gold)
            weights.update({ngram: given[begin + at, len(ngram) - 1] for at, ngram in gold})
        for _, ngram in ngrams(text.numbers[text.starts[i] : text.starts[i + 1]], order):
            if most[ngram] > 0:
                most[ngram] -= 1
                row[len(ngram) - 1] += weights[ngram]


def ngrams(numbers: Numbers, order: int) -> list[tuple[int, tuple[int, ...]]]:
    """All n-grams up to the order, from left to right, each with its position."""
    words = numbers.tolist()
    return [
        (at, tuple(words[at : at + n])) for at in range(len(words)) for n in range(1, order + 1) if at + n <= len(words)
    ]
