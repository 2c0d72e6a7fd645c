"""The statistics of a pair of score columns by plain loops, on the lists that a draw makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf, sqrt

Column = Sequence[float]


def unpaired_t(x: Column, y: Column) -> float:
    """Unpaired T with pooled variance; 0 for equal means, infinite where nothing varies."""
    n = len(x)
    mean_x, mean_y = fsum(x) / n, fsum(y) / n
    pooled = (fsum((a - mean_x) ** 2 for a in x) + fsum((b - mean_y) ** 2 for b in y)) / (2 * n - 2)
    return _ratio(mean_x - mean_y, sqrt(pooled * 2 / n))


def paired_t(x: Column, y: Column) -> float:
    """Paired T; 0 where the mean difference is 0, infinite where the differences do not vary."""
    n = len(x)
    z = [a - b for a, b in zip(x, y, strict=True)]
    mean = fsum(z) / n
    return _ratio(mean, sqrt(fsum((d - mean) ** 2 for d in z) / (n - 1)) / sqrt(n))


def _ratio(mean: float, error: float) -> float:
    if abs(mean) < 1e-13:
        return 0.0
    return mean / error if error > 1e-9 * abs(mean) else inf


def signed_rank(x: Column, y: Column, zeros: str = "pratt") -> float:
    """W: every difference is compared with every other to find its rank."""
    z = [round(float(a) - float(b), 9) for a, b in zip(x, y, strict=True)]
    if zeros == "wilcox":
        z = [d for d in z if d]
    total = 0.0
    for d in z:
        smaller = sum(abs(other) < abs(d) for other in z)
        equal = sum(abs(other) == abs(d) for other in z)
        rank = smaller + (equal + 1) / 2
        total += rank * ((d > 0) - (d < 0))
    return total


def statistics(x: Column, y: Column, zeros: str = "pratt") -> tuple[float, float, float]:
    """All three."""
    return unpaired_t(x, y), paired_t(x, y), signed_rank(x, y, zeros)


def swapped(x: Column, y: Column, mask: Sequence[float]) -> tuple[list[float], list[float]]:
    """The columns after the documents with a mark were swapped."""
    pairs = [(b, a) if mark else (a, b) for a, b, mark in zip(x, y, mask, strict=True)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def redrawn(x: Column, y: Column, kept: Column, turned: Column) -> tuple[list[float], list[float]]:
    """The columns of a redrawn sample: each document as often as it was drawn, swapped as often as marked."""
    pairs: list[tuple[float, float]] = []
    for a, b, straight, across in zip(x, y, kept, turned, strict=True):
        pairs += [(a, b)] * int(straight) + [(b, a)] * int(across)
    return [a for a, _ in pairs], [b for _, b in pairs]
