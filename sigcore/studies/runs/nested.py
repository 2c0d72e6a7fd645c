"""The hierarchical bootstrap: runs are drawn with replacement, then units; the draws of units are those of all tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sigcore.resampling.blocks import blocks, generator
from sigcore.resampling.counting import RAW, thresholds
from sigcore.resampling.spool import Spool
from sigcore.resampling.weights import bootstrap_counts
from sigcore.significance import Tally, Test
from sigcore.types import SIDES, Floats


def _shifted(pseudo: Floats, mean: Floats, gain: Floats) -> Floats:
    return pseudo - gain


NESTED = Test(
    name="hierarchical_bootstrap",
    title="Hierarchical bootstrap",
    draws="bootstrap",
    null=_shifted,
    shifts=True,
    help="Draws runs with replacement, then units, and shifts the gains to zero. It asks about other runs and other "
    "segments; with few runs it finds too many differences.",
    source="Davison & Hinkley 1997, Section 3.8; the deviations of m runs are multiplied by sqrt(m / (m - 1))",
)


def nested_scores(scores: Spool, rows: Sequence[NDArray[np.intp]], keys: Sequence[tuple[int, ...]], seed: int) -> Spool:
    """The oriented average score of the drawn runs of every system on every resample of units.

    `scores` has the bootstrap scores of all runs, `rows[s]` the places of the runs of system s, `keys[s]` the numbers
    that its draws depend on besides the seed. The deviations of m drawn runs from the average of all are multiplied by
    sqrt(m / (m - 1)): without that, the average of m drawn runs varies too little by a factor of (m - 1) / m in variance.
    """
    out = Spool(len(rows), scores.resamples)
    for block in blocks(scores.resamples):
        of_runs = scores.get(block.index)
        systems = zip(rows, keys, strict=True)
        out.put(block.index, np.stack([_drawn(of_runs[own], key, seed, block.index) for own, key in systems]))
    return out


def _drawn(scores: Floats, key: tuple[int, ...], seed: int, index: int) -> Floats:
    """The average (B,) of drawn runs from the scores (m, B) of all runs of a system."""
    runs, size = scores.shape
    average = scores.mean(axis=0)
    if runs < 2:
        return np.asarray(average)
    drawn = bootstrap_counts(generator(seed, "drawn runs", index, *key), size, runs).T / runs  # (m, B)
    deviations = (drawn * (scores - average)).sum(axis=0)
    return np.asarray(average + math.sqrt(runs / (runs - 1)) * deviations)


def tally_nested(scores: Spool, gains: Floats, units: Floats, pairs: NDArray[np.intp]) -> Tally:
    """The counts of the hierarchical bootstrap on pairs (P, 2), from the drawn averages of all systems.

    `gains` (P,) are those of the averages: the expectation of a drawn gain for a metric that is a mean.
    """
    seen = thresholds([NESTED.cutoffs(gains, side) for side in SIDES], units)
    raw = np.zeros((RAW, len(pairs)), dtype=np.int64)
    left, right = pairs.T
    for block in scores:
        raw += seen.count(NESTED.statistics(block[left] - block[right], gains[:, None], gains[:, None]))
    return Tally(pairs, gains, units, gains, seen.sides(raw), raw[-1], scores.resamples)
