"""p as printed elsewhere: strict and half ties, and c / R, give numbers and no verdict."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.executors import Serial
from sigcore.studies import compare, gain, matrix
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from tests.made import score_set

OWN = [("own_scores", {})]
TEST = "approximate_randomization"


@pytest.fixture(scope="module")
def one_differs():
    """300 segments of which one differs: under the null its swap gives the same size of gain each time."""
    zeros = np.zeros(300)
    return score_set(np.r_[1.0, zeros[1:]], zeros)


def test_one_segment_of_300_is_never_significant(one_differs):
    """Strict ties print the smallest p there is for it; neither the verdict nor the grid claims anything."""
    testset, outputs = one_differs
    run = compare.run(Study(testset, outputs, OWN, [TEST], resamples=20_000), runtime=Runtime(executor=Serial()))
    strict = compare.read(run, "own_scores", Settings(ties="strict")).chief
    assert strict.p_value == pytest.approx(1 / 20_001, rel=1e-12)
    assert strict.counted_p == 1.0
    assert not strict.significant(0.05)
    assert "significant" not in str(strict)
    assert "p = 1.0" in str(strict)
    for ties in ("strict", "half"):
        result = matrix.read(run.matrix, "own_scores", TEST, Settings(ties=ties))
        assert not result.levels(0.6).any()
        assert str(result).startswith("No verdict")
        assert not gain.read(result).significant(0.6).any()
    counted = compare.read(run, "own_scores").chief
    assert np.isnan(counted.counted_p)
    assert counted.p_value == 1.0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(ties="strict"), ["(strict), as in some papers"]),
        (Settings(ties="half"), ["(half), as in some papers"]),
        (Settings(estimator="paper"), ["p is c / R"]),
        (Settings(ties="strict", estimator="paper"), ["(strict), as in some papers", "p is c / R"]),
        (Settings(), []),
    ],
)
def test_every_such_result_has_a_warning(one_differs, settings, words):
    """Page, terminal, JSON and Python show the notes of a result: the warning is one of them."""
    testset, outputs = one_differs
    run = compare.run(Study(testset, outputs, OWN, [TEST], resamples=100), runtime=Runtime(executor=Serial()))
    for notes in (
        compare.read(run, "own_scores", settings).notes,
        matrix.read(run.matrix, "own_scores", TEST, settings).notes,
    ):
        warnings = [note for note in notes if "is not a verdict" in note]
        assert len(warnings) == len(words)
        assert all(word in note for word, note in zip(words, warnings, strict=True))


def test_a_p_of_zero_proves_nothing():
    """With c / R and ten resamples a clear gain has p = 0, below every alpha; it is printed as what R supports."""
    testset, outputs = score_set(np.ones(300), np.zeros(300))
    run = compare.run(Study(testset, outputs, OWN, [TEST], resamples=10), runtime=Runtime(executor=Serial()))
    result = compare.read(run, "own_scores", Settings("greater", "paper")).chief
    assert result.p_value == 0
    assert "p < 0.31)" in str(result)
    assert not result.significant(0.001)
    assert result.counted_p == 1 / 11


@pytest.mark.parametrize(("side", "low", "high"), [("greater", 0.4, 0.6), ("less", 1.0, 1.0), ("two-sided", 1.0, 1.0)])
def test_the_counted_p_is_that_of_the_same_side(one_differs, side, low, high):
    """Half of the swaps of the only segment that differs leave its gain, all have its size: one-sided p is about .5."""
    testset, outputs = one_differs
    run = compare.run(Study(testset, outputs, OWN, [TEST], resamples=1000), runtime=Runtime(executor=Serial()))
    printed = compare.read(run, "own_scores", Settings(side, ties="strict")).chief
    assert printed.counted_p == compare.read(run, "own_scores", Settings(side)).chief.p_value
    assert low <= printed.counted_p <= high


def test_what_segments_ignore_is_in_the_setup():
    """The caveat of the methods sentence is there only where segments were drawn and documents matter."""
    rng = np.random.default_rng(4)
    topics = np.repeat(rng.normal(size=30), 10)
    testset, outputs = score_set(topics + rng.normal(size=300), np.zeros(300))
    object.__setattr__(testset, "documents", tuple(f"d{k // 10}" for k in range(300)))
    for unit, ignored in (("segment", True), ("document", False)):
        run = matrix.run(Study(testset, outputs, OWN, unit=unit, resamples=50), runtime=Runtime(executor=Serial()))
        caveat = matrix.read(run, "own_scores", TEST).setup.caveat
        assert ("alike within the 30 documents" in caveat) == ignored
