"""Counting the pseudo-statistics of many pairs with a compiled loop once that is loaded: the same counts as numpy's."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from sigcore.text.compiled import Kernels, Report, kernel, usable
from sigcore.text.compiled import prepare as prepare_kernels
from sigcore.types import Floats, Ints

Count = Callable[[Floats, Floats, Ints, Ints, Floats, Floats, Floats, bool, Ints], None]


def compiled() -> Count | None:
    """The compiled loop, or None if it is not loaded: its start-up would cost more than it saves."""
    return _made() if usable(KERNELS) else None


def prepare(counted: int, report: Report | None = None) -> None:
    """Load the loop where it is worth that for this many pseudo-statistics."""
    prepare_kernels(KERNELS, counted, "the counting of pairs", report)


@cache
def _made() -> Count:
    return kernel(count_pairs)


def count_pairs(
    ahead: Floats,
    behind: Floats,
    left: Ints,
    right: Ints,
    shift: Floats,
    start: Floats,
    end: Floats,
    one: bool,
    raw: Ints,
) -> None:
    """Add to `raw` (RAW, P) the counts of `pvalues.Thresholds` for the pseudo-statistics of P pairs: the score
    `ahead[left]` minus `behind[right]`, each (rows, B), minus `shift` (P,).

    `start` and `end` (2, P) are the tolerances around both cut-offs; `one` says that they are the same. No number is
    stored between the subtractions and the comparisons, which are those of numpy's way, in the same order.
    """
    size = ahead.shape[1]
    for pair in range(len(left)):
        first, second, less = ahead[left[pair]], behind[right[pair]], shift[pair]
        start_0, end_0, start_1, end_1 = start[0, pair], end[0, pair], start[1, pair], end[1, pair]
        above_0 = least_0 = above_1 = least_1 = undefined = 0
        for k in range(size):
            null = (first[k] - second[k]) - less
            above_0 += null > end_0
            least_0 += null >= start_0
            undefined += null != null
        if one:
            above_1, least_1 = above_0, least_0
        else:
            for k in range(size):
                null = (first[k] - second[k]) - less
                above_1 += null > end_1
                least_1 += null >= start_1
        raw[0, pair] += above_0
        raw[1, pair] += above_1
        raw[2, pair] += least_0
        raw[3, pair] += least_1
        raw[4, pair] += size - undefined
        raw[5, pair] += undefined


def _call_kernels() -> None:
    scores, places, cuts = np.zeros((1, 1)), np.zeros(1, dtype=np.int64), np.zeros((2, 1))
    _made()(scores, scores, places, places, np.zeros(1), cuts, cuts, True, np.zeros((6, 1), dtype=np.int64))


# The work is the number of pseudo-statistics: pairs times resamples times tests.
KERNELS = Kernels(__name__, __name__, _call_kernels, saves=3e-9, seconds=2.0)
