"""The gain without each segment, by scoring the strings again without that line; and common subsequences by their definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.oracles.resample_strings import corpus_score


def without(segments: Sequence[str], place: int) -> list[str]:
    """The segments but one."""
    return [*segments[:place], *segments[place + 1 :]]


def gains_without(
    scorer: Any, system: Sequence[str], baseline: Sequence[str], references: Sequence[Sequence[str]], sign: float = 1.0
) -> list[float]:
    """For each segment, the score of the system minus that of the baseline on all others; `sign` -1: lower is better."""
    found = []
    for place in range(len(system)):
        kept = [without(stream, place) for stream in references]
        pair = [corpus_score(scorer, without(outputs, place), kept) for outputs in (system, baseline)]
        found.append(sign * (pair[0] - pair[1]))
    return found


def influences(gain: float, without: Sequence[float]) -> list[float]:
    """An equal share of the gain, and the jackknife's (n - 1) (mean - value) (Efron and Tibshirani 1993), divided by n."""
    n = len(without)
    middle = math.fsum(without) / n
    return [gain / n + (n - 1) * (middle - one) / n for one in without]


def longest(text: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The length of a longest common subsequence, by its definition."""

    @cache
    def of(k: int, j: int) -> int:
        if k == len(text) or j == len(other):
            return 0
        if text[k] == other[j]:
            return 1 + of(k + 1, j + 1)
        return max(of(k + 1, j), of(k, j + 1))

    return of(0, 0)
