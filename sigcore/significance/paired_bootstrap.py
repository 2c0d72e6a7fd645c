"""Paired bootstrap: how often the better system loses on a bootstrap test set."""

from __future__ import annotations

import numpy as np

from sigcore.proof import Proof
from sigcore.significance.contract import Minus, Test
from sigcore.types import Floats, Side


def cutoffs(gain: Floats, side: Side) -> tuple[Floats, Floats]:
    """Zero, on the side where the gain is lost; two-sided, zero on the side away from the gain."""
    zero, low, high = np.zeros_like(gain), np.full_like(gain, -np.inf), np.full_like(gain, np.inf)
    if side == "greater":
        return zero, high
    if side == "less":
        return low, zero
    return np.where(gain >= 0, zero, low), np.where(gain >= 0, high, zero)


TEST = Test(
    name="paired_bootstrap",
    title="Paired bootstrap",
    draws="bootstrap",
    null=Minus("nothing"),  # this test has no null distribution, it counts how many gains are beyond zero
    cutoffs=cutoffs,
    doubled=True,
    counted="bootstrap resamples",
    help="Resamples units (segments, documents or blocks) with replacement and counts how often the better system does not "
    "win. Assumes that units are independent of each other; approximate: with few units p is too small.",
    source="Koehn 2004; Graham et al. 2014, Fig. 4 (there strict: ties = strict). Two-sided = twice the smaller side",
    proof=Proof(oracle="of_tests:paired_bootstrap"),
)
