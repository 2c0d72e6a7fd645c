"""MultEval's table of several runs, and what a grid says of p that few resamples cannot reach."""

from __future__ import annotations

from sigboard.render.grid import Grid, heading
from sigboard.render.runs import multeval_latex, runs_table
from sigcore.studies import runs
from sigcore.study import Study
from tests.made import text_set
from tests.unit.factories import matrix


def results() -> list[runs.RunsResult]:
    """BLEU and TER of two systems with two runs each."""
    testset, outputs = text_set(20, (0.1, 0.12, 0.2, 0.22))
    study = Study(testset, (), [("bleu", {}), ("ter", {})], resamples=50, seed=3)
    made = runs.run(study, runs.RunsPlan({"Kite": outputs[:2], "Albatross": outputs[2:]}, "exact"))
    return [runs.read(made, metric) for metric in ("bleu", "ter")]


def test_a_metric_has_its_name_above_its_systems_once() -> None:
    body = multeval_latex(results()).partition("\\midrule")[2].partition("\\bottomrule")[0]
    assert [line.partition("&")[0].strip() for line in body.split("\n") if "&" in line] == ["BLEU", "", "TER", ""]


def test_the_scores_of_runs_begin_below_each_other() -> None:
    """As their systems do; other numbers end so."""
    shown = runs_table(results(), 0.05).split("\n\n")
    head, *rows = next(part for part in shown if "SD over runs" in part).split("\n")
    start, end = head.index("runs"), head.index("SD over runs") + len("SD over runs")
    assert len(rows) == 2
    assert all(row[start - 1] == " " and row[start] != " " for row in rows)
    assert all(row[end - 1] != " " and row[end] == " " for row in rows)


def test_the_key_says_which_p_few_resamples_cannot_reach() -> None:
    """Above the strongest level of the grid, .001; not in the narrow form."""

    def said(least: float, compact: bool = False) -> list[str]:
        result = matrix((40.0, 42.0, 41.0), resamples=100, least_p=least)
        return [one for one in heading(Grid.of(result, 0.05), compact) if "cannot fall below" in one]

    assert said(0.0099) == ["with 100 resamples p cannot fall below 0.0099"]
    assert said(0.0099, compact=True) == said(0.001) == []
