"""Bonferroni, by statsmodels: controls the chance of even one false finding."""

from __future__ import annotations

from sigcore.corrections.contract import Correction, by_statsmodels
from sigcore.proof import Proof

CORRECTION = Correction(
    name="bonferroni",
    title="Bonferroni",
    adjust=by_statsmodels("bonferroni"),
    controls="the chance of even one false finding in the grid",
    source="Dunn 1961",
    rate="family-wise",
    proof=Proof(oracle="of_corrections:bonferroni"),
)
