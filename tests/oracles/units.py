"""Units the slow way: sums by a loop, weights of segments from weights of units, the jackknife one deletion at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Row = Sequence[float]


def sums(rows: Sequence[Row], names: Sequence[str]) -> list[list[float]]:
    """The sum of the rows of each name, in the order in which the names first appear."""
    out: dict[str, list[float]] = {}
    for row, name in zip(rows, names, strict=True):
        before = out.get(name, [0.0] * len(row))
        out[name] = [a + b for a, b in zip(before, row, strict=True)]
    return list(out.values())


def spread_out(weights: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """The weights (R, n) of segments that weights (R, units) of their units amount to."""
    order = list(dict.fromkeys(names))
    return np.array([[row[order.index(name)] for name in names] for row in weights])


def jackknife_variance(rows: Sequence[Sequence[Row]], statistic: Callable[[list[list[float]]], float]) -> float:
    """(n - 1) / n times the squared deviations of a statistic of the systems' sums, each row left out once.

    `rows[system][i]` is a row of statistics; the statistic takes one sum for each system.
    """
    n = len(rows[0])
    found = []
    for left_out in range(n):
        totals = []
        for system in rows:
            kept = [row for i, row in enumerate(system) if i != left_out]
            totals.append([sum(column) for column in zip(*kept, strict=True)])
        found.append(statistic(totals))
    mean = sum(found) / n
    return (n - 1) / n * sum((value - mean) ** 2 for value in found)


def kish(values: Sequence[float], length: int) -> float:
    """1 + (b - 1) * rho of a mean over units of b values each, rho being their intraclass correlation (Kish 1965)."""
    mean = sum(values) / len(values)
    u = [value - mean for value in values]
    units = [u[start : start + length] for start in range(0, len(u), length)]
    cross = sum(a * b for unit in units for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j)
    rho = cross / ((length - 1) * sum(a * a for a in u))
    return 1 + (length - 1) * rho
