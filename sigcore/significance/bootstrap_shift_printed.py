"""Bootstrap with shift to zero as printed: bootstrap gains minus the mean of the drawn ones."""

from __future__ import annotations

from sigcore.significance.contract import Test
from sigcore.types import Floats


def null(pseudo: Floats, mean: Floats, gain: Floats) -> Floats:
    """The pseudo-gains minus the mean of the drawn ones."""
    return pseudo - mean


TEST = Test(
    name="bootstrap_shift_printed",
    title="Bootstrap, shift to zero (as printed)",
    draws="bootstrap",
    null=null,
    shifts=True,
    centring="drawn",
    counted="bootstrap resamples once the mean of them all is subtracted",
    help="The rule of the paper to the letter. The drawn mean differs from seed to seed, so for scores with few different "
    "values the seed decides whether ties count; the other shift test has no such fault.",
    source="Graham et al. 2014, Fig. 1 (two-sided) and Fig. 3 (one-sided)",
)
