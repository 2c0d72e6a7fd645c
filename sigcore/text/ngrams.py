"""Statistics of BLEU and chrF per segment, equal to sacrebleu's to the last bit, against references read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sigcore.errors import OptionError
from sigcore.text.chunks import Done, paced
from sigcore.text.symbols import Joined, Streams, Symbols, Vocabulary, check_length, checked, code_points, joined
from sigcore.text.tokens import Tokenizer, WordMarks
from sigcore.types import Floats, Ints

EPSILON = 1e-16  # chrF's stand-in for a precision or recall that does not exist


class BleuReferences:
    """The references of a test set, tokenised once; `rows` are the BLEU statistics of any number of systems.

    Several threads may call `rows` at once. Raises: SigError where there is no reference,
    MismatchError where two differ in length, OptionError for an option that cannot be.
    """

    def __init__(self, references: Streams, lowercase: bool = False, tokenize: str = "13a", max_order: int = 4) -> None:
        if max_order < 1:
            raise OptionError(f"max_order = {max_order} leaves no n-grams.", "", "It must be 1 or more.")
        self.n, self.max_order = len(checked(references)[0]), max_order
        self._words = Vocabulary(Tokenizer(tokenize, lowercase).tokens)
        streams = [self._words.learn(stream) for stream in references]
        self._references = joined(streams)
        self._lengths = np.stack([stream.lengths for stream in streams])  # (references, n)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics, in sacrebleu's order."""
        orders = range(1, self.max_order + 1)
        return ("sys_len", "ref_len", *(f"correct_{n}" for n in orders), *(f"total_{n}" for n in orders))

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 2 + 2 * max_order) of one system; `done` as in pace.paced.

        Raises: MismatchError where the system has not one segment for each of the references.
        """
        check_length(segments, self.n)
        rows = np.empty((self.n, 2 + 2 * self.max_order))

        def fill(start: int, stop: int) -> None:
            words = self._words.read(segments[start:stop])
            rows[start:stop, 0] = words.lengths
            rows[start:stop, 1] = closest(words.lengths, self._lengths[:, start:stop])
            rows[start:stop, 2 : 2 + self.max_order] = shared(words, self._references, start, self.max_order)
            rows[start:stop, 2 + self.max_order :] = ngram_counts(words.lengths, self.max_order)

        paced(self.n, fill, done)
        return rows


class ChrfReferences:
    """The references of a test set, read once; `rows` are the chrF (or chrF++) statistics of any number of systems.

    Several threads may call `rows` at once. Raises: as BleuReferences.
    """

    def __init__(
        self,
        references: Streams,
        char_order: int = 6,
        word_order: int = 0,
        beta: float = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
    ) -> None:
        if min(char_order, word_order) < 0 or char_order + word_order < 1:
            what = f"char_order = {char_order} and word_order = {word_order} leave no n-grams."
            raise OptionError(what, "", "Neither may be negative, and one must be 1 or more.")
        self.n, self.char_order, self.word_order = len(checked(references)[0]), char_order, word_order
        self.beta, self.eps_smoothing = beta, eps_smoothing
        self._lowercase, self._whitespace = lowercase, whitespace
        self._words = Vocabulary(WordMarks().tokens)
        self._references = [self._views(stream, self._words.learn) for stream in references]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics, in sacrebleu's order."""
        names = [f"char_{n + 1}" for n in range(self.char_order)] + [f"word_{n + 1}" for n in range(self.word_order)]
        return tuple(f"{what}_{name}" for name in names for what in ("hyp", "ref", "match"))

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 3 * (char_order + word_order)) of one system; `done` as in pace.paced.

        A segment's row is that of the reference with which it scores best, the first among equals.
        Raises: MismatchError where the system has not one segment for each of the references.
        """
        check_length(segments, self.n)
        rows = np.empty((self.n, 3 * (self.char_order + self.word_order)))

        def fill(start: int, stop: int) -> None:
            views = self._views(segments[start:stop], self._words.read)
            choices = np.stack([self._against(reference, views, start) for reference in self._references])
            best = chrf_scores(choices, self.beta, self.eps_smoothing).argmax(axis=0)
            rows[start:stop] = choices[best, np.arange(stop - start)].reshape(stop - start, -1)

        paced(self.n, fill, done)
        return rows

    def _views(self, lines: Sequence[str], words: Callable[[Sequence[str]], Symbols]) -> list[tuple[int, Symbols]]:
        """The lines as characters and as words, each with its highest order; only those that are counted."""
        if self._lowercase:
            lines = [line.lower() for line in lines]
        views = [(self.char_order, code_points(lines, self._whitespace))] if self.char_order else []
        return views + ([(self.word_order, words(lines))] if self.word_order else [])

    def _against(self, reference: list[tuple[int, Symbols]], views: list[tuple[int, Symbols]], start: int) -> Floats:
        """The statistics (segments, orders, 3) of segments `start` and following against one reference."""
        parts = []
        for (order, gold), (_, text) in zip(reference, views, strict=True):
            stop = start + text.lengths.size
            part = np.empty((text.lengths.size, order, 3))
            part[..., 1] = ngram_counts(gold.lengths[start:stop], order)
            # an order that the reference is too short for does not count against the system
            part[..., 0] = np.where(part[..., 1] > 0, ngram_counts(text.lengths, order), 0)
            part[..., 2] = shared(text, joined([gold]), start, order)
            parts.append(part)
        return np.concatenate(parts, axis=1)


def shared(text: Symbols, references: Joined, start: int, order: int) -> Ints:
    """Clipped n-gram matches (segments, order) of segments `start` and following with their references.

    Where there are several references, an n-gram may match as often as the one that has it most.
    Cost: O(order * symbols).
    """
    from sigcore.text.kernels.ngrams import matches

    found = np.zeros((text.lengths.size, order), dtype=np.int64)
    matches(text.numbers, text.starts, references.numbers, references.starts, start, found)
    return found


def ngram_counts(lengths: Ints, order: int) -> Ints:
    """The numbers of n-grams (lines, order) in lines of these lengths."""
    return np.maximum(lengths[:, None] - np.arange(order), 0)


def closest(lengths: Ints, references: Ints) -> Ints:
    """For each length (n,) the closest of its reference lengths (references, n), the shorter of two equally close."""
    by_length = np.sort(references, axis=0)
    nearest = np.abs(by_length - lengths).argmin(axis=0)  # the first minimum, so the shorter one
    return np.asarray(by_length[nearest, np.arange(lengths.size)])


def chrf_scores(counts: Floats, beta: float, eps_smoothing: bool) -> Floats:
    """chrF of counts (..., orders, 3), in sacrebleu's own order of operations: one rounding could turn a tie.

    With eps_smoothing the mean of the orders' F, otherwise F of the mean precision and recall of
    the orders that both sides have.
    """
    hyp, ref, match = counts[..., 0], counts[..., 1], counts[..., 2]
    precision = np.divide(match, hyp, out=np.full(hyp.shape, EPSILON), where=hyp > 0)
    recall = np.divide(match, ref, out=np.full(ref.shape, EPSILON), where=ref > 0)
    if eps_smoothing:
        return 100 * in_turn(f_score(precision, recall, beta, EPSILON)) / counts.shape[-2]
    both = (hyp > 0) & (ref > 0)
    orders = np.maximum(both.sum(axis=-1), 1)
    mean_precision = in_turn(np.where(both, precision, 0.0)) / orders
    mean_recall = in_turn(np.where(both, recall, 0.0)) / orders
    return 100 * f_score(mean_precision, mean_recall, beta, 0.0)


def f_score(precision: Floats, recall: Floats, beta: float, undefined: float) -> Floats:
    """F-beta, and `undefined` where precision and recall are 0."""
    factor = beta**2
    below = factor * precision + recall
    above = (1 + factor) * precision * recall
    return np.divide(above, below, out=np.full(below.shape, undefined), where=below > 0)


def in_turn(values: Floats) -> Floats:
    """The sum over the last axis, added from first to last as a loop would (numpy's own sum may take pairs)."""
    total = np.zeros(values.shape[:-1])
    for k in range(values.shape[-1]):
        total = total + values[..., k]
    return total
