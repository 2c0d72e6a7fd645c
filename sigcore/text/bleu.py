"""BLEU: the statistics of a segment, and the score of any sum of them, equal to sacrebleu's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from sigcore.errors import OptionError
from sigcore.text.chunks import Done, in_chunks
from sigcore.text.ngrams import ngram_counts, shared
from sigcore.text.symbols import check_length, checked, joined
from sigcore.text.tokens import Tokenizer
from sigcore.text.word_numbers import WordVocabulary
from sigcore.types import Floats, Ints

References = Sequence[Sequence[str]]  # each one the segments of a whole test set


class BleuReferences:
    """The references of a test set, tokenised once; `rows` are the BLEU statistics of any number of systems.

    Several threads may call `rows` at once. Raises: SigError if there is no reference, MismatchError if two
    differ in length, OptionError for an order below 1.
    """

    def __init__(
        self, references: References, lowercase: bool = False, tokenize: str = "13a", max_order: int = 4
    ) -> None:
        if max_order < 1:
            raise OptionError(f"max_order = {max_order} leaves no n-grams.", "", "It must be 1 or more.")
        self.n, self.max_order = len(checked(references)[0]), max_order
        self._words = WordVocabulary(Tokenizer(tokenize, lowercase))
        streams = [self._words.learn(stream) for stream in references]
        self._references = joined(streams)
        self._lengths = np.stack([stream.lengths for stream in streams])  # (references, n)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics, in sacrebleu's order."""
        orders = range(1, self.max_order + 1)
        return ("sys_len", "ref_len", *(f"correct_{n}" for n in orders), *(f"total_{n}" for n in orders))

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 2 + 2 * max_order) of one system; `done` as in chunks.in_chunks.

        Raises: MismatchError if the system has more or fewer segments than the references.
        """
        check_length(segments, self.n)
        rows = np.empty((self.n, 2 + 2 * self.max_order))

        def fill(start: int, stop: int) -> None:
            words = self._words.read(segments[start:stop])
            rows[start:stop, 0] = words.lengths
            rows[start:stop, 1] = closest(words.lengths, self._lengths[:, start:stop])
            rows[start:stop, 2 : 2 + self.max_order] = shared(words, self._references, start, self.max_order)
            rows[start:stop, 2 + self.max_order :] = ngram_counts(words.lengths, self.max_order)

        in_chunks(self.n, fill, done)
        return rows


def closest(lengths: Ints, references: Ints) -> Ints:
    """For each length (n,) the closest of its reference lengths (references, n), the shorter of two equally close."""
    by_length = np.sort(references, axis=0)
    nearest = np.abs(by_length - lengths).argmin(axis=0)  # the first minimum, so the shorter one
    return np.asarray(by_length[nearest, np.arange(lengths.size)])


# The score of sums.

# How an order without a match is counted.
Smooth = Literal["exp", "floor", "add-k", "none"]
SMOOTHS: tuple[Smooth, ...] = get_args(Smooth)
SMOOTH_VALUES: dict[Smooth, float] = {"floor": 0.1, "add-k": 1.0}  # if no value is given

# sacrebleu's value for log(0): its exponential is 0 for every order.
LOG_ZERO = -9999999999.0

# A single row of at most this many sums is scored with the plain functions of `math`: numpy's vector forms may differ
# in the last bit, and the score of a test set must equal the published one to its last digit. Blocks of resamples
# always use numpy's, so that a resample's score does not depend on how many systems are computed at once.
FEW = 4096
_exact_log, _exact_exp = np.vectorize(math.log, otypes=[float]), np.vectorize(math.exp, otypes=[float])


def _plain(values: Floats) -> bool:
    return values.ndim <= 1 and 0 < values.size <= FEW


def _log(values: Floats) -> Floats:
    return _exact_log(values) if _plain(values) else np.log(values)


def _exp(values: Floats) -> Floats:
    return _exact_exp(values) if _plain(values) else np.exp(values)


def brevity_penalty(length: Floats, reference_length: Floats) -> Floats:
    """exp(1 - r/c) where the output is shorter than the reference, else 1; 0 for an empty output."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shortfall = 1.0 - np.asarray(reference_length) / np.asarray(length)
    # an empty output has a shortfall of -inf; nan (the reference is empty too) means no penalty
    return _exp(np.fmin(0.0, shortfall))


def order_by_order(
    sums: Floats, order: int, smooth: Smooth, smooth_value: float | None, effective_order: bool
) -> Floats:
    """BLEU of sums (..., 2 + 2 * order), in sacrebleu's own order of operations.

    No match at all gives 0 before any smoothing, the first order without n-grams ends the product, and the k-th
    order without a match counts 1 / 2^k under "exp".
    """
    value = SMOOTH_VALUES.get(smooth, 0.0) if smooth_value is None else smooth_value
    matches, totals = sums[..., 2 : 2 + order], sums[..., 2 + order :]
    shape = sums.shape[:-1]
    logs = np.zeros(shape)
    used = np.full(shape, order if not effective_order else 1)
    alive = np.ones(shape, dtype=bool)
    halving = np.ones(shape)
    for k in range(order):
        add = value if smooth == "add-k" and k > 0 else 0.0
        match, total = matches[..., k] + add, totals[..., k] + add
        alive = alive & (total > 0)
        safe = np.where(total > 0, total, 1.0)
        missed = alive & (match == 0)
        precision = 100.0 * match / safe
        if smooth == "exp":
            halving = np.where(missed, 2.0 * halving, halving)
            precision = np.where(missed, 100.0 / (halving * safe), precision)
        elif smooth == "floor":
            precision = np.where(missed, 100.0 * value / safe, precision)
        known = alive & (precision > 0)
        log = np.where(known, _log(np.where(known, precision, 1.0)), LOG_ZERO)
        if effective_order:
            used = np.where(alive, k + 1, used)
            log = np.where(alive, log, 0.0)
        logs = logs + log
    result = brevity_penalty(sums[..., 0], sums[..., 1]) * _exp(logs / used)
    return np.where(matches.any(axis=-1), result, 0.0)


def bleu_score(
    sums: Floats,
    order: int = 4,
    smooth: Smooth = "exp",
    smooth_value: float | None = None,
    effective_order: bool = False,
) -> Floats:
    """BLEU, 0 to 100, of sums (..., 2 + 2 * order): both lengths, matches and totals of each order.

    `smooth_value` None means the default of floor and add-k.

    A test set's own sums are scored order by order, equal to sacrebleu's to the last bit. In a block of resamples this
    is needed only for those without a match in some order: the others need no smoothing, and their mean of logarithms
    is the root of a product.
    """
    settings = order, smooth, smooth_value, effective_order
    if sums.ndim == 1 or smooth == "add-k":
        return order_by_order(sums, *settings)
    matches, totals = sums[..., 2].copy(), sums[..., 2 + order].copy()
    for k in range(1, order):
        matches *= sums[..., 2 + k]
        totals *= sums[..., 2 + order + k]
    missed = matches == 0  # a match in every order means n-grams in every order
    totals[missed] = 1.0
    result = _root(matches / totals, order)
    result *= 100.0
    result *= brevity_penalty(sums[..., 0], sums[..., 1])
    if missed.any():
        # [None]: a block must use numpy's log and exp however few of its resamples miss an order
        result[missed] = order_by_order(sums[missed][None], *settings)[0]
    return result


def _root(share: Floats, order: int) -> Floats:
    """The order-th root; square roots are several times faster than a power."""
    return np.asarray(np.sqrt(np.sqrt(share)) if order == 4 else share ** (1.0 / order))
