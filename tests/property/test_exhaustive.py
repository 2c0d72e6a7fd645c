"""Randomization against all 2^n swaps of ten segments."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import metrics
from sigcore.executors import Serial
from sigcore.metrics import extractor
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies import compare
from sigcore.study import Runtime, Study
from sigcore.types import SIDES
from tests import some
from tests.made import score_set, text_set
from tests.made_statistics import statistics_set
from tests.made_structures import MAKERS, structure_set
from tests.oracles.all_swaps import exact_p, pseudo_gains

NAMES = sorted(metrics.members())
RESAMPLES = 20_000


def ten_segments(kind: str, seed: int):
    """Ten segments of two systems near each other."""
    if kind == "text":
        return text_set(10, (0.15, 0.25), seed)
    if kind in MAKERS:
        return structure_set(kind, 10, (0.15, 0.25), seed)
    if kind == "statistics":
        return statistics_set(10, (0.15, 0.25), seed)
    rng = np.random.default_rng(seed)
    return score_set(rng.integers(0, 6, 10), rng.integers(0, 5, 10))


@pytest.mark.parametrize("seed", some.first([1, 2, 5]))
@pytest.mark.parametrize("name", NAMES)
def test_monte_carlo_p_is_near_the_exact_p(name, seed):
    """On every side the count of R shuffles is one that R draws with the exact p can well give (99.99%)."""
    metric = metrics.get(name)
    options = metric.chosen()
    testset, outputs = ten_segments(metric.kind, seed)
    extract = extractor(metric, testset, options)
    sign = -1.0 if metric.better_of(options) == "lower" else 1.0
    rows = [extract(item).values.tolist() for item in outputs]
    gains = pseudo_gains(*rows, lambda sums: sign * float(metric.score(np.array(sums), options)))
    assert len(gains) == 1024
    run = compare.run(
        Study(testset, outputs, [(name, {})], ["approximate_randomization"], resamples=RESAMPLES),
        runtime=Runtime(executor=Serial()),
    )
    for side in SIDES:
        result = compare.read(run, name).result("approximate_randomization", side)
        assert result.gain == pytest.approx(gains[0], abs=1e-10)
        low, high = clopper_pearson(result.tail, RESAMPLES, 0.9999)
        assert low <= exact_p(gains, side) <= high


def test_all_swaps_by_hand():
    """Two segments with gains 3 and 1: the four shuffles have mean gains 2, 1, -1, -2."""
    gains = pseudo_gains([[3.0], [1.0]], [[0.0], [0.0]], lambda sums: sums[0] / 2)
    assert sorted(gains) == [-2.0, -1.0, 1.0, 2.0]
    assert [exact_p(gains, side) for side in SIDES] == [0.5, 0.25, 1.0]
