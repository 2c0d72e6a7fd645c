"""Means of pairs whose units were swapped, by a compiled loop once that is loaded: the bits of numpy's way, but faster."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from sigcore.text.compiled import Kernels, kernel, usable
from sigcore.types import Floats, Ints

Loop = Callable[[Floats, Floats, Ints, Ints, float, Floats, Floats], bool]
Scores = tuple[Floats, Floats] | None


@cache
def _made() -> Loop:
    return kernel(means_of_pairs, divides=True)


def means(total: Floats, moved: Floats, left: Ints, right: Ints, options: Any) -> Scores:
    """Sums over sizes of both systems of P pairs after the swaps, (P, B) each, from all sums (2, S) and the swapped ones
    (2, S, B); None if the loop is not loaded, or some size is 0."""
    return _scores(total, moved, left, right, 1.0)


def rates(total: Floats, moved: Floats, left: Ints, right: Ints, options: Any) -> Scores:
    """The same in percent."""
    return _scores(total, moved, left, right, 100.0)


def _scores(total: Floats, moved: Floats, left: Ints, right: Ints, times: float) -> Scores:
    if not usable(KERNELS):
        return None
    ahead, behind = (np.empty((len(left), moved.shape[2])) for _ in range(2))
    sums = np.ascontiguousarray(total), np.ascontiguousarray(moved)
    return (ahead, behind) if _made()(*sums, left, right, times, ahead, behind) else None


def means_of_pairs(
    total: Floats, moved: Floats, left: Ints, right: Ints, times: float, ahead: Floats, behind: Floats
) -> bool:
    """Fill `ahead` and `behind` (P, B) by the operations of numpy's way, in their order; False where some size is 0."""
    size, none = moved.shape[2], 0
    for pair in range(len(left)):
        one, other = left[pair], right[pair]
        own, units = total[0, one], total[1, one]
        both, whole = total[0, one] + total[0, other], total[1, one] + total[1, other]
        out, into, gone, come = moved[0, one], moved[0, other], moved[1, one], moved[1, other]
        a, b = ahead[pair], behind[pair]
        for k in range(size):
            value, weight = (own - out[k]) + into[k], (units - gone[k]) + come[k]
            rest = whole - weight
            none += (weight <= 0.0) | (rest <= 0.0)
            a[k] = (times * value) / weight
            b[k] = (times * (both - value)) / rest
    return none == 0


def _call_kernels() -> None:
    sums, none, pair = np.ones((2, 2)), np.zeros((2, 2, 1)), np.arange(2)
    _made()(sums, none, pair[:1], pair[1:], 1.0, np.empty((1, 1)), np.empty((1, 1)))


# The work is the number of pairs times shuffles.
KERNELS = Kernels(__name__, __name__, _call_kernels, saves=4e-9, seconds=1.5)
