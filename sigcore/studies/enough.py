"""How many resamples are enough? Drawing goes on until no verdict depends on how many there are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Protocol, TypeVar

import numpy as np

from sigcore.results import MatrixResult, TestResult
from sigcore.study import START, Study, fixed
from sigcore.types import AUTO

MOST = 1_000_000  # the most that is drawn without being requested

# The most products of a weight and a statistic in one pass: about half a minute on two cores.
PRODUCTS = 5 * 10**11

# Drawing goes on while alpha is within this many times the distance from p to the ends of its 95 % interval: about the
# ends of a 99.9 % interval. Looking several times then rarely stops on the wrong side.
WIDER = 1.7

# The strongest level of the colour key.
FINEST = 0.001

GROWTH = 4

__all__ = ["MOST", "START", "Counted", "draw", "fixed", "wanted"]


class Counted(Protocol):
    """A run of a study: `resamples` were drawn, each at the cost of that many `products`."""

    @property
    def resamples(self) -> int:
        """R."""
        ...

    @property
    def products(self) -> int:
        """The products of a weight and a statistic in one resample."""
        ...


Run = TypeVar("Run", bound=Counted)
Read = Callable[[Run], Iterable[MatrixResult | TestResult]]


def draw(study: Study, work: Callable[[Study], Run], read: Read[Run]) -> Run:
    """The run of the study; for "auto" resamples, of as many as the verdicts at its alpha of the results `read` from it
    need.

    The number depends on the data and the settings only, and a run of that many requested resamples is the same run.
    """
    if study.resamples != AUTO:
        return work(study)
    run = work(replace(study, resamples=START))
    while more := wanted(run, read(run), study.alpha):
        run = work(replace(study, resamples=more))
    return run


def wanted(run: Counted, results: Iterable[MatrixResult | TestResult], alpha: float) -> int:
    """How many resamples to draw next, 0 if all verdicts are settled at alpha or the bound is reached."""
    most = min(MOST, max(START, PRODUCTS // max(run.products, 1)))
    needs = [_need(result, alpha) for result in results]
    need = _round(max(needs, default=0))
    return min(need, most) if run.resamples < most and need > run.resamples else 0


def _need(result: MatrixResult | TestResult, alpha: float) -> int:
    """How many resamples this result needs, 0 if it needs no more than it has."""
    setup = result.setup
    if not setup.resamples or setup.least_by_units > alpha:
        return 0  # nothing is drawn, or no number of resamples can show a difference
    p, low, high = _intervals(result)
    least = setup.least_p * (setup.resamples + 1)  # R + 1 times the smallest adjusted p
    target = min(alpha, FINEST)
    if (low == 0).any() and setup.least_p > max(target, setup.least_by_units):
        # a gain that no resample reaches is held up by R alone
        return math.ceil(least / target) - 1
    apart = WIDER * (p - low), WIDER * (high - p)
    near = (p - apart[0] <= alpha) & (alpha < p + apart[1])
    return GROWTH * setup.resamples if near.any() else 0


def _intervals(result: MatrixResult | TestResult) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The adjusted p of all tests of the result and the ends of their Monte Carlo intervals, each (m,)."""
    if isinstance(result, TestResult):
        return tuple(np.array([value]) for value in (result.p_value, *result.p_interval))  # type: ignore[return-value]
    tests = ~np.eye(len(result.systems), dtype=bool)
    assert result.adjusted_low is not None
    assert result.adjusted_high is not None
    return result.adjusted[tests], result.adjusted_low[tests], result.adjusted_high[tests]


def _round(resamples: int) -> int:
    """The next number of the series 1, 2, 5, 10, ... that is at least as large."""
    if resamples <= START:
        return resamples
    power = 10 ** (len(str(resamples - 1)) - 1)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= resamples)
