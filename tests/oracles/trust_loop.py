"""The calibration of a test as a plain loop: exchange by coins, test, count; with the draws of the code, and nothing else of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from scipy.stats import mannwhitneyu, ttest_ind

Row = Sequence[float]


def pair(
    first: Sequence[Row],
    second: Sequence[Row],
    null_of: Sequence[int],
    unit_of: Sequence[int],
    seeds: Sequence[np.random.SeedSequence],
    p_of: Callable[[list[list[float]], list[list[float]], int], float],
    stays: float = 0.0,
) -> list[float]:
    """p of every repetition, in order: a coin for each unit of the null, sums over the units of the test, then the test."""
    found = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        coins = [bool(coin < 0.5 * (1 - stays)) for coin in rng.random(max(null_of) + 1)]
        one: list[list[float]] = [[0.0] * len(first[0]) for _ in range(max(unit_of) + 1)]
        other = [list(row) for row in one]
        for k, (a, b) in enumerate(zip(first, second, strict=True)):
            mine, theirs = (b, a) if coins[null_of[k]] else (a, b)
            for c in range(len(a)):
                one[unit_of[k]][c] += mine[c]
                other[unit_of[k]][c] += theirs[c]
        found.append(p_of(one, other, int(rng.integers(2**62))))
    return found


def unpaired(rule: str, first: Sequence[float], second: Sequence[float]) -> float:
    """p of scipy."""
    if rule == "rank_sum":
        return float(mannwhitneyu(first, second, method="asymptotic").pvalue)
    return float(ttest_ind(first, second).pvalue)


def halves(
    systems: Sequence[Sequence[Row]], unit_of: Sequence[int], seeds: Sequence[np.random.SeedSequence], rule: str
) -> list[float]:
    """p of two halves of one system, whose rows are (sum of scores, their number): units in a drawn order, the first half
    against the second, and the next system each time."""
    found = []
    for k, seed in enumerate(seeds):
        rows, units = systems[k % len(systems)], range(max(unit_of) + 1)
        own = [[row for row, of in zip(rows, unit_of, strict=True) if of == unit] for unit in units]
        means = [sum(row[0] for row in part) / sum(row[1] for row in part) for part in own]
        order = np.random.default_rng(seed).permutation(len(means)).tolist()
        half = len(means) // 2
        found.append(unpaired(rule, [means[j] for j in order[:half]], [means[j] for j in order[half : 2 * half]]))
    return found


def unpaired_grid(systems: Sequence[Sequence[Row]], seeds: Sequence[np.random.SeedSequence]) -> list[list[float]]:
    """p of unpaired t for all pairs of systems whose rows were permuted among them in every segment."""
    found = []
    for seed in seeds:
        count, n = len(systems), len(systems[0])
        order = np.random.default_rng(seed).permuted(np.tile(np.arange(count), (n, 1)), axis=1)
        mixed = [[systems[order[row, s]][row][0] for row in range(n)] for s in range(count)]
        found.append([unpaired("unpaired_t", one, other) for one, other in combinations(mixed, 2)])
    return found
