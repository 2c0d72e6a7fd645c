"""Adjusted p of a family of pairs from all 2^n ways to swap: the largest studentised gain of the pairs still in the step-down."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tests.oracles.all_swaps import Row, pseudo_gains

# (system, baseline) of every test; one-sided "greater" is about the gain of the first over the second
Tests = Sequence[tuple[int, int]]


def adjusted(
    systems: Sequence[Sequence[Row]], tests: Tests, score: Callable[[list[float]], float], side: str
) -> list[float]:
    """The adjusted p of each test: each in turn against the largest of those whose own statistic is not larger."""
    nulls = [[turned(gain, side) for gain in pseudo_gains(systems[a], systems[b], score)] for a, b in tests]
    plain = [pseudo_gains(systems[a], systems[b], score) for a, b in tests]
    spreads = [math.sqrt(sum(gain * gain for gain in null) / len(null)) for null in plain]
    draws = [[gain / spread for gain in null] for null, spread in zip(nulls, spreads, strict=True)]
    observed = [null[0] for null in draws]
    order = sorted(range(len(tests)), key=lambda k: -observed[k])
    out, least = [0.0] * len(tests), 0.0
    for place, test in enumerate(order):
        hits = sum(max(draws[k][mask] for k in order[place:]) >= observed[test] - 1e-9 for mask in range(len(draws[0])))
        least = max(least, hits / len(draws[0]))
        out[test] = least
    return out


def turned(gain: float, side: str) -> float:
    """Larger = more extreme on that side."""
    return abs(gain) if side == "two-sided" else gain if side == "greater" else -gain
