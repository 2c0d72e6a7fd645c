"""Where segments are alike within documents, tests over documents hold their level and tests over segments do not."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import metrics, significance
from sigcore.metrics.contract import from_values
from sigcore.studies import units
from sigcore.testset import Outputs, Testset
from sigcore.types import read_unit
from tests import some
from tests.calibration.nulls import ALPHAS, Systems, allowance, band, rejections
from tests.drawn import DRAWN

TESTS = [significance.get(name) for name in DRAWN]
DOCUMENTS, LENGTH = 40, 5
OWN = metrics.get("own_scores")
SET = Testset(
    "null", "scores", DOCUMENTS * LENGTH, documents=tuple(str(i // LENGTH) for i in range(DOCUMENTS * LENGTH))
)


def pair(rng: np.random.Generator, documents: int = DOCUMENTS) -> Systems:
    """Two equal systems: their differences are alike within documents (half of the variance), and symmetric."""
    n = documents * LENGTH
    common = np.repeat(rng.normal(size=documents), LENGTH)
    scores = common + rng.normal(size=n), np.zeros(n)
    options = OWN.chosen()
    return [
        from_values(OWN, options, Outputs(f"s{k}", ("0",)), np.column_stack([x, np.ones(n)]), "null")
        for k, x in enumerate(scores)
    ]


def rates(unit: str, replications: int, resamples: int, seed: int) -> dict[tuple[str, float], float]:
    """The share of null test sets on which the two-sided p is at most alpha, by test and alpha."""
    found = units.groups(SET, read_unit(unit))

    def null(rng: np.random.Generator) -> Systems:
        return [item if found is None else units.summed(item, found) for item in pair(rng)]

    every = rejections(null, TESTS, replications=replications, resamples=resamples, seed=seed)
    return {(test.name, alpha): every[test.name, "two-sided", alpha] for test in TESTS for alpha in ALPHAS}


def documents_hold_the_level(unit: str, replications: int, resamples: int, seed: int) -> None:
    """Every test rejects inside the exact binomial 99.9% band; a bootstrap may exceed it by its allowance."""
    for (name, alpha), rate in rates(unit, replications, resamples, seed).items():
        low, high = band(replications, alpha)
        assert low <= rate <= high + allowance(name, DOCUMENTS, alpha), (name, alpha, rate)


@pytest.mark.parametrize("unit", some.first(["document", f"block:{LENGTH}"]))
def test_size_over_documents_quick(unit):
    """Over documents every test holds .05 and .01 on 600 null test sets."""
    documents_hold_the_level(unit, 600, 199, seed=2)


def test_segments_of_documents_reject_too_often_quick():
    """Over segments of the same null every test rejects more than three times too often: the band sees it."""
    for (name, alpha), rate in rates("segment", 200, 199, seed=3).items():
        assert rate > max(3 * alpha, band(200, alpha)[1]), (name, alpha, rate)


@pytest.mark.slow
def test_size_over_documents():
    """The same on 3000 null test sets of 499 resamples."""
    documents_hold_the_level("document", 3000, 499, seed=4)


def randomization_of_few(documents: int, replications: int, seed: int) -> dict[tuple[bool, float], float]:
    """The share of null test sets with p at most alpha under randomization, by whether documents are the unit, and alpha."""
    test, out = [significance.get("approximate_randomization")], dict[tuple[bool, float], float]()
    unit_of = np.arange(documents * LENGTH, dtype=np.intp) // LENGTH
    for summed in (True, False):

        def null(rng: np.random.Generator, summed: bool = summed) -> Systems:
            return [units.summed(item, unit_of) if summed else item for item in pair(rng, documents)]

        every = rejections(null, test, replications=replications, resamples=999, seed=seed)
        out |= {(summed, alpha): every[test[0].name, "two-sided", alpha] for alpha in ALPHAS}
    return out


@pytest.mark.parametrize("documents", some.first([8, 15]))
def test_few_documents_hold_the_level_quick(documents: int) -> None:
    """From 6 documents on they are the usual unit: 8 and 15 hold .05 and .01, and their segments do not."""
    rates = randomization_of_few(documents, 600, seed=documents)
    for alpha in ALPHAS:
        assert rates[True, alpha] <= band(600, alpha)[1]
        assert rates[False, alpha] > band(600, alpha)[1]


@pytest.mark.slow
@pytest.mark.parametrize("documents", [6, 8, 10, 15, 19])
def test_few_documents_hold_the_level(documents: int) -> None:
    """The same on 6,000 null test sets; with 15 documents .05 is met within .01."""
    rates = randomization_of_few(documents, 6_000, seed=100 + documents)
    for alpha in ALPHAS:
        assert rates[True, alpha] <= band(6_000, alpha)[1]
    if documents >= 10:
        assert rates[True, 0.05] == pytest.approx(0.05, abs=0.01)
