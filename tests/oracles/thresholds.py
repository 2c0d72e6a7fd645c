"""The threshold of Berg-Kirkpatrick et al. 2012, Section 3.1.1, with lists and loops."""

from __future__ import annotations

import random
from collections.abc import Sequence


def borderline(gains: Sequence[float], p_values: Sequence[float]) -> list[float]:
    """The gains of the comparisons with p-value between 0.04 and 0.06."""
    return [gain for gain, p in zip(gains, p_values, strict=True) if 0.04 <= p <= 0.06]


def percentile(values: Sequence[float], percent: float) -> float:
    """The percentile by linear interpolation between the two nearest of the sorted values."""
    ordered = sorted(values)
    place = percent / 100 * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def interval(values: Sequence[float], draws: int, seed: int) -> tuple[float, float]:
    """The 2.5th and 97.5th percentile of the 95th percentile of values drawn with replacement."""
    chance = random.Random(seed)
    found = [percentile([chance.choice(values) for _ in values], 95) for _ in range(draws)]
    return percentile(found, 2.5), percentile(found, 97.5)


def largest_not_significant(gains: Sequence[float], p_values: Sequence[float], alpha: float) -> float:
    """The largest gain whose p is above alpha."""
    largest = 0.0
    for gain, p in zip(gains, p_values, strict=True):
        if p > alpha and gain > largest:
            largest = gain
    return largest
