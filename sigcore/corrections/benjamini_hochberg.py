"""Benjamini-Hochberg: controls the false discovery rate, the expected share of false findings among all findings."""

from __future__ import annotations

import numpy as np

from sigcore.corrections.contract import Correction
from sigcore.proof import Proof
from sigcore.types import Floats


def adjust(p: Floats) -> Floats:
    """The k-th smallest of m times m / k, never above a later one, at most 1."""
    order = np.argsort(p, kind="stable")[::-1]
    m = len(p)
    # the factor first: it is never below 1, so rounding cannot put an adjusted p below p
    stepped = np.minimum.accumulate(p[order] * (m / np.arange(m, 0, -1)))
    out = np.empty(m)
    out[order] = np.minimum(1.0, stepped)
    return out


CORRECTION = Correction(
    name="benjamini_hochberg",
    title="Benjamini-Hochberg",
    adjust=adjust,
    controls="the expected share of false findings among all findings, if the tests are independent "
    "or positively dependent (PRDS), which is not proved for all pairs of systems",
    source="Benjamini & Hochberg 1995",
    rate="false discovery",
    proof=Proof(oracle="of_corrections:benjamini_hochberg"),
    # the factor is 1 if all m p-values are equally small
    factor=lambda m: 1.0,
)
