"""Bootstrap with shift to zero as printed: bootstrap gains minus the mean of the drawn ones."""

from __future__ import annotations

from sigcore.proof import Proof
from sigcore.significance.contract import Minus, Test

TEST = Test(
    name="bootstrap_shift_printed",
    title="Bootstrap, shift to zero (as printed)",
    draws="bootstrap",
    null=Minus("the centre"),  # the mean of the drawn gains
    shifts=True,
    centring="drawn",
    counted="bootstrap resamples once the mean of them all is subtracted",
    help="The rule of the paper to the letter. The drawn mean differs from seed to seed, so for scores with few different "
    "values the seed decides whether ties count; the other shift test has no such fault.",
    source="Graham et al. 2014, Fig. 1 (two-sided) and Fig. 3 (one-sided)",
    proof=Proof(oracle="of_tests:bootstrap_shift_printed"),
)
