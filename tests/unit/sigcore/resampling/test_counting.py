"""Counting against many cut-offs at once equals counting one number at a time."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.resampling.pvalues import thresholds, tolerance
from sigcore.significance import members
from sigcore.types import SIDES
from tests.drawn import DRAWN

GAINS = np.array([0.5, -0.5, 0.0, 1e-13, 2.0])


def one_by_one(null: np.ndarray, low: float, high: float, unit: float) -> tuple[int, int]:
    """Beyond and on the cut-offs, number by number, from the definition; what is undefined lies beyond."""
    beyond = reached = 0
    for value in null:
        over = [(value - high, high), (low - value, low)]
        past = [np.isnan(value)] + [excess > tolerance(cut, unit) for excess, cut in over if np.isfinite(cut)]
        met = [np.isnan(value)] + [excess >= -tolerance(cut, unit) for excess, cut in over if np.isfinite(cut)]
        beyond += any(past)
        reached += any(met)
    return beyond, reached - beyond


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("undefined", [False, True])
def test_counts_equal_the_definition(name: str, undefined: bool) -> None:
    """Every test's cut-offs on every side, with ties on them, gains of zero and of noise, and undefined numbers
    (which lie beyond, so that they never speak for a gain)."""
    test = members()[name]
    rng = np.random.default_rng(3)
    null = rng.choice([-2.0, -0.5, -1e-13, 0.0, 1e-13, 0.5, 2.0, 0.7], size=(len(GAINS), 400))
    if undefined:
        null[:, ::7] = np.nan
    units = np.full(len(GAINS), 1.0)
    sides = [test.cutoffs(GAINS, side) for side in SIDES]
    made = thresholds(sides, units)
    found = made.sides(made.count(null[:, :150]) + made.count(null[:, 150:]))
    for side, (low, high) in enumerate(sides):
        for pair in range(len(GAINS)):
            expected = one_by_one(null[pair], float(low[pair]), float(high[pair]), 1.0)
            assert tuple(found[side, :, pair]) == expected


def test_part_is_the_same() -> None:
    """Counting some of the pairs gives their part of the counts."""
    test = members()["bootstrap_shift"]
    null = np.random.default_rng(0).normal(size=(len(GAINS), 300))
    whole = thresholds([test.cutoffs(GAINS, side) for side in SIDES], np.ones(len(GAINS)))
    np.testing.assert_array_equal(whole.part(slice(1, 4)).count(null[1:4]), whole.count(null)[:, 1:4])
