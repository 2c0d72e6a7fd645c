"""Verdicts of studies at their bounds: a rate of false alarms, what data lack for a claim, and p of what does not vary."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sigcore import Settings, Study
from sigcore.judgments import judgments
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import trust
from sigcore.studies.domains.parts import replicated
from sigcore.studies.learn.rates import _t_test
from sigcore.studies.reproduce.bench import Material, _lacking
from sigcore.studies.reproduce.record import Need
from sigcore.studies.tasks.compute import Task
from sigcore.studies.tasks.result import _most
from sigcore.studies.trust.result import Rate, Verdict
from tests.made import score_set, text_set

UP, DOWN = (math.nextafter(0.05, 1), math.nextafter(0.1, 1)), (math.nextafter(0.05, 0), math.nextafter(0.025, 0))


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (UP[0], 0.09, "too often"),
        (0.05, 0.09, "holds its level"),
        (0.03, DOWN[0], "too seldom"),
        (0.03, 0.05, "holds its level"),
        (0.025, 0.1, "holds its level"),
        (0.025, UP[1], "cannot tell"),
        (DOWN[1], 0.1, "cannot tell"),
        (UP[0], 1.0, "too often"),
        (0.0, DOWN[0], "too seldom"),
    ],
)
def test_the_interval_of_a_rate_decides(low: float, high: float, verdict: Verdict) -> None:
    """It holds its level if alpha lies within, ends included, and neither end is beyond half of alpha or twice alpha."""
    assert Rate(0.05, 5, 100, low, high).verdict == verdict


@pytest.mark.parametrize(
    ("rule", "systems", "correction", "words"),
    [
        (None, 2, "holm", "approximate randomization over segments rejects"),
        (None, 3, "holm", "approximate randomization over segments with Holm rejects"),
        (None, 3, "none", "approximate randomization over segments with no correction rejects"),
        ("rank_sum", 2, "none", "Wilcoxon"),
    ],
)
def test_a_finding_names_the_test_and_the_correction_of_several_pairs(
    rule: str | None, systems: int, correction: str, words: str
) -> None:
    """One pair needs no correction, so none is named; a person's name keeps its capital."""
    rng = np.random.default_rng(3)
    testset, outputs = score_set(*np.round(rng.normal(size=(systems, 24)), 1))
    rules = replace(Settings(), correction=correction)  # type: ignore[arg-type]
    study = Study(testset, outputs, (("own_scores", {}),), ("approximate_randomization",), "segment", rules, seed=7)
    result = trust.run(study, trust.TrustPlan(8, resamples=49, rule=rule) if rule else trust.TrustPlan(8, resamples=49))
    assert words in result.finding
    assert f"On your 24 segments and {systems} systems, " in result.finding


def test_a_domain_without_p_counts_as_no_difference() -> None:
    p = [0.001, math.nan, 0.002]
    found, known = replicated("a", "b", p, 0.05), replicated("a", "b", [0.001, 1.0, 0.002], 0.05)
    assert (found.significant, found.bonferroni, found.fisher) == (known.significant, known.bonferroni, known.fisher)
    assert found.significant == 2
    assert math.isnan(found.p_values[1])


@pytest.mark.parametrize(
    ("differences", "p"),
    [([], None), ([1.0], None), ([1.0, 1.0, 1.0], None), ([0.0, 2.0], 0.5), ([1.0, 1.0, 1.0, 1.0 + 1e-9], 0.0)],
)
def test_a_t_test_needs_two_differences_that_vary(differences: list[float], p: float | None) -> None:
    """(0, 2): t is 1 with one degree of freedom, whose p is a half by the arc tangent."""
    found = _t_test(np.array(differences))
    assert math.isnan(found) if p is None else found == pytest.approx(p, abs=1e-9)


@pytest.mark.parametrize(
    ("values", "most"),
    [
        ([0, 1, 1], 1.0),
        ([0, 100, 0], 100.0),
        ([0, 50, 0], 0.0),
        ([0, 0.5, 1], 0.0),
        ([0, 0, 0], 0.0),
        ([-1, 1, 0], 0.0),
    ],
)
def test_the_score_of_a_right_answer(values: list[float], most: float) -> None:
    """It is known where all answers are right or wrong."""
    cells = np.array(values, dtype=float)[:, None]
    assert _most(Task("t", "acc", "higher", ("a",), cells, np.arange(len(values)), "segment")) == most


def material(kind: str) -> Material:
    if kind == "scores":
        testset, outputs = score_set(np.arange(4.0), np.arange(4.0) + 1)
        return Material("made", testset, tuple(outputs))
    testset, outputs = text_set(2)
    return Material("made", testset, tuple(outputs))


RATED = judgments("r", {"system": ["a", "b"], "segment": ["1", "1"], "score": [1.0, 2.0]})


@pytest.mark.parametrize(
    ("kind", "changes", "need", "lack"),
    [
        ("text", {}, "human", "there are no ratings"),
        ("text", {"judgments": RATED}, "human", ""),
        ("scores", {"judgments": RATED}, "human", "the files contain scores"),
        ("scores", {}, "lists", "the files contain scores"),
        ("text", {}, "lists", ""),
        ("text", {}, "domains", "the segments are not of several domains"),
        ("one domain", {}, "domains", "the segments are not of several domains"),
        ("two domains", {}, "domains", ""),
        ("text", {}, "trees", "the files contain text"),
        ("text", {}, "nothing", ""),
        ("text", {"matrix": ScoreMatrix("m", ("d",), ("a",), np.zeros((1, 1)))}, "nothing", "only a matrix of scores was given"),
    ],
)  # fmt: skip
def test_what_data_lack_for_a_claim(kind: str, changes: dict[str, object], need: Need, lack: str) -> None:
    found = material(kind)
    if "domain" in kind:
        domains = ("news", "news" if kind == "one domain" else "chat")
        found = replace(found, testset=replace(found.testset, domains=domains))
    assert _lacking(replace(found, **changes), need) == lack  # type: ignore[arg-type]
