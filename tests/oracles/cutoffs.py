"""Cut-offs of a statistic by their definition: the smallest size whose share of the null is at most alpha."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import isclose, nan

from tests.oracles import score_pairs

Column = Sequence[float]


def sizes_of_all_swaps(x: Column, y: Column, zeros: str = "pratt") -> list[tuple[float, ...]]:
    """The sizes of the three statistics on each of the 2^n swaps."""
    swaps = (score_pairs.swapped(x, y, mask) for mask in product((0, 1), repeat=len(x)))
    return [tuple(abs(value) for value in score_pairs.statistics(a, b, zeros)) for a, b in swaps]


def reached(null: Sequence[float], size: float) -> int:
    """How many values of the null are at least that size; those that differ by rounding alone count."""
    return sum(value >= size or isclose(value, size, rel_tol=1e-9, abs_tol=1e-9) for value in null)


def smallest(null: Sequence[float], observed: float, alpha: float, extra: int = 0) -> float:
    """The smallest size among the null and the observed one with p at most alpha, nan where there is none.

    p is (c + extra) / (R + extra), c being the number of values of the null that reach the size.
    """
    rare = [c for c in (*null, observed) if (reached(null, c) + extra) / (len(null) + extra) <= alpha]
    return min(rare, default=nan)
