"""The check before submission: every state of every question."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from sigcore.data import Finding
from sigcore.results import MatrixResult
from sigcore.studies import matrix, report
from sigcore.studies.report import Case, Check
from sigcore.study import Study
from sigcore.testset import Outputs, Testset
from tests.unit import factories

WORDS = [
    "the",
    "small",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "the",
    "dog",
    "lay",
    "on",
    "the",
    "sofa",
    "near",
    "an",
    "open",
    "door",
]
SEGMENTS = tuple(f"{WORDS[k % 16]} {WORDS[(3 * k) % 16]} {k} {WORDS[(5 * k) % 16]}" for k in range(100))


def outputs(name: str, changed: int) -> Outputs:
    """An output that differs from SEGMENTS in the first `changed` segments."""
    return Outputs(name, tuple(f"{s} {name}" if k < changed else s for k, s in enumerate(SEGMENTS)))


def case(result: MatrixResult | None = None, **changes: Any) -> Case:
    """A case in which nothing is wrong that the files can show."""
    usual = {
        "testset": Testset("t", "text", 100, (SEGMENTS,)),
        "outputs": (outputs("a", 20), outputs("b", 40), outputs("c", 60)),
        "results": (result or factories.matrix(p=[[1, 0.001, 0.2]] * 3),),
        "alpha": 0.05,
    }
    return Case(**{**usual, **changes})


def answer(name: str, **changes: Any) -> Check:
    """The answer to one question about `case`."""
    return {one.name: one for one in report.check(case(**changes))}[name]


def with_setup(**changes: Any) -> MatrixResult:
    """A grid of three systems whose setup is changed."""
    return factories.matrix(p=[[1, 0.001, 0.2]] * 3, **changes)


CASES: list[tuple[str, dict[str, Any], str, tuple[str, str] | None]] = [
    ("sides", {}, "green", None),
    ("sides", {"result": with_setup(side="greater")}, "amber", ("sides", "two-sided")),
    ("rule", {}, "green", None),
    ("rule", {"result": with_setup(tie_rule="strict")}, "red", ("ties", "counted")),
    ("rule", {"result": with_setup(estimator="paper")}, "red", ("estimator", "valid")),
    ("correction", {}, "green", None),
    ("correction", {"result": with_setup(correction="none")}, "red", ("correction", "auto")),
    ("correction", {"result": factories.matrix((40.0, 42.0), correction="none")}, "green", None),
    ("unit", {}, "unknown", None),
    ("unit", {"result": with_setup(unit="document", n=30, segments=100)}, "green", None),
    ("size", {}, "green", None),
    ("size", {"result": with_setup(n=12)}, "amber", None),
    ("size", {"result": with_setup(n=5)}, "amber", None),
    ("size", {"result": with_setup(n=5, test="bootstrap_shift")}, "red", None),
    ("size", {"result": with_setup(n=12, test="bootstrap_shift")}, "amber", ("test", "approximate_randomization")),
    ("size", {"result": with_setup(n=4, least_by_units=0.125)}, "red", None),
    ("runs", {}, "unknown", None),
    (
        "runs",
        {"outputs": (outputs("a.seed1", 9), outputs("a.seed2", 20))},
        "amber",
        ("runs", "{system}.seed{run}"),
    ),
    ("outputs", {}, "green", None),
    ("outputs", {"outputs": (outputs("a", 0), Outputs("b", SEGMENTS))}, "red", None),
    ("outputs", {"outputs": (outputs("a", 0), outputs("b", 5))}, "amber", None),
    ("outputs", {"outputs": (outputs("a", 0), outputs("b", 6))}, "green", None),
    ("tuning", {}, "unknown", None),
    ("tuning", {"unseen": True}, "green", None),
    ("metric", {}, "green", None),
    ("metric", {"testset": Testset("t", "scores", 100)}, "unknown", None),
    ("resamples", {}, "green", None),
    ("resamples", {"result": with_setup(least_p=0.06, resamples=50)}, "red", ("resamples", "auto")),
    ("resamples", {"result": factories.matrix(p=[[1, 0.05, 0.2]] * 3)}, "amber", ("resamples", "1000000")),
    (
        "resamples",
        {"result": factories.matrix(p=[[1, 0.05, 0.2]] * 3, resamples=10**6)},
        "amber",
        ("resamples", "10000000"),
    ),
    ("resamples", {"result": factories.matrix(p=[[1, 0.05, 0.2]] * 3, resamples=10**7)}, "amber", None),
    ("resamples", {"result": with_setup(resamples=0)}, "green", None),
    ("tried", {}, "green", None),
    ("tried", {"metrics": 2, "tests": 3}, "amber", None),
    ("data", {}, "green", None),
    ("data", {"findings": (Finding("warning", "Odd."), Finding("note", "n"))}, "amber", None),
    ("data", {"findings": (Finding("warning", "Odd."), Finding("error", "Bad."))}, "red", None),
]


@pytest.mark.parametrize(("name", "changes", "state", "setting"), CASES)
def test_state_and_setting(name: str, changes: dict[str, Any], state: str, setting: tuple[str, str] | None) -> None:
    """Each question has the state that its data and settings call for, and names the setting that is its fix."""
    one = answer(name, **changes)
    assert (one.state, one.setting) == (state, setting)
    assert one.state == "green" or one.fix
    assert one.answer.endswith(".")


def test_every_question_is_answered_once() -> None:
    """Each question has one answer, and the worst state is that of the most serious one."""
    checks = report.check(case())
    assert tuple(one.name for one in checks) == report.NAMES
    assert len({*report.NAMES}) == len(checks) == len(report.QUESTIONS)
    assert report.worst(checks) == "unknown"
    assert report.worst(report.check(case(with_setup(correction="none")))) == "red"


def test_japanese_needs_its_tokenizer() -> None:
    """BLEU of Japanese with tokenizer 13a is amber, and the fix is the tokenizer; with that tokenizer it is green."""
    testset = Testset("t", "text", 100, (tuple(f"これは猫です {k}" for k in range(100)),))
    wrong = answer("metric", testset=testset, result=with_setup(signature="metric:bleu|tok:13a|test:x"))
    right = answer("metric", testset=testset, result=with_setup(signature="metric:bleu|tok:char|test:x"))
    assert (wrong.state, wrong.setting, right.state) == ("amber", ("bleu.tokenize", "ja-mecab"), "green")


def test_ignored_documents_are_red_and_absence_of_evidence_is_not_green() -> None:
    """Segments drawn where documents matter: red. Where segments are not alike: amber with few documents, whose design
    effect says nothing, green with very many; all but green offer documents."""
    texts = [f"w{k % 5} x{k % 7} y{k % 11} z" for k in range(200)]
    for documents, state in ((25, "red"), (10, "red")):
        of = [k * documents // 200 for k in range(200)]
        testset = Testset("t", "text", 200, (tuple(texts),), documents=tuple(f"d{d}" for d in of))
        good = Outputs("good", tuple(t if d % 2 else "nothing at all" for t, d in zip(texts, of, strict=True)))
        other = Outputs("other", tuple("nothing at all" if d % 2 else t for t, d in zip(texts, of, strict=True)))
        run = matrix.run(Study(testset, [good, other], [("accuracy", {})], unit="segment", resamples=200))
        result = matrix.read(run, "accuracy", "approximate_randomization")
        one = {c.name: c for c in report.check(Case(testset, (good, other), (result,), 0.05))}["unit"]
        assert (one.state, one.setting) == (state, ("unit", "document"))
    draw = random.Random(3)
    for documents, length, state, setting in ((10, 20, "amber", ("unit", "document")), (1500, 2, "green", None)):
        n = documents * length
        testset = Testset("t", "scores", n, documents=tuple(f"d{k // length}" for k in range(n)))
        pair = [Outputs(name, tuple(str(draw.random()) for _ in range(n))) for name in "AB"]
        run = matrix.run(Study(testset, pair, [("own_scores", {})], unit="segment", resamples=200))
        result = matrix.read(run, "own_scores", "approximate_randomization")
        one = {c.name: c for c in report.check(Case(testset, tuple(pair), (result,), 0.05))}["unit"]
        assert (one.state, one.setting) == (state, setting)
        assert "design effect is" in one.answer


def test_people_are_asked_where_there_are_ratings() -> None:
    """Pairs on which people and the metric have other verdicts are counted, and those with opposite ones; without ratings
    the question is in order."""

    class Rated:
        systems = ("sys2", "sys1", "sys0")

        def levels(self, alpha: float) -> Any:
            """sys2 is better than both others; the other pair is not distinguished."""
            return np.array([[np.nan, 2.0, 1.0], [-2.0, np.nan, 0.0], [-1.0, 0.0, np.nan]])

    # by the metric sys1 is better than sys0 and than sys2
    p = [[1, 0.01, 0.5], [0.01, 1, 0.01], [0.5, 0.01, 1]]
    found = answer("people", result=factories.matrix([40.0, 42.0, 41.5], p=p), people=Rated())
    assert (found.state, found.page) == ("amber", "human")
    assert found.answer == "Not on 3 of 3 pairs: BLEU has another verdict there, and the opposite one on 1."
    same = answer(
        "people", result=factories.matrix([1.0, 1.0, 2.0], p=[[1, 0.9, 0.01]] * 2 + [[0.01, 0.01, 1]]), people=Rated()
    )
    assert same.state == "green"
    assert answer("people").answer == "No ratings by people are loaded."
