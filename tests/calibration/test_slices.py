"""Where two systems do not differ, some slice is significant in about alpha of all test sets, after the correction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore import Runtime, Study
from sigcore.studies import segments
from sigcore.types import PLANNED_PAIR
from tests.calibration.nulls import band
from tests.made import score_set

WORLDS, SEGMENTS = 1000, 160


@pytest.mark.slow
def test_slices_keep_the_family_wise_error() -> None:
    """Over domains and documents of equal systems, the rate of any significant slice is inside the exact binomial band."""
    found = 0
    for world in range(WORLDS):
        rng = np.random.default_rng(world)
        testset, outputs = score_set(*rng.normal(size=(2, SEGMENTS)))
        domains = tuple(f"d{k}" for k in rng.integers(0, 3, SEGMENTS))
        testset = replace(testset, domains=domains, documents=tuple(f"e{k // 40}" for k in range(SEGMENTS)))
        study = Study(
            testset,
            outputs,
            [("own_scores", {})],
            ["approximate_randomization"],
            unit="segment",
            resamples=299,
            seed=world,
            family=PLANNED_PAIR,
        )
        (parts,) = segments.sliced(study, segments.Texts(testset, *outputs), Runtime(cache={}))
        found += any(one.significant for one in parts)
    low, high = band(WORLDS, 0.05)
    assert low <= found / WORLDS <= high
