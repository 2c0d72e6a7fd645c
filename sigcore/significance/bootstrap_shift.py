"""Bootstrap with shift to zero: bootstrap gains, moved so that they are centred on zero."""

from __future__ import annotations

from sigcore.proof import Proof
from sigcore.significance.contract import Minus, Test

TEST = Test(
    name="bootstrap_shift",
    title="Bootstrap, shift to zero",
    draws="bootstrap",
    null=Minus("the centre"),  # their expectation
    shifts=True,
    counted="bootstrap resamples once they are shifted to a mean of zero",
    help="Resamples units (segments, documents or blocks) with replacement and shifts the gains to mean zero, as if the two "
    "systems did not differ. Assumes that units are independent of each other; approximate: with few units p is too small.",
    source="Graham et al. 2014, Fig. 1 (two-sided) and Fig. 3 (one-sided); Noreen 1989; there the mean of the drawn gains "
    "is subtracted, here their expectation, so that the seed cannot decide ties",
    proof=Proof(oracle="of_tests:bootstrap_shift"),
)
