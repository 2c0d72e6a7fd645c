"""Holm and Benjamini-Hochberg from their definitions: which hypotheses a level rejects, and the least such level."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Rejected = Callable[[Sequence[float], float], set[int]]


def holm_rejects(p: Sequence[float], alpha: float) -> set[int]:
    """Go up from the smallest p, reject while p <= alpha / (hypotheses left), stop at the first that is not."""
    left, rejected = list(range(len(p))), set()
    while left:
        smallest = min(left, key=lambda i: p[i])
        if p[smallest] * len(left) > alpha:
            break
        rejected.add(smallest)
        left.remove(smallest)
    return rejected


def benjamini_hochberg_rejects(p: Sequence[float], alpha: float) -> set[int]:
    """The largest k such that the k-th smallest p <= k alpha / m; reject the k smallest."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    largest = 0
    for k in range(1, len(p) + 1):
        if p[order[k - 1]] * len(p) / k <= alpha:
            largest = k
    return set(order[:largest])


def adjusted(p: Sequence[float], rejects: Rejected) -> list[float]:
    """For each hypothesis the least level that rejects it (1 where none below 1 does), by trying all candidates."""
    m = len(p)
    levels = sorted({min(1.0, x * f) for x in p for k in range(1, m + 1) for f in (k, m / k)} | {1.0})
    # a level is tried a little above its value, since the two sides of a comparison are rounded differently
    found = [rejects(p, level * (1 + 1e-12)) for level in levels]
    return [next((level for level, hit in zip(levels, found, strict=True) if i in hit), 1.0) for i in range(m)]


def step_down_max_t(observed: Sequence[float], null: Sequence[Sequence[float]]) -> list[float]:
    """Westfall & Young's step-down max-T, studentised by the root mean square of each null, one resample at a time."""
    spread = [math.sqrt(sum(x * x for x in row if x == x) / max(sum(x == x for x in row), 1)) for row in null]
    statistic = [value / s for value, s in zip(observed, spread, strict=True)]
    order = sorted(range(len(statistic)), key=lambda k: -statistic[k])
    out, before = [0.0] * len(order), 0.0
    for place, test in enumerate(order):
        count = 0
        for draw in zip(*null, strict=True):
            undefined = any(x != x for x in draw)
            later = order[place:]
            count += undefined or max(draw[k] / spread[k] for k in later) >= statistic[test] - 1e-9
        before = max(before, (count + 1) / (len(null[0]) + 1))
        out[test] = before
    return out
