"""The figure of a calibration: the shares of p, the band of a valid test, and a curve for each planted gain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigboard.questions.trust import figure
from sigcore import Settings, Study
from sigcore.studies import trust
from tests.made import score_set


@pytest.fixture(scope="module")
def result() -> trust.TrustResult:
    """A pair of systems with scores, and half of their gain."""
    testset, outputs = score_set(*np.random.default_rng(5).normal(size=(2, 20)))
    study = Study(testset, outputs, (("own_scores", {}),), unit="segment", settings=Settings())
    return trust.run(study, trust.TrustPlan(8, planted=(0.5,)))


def test_the_curve_is_the_share_of_p(result: trust.TrustResult) -> None:
    """At x the share of repetitions with p at most x; p on a step counts there."""
    known = replace(result, p_values=np.array([0.05, 0.5, 0.5, 1.0]))
    curve = next(trace for trace in figure.distribution(known).data if trace.name == "no difference")
    shares = dict(zip(np.round(curve.x, 3).tolist(), curve.y, strict=True))
    assert [shares[x] for x in (0.0, 0.045, 0.05, 0.495, 0.5, 1.0)] == [0, 0, 0.25, 0.25, 0.75, 1]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_planted_gain_has_a_curve(result: trust.TrustResult, theme: figure.Theme) -> None:
    """Beside the null, in another colour, under its own name."""
    lines = {trace.name: trace.line.color for trace in figure.distribution(result, theme).data if trace.mode == "lines"}
    assert "50% of the gain" in lines
    assert lines["50% of the gain"] != lines["no difference"]


def test_the_words_have_the_rates(result: trust.TrustResult) -> None:
    """Who cannot see the figure reads the same shares."""
    assert "over 8 repetitions without a difference" in figure.distribution_alt(result)
    assert "at most 0.05" in figure.distribution_alt(result)
