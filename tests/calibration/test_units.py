"""Where segments are alike within documents, tests over documents hold their level and tests over segments do not."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import metrics, significance
from sigcore.metrics.contract import from_values
from sigcore.studies import units
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import read_unit
from tests.calibration.nulls import ALPHA, band, p_values
from tests.drawn import DRAWN

TESTS = [significance.get(name) for name in DRAWN]
DOCUMENTS, LENGTH = 40, 5
OWN = metrics.get("own_scores")
SET = Testset(
    "null", "scores", DOCUMENTS * LENGTH, documents=tuple(str(i // LENGTH) for i in range(DOCUMENTS * LENGTH))
)


def pair(rng: np.random.Generator) -> list[SufficientStatistics]:
    """Two equal systems: their differences are alike within documents (half of the variance), and symmetric."""
    common = np.repeat(rng.normal(size=DOCUMENTS), LENGTH)
    scores = common + rng.normal(size=SET.n), np.zeros(SET.n)
    options = OWN.chosen()
    return [
        from_values(OWN, options, Outputs(f"s{k}", ("0",)), np.column_stack([x, np.ones(SET.n)]), "null")
        for k, x in enumerate(scores)
    ]


def rates(unit: str, replications: int, resamples: int, seed: int) -> dict[str, float]:
    """The share of null test sets on which the two-sided p is at most .05, by test."""
    found, hits = units.groups(SET, read_unit(unit)), dict.fromkeys((test.name for test in TESTS), 0)
    for child in np.random.SeedSequence(seed).spawn(replications):
        rng = np.random.default_rng(child)
        drawn = [item if found is None else units.summed(item, found) for item in pair(rng)]
        values = p_values(drawn, TESTS, resamples, int(rng.integers(2**62)))
        for name in hits:
            hits[name] += values[name]["two-sided"] <= ALPHA
    return {name: count / replications for name, count in hits.items()}


def allowance(name: str) -> float:
    """How much a bootstrap of so many documents may exceed its level (about 1/n)."""
    return 0.0 if name == "approximate_randomization" else 1.0 / DOCUMENTS


@pytest.mark.parametrize("unit", ["document", f"block:{LENGTH}"])
def test_size_over_documents_quick(unit):
    """Over documents every test rejects at .05 inside the exact binomial 99.9 % band of 600 null test sets."""
    low, high = band(600)
    for name, rate in rates(unit, 600, 199, seed=2).items():
        assert low <= rate <= high + allowance(name), (name, rate)


def test_segments_of_documents_reject_too_often_quick():
    """Over segments of the same null every test rejects about four times too often: the band sees it."""
    for name, rate in rates("segment", 200, 199, seed=3).items():
        assert rate > 3 * ALPHA > band(200)[1], (name, rate)


@pytest.mark.slow
def test_size_over_documents():
    """The same on 3000 null test sets of 499 resamples."""
    low, high = band(3000)
    for name, rate in rates("document", 3000, 499, seed=4).items():
        assert low <= rate <= high + allowance(name), (name, rate)
