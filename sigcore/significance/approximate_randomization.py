"""Approximate randomization: the two outputs of a segment are swapped with probability 1/2."""

from __future__ import annotations

from sigcore.proof import Proof
from sigcore.significance.contract import Minus, Test

TEST = Test(
    name="approximate_randomization",
    title="Approximate randomization",
    draws="swap",
    null=Minus("nothing"),  # swapping has made the two systems equal on average
    counted="shuffles",
    help="Swaps the two systems' outputs at random, unit by unit (a segment, a document or a block). Assumes that under the "
    "null hypothesis the two outputs of a unit could change places, independently of other units.",
    source="Noreen 1989; Riezler & Maxwell 2005; Graham et al. 2014, Fig. 2 (one-sided), two-sided by absolute value",
    proof=Proof(oracle="of_tests:approximate_randomization"),
)
