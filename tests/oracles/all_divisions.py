"""Shuffles of several runs by brute force: every division of every segment's outputs, and MultEval's draw step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations, product

Row = Sequence[float]
Score = Callable[[list[float]], float]


def _summed(rows: Sequence[Row]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


def division_gains(first: Sequence[Sequence[Row]], second: Sequence[Sequence[Row]], score: Score) -> list[float]:
    """The gain of every way to give each segment's outputs to the two systems, as many to each as it has runs.

    `first[run][segment]` are rows of statistics; the gain is in the score of the sum over runs and segments. The first
    way is the observed one.
    """
    outputs = [
        [*(run[i] for run in first), *(run[i] for run in second)] for i in range(len(first[0]))
    ]  # by segment, the first system's before the second's
    own = list(combinations(range(len(first) + len(second)), len(first)))
    gains = []
    for choice in product(own, repeat=len(outputs)):
        ahead = [rows[k] for rows, chosen in zip(outputs, choice, strict=True) for k in chosen]
        behind = [
            row for rows, chosen in zip(outputs, choice, strict=True) for k, row in enumerate(rows) if k not in chosen
        ]
        gains.append(score(_summed(ahead)) - score(_summed(behind)))
    return gains


def multeval_gains(first: Sequence[Sequence[Row]], second: Sequence[Sequence[Row]], score: Score) -> list[float]:
    """The gain of every outcome of MultEval's shuffle, each as likely as any other.

    For each segment: an order of the runs, and a coin for each place. Place i of the first pseudo-system has run order[i],
    of the second system if coin i is 1; place i of the second pseudo-system has the run at which `order` has i, of the
    other system.
    """
    runs, n = len(first), len(first[0])
    outcomes = list(product(permutations(range(runs)), product((0, 1), repeat=runs)))
    gains = []
    for choice in product(outcomes, repeat=n):
        ahead, behind = [], []
        for i, (order, coins) in enumerate(choice):
            for k in range(runs):
                one, other = (second, first) if coins[k] else (first, second)
                ahead.append(one[order[k]][i])
                behind.append(other[order.index(k)][i])
        gains.append(score(_summed(ahead)) - score(_summed(behind)))
    return gains
