"""McNemar's test of two systems with scores of 0 and 1, to be shown beside other tests of the same pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.formatting import p_text
from sigcore.studies.pairwise.signs import mid_p, sign_test
from sigcore.testset import Outputs, Testset

EXACT = 0  # resamples behind an exact p


@dataclass(frozen=True)
class McNemar:
    """The segments that only the first, or only the second system has right, with the exact p and the mid-p."""

    system: str
    baseline: str
    only_first: int
    only_second: int
    p_value: float
    p_mid: float

    def __str__(self) -> str:
        return (
            f"McNemar's test, exact and two-sided, of segments: only {self.system} is right on {self.only_first:,}, only {self.baseline} on "
            f"{self.only_second:,}; {p_text(self.p_value, EXACT)} (mid-{p_text(self.p_mid, EXACT)}). Approximate randomization of "
            "segments estimates the same p."
        )


def mcnemar(testset: Testset, system: Outputs, baseline: Outputs) -> McNemar | None:
    """McNemar's test of two systems; None unless all their scores are 0 or 1."""
    if testset.kind != "scores":
        return None
    try:
        first, second = (np.array([float(cell) for cell in one.segments]) for one in (system, baseline))
    except ValueError:
        return None  # a score is missing
    if not np.isin(np.concatenate([first, second]), (0.0, 1.0)).all():
        return None
    one, other = int((first > second).sum()), int((first < second).sum())
    return McNemar(system.system, baseline.system, one, other, float(sign_test(one, other)), float(mid_p(one, other)))
