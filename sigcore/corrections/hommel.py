"""Hommel, by statsmodels: controls the chance of even one false finding."""

from __future__ import annotations

import numpy as np

from sigcore.corrections.contract import Correction
from sigcore.proof import Proof
from sigcore.types import Floats


def adjust(p: Floats) -> Floats:
    """The p-values adjusted by statsmodels' `multipletests`; never below p, in spite of rounding."""
    from statsmodels.stats.multitest import multipletests  # slow to import, and seldom used

    return np.asarray(np.maximum(p, multipletests(p, method="hommel")[1]))


CORRECTION = Correction(
    name="hommel",
    title="Hommel",
    adjust=adjust,
    controls="the chance of even one false finding in the grid, if the tests are independent or positively "
    "dependent, which is not proved for all pairs of systems",
    source="Hommel 1988",
    rate="family-wise",
    proof=Proof(oracle="of_corrections:hommel"),
    factor=lambda m: 1.0,
)
