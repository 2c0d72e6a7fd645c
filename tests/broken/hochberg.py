"""Hochberg's correction, and one that returns p unchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sigcore.corrections.contract import Correction
from sigcore.proof import Adjusted, Proof
from sigcore.types import Floats


def adjust(p: Floats) -> Floats:
    """The k-th smallest of m times (m - k + 1), never above a later one."""
    order = np.argsort(p, kind="stable")[::-1]
    out = np.empty(len(p))
    out[order] = np.minimum.accumulate(p[order] * np.arange(1, len(p) + 1))
    return out


EXAMPLE = Adjusted(
    (0.01, 0.04, 0.03, 0.005),
    ("3 * 0.01", "0.04", "0.04", "4 * 0.005"),
    "by hand: 4 * .005, 3 * .01, 2 * .03 above .04, 1 * .04",
)
UNEQUAL = Adjusted((0.9, 0.02, 0.4), ("0.9", "3 * 0.02", "2 * 0.4"), "by hand: 3 * .02, 2 * .4, 1 * .9")
# One test, or tests that are all alike, look the same with and without a correction.
WEAK = Proof((Adjusted((0.03,), ("0.03",), "one test needs no correction"),))

RIGHT = Correction(
    name="hochberg",
    title="Hochberg",
    adjust=adjust,
    controls="the chance of even one false finding in the grid, if the tests are independent",
    rate="family-wise",
    source="Hochberg 1988",
    factor=lambda m: 1.0,
    proof=Proof((EXAMPLE, UNEQUAL)),
)
BROKEN = {
    "it returns p": replace(RIGHT, adjust=np.array),
    "it returns p, and its example does not show it": replace(RIGHT, adjust=np.array, proof=WEAK),
    "it returns p, and claims nothing": replace(RIGHT, adjust=np.array, proof=WEAK, rate="each test"),
    "it has no proof": replace(RIGHT, proof=Proof()),
}
