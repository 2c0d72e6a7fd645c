"""The counts of Berg-Kirkpatrick et al. 2012, Section 4.2, and of Dror et al. 2017, with loops."""

from __future__ import annotations

import math
from collections.abc import Sequence

# (p, gain on the home set, gain on the other set) of one pair of systems
Pair = tuple[float, float, float]


def same_sign(pairs: Sequence[Pair], low: float, high: float, closed: bool = False) -> tuple[int, int]:
    """Of the pairs with p in the bin: how many there are, and in how many system A outperforms B on both sets."""
    number = same = 0
    for p, home, other in pairs:
        if home < 0:
            home, other = -home, -other  # system pairs are ordered so that A always outperforms B on the home set
        if home > 0 and p >= low and (p <= high if closed else p < high):
            number = number + 1
            if other > 0:
                same = same + 1
    return number, same


def exact_interval(part: int, whole: int, level: float = 0.95) -> tuple[float, float]:
    """The ends of the Clopper-Pearson interval, by bisection of binomial tails."""

    def at_least(probability: float) -> float:
        return sum(
            math.comb(whole, k) * probability**k * (1 - probability) ** (whole - k) for k in range(part, whole + 1)
        )

    def at_most(probability: float) -> float:
        return sum(math.comb(whole, k) * probability**k * (1 - probability) ** (whole - k) for k in range(part + 1))

    miss = (1 - level) / 2
    low, high = 0.0, 1.0
    if part > 0:
        bottom, top = 0.0, 1.0
        for _ in range(60):
            middle = (bottom + top) / 2
            bottom, top = (bottom, middle) if at_least(middle) > miss else (middle, top)
        low = bottom
    if part < whole:
        bottom, top = 0.0, 1.0
        for _ in range(60):
            middle = (bottom + top) / 2
            bottom, top = (middle, top) if at_most(middle) > miss else (bottom, middle)
        high = top
    return low, high


def count(p_values: Sequence[float], alpha: float, combine: str) -> int:
    """The largest u for which the p of "fewer than u effects", and of every smaller u, is at most alpha."""
    ordered, n = sorted(p_values), len(p_values)
    for u in range(1, n + 1):
        largest = ordered[u - 1 :]
        if combine == "bonferroni":
            p = len(largest) * largest[0]
        else:
            # the chi-square tail with an even number of degrees of freedom is a Poisson sum
            half = -sum(math.log(value) for value in largest)
            p = math.exp(-half) * sum(half**k / math.factorial(k) for k in range(len(largest)))
        if p > alpha:
            return u - 1
    return n
