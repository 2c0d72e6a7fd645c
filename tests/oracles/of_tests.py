"""The p-values of the tests by enumeration, one function for each: the rows of two systems, a score of their sums, a side.

A test's proof names its function here. The rows of a unit are two or more numbers that can be added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import nan

from tests.oracles import all_draws, all_swaps

Rows = Sequence[Sequence[float]]
Score = Callable[[Sequence[float]], float]


def approximate_randomization(first: Rows, second: Rows, score: Score, side: str) -> float:
    """The share of all 2^n ways to swap."""
    return all_swaps.exact_p(all_swaps.pseudo_gains(first, second, score), side)


def _drawn(test: str, first: Rows, second: Rows, score: Score, side: str) -> float:
    """The share of all n^n ways to draw."""
    one, other = ([sum(column) for column in zip(*rows, strict=True)] for rows in (first, second))
    gains = all_draws.drawn_gains(first, second, score)
    return all_draws.exact_p(test, gains, score(one) - score(other), side)


bootstrap_shift = partial(_drawn, "bootstrap_shift")
paired_bootstrap = partial(_drawn, "paired_bootstrap")
two_delta_bootstrap = partial(_drawn, "two_delta_bootstrap")


def bootstrap_shift_printed(first: Rows, second: Rows, score: Score, side: str) -> float:
    """That of the expectation; nan where a tie is decided by the mean of the drawn gains, which has no exact value."""
    one, other = ([sum(column) for column in zip(*rows, strict=True)] for rows in (first, second))
    gains, gain = all_draws.drawn_gains(first, second, score), score(one) - score(other)
    ends = {all_draws.exact_p("bootstrap_shift_printed", gains, gain * factor, side) for factor in (1 - 1e-6, 1 + 1e-6)}
    return ends.pop() if len(ends) == 1 else nan
