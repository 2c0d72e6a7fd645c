"""Exact p-values of the bootstrap tests, from all n^n equally likely ways to draw n units with replacement; of any test
where the units are of a few kinds, from all ways to draw or swap so many of each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import comb, factorial, isnan, prod

Row = Sequence[float]
Score = Callable[[list[float]], float]
SLACK = 1e-9


def drawn_gains(first: Sequence[Row], second: Sequence[Row], score: Score) -> list[float]:
    """The gain (first minus second) of every draw."""
    out = []
    for places in product(range(len(first)), repeat=len(first)):
        sums = ([sum(column) for column in zip(*(rows[k] for k in places), strict=True)] for rows in (first, second))
        one, other = (score(total) for total in sums)
        out.append(one - other)
    return out


def total(rows: Sequence[Row], counts: Sequence[int]) -> list[float]:
    """The sum of rows, each taken so many times."""
    return [sum(count * x for count, x in zip(counts, column, strict=True)) for column in zip(*rows, strict=True)]


def parts(n: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """All ways to write n as a sum of so many whole numbers, 0 or above."""
    if kinds == 1:
        yield (n,)
        return
    for first in range(n + 1):
        yield from ((first, *rest) for rest in parts(n - first, kinds - 1))


def drawn_kinds(
    first: Sequence[Row], second: Sequence[Row], sizes: Sequence[int], score: Score
) -> tuple[list[float], list[float]]:
    """The gains of all draws of n units of a few kinds, of which there are `sizes`, and their probabilities."""
    n, gains, chances = sum(sizes), [], []
    for counts in parts(n, len(sizes)):
        gains.append(score(total(first, counts)) - score(total(second, counts)))
        ways = factorial(n) // prod(map(factorial, counts))
        chances.append(ways * prod((size / n) ** count for size, count in zip(sizes, counts, strict=True)))
    return gains, chances


def swapped_kinds(
    first: Sequence[Row], second: Sequence[Row], sizes: Sequence[int], score: Score
) -> tuple[list[float], list[float]]:
    """The gains of all ways to swap the two rows of units of a few kinds, and their probabilities."""
    gains, chances = [], []
    both = [*first, *second]
    for counts in product(*(range(size + 1) for size in sizes)):
        kept = [size - count for size, count in zip(sizes, counts, strict=True)]
        gains.append(score(total(both, [*kept, *counts])) - score(total(both, [*counts, *kept])))
        chances.append(prod(comb(size, count) / 2**size for size, count in zip(sizes, counts, strict=True)))
    return gains, chances


def exact_p(
    test: str, gains: Sequence[float], observed: float, side: str, chances: Sequence[float] | None = None
) -> float:
    """p of one test on one side: ties count; a draw without a score counts against every gain.

    `chances` are the probabilities of the draws; without them all are equally likely.
    """
    if side == "two-sided" and test == "paired_bootstrap":
        return min(1.0, 2 * min(exact_p(test, gains, observed, one, chances) for one in ("greater", "less")))
    if side == "two-sided" and abs(observed) < SLACK:
        return 1.0
    weights = [1 / len(gains)] * len(gains) if chances is None else chances
    defined = [(gain, weight) for gain, weight in zip(gains, weights, strict=True) if not isnan(gain)]
    mean = sum(gain * weight for gain, weight in defined) / max(sum(weight for _, weight in defined), SLACK)
    centre = {"two_delta_bootstrap": observed}.get(test, mean if test.startswith("bootstrap_shift") else 0.0)
    return sum(
        weight for gain, weight in zip(gains, weights, strict=True) if counts(test, gain, centre, observed, side)
    )


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
