"""Step-down max-T: compares every gain with the largest null gain of the pairs not yet rejected, in joint resamples."""

from __future__ import annotations

import numpy as np

from sigcore.corrections.contract import Correction, GridOfP, JointNull
from sigcore.proof import Proof
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.types import Floats

SAME = 1e-11  # a null statistic within this share of the observed one reaches it


def prepare(joint: JointNull) -> Floats:
    """How many joint resamples reach each test's statistic, (m,): with the largest statistic of the tests after it.

    The tests are ordered by their studentised gain. A resample on which a score is undefined reaches all of them. A test
    without any spread is reached by all, and takes no part in the others. Cost: O(R m), two sweeps over the draws.
    """
    spread = _spread(joint)
    statistic = np.where(spread > 0, joint.observed / np.where(spread > 0, spread, 1.0), 0.0)
    order = np.argsort(-statistic, kind="stable")
    cut = statistic[order] * (1 - SAME)
    count = np.zeros(len(order))
    for block in joint.blocks():
        null = np.where(spread[:, None] > 0, block / np.where(spread > 0, spread, 1.0)[:, None], -np.inf)[order]
        null[:, np.isnan(block).any(axis=0)] = np.inf
        largest = np.maximum.accumulate(null[::-1], axis=0)[::-1]  # (m, B): of this test and those after it
        count += (largest >= cut[:, None]).sum(axis=1)
    reached = np.empty_like(count)
    reached[order] = np.maximum.accumulate(count)
    return np.where(spread > 0, reached, float(joint.resamples))


def _spread(joint: JointNull) -> Floats:
    """The root mean square of each test's null, (m,); undefined statistics left out."""
    squares, defined = np.zeros(len(joint.observed)), np.zeros(len(joint.observed))
    for block in joint.blocks():
        squares += np.nansum(block**2, axis=1)
        defined += (~np.isnan(block)).sum(axis=1)
    return np.sqrt(squares / np.maximum(defined, 1))


def adjust_prepared(p: Floats, reached: Floats, resamples: int) -> GridOfP:
    """(reached + 1) / (R + 1), never below p, with the interval of its Monte Carlo error."""
    low, high = clopper_pearson(reached, resamples)
    return np.maximum(p, (reached + 1) / (resamples + 1)), low, high


CORRECTION = Correction(
    name="max_t",
    title="max-T",
    prepare=prepare,
    adjust_prepared=adjust_prepared,
    controls="the chance of even one false finding in the grid, approximately: with few units it is above alpha, more so than for one test",
    source="Westfall & Young 1993, Algorithm 2.8 (step-down, studentised)",
    rate="family-wise",
    proof=Proof(oracle="of_corrections:max_t"),
    factor=lambda m: 1.0,
)
