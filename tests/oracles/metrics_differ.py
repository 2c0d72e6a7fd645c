"""Slow, obvious twins of what compares metrics with people and with each other: loops over pairs, systems and swaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product

Pair = tuple[int, int]
Scores = Sequence[float]


def sign(x: float) -> int:
    return (x > 0) - (x < 0)


def t_over_systems(values: dict[Pair, float]) -> tuple[float, float, float]:
    """Mean, standard error and degrees of freedom: the unbiased variance, at least half of the jackknife's."""
    systems = sorted({s for pair in values for s in pair})
    mean = math.fsum(values.values()) / len(values)
    without = []
    for left_out in systems:
        rest = [v for pair, v in values.items() if left_out not in pair]
        without.append(math.fsum(rest) / len(rest))
    middle = math.fsum(without) / len(without)
    jackknife = (len(systems) - 1) / len(systems) * math.fsum((w - middle) ** 2 for w in without)
    apart = [values[p] * values[q] for p in values for q in values if not set(p) & set(q)]
    unbiased = mean**2 - math.fsum(apart) / len(apart)
    freedom = len(systems) - 1.0
    if unbiased > jackknife / 2:
        freedom *= min(1.0, unbiased / jackknife) ** 2
    return mean, math.sqrt(max(min(unbiased, jackknife), jackknife / 2)), freedom


def pairwise(scores: Scores, people: Scores) -> float:
    """The share of pairs that both order alike."""
    pairs = list(combinations(range(len(scores)), 2))
    return sum(sign(scores[i] - scores[j]) == sign(people[i] - people[j]) for i, j in pairs) / len(pairs)


def calibrated(scores: Scores, conclusions: dict[Pair, int]) -> tuple[float, float]:
    """(accuracy, epsilon): every gap, and 0, is tried as epsilon; the smallest of the best."""
    gaps = {(i, j): scores[i] - scores[j] for i, j in conclusions}
    best = (-1.0, math.nan)
    for epsilon in sorted({0.0, *(abs(gap) for gap in gaps.values())}):
        said = {pair: 0 if abs(gap) <= epsilon else sign(gap) for pair, gap in gaps.items()}
        accuracy = sum(said[pair] == theirs for pair, theirs in conclusions.items()) / len(conclusions)
        if accuracy > best[0]:
            best = (accuracy, epsilon)
    return best


def standardise(scores: Scores) -> list[float]:
    mean = math.fsum(scores) / len(scores)
    spread = math.sqrt(math.fsum((s - mean) ** 2 for s in scores) / len(scores))
    return [(s - mean) / spread for s in scores]


def swap_systems(first: Scores, second: Scores, measure) -> float:
    """The share of all 2^S swaps of standardised scores under which the measures differ at least as much."""
    a, b = standardise(first), standardise(second)
    observed = abs(measure(a) - measure(b))
    reached = 0
    for mask in product((0, 1), repeat=len(a)):
        x = [q if m else p for p, q, m in zip(a, b, mask, strict=True)]
        y = [p if m else q for p, q, m in zip(a, b, mask, strict=True)]
        reached += abs(measure(x) - measure(y)) >= observed - 1e-9
    return reached / 2 ** len(a)
