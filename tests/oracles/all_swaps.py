"""The exact randomization p of two systems, from all 2^n ways to swap their segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

Row = Sequence[float]


def pseudo_gains(first: Sequence[Row], second: Sequence[Row], score: Callable[[list[float]], float]) -> list[float]:
    """The gain (first minus second, higher = better as `score` gives it) of every way to swap, in order of masks."""
    out = []
    for mask in product((False, True), repeat=len(first)):
        left = [b if swap else a for a, b, swap in zip(first, second, mask, strict=True)]
        right = [a if swap else b for a, b, swap in zip(first, second, mask, strict=True)]
        out.append(
            score([sum(column) for column in zip(*left, strict=True)])
            - score([sum(c) for c in zip(*right, strict=True)])
        )
    return out


def exact_p(gains: Sequence[float], alternative: str, slack: float = 1e-9) -> float:
    """The share of all swaps that are at least as large as the first one, which swaps nothing."""
    observed = gains[0]
    if alternative == "two-sided":
        hits = [abs(g) >= abs(observed) - slack for g in gains]
    elif alternative == "greater":
        hits = [g >= observed - slack for g in gains]
    else:
        hits = [g <= observed + slack for g in gains]
    return sum(hits) / len(hits)
