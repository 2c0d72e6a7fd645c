"""Benjamini-Yekutieli, by statsmodels: controls the expected share of false findings among the findings."""

from __future__ import annotations

import numpy as np

from sigcore.corrections.contract import Correction
from sigcore.proof import Proof
from sigcore.types import Floats


def adjust(p: Floats) -> Floats:
    """The p-values adjusted by statsmodels' `multipletests`; never below p, in spite of rounding."""
    from statsmodels.stats.multitest import multipletests  # slow to import, and seldom used

    return np.asarray(np.maximum(p, multipletests(p, method="fdr_by")[1]))


CORRECTION = Correction(
    name="benjamini_yekutieli",
    title="Benjamini-Yekutieli",
    adjust=adjust,
    controls="the expected share of false findings among the findings, however the tests depend",
    source="Benjamini & Yekutieli 2001",
    rate="false discovery",
    proof=Proof(oracle="of_corrections:benjamini_yekutieli"),
    factor=lambda m: float(sum(1 / k for k in range(1, m + 1))),
)
