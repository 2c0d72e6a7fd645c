"""Hommel, by statsmodels: controls the chance of even one false finding."""

from __future__ import annotations

from sigcore.corrections.contract import Correction, by_statsmodels
from sigcore.proof import Proof

CORRECTION = Correction(
    name="hommel",
    title="Hommel",
    adjust=by_statsmodels("hommel"),
    controls="the chance of even one false finding in the grid, if the tests are independent or positively "
    "dependent, which is not proved for all pairs of systems",
    source="Hommel 1988",
    rate="family-wise",
    proof=Proof(oracle="of_corrections:hommel"),
    factor=lambda m: 1.0,
)
