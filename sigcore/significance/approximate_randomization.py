"""Approximate randomization: the two outputs of a segment are swapped with probability 1/2."""

from __future__ import annotations

from sigcore.significance.contract import Test
from sigcore.types import Floats


def null(pseudo: Floats, mean: Floats, gain: Floats) -> Floats:
    """The pseudo-gains as they are: swapping has made the two systems equal on average."""
    return pseudo


TEST = Test(
    name="approximate_randomization",
    title="Approximate randomization",
    draws="swap",
    null=null,
    counted="shuffles",
    help="Swaps the two systems' outputs at random, unit by unit (a segment, a document or a block). Assumes that under the "
    "null hypothesis the two outputs of a unit could change places, independently of other units.",
    source="Noreen 1989; Riezler & Maxwell 2005; Graham et al. 2014, Fig. 2 (one-sided), two-sided by absolute value",
)
