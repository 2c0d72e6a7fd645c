"""Holm: steps down through the sorted p-values; controls the family-wise error rate, the chance of any false finding."""

from __future__ import annotations

import numpy as np

from sigcore.corrections.contract import Correction
from sigcore.proof import Proof
from sigcore.types import Floats


def adjust(p: Floats) -> Floats:
    """The k-th smallest of m times (m - k + 1), never falling, at most 1."""
    order = np.argsort(p, kind="stable")
    m = len(p)
    stepped = np.maximum.accumulate(p[order] * (m - np.arange(m)))
    out = np.empty(m)
    out[order] = np.minimum(1.0, stepped)
    return out


CORRECTION = Correction(
    name="holm",
    title="Holm",
    adjust=adjust,
    controls="the chance of even one false finding in the grid",
    source="Holm 1979",
    rate="family-wise",
    proof=Proof(oracle="of_corrections:holm"),
)
