"""Benjamini-Yekutieli, by statsmodels: controls the expected share of false findings among the findings."""

from __future__ import annotations

from sigcore.corrections.contract import Correction, by_statsmodels
from sigcore.proof import Proof

CORRECTION = Correction(
    name="benjamini_yekutieli",
    title="Benjamini-Yekutieli",
    adjust=by_statsmodels("fdr_by"),
    controls="the expected share of false findings among the findings, however the tests depend",
    source="Benjamini & Yekutieli 2001",
    rate="false discovery",
    proof=Proof(oracle="of_corrections:benjamini_yekutieli"),
    factor=lambda m: float(sum(1 / k for k in range(1, m + 1))),
)
