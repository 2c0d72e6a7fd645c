"""The listwise losses as the paper writes them: loops, and sums over all permutations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations


def step(z: Sequence[float], left: Sequence[int], chosen: int) -> float:
    """The probability that `chosen` comes next among the members that are left."""
    return math.exp(z[chosen]) / sum(math.exp(z[t]) for t in left)


def probability(z: Sequence[float], order: Sequence[int]) -> float:
    """Equation 4: the probability of a permutation."""
    return math.prod(step(z, order[j:], order[j]) for j in range(len(order)))


def listnet(scores: Sequence[float], target: Sequence[float]) -> float:
    """The top-one loss: the cross entropy of the probabilities to be first."""
    members = range(len(scores))
    return -sum(step(target, members, j) * math.log(step(scores, members, j)) for j in members)


def weighted(scores: Sequence[float], order: Sequence[int], costs: Sequence[float]) -> float:
    """Equation 5 with a cost for each place."""
    return -sum(costs[j] * math.log(step(scores, order[j:], order[j])) for j in range(len(order)))


def costs(k: int) -> list[float]:
    """Equation 6."""
    return [(k - j + 1) / sum(range(1, k + 1)) for j in range(1, k + 1)]


def listnet_te(scores: Sequence[float], target: Sequence[float], costs: Sequence[float]) -> float:
    """The expectation of `weighted` over all permutations under the target."""
    return sum(
        probability(target, order) * weighted(scores, order, costs) for order in permutations(range(len(scores)))
    )
