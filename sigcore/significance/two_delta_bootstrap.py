"""Two-delta bootstrap: how often a bootstrap gain is more than twice the observed one."""

from __future__ import annotations

from sigcore.proof import Proof
from sigcore.significance.contract import Minus, Test

TEST = Test(
    name="two_delta_bootstrap",
    title="Two-delta bootstrap",
    draws="bootstrap",
    null=Minus("the gain"),  # "at least twice the gain" becomes "at least the gain"
    counted="bootstrap resamples after subtracting the observed gain",
    help="Resamples units (segments, documents or blocks) with replacement. Bootstrap gains centre on the observed gain, so "
    "a gain of twice that size is about as unlikely as the observed gain would be if the systems did not differ. Assumes "
    "that units are independent of each other and that gains would then vary in the same way; with few units p is too "
    "small.",
    source="Berg-Kirkpatrick et al. 2012, Fig. 1 (there one-sided and strict: ties = strict)",
    proof=Proof(oracle="of_tests:two_delta_bootstrap"),
)
