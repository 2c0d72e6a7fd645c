"""Bootstrap with shift to zero: bootstrap gains, moved so that their mean is 0."""

from __future__ import annotations

from sigcore.significance.contract import Test
from sigcore.types import Floats


def null(pseudo: Floats, mean: Floats, gain: Floats) -> Floats:
    """The pseudo-gains minus their own mean."""
    return pseudo - mean


TEST = Test(
    name="bootstrap_shift",
    title="Bootstrap, shift to zero",
    draws="bootstrap",
    null=null,
    counted="bootstrap resamples after shifting them to a mean of zero",
    help="Resamples segments with replacement and shifts the gains to mean zero, as if the two systems were equal.",
    source="Graham et al. 2014, Fig. 1 (two-sided) and Fig. 3 (one-sided); Noreen 1989",
)
