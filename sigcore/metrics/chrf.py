"""chrF and chrF++: F-score of character (and word) n-grams, as sacrebleu computes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import numpy as np

from sigcore.errors import OptionError
from sigcore.metrics.contract import Metric, Options, References, described, options_of, rows
from sigcore.proof import Proof
from sigcore.registry import number_of
from sigcore.text import sacre
from sigcore.text.chunks import Done, in_chunks
from sigcore.text.ngrams import KERNELS, ngram_counts, shared
from sigcore.text.symbols import Streams, Symbols, Vocabulary, check_length, checked, code_points, joined
from sigcore.types import Floats

# The words of chrF++: one punctuation mark is split off each word.

MARKS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class WordMarks(dict[str, tuple[str, ...]]):
    """Word -> the words of chrF++: one mark is split off the end, or else off the beginning."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(word) > 1 and word[-1] in MARKS:
            parts: tuple[str, ...] = (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in MARKS:
            parts = (word[0], word[1:])
        else:
            parts = (word,)
        self[word] = parts
        return parts

    def tokens(self, line: str) -> list[str]:
        """The words of one line."""
        return list(chain.from_iterable(map(self.__getitem__, line.split())))


# chrF's score of any sums of n-gram counts: F-beta of precision and recall over the orders.

# sacrebleu's value for an undefined precision, recall or F under epsilon smoothing.
EPSILON = 1e-16


def sacrebleu_score(sums: Floats, beta: float, eps_smoothing: bool) -> Floats:
    """The same, multiplied before it is divided as in sacrebleu: of several references the one with the highest score
    counts, and rounding could break a tie."""
    f, parts = total_f(sums, beta, eps_smoothing)
    return 100.0 * f / parts


def total_f(sums: Floats, beta: float, eps_smoothing: bool) -> tuple[Floats, int]:
    """(F of the mean precision and recall, 1) of sums (..., 3 * orders); with smoothing (sum of the orders' F, orders).

    The columns of an order are the n-grams of the output, of the reference, and in both. Orders without n-grams on
    either side are left out, unless `eps_smoothing` is on. Source: Popović 2015, 2017; sacrebleu.
    """
    factor = beta**2
    orders = sums.shape[-1] // 3
    # order by order, so that each statistic of many resamples is read from one stretch of memory
    if eps_smoothing:
        total = np.zeros(sums.shape[:-1])
        for k in range(orders):
            total = total + f_score(*smoothed_shares(sums, k), factor, EPSILON)
        return total, orders
    precision, recall, used = np.zeros(sums.shape[:-1]), np.zeros(sums.shape[:-1]), np.zeros(sums.shape[:-1])
    for k in range(orders):
        output, reference, match = (sums[..., 3 * k + column] for column in range(3))
        in_both = (output > 0) & (reference > 0)
        if not in_both.all():  # where one side has no n-grams there is no match either: 0 / 1
            output, reference = np.where(in_both, output, 1.0), np.where(in_both, reference, 1.0)
        precision += match / output
        recall += match / reference
        used += in_both
    np.maximum(used, 1.0, out=used)
    return f_score(precision / used, recall / used, factor, 0.0), 1


def smoothed_shares(sums: Floats, order: int) -> tuple[Floats, Floats]:
    """Precision and recall of one order; EPSILON where a side has no n-grams."""
    output, reference, match = (sums[..., 3 * order + k] for k in range(3))
    precision = np.where(output > 0, match / np.where(output > 0, output, 1.0), EPSILON)
    recall = np.where(reference > 0, match / np.where(reference > 0, reference, 1.0), EPSILON)
    return precision, recall


def f_score(precision: Floats, recall: Floats, factor: float, undefined: float) -> Floats:
    """F of precision and recall, recall weighted by the factor; `undefined` where both are 0."""
    below = factor * precision + recall
    above = (1 + factor) * precision * recall
    if (some := below > 0).all():
        return np.asarray(above / below)
    return np.where(some, above / np.where(some, below, 1.0), undefined)


# Statistics of chrF and chrF++ per segment, equal to sacrebleu's to the last bit, against references read once.


class ChrfReferences:
    """The references of a test set, read once; `rows` are the chrF (or chrF++) statistics of any number of systems.

    Several threads may call `rows` at once. Raises: SigError if there is no reference,
    MismatchError if two differ in length, OptionError for orders that leave no n-grams.
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

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 3 * (char_order + word_order)) of one system; `done` as in chunks.in_chunks.

        A segment's row is that of the reference with which it scores best, the first among equals.
        Raises: MismatchError if the system has more or fewer segments than the references.
        """
        check_length(segments, self.n)
        rows = np.empty((self.n, 3 * (self.char_order + self.word_order)))

        def fill(start: int, stop: int) -> None:
            views = self._views(segments[start:stop], self._words.read)
            choices = np.stack([self._against(reference, views, start) for reference in self._references])
            if len(choices) == 1:
                rows[start:stop] = choices[0]
                return
            best = sacrebleu_score(choices, self.beta, self.eps_smoothing).argmax(axis=0)
            rows[start:stop] = choices[best, np.arange(stop - start)]

        in_chunks(self.n, fill, done)
        return rows

    def _views(self, lines: Sequence[str], words: Callable[[Sequence[str]], Symbols]) -> list[tuple[int, Symbols]]:
        """The lines as characters and as words, each with its highest order; a view without an order is left out."""
        if self._lowercase:
            lines = [line.lower() for line in lines]
        views = [(self.char_order, code_points(lines, self._whitespace))] if self.char_order else []
        return views + ([(self.word_order, words(lines))] if self.word_order else [])

    def _against(self, reference: list[tuple[int, Symbols]], views: list[tuple[int, Symbols]], start: int) -> Floats:
        """The statistics (segments, 3 * orders) of segments `start` and following against one reference."""
        parts = []
        for (order, gold), (_, text) in zip(reference, views, strict=True):
            stop = start + text.lengths.size
            part = np.empty((text.lengths.size, order, 3))
            part[..., 1] = ngram_counts(gold.lengths[start:stop], order)
            # an order that the reference is too short for does not count against the system
            part[..., 0] = np.where(part[..., 1] > 0, ngram_counts(text.lengths, order), 0)
            part[..., 2] = shared(text, joined([gold]), start, order)
            parts.append(part)
        return np.concatenate(parts, axis=1).reshape(len(parts[0]), -1)


def prepare(references: References, options: Options) -> ChrfReferences:
    """The references' characters and words."""
    return ChrfReferences(references, **options)  # type: ignore[arg-type]


def columns(options: Options) -> tuple[str, ...]:
    """The names of the statistics."""
    orders = [f"{unit}{k + 1}" for unit in ("char", "word") for k in range(int(number_of(options, f"{unit}_order")))]
    return tuple(f"{part}_{order}" for order in orders for part in ("output", "reference", "match"))


def score(sums: Floats, options: Options) -> Floats:
    """chrF, 0 to 100, of sums (..., 3 * orders)."""
    f, parts = total_f(sums, number_of(options, "beta"), bool(options["eps_smoothing"]))
    return 100.0 * (f / parts)


def describe(references: References, options: Options) -> str:
    """sacrebleu's signature."""
    beta = f"beta:{options['beta']}|" if options["beta"] != 2 else ""
    return f"chrf|{beta}" + sacre.signature(sacre.make_chrf(**options), references)


METRIC = Metric(
    **described("chrf"),
    title=lambda options: "chrF" + "+" * int(number_of(options, "word_order")),
    kind="text",
    better="higher",
    columns=columns,
    prepare=prepare,
    kernels=KERNELS,
    statistics=rows,
    score=score,
    describe=describe,
    options=options_of("chrf"),
    proof=Proof(oracle="of_metrics:chrf", golden=("sacrebleu260",)),
)
