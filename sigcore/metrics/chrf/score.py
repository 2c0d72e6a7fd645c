"""chrF's score of any sums of n-gram counts: F-beta of precision and recall over the orders."""

from __future__ import annotations

import numpy as np

from sigcore.types import Floats

# sacrebleu's value for an undefined precision, recall or F under epsilon smoothing.
EPSILON = 1e-16


def chrf_score(sums: Floats, beta: float, eps_smoothing: bool) -> Floats:
    """chrF, 0 to 100, of sums (..., 3 * orders)."""
    f, parts = total_f(sums, beta, eps_smoothing)
    return 100.0 * (f / parts)


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
        in_both = (sums[..., 3 * k] > 0) & (sums[..., 3 * k + 1] > 0)
        # where one side has no n-grams there is no match either: 0 / 1
        precision += sums[..., 3 * k + 2] / np.where(in_both, sums[..., 3 * k], 1.0)
        recall += sums[..., 3 * k + 2] / np.where(in_both, sums[..., 3 * k + 1], 1.0)
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
    return np.where(below > 0, (1 + factor) * precision * recall / np.where(below > 0, below, 1.0), undefined)
