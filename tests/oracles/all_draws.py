"""Exact p-values of the bootstrap tests, from all n^n equally likely ways to draw n units with replacement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import isnan

Row = Sequence[float]
SLACK = 1e-9


def drawn_gains(first: Sequence[Row], second: Sequence[Row], score: Callable[[list[float]], float]) -> list[float]:
    """The gain (first minus second) of every draw."""
    out = []
    for places in product(range(len(first)), repeat=len(first)):
        sums = ([sum(column) for column in zip(*(rows[k] for k in places), strict=True)] for rows in (first, second))
        one, other = (score(total) for total in sums)
        out.append(one - other)
    return out


def exact_p(test: str, gains: Sequence[float], observed: float, side: str) -> float:
    """p of one test on one side: ties count; a draw without a score counts against every gain."""
    if side == "two-sided" and test == "paired_bootstrap":
        return min(1.0, 2 * min(exact_p(test, gains, observed, one) for one in ("greater", "less")))
    if side == "two-sided" and abs(observed) < SLACK:
        return 1.0
    defined = [gain for gain in gains if not isnan(gain)]
    centre = {"bootstrap_shift": sum(defined) / max(len(defined), 1), "two_delta_bootstrap": observed}.get(test, 0.0)
    return sum(counts(test, gain, centre, observed, side) for gain in gains) / len(gains)


def counts(test: str, gain: float, centre: float, observed: float, side: str) -> bool:
    """Whether a drawn gain counts for p."""
    if isnan(gain):
        return True
    if test == "paired_bootstrap":
        return gain <= SLACK if side == "greater" else gain >= -SLACK
    null = gain - centre
    if side == "two-sided":
        return abs(null) >= abs(observed) - SLACK
    return null >= observed - SLACK if side == "greater" else null <= observed + SLACK
