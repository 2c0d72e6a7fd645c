"""Bounds and words of the studies: exact values at each, one step to either side, and the defaults that a study begins with."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sigcore.judgments import judgments
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import report, runs, tuning, units
from sigcore.studies.human.judges import standardise
from sigcore.studies.reproduce import bench as benches
from sigcore.studies.reproduce import rankel
from sigcore.studies.segments import slices
from sigcore.studies.segments.result import written
from sigcore.study import Study
from tests.made import text_set
from tests.unit import factories
from tests.unit.sigcore.studies.test_report import case


def test_a_judge_at_the_level_of_the_control_is_dropped_only_above_it() -> None:
    rows = [
        (kind, str(k), float(k % 5 + 3 * (kind == "ordinary"))) for kind in ("ordinary", "degraded") for k in range(6)
    ]
    kind, segment, score = zip(*rows, strict=True)
    columns = {"judge": ["j"] * 12, "system": ["A"] * 12, "segment": segment, "kind": kind, "score": score}
    found = judgments("control", columns)
    (judge,) = standardise(found, "all").judges
    assert 0 < judge.trust < 0.05
    assert standardise(found, "all", control=judge.trust).dropped == ()
    assert len(standardise(found, "all", control=math.nextafter(judge.trust, 0)).dropped) == 1


def test_the_jackknife_variance_of_two_values_is_known() -> None:
    """Of one there is none."""
    assert units.variance(np.array([1.0, 3.0])) == 1.0
    assert math.isnan(units.variance(np.array([1.0])))
    assert units.variance(np.array([[1.0, 3.0], [2.0, 2.0]])).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [(0.123456, 2, "+0.1235"), (-1.0, 2, "\N{MINUS SIGN}1.0000"), (0.123456, 4, "+0.123456"), (math.nan, 2, "n/a")],
)
def test_what_a_segment_adds_has_two_decimals_more_than_a_score(value: float, decimals: int, shown: str) -> None:
    assert written(value, SimpleNamespace(decimals=decimals)).replace("-", "\N{MINUS SIGN}") == shown  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "name", "where"),
    [
        ("domain", "news", "the domain news"), ("document", "d1", "the document d1"), ("question", "question", "questions"),
        ("question", "other", "segments that are not questions"), ("rare words", "rare words", "segments with rare words"),
        ("script", "Greek letters", "segments with Greek letters"), ("topic", "sports", "segments with topic sports"),
        ("length", "1 to 9", "segments of 1 to 9 words"), ("number", "with a number", "segments with a number"),
    ],
)  # fmt: skip
def test_the_part_with_the_clearest_gain_in_words(kind: str, name: str, where: str) -> None:
    """The one with the smallest p; of two with the same p the larger gain."""
    setup = factories.matrix().setup
    one = slices.Slice(setup, kind, name, 40, 0.1, 1.5, (1.0, 2.0), 0.001, 0.004, 0.05)
    less, open_ = replace(one, kind="domain", name="x", gain=0.5), replace(one, kind="domain", name="y", adjusted=0.2)
    said = slices.sentence([open_, less, one])
    assert said.startswith("The gain is significant on 2 of 3 parts, corrected over all of them. It is clearest on ")
    assert f"clearest on {where}: +1.50" in said
    assert slices.sentence([open_]) == "On none of the 1 parts is the gain significant, corrected over all of them."
    assert slices.sentence([]) == f"No part of the test set has at least {slices.LEAST} segments, but not all."


def open_verdicts(*resamples: int) -> str:
    """What is said of verdicts that more resamples could change, in grids of so many."""
    p = [[1, 0.049, 0.2], [0.049, 1, 0.2], [0.2, 0.2, 1]]
    grids = [factories.matrix(p=p, resamples=number, fewest=0) for number in resamples]
    (found,) = (one for one in report.check(replace(case(), results=tuple(grids))) if one.name == "resamples")
    return found.answer


def test_how_many_resamples_left_verdicts_open() -> None:
    """One number where all grids have the same, else the fewest and the most."""
    assert "could change with more than 10,000 resamples." in open_verdicts(10_000)
    assert "could change with more than 10,000 resamples." in open_verdicts(10_000, 10_000)
    assert "could change with more than 10,000 to 200,000 resamples." in open_verdicts(10_000, 200_000)


def result_of_runs(*rates: float) -> runs.RunsResult:
    testset, outputs = text_set(40, rates)
    study = Study(testset, (), [("bleu", {})], resamples=50, seed=3)
    half = len(outputs) // 2
    return runs.read(runs.run(study, runs.RunsPlan({"A": outputs[:half], "B": outputs[half:]}, "exact")), "bleu")


def test_runs_that_agree_about_the_better_system_need_no_note() -> None:
    """By their average, and as one output."""
    for rates in ((0.1, 0.12, 0.3, 0.32), (0.3, 0.32, 0.1, 0.12), (0.1, 0.1, 0.115, 0.115)):
        found = result_of_runs(*rates)
        apart = found.grid.gains[0, 1] * (found.average[0] - found.average[1])
        assert apart > 0
        assert not any("is not the same; p is about" in note for note in found.grid.notes)


def of_sets(p_value: float | None) -> rankel.Found:
    """What is found of four document sets of which the last differs from the others, with this p of Kruskal and Wallis."""
    differing = [[False, False, False, True]] * 3 + [[True, True, True, False]]
    ranks = SimpleNamespace(
        names=("a", "b", "c", "d"), means=np.arange(4.0), differing=lambda k, _: np.array(differing[k]),
        ends=lambda _: (np.arange(4.0) - 1, np.arange(4.0) + 1),
    )  # fmt: skip
    test = None if p_value is None else SimpleNamespace(p_value=p_value)
    run = SimpleNamespace(ranks=lambda _: ranks, test=lambda *_: test)
    matrix = ScoreMatrix("own", ("d1", "d2"), ("a", "b", "c"), np.zeros((2, 3)))
    bench = SimpleNamespace(scored=lambda _: SimpleNamespace(run=run, matrix=matrix))
    return rankel.different_sets(bench, SimpleNamespace(part=("rouge-2",)))  # type: ignore[arg-type]


def test_sets_that_differ_from_the_one_with_the_most_differences() -> None:
    """With p of the test of all of them; null where it is undefined."""
    found = of_sets(0.003)
    assert (found.value, found.rows) == (100.0, ({"test": "Kruskal-Wallis", "p": 0.003, "sets": 4},))
    assert "3 of the 3 other document sets differ from d" in found.said
    assert of_sets(None).rows[0]["p"] is None
    assert of_sets(math.nan).rows[0]["p"] is None


def tuned(monkeypatch: pytest.MonkeyPatch, **asked: object) -> tuning.TuningPlan:
    """The plan with which the bench tunes."""
    plans: list[tuning.TuningPlan] = []
    monkeypatch.setattr(benches.tuning, "combine", lambda outputs, testset, target, plan, runtime: plans.append(plan))
    made = benches.Bench()
    monkeypatch.setattr(made.__class__, "material", lambda *_: SimpleNamespace(outputs=(), testset=None))
    made.tuned(**asked)  # type: ignore[arg-type]
    return plans[0]


def test_the_methods_that_are_tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of the paper; two of them for long lists, policies and the first hypotheses of a list."""
    plan = tuned(monkeypatch)
    assert [name for name, _ in plan.methods] == list(benches.TUNED)
    assert (plan.policies, plan.size) == ((), benches.SHORT)
    long = tuned(monkeypatch, length=benches.SHORT + 1)
    assert ([name for name, _ in long.methods], long.size) == (["te_listmle", "pro"], benches.SHORT + 1)
    both = tuned(monkeypatch, policies=True)
    assert ([name for name, _ in both.methods], both.policies) == (["listnet", "listmle"], ("aggregate", "merge"))
    several = tuned(monkeypatch, top_n=True)
    assert several.methods == (("listmle", {}), *(("top_n", {"n": n}) for n in benches.TOP_N))
    assert several.policies == ()


def test_what_a_plan_of_tuning_begins_with() -> None:
    plan = tuning.TuningPlan()
    assert [name for name, _ in plan.methods] == ["te_listmle", "listnet", "pro", "mert"]
    assert (plan.split, plan.replicates, plan.resample, plan.iterations, plan.size, plan.policy) == (
        0.5,
        3,
        True,
        10,
        20,
        "aggregate",
    )
    assert (plan.test, plan.resamples, plan.seed, plan.sizes, plan.policies) == (
        "approximate_randomization",
        10_000,
        12345,
        (),
        (),
    )
