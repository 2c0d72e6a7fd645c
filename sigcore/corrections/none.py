"""No correction: every pair is tested separately."""

from __future__ import annotations

import numpy as np

from sigcore.corrections.contract import Correction
from sigcore.proof import Proof

CORRECTION = Correction(
    name="none",
    title="none",
    adjust=np.array,
    controls="the error of each single test, not of the whole grid",
    source="",
    rate="each test",
    proof=Proof(oracle="of_corrections:none"),
    factor=lambda m: 1.0,
)
