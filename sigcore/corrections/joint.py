"""Step-down max-T: compares every gain with the largest null gain of the pairs not yet rejected, in joint resamples."""

from __future__ import annotations

import numpy as np

from sigcore.corrections.contract import Correction, GridOfP
from sigcore.proof import Proof
from sigcore.resampling import pair_counts
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.types import Floats, Ints

AT_ONCE = 1 << 16  # numbers that stay in the processor's cache
SAME = 1e-11  # a null statistic within this share of the observed one reaches it


def count(statistic: Floats, null: Floats) -> Ints:
    """How many joint resamples (m, B) reach each statistic (m,): with the largest of the tests that are not before it.

    The tests are ordered by their statistic.
    """
    order = np.argsort(-statistic, kind="stable")
    if (order[1:] < order[:-1]).any():
        null = null[order]
    reached, least = np.empty(len(order), dtype=np.int64), (statistic[order] * (1 - SAME))[:, None]
    after, size = np.full(null.shape[1], -np.inf), max(1, AT_ONCE // max(null.shape[1], 1))
    for stop in range(len(order), 0, -size):
        part = slice(max(stop - size, 0), stop)
        largest = np.maximum.accumulate(null[part][::-1], axis=0)[::-1]  # of each test and those after it in this part
        after = np.maximum(largest, after, out=largest)[0]
        reached[order[part]] = np.count_nonzero(largest >= least[part], axis=1)
    return reached


def quicker(statistic: Floats, null: Floats, places: Ints, signs: Floats | None, spread: Floats) -> Ints | None:
    """The same counts from the null gains (P, B) of pairs by a compiled loop; None where it is not loaded."""
    return pair_counts.reached(null, places, signs, spread, statistic * (1 - SAME))


def settle(statistic: Floats, counts: Floats) -> Floats:
    """The counts (m,), none below that of a test with a larger statistic."""
    order = np.argsort(-statistic, kind="stable")
    reached = np.empty_like(counts)
    reached[order] = np.maximum.accumulate(counts[order])
    return reached


def adjust_prepared(p: Floats, reached: Floats, resamples: int) -> GridOfP:
    """(reached + 1) / (R + 1), never below p, with the interval of its Monte Carlo error."""
    low, high = clopper_pearson(reached, resamples)
    return np.maximum(p, (reached + 1) / (resamples + 1)), low, high


CORRECTION = Correction(
    name="joint",
    title="max-T",
    count=count,
    quicker=quicker,
    settle=settle,
    adjust_prepared=adjust_prepared,
    controls="the chance of even one false finding in the grid, by swaps of units, under bootstrap tests too; measured from 12 units on, not proved",
    source="Westfall & Young 1993, Algorithm 2.8; Romano & Wolf 2005 (step-down, studentised)",
    rate="family-wise",
    proof=Proof(oracle="of_corrections:joint"),
    factor=lambda m: 1.0,
)
