"""Counting the pseudo-statistics of many pairs with compiled loops once they are loaded: the same counts as numpy's."""

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


@cache
def _made_reached() -> Callable[..., bool]:
    return kernel(count_reached, divides=True)


def reached(null: Floats, places: Ints, signs: Floats | None, spread: Floats, least: Floats) -> Ints | None:
    """How many draws reach each of m tests under step-down max-T, (m,): the largest statistic of the tests from it on is at
    least `least` (m,). The tests are in their order, the largest first.

    `null` (P, B) are the null gains of pairs, `places` (m,) the pairs of the tests, `signs` (m,) their directions (None:
    sizes count), and `spread` (m,) what gains are divided by; a test with 0 takes no part. None if the loop is not loaded,
    or some gain is undefined: it then counts against all tests.
    """
    if not usable(KERNELS):
        return None
    out, both = np.zeros(len(places), dtype=np.int64), signs is None
    turns = np.ones(len(places)) if signs is None else signs
    defined = _made_reached()(np.ascontiguousarray(null), places, turns, both, spread, least, out)
    return out if defined else None


def count_reached(
    null: Floats, places: Ints, signs: Floats, both: bool, spread: Floats, least: Floats, out: Ints
) -> bool:
    """Add the counts of `reached` to `out` (m,); False where some gain is undefined. No statistic is stored: only the
    largest of each draw so far."""
    size, undefined = null.shape[1], 0
    largest = np.full(size, -np.inf)
    for test in range(len(places) - 1, -1, -1):
        row, sign, by, bound, count = null[places[test]], signs[test], spread[test], least[test], 0
        if by > 0 and both:
            for k in range(size):
                largest[k] = max(largest[k], abs(row[k]) / by)
        elif by > 0:
            for k in range(size):
                largest[k] = max(largest[k], (row[k] * sign) / by)
        for k in range(size):
            count += largest[k] >= bound
            undefined += row[k] != row[k]
        out[test] += count
    return undefined == 0


def _call_kernels() -> None:
    scores, places, cuts = np.zeros((1, 1)), np.zeros(1, dtype=np.int64), np.zeros((2, 1))
    _made()(scores, scores, places, places, np.zeros(1), cuts, cuts, True, np.zeros((6, 1), dtype=np.int64))
    _made_reached()(scores, places, np.ones(1), True, np.ones(1), np.ones(1), np.zeros(1, dtype=np.int64))


# The work is the number of pseudo-statistics: pairs times resamples times tests.
KERNELS = Kernels(__name__, __name__, _call_kernels, saves=3e-9, seconds=3.0)
