"""Bonferroni, by statsmodels: controls the chance of even one false finding."""

from __future__ import annotations

import numpy as np

from sigcore.corrections.contract import Correction
from sigcore.proof import Proof
from sigcore.types import Floats


def adjust(p: Floats) -> Floats:
    """The p-values adjusted by statsmodels' `multipletests`; never below p, in spite of rounding."""
    from statsmodels.stats.multitest import multipletests  # slow to import, and seldom used

    return np.asarray(np.maximum(p, multipletests(p, method="bonferroni")[1]))


CORRECTION = Correction(
    name="bonferroni",
    title="Bonferroni",
    adjust=adjust,
    controls="the chance of even one false finding in the grid",
    source="Dunn 1961",
    rate="family-wise",
    proof=Proof(oracle="of_corrections:bonferroni"),
)
