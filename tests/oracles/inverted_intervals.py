"""Intervals of gains by brute force: p for one true gain after the other, from the draws written out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Sums = Sequence[float]
Score = Callable[[Sums], float]


def p_at_most(
    delta: float,
    left: Sequence[Sums],
    right: Sequence[Sums],
    masks: Sequence[Sequence[int]],
    score: Score,
    sizes: Sequence[float],
) -> float:
    """One-sided p of the hypothesis that the true gain is at most delta."""
    gain, drawn = _gain(left, right, score), _draws(left, right, masks, score, sizes)
    count = sum(value - delta * sign >= gain - delta - 1e-9 for value, sign in drawn)
    return (count + 1) / (len(masks) + 1)


def _gain(left: Sequence[Sums], right: Sequence[Sums], score: Score) -> float:
    return score([sum(column) for column in zip(*left, strict=True)]) - score(
        [sum(c) for c in zip(*right, strict=True)]
    )


def _draws(
    left: Sequence[Sums],
    right: Sequence[Sums],
    masks: Sequence[Sequence[int]],
    score: Score,
    sizes: Sequence[float],
) -> list[tuple[float, float]]:
    """The gain and the mean sign of every draw."""
    whole = sum(sizes)
    signs = [sum(-size if swapped else size for size, swapped in zip(sizes, mask, strict=True)) for mask in masks]
    return [(_swapped(left, right, mask, score), sign / whole) for mask, sign in zip(masks, signs, strict=True)]


def _swapped(left: Sequence[Sums], right: Sequence[Sums], mask: Sequence[int], score: Score) -> float:
    first = [b if swapped else a for a, b, swapped in zip(left, right, mask, strict=True)]
    second = [a if swapped else b for a, b, swapped in zip(left, right, mask, strict=True)]
    return _gain(first, second, score)


def p_under(
    delta: float,
    left: Sequence[Sums],
    right: Sequence[Sums],
    masks: Sequence[Sequence[int]],
    score: Score,
    sizes: Sequence[float],
) -> float:
    """p of the hypothesis that the true gain is delta: draw by draw, unit by unit, ties counted."""
    gain, drawn = _gain(left, right, score), _draws(left, right, masks, score, sizes)
    count = sum(abs(value - delta * sign) >= abs(gain - delta) - 1e-9 for value, sign in drawn)
    return (count + 1) / (len(masks) + 1)


def tango_rejects(first: int, second: int, n: int, difference: float, z: float = 1.959963984540054) -> bool:
    """Whether Tango's score test rejects this difference of paired shares: the restricted estimate by a plain search.

    Of n pairs `first` are right on the left only and `second` on the right only. Under the difference d the probabilities of
    these are q + d and q; the likeliest q is found on a grid that becomes finer.
    """

    def likelihood(q: float) -> float:
        parts = ((first, q + difference), (second, q), (n - first - second, 1 - 2 * q - difference))
        if any(p < 0 or (p == 0 and count) for count, p in parts):
            return -math.inf
        return sum(count * math.log(p) for count, p in parts if count)

    low, high = max(0.0, -difference), (1 - difference) / 2
    for _ in range(60):
        grid = [low + (high - low) * k / 20 for k in range(21)]
        best = max(range(21), key=lambda k: likelihood(grid[k]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 20)]
    q = (low + high) / 2
    variance = n * (2 * q + difference - difference**2)
    return abs(first - second - n * difference) > z * math.sqrt(max(variance, 0.0))
