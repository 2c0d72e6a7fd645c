"""BLEU's score of any sum of lengths, matches and totals, equal to sacrebleu's: shared by what has such sums."""

from __future__ import annotations

import math

import numpy as np

from sigcore.types import Floats

# sacrebleu's stand-in for log(0): its exponential is 0 whatever the order is.
LOG_ZERO = -9999999999.0

# Plain lists of sums, up to this many, take the plain functions: numpy's vector forms may differ in the last bit, and
# the score of a test set shall equal the published one to its last digit. Blocks of resamples always take numpy's,
# so that a resample's score does not depend on how many systems are computed at once.
FEW = 4096
_exact_log, _exact_exp = np.vectorize(math.log, otypes=[float]), np.vectorize(math.exp, otypes=[float])

SMOOTH_DEFAULT = {"floor": 0.1, "add-k": 1.0}


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
    # an empty output has a shortfall of -inf, or of nan where the reference is empty too: then nothing is missing
    return _exp(np.fmin(0.0, shortfall))


def careful(sums: Floats, order: int, smooth: str, smooth_value: float | None, effective_order: bool) -> Floats:
    """BLEU of sums (..., 2 + 2 * order), order by order as sacrebleu does it.

    No match at all gives 0 before any smoothing, the first order without n-grams ends the product, and the k-th
    order without a match counts 1 / 2^k under "exp".
    """
    value = SMOOTH_DEFAULT.get(smooth, 0.0) if smooth_value is None else smooth_value
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
    smooth: str = "exp",
    smooth_value: float | None = None,
    effective_order: bool = False,
) -> Floats:
    """BLEU, 0 to 100, of sums (..., 2 + 2 * order): both lengths, matches and totals of each order.

    `smooth` is "exp", "floor", "add-k" or "none"; `smooth_value` None stands for the usual one of floor and add-k.

    A test set's own sums go the careful way, equal to sacrebleu's to the last bit. Of a block of resamples only
    those that miss an order do; the rest need no smoothing, and the mean of logarithms is a root of a product.
    """
    settings = order, smooth, smooth_value, effective_order
    if sums.ndim == 1 or smooth == "add-k":
        return careful(sums, *settings)
    found, tried = sums[..., 2].copy(), sums[..., 2 + order].copy()
    for k in range(1, order):
        found *= sums[..., 2 + k]
        tried *= sums[..., 2 + order + k]
    missed = found == 0  # a match in every order means n-grams in every order
    tried[missed] = 1.0
    result = _root(found / tried, order)
    result *= 100.0
    result *= brevity_penalty(sums[..., 0], sums[..., 1])
    if missed.any():
        # as one row of a block: how many of a block miss an order must not choose between the forms of log and exp
        result[missed] = careful(sums[missed][None], *settings)[0]
    return result


def _root(share: Floats, order: int) -> Floats:
    """The order-th root; square roots are several times faster than a power."""
    return np.asarray(np.sqrt(np.sqrt(share)) if order == 4 else share ** (1.0 / order))
