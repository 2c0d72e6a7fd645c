"""Slow, obvious twins of everything between a file of ratings and the accuracy table: loops, definitions, no numpy."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from itertools import combinations

Rating = tuple[str, str, str, str, float]  # judge, system, segment, kind, score
COUNTED = ("ordinary", "repeat")


def z_scores(ratings: Sequence[Rating], standard: str) -> list[float | None]:
    """Each score minus the mean of its judge over the judge's SD; None where the judge has none."""
    found: list[float | None] = []
    for judge, _, _, _, score in ratings:
        mine = [r[4] for r in ratings if r[0] == judge and (standard == "all" or r[3] in COUNTED)]
        if len(mine) < 2 or len(set(mine)) == 1:
            found.append(None)
        else:
            found.append((score - statistics.fmean(mine)) / statistics.stdev(mine))
    return found


def segment_means(ratings: Sequence[Rating], z: Sequence[float | None]) -> dict[str, dict[str, float]]:
    """System -> segment -> mean z of the ratings of its output."""
    cells: dict[str, dict[str, list[float]]] = {}
    for (_, system, segment, kind, _), value in zip(ratings, z, strict=True):
        if kind in COUNTED and value is not None:
            cells.setdefault(system, {}).setdefault(segment, []).append(value)
    return {system: {s: statistics.fmean(v) for s, v in found.items()} for system, found in cells.items()}


def rank_sum(better: Sequence[float], worse: Sequence[float]) -> float:
    """One-sided p by definition: U counts the pairs that are won, ties half; its variance is that of tied ranks."""
    m, n = len(better), len(worse)
    u = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a in better for b in worse)
    both = [*better, *worse]
    size = m + n
    ties = sum(count**3 - count for count in (both.count(value) for value in set(both)))
    variance = m * n / 12 * (size + 1 - ties / (size * (size - 1)))
    if variance <= 0:
        return 1.0
    return 0.5 * math.erfc((u - m * n / 2 - 0.5) / math.sqrt(variance) / math.sqrt(2))


def conclusion(p: Sequence[tuple[float, float]], alpha: float) -> int:
    """1, -1 or 0 from the two one-sided p of each dimension, in the order in which they decide."""
    for forth, back in p:
        if forth <= alpha:
            return 1
        if back <= alpha:
            return -1
    return 0


def clopper_pearson(correct: int, pairs: int, miss: float = 0.025) -> tuple[float, float]:
    """The exact interval by bisection on the binomial tails."""

    def tail(share: float, counts: range) -> float:
        return sum(math.comb(pairs, k) * share**k * (1 - share) ** (pairs - k) for k in counts)

    def solve(counts: range, rising: bool) -> float:
        low, high = 0.0, 1.0
        for _ in range(200):
            middle = (low + high) / 2
            if (tail(middle, counts) < miss) == rising:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    low = 0.0 if correct == 0 else solve(range(correct, pairs + 1), True)
    high = 1.0 if correct == pairs else solve(range(correct + 1), False)
    return low, high


def chi_square(correct: Sequence[int], pairs: int) -> float:
    """Pearson's statistic of the table of right and wrong, cell by cell."""
    share = sum(correct) / (pairs * len(correct))
    cells = [(k, pairs * share) for k in correct] + [(pairs - k, pairs * (1 - share)) for k in correct]
    return sum((seen - expected) ** 2 / expected for seen, expected in cells)


def cochran_q(right: Sequence[Sequence[bool]]) -> float:
    """Cochran's statistic as he wrote it."""
    k = len(right)
    columns = [sum(column) for column in right]
    rows = [sum(row) for row in zip(*right, strict=True)]
    total = sum(columns)
    return (k - 1) * (k * sum(c * c for c in columns) - total**2) / (k * total - sum(r * r for r in rows))


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> float:
    """Exact two-sided p: all ways in which the pairs that only one gets right could have fallen at least so unevenly."""
    one = sum(a and not b for a, b in zip(first, second, strict=True))
    other = sum(b and not a for a, b in zip(first, second, strict=True))
    n = one + other
    return sum(math.comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(one - other)) / 2**n


def leave_one_out(right: Mapping[tuple[str, str], bool]) -> tuple[float, float]:
    """Mean and standard error (shares) from the accuracies without one system each."""
    systems = sorted({name for pair in right for name in pair})
    without = [statistics.fmean(ok for pair, ok in right.items() if name not in pair) for name in systems]
    middle, count = statistics.fmean(without), len(systems)
    return middle, math.sqrt((count - 1) / count * sum((value - middle) ** 2 for value in without))


def pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """All pairs."""
    return list(combinations(names, 2))
