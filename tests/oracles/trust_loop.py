"""The calibration of a test as a plain loop: exchange by coins, test, count; with the draws of the code, and nothing else of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

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
