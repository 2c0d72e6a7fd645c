"""BLEU of pairs whose units were swapped, by a compiled loop once that is loaded: the bits of numpy's way, but faster."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from sigcore.text.compiled import Kernels, kernel, usable
from sigcore.types import Floats, Ints

ORDER = 4  # the usual one, whose root is two square roots
Loop = Callable[[Floats, Floats, Ints, Ints, Floats, Floats, Floats, Floats], bool]


@cache
def _made() -> Loop:
    return kernel(roots_of_pairs, divides=True)


def scores_of_pairs(total: Floats, moved: Floats, left: Ints, right: Ints) -> tuple[Floats, Floats] | None:
    """BLEU of both systems of P pairs after the swaps, (P, B) each, from all sums (10, S) and the swapped ones (10, S, B).

    None if the loop is not loaded, or some resample has no match in some order: the general way smooths it.
    """
    if not usable(KERNELS) or len(total) != 2 + 2 * ORDER:
        return None
    shape = len(left), moved.shape[2]
    ahead, behind, first, second = (np.empty(shape) for _ in range(4))
    if not _made()(np.ascontiguousarray(total), np.ascontiguousarray(moved), left, right, ahead, behind, first, second):
        return None
    # numpy's exponential: a compiled one may differ in the last bit
    for scores, shortfall in ((ahead, first), (behind, second)):
        if shortfall.any():
            scores *= np.exp(shortfall, out=shortfall)
    return ahead, behind


def roots_of_pairs(
    total: Floats, moved: Floats, left: Ints, right: Ints, ahead: Floats, behind: Floats, first: Floats, second: Floats
) -> bool:
    """Fill `ahead` and `behind` with BLEU without the penalty, `first` and `second` with its logarithm, (P, B) each; False
    where some order has no match. It does the operations of `bleu_score` in the same order; short loops over few arrays
    become vector instructions."""
    size = moved.shape[2]
    matches, totals, others, sums = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    for pair in range(len(left)):
        one, other = left[pair], right[pair]
        a, b, short, shorter = ahead[pair], behind[pair], first[pair], second[pair]
        length, reference = total[0, one] + total[0, other], total[1, one] + total[1, other]
        for k in range(size):
            long = (total[0, one] - moved[0, one, k]) + moved[0, other, k]
            value = (total[1, one] - moved[1, one, k]) + moved[1, other, k]
            short[k] = min(1.0 - value / long, 0.0)
            shorter[k] = min(1.0 - (reference - value) / (length - long), 0.0)
        matches[:], totals[:], others[:], sums[:] = 1.0, 1.0, 1.0, 1.0
        for column in range(2, 10):
            product, rest = (matches, others) if column < 6 else (totals, sums)
            own, both = total[column, one], total[column, one] + total[column, other]
            out, into = moved[column, one], moved[column, other]
            for k in range(size):
                value = (own - out[k]) + into[k]
                product[k] *= value
                rest[k] *= both - value
        missed = 0
        for k in range(size):
            missed += (matches[k] == 0.0) | (others[k] == 0.0)
        if missed > 0:
            return False
        for k in range(size):
            a[k] = np.sqrt(np.sqrt(matches[k] / totals[k])) * 100.0
        for k in range(size):
            b[k] = np.sqrt(np.sqrt(others[k] / sums[k])) * 100.0
    return True


def _call_kernels() -> None:
    sums, none, pair = np.ones((10, 2)), np.zeros((10, 2, 1)), np.arange(2)
    _made()(sums, none, pair[:1], pair[1:], *(np.empty((1, 1)) for _ in range(4)))


# The work is the number of pairs times shuffles.
KERNELS = Kernels(__name__, __name__, _call_kernels, saves=1.8e-8, seconds=3.0)
