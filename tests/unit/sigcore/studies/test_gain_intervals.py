"""The interval of the gain of every pair: that of its bootstrap gains, and the same in a grid and for the pair alone."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.studies import compare, matrix
from sigcore.studies.matrix import Settings, compute
from sigcore.study import Study
from tests.made import score_set, text_set

QUICK = {"resamples": 700}


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_the_interval_is_that_of_numpy_and_of_compare(metric):
    """Each cell has the quantiles of the pseudo-gains, its mirror the negative ones, and compare prints the same."""
    testset, outputs = text_set(40, (0.1, 0.15, 0.3))
    run = matrix.run(Study(testset, outputs, [(metric, {})], ["bootstrap_shift"], **QUICK), keep=True)
    result = matrix.read(run, metric, "bootstrap_shift")
    scores = np.concatenate(list(run.draws[0].scores), axis=1)
    assert result.gain_intervals.shape == (3, 3, 2)
    for i in range(3):
        for j in range(3):
            np.testing.assert_allclose(
                result.gain_intervals[i, j], np.quantile(scores[i] - scores[j], [0.025, 0.975]), rtol=0, atol=1e-12
            )
            if i < j:
                pair = compare.run(Study(testset, [outputs[i], outputs[j]], [(metric, {})], tests=None, **QUICK))
                assert compare.read(pair, metric).interval == tuple(result.gain_intervals[i, j])
    run.close()


def test_few_units_have_no_interval():
    """As for one pair: below the least number of units there is none."""
    testset, outputs = score_set(np.arange(9) + 1.0, np.zeros(9))
    result = matrix.read(
        matrix.run(Study(testset, outputs, [("own_scores", {})], **QUICK)), "own_scores", "approximate_randomization"
    )
    assert np.isnan(result.gain_intervals[0, 1]).all()


def test_too_many_pairs_have_none(monkeypatch):
    """The work is bounded: beyond the bound the result is without intervals, not slow."""
    monkeypatch.setattr(compute, "MOST_GAINS", 1000)
    testset, outputs = text_set(12, (0.1, 0.2, 0.3))
    run = matrix.run(Study(testset, outputs, **QUICK))
    assert matrix.read(run, "bleu", "approximate_randomization").gain_intervals is None


def test_one_pair_alone_is_not_corrected():
    """A single test has nothing to correct: neither the setup nor the signature names a correction."""
    testset, outputs = text_set(12, (0.1, 0.2))
    run = matrix.run(Study(testset, outputs, **QUICK))
    for correction in ("holm", "auto", "joint"):
        alone = matrix.read(run, "bleu", "approximate_randomization", Settings(correction=correction))
        assert alone.setup.correction == "none"
        assert "correction:none" in alone.setup.signature
        np.testing.assert_array_equal(alone.adjusted, alone.p_values)
    # one-sided, both directions are tested
    both = matrix.read(run, "bleu", "approximate_randomization", Settings("greater", correction="holm"))
    assert "correction:holm" in both.setup.signature
