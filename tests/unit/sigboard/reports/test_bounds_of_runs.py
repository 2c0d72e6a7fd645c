"""What the tables of runs and of papers say where a number is undefined, or where nothing was drawn."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from sigboard.render import paper
from sigboard.render.runs import baseline_of, multeval_table, runs_json, runs_sentence, runs_table, summary
from sigcore.formatting import format_p
from sigcore.results import Family
from sigcore.studies import runs
from sigcore.study import Study
from tests.made import text_set
from tests.unit.factories import matrix


@pytest.fixture(scope="module")
def result() -> runs.RunsResult:
    """BLEU of two systems, the first with three runs and the second with two."""
    testset, outputs = text_set(20, (0.1, 0.12, 0.14, 0.2, 0.22))
    study = Study(testset, (), [("bleu", {})], resamples=50, seed=3)
    made = runs.run(study, runs.RunsPlan({"Kite": outputs[:3], "Albatross": outputs[3:]}, "exact"))
    return runs.read(made, "bleu")


def row_of_the_pair(result: runs.RunsResult) -> dict[str, str]:
    """The cells of the only pair by their heads."""
    table = next(part for part in runs_table([result], 0.05).split("\n\n") if part.startswith("pair "))
    head, row = (re.split(r"\s{2,}", line.strip()) for line in table.split("\n")[:2])
    return dict(zip(head, row, strict=True))


def test_t_has_its_degrees_of_freedom(result: runs.RunsResult) -> None:
    """Three runs and two: five scores less two averages. Where runs do not vary there is no t."""
    shown = row_of_the_pair(result)
    assert shown["pair"] == "Kite - Albatross"
    assert shown["t (df)"] == f"{result.run_t[0, 1]:.2f} (3)"
    none = np.full((2, 2), np.nan)
    without = row_of_the_pair(replace(result, run_t=none, run_df=none, run_p=none))
    assert without["t (df)"] == without["p of t"] == "n/a"


def test_a_gain_without_an_interval_says_so(result: runs.RunsResult) -> None:
    """Too many pairs have none; else its ends are in brackets."""
    low, high = result.grid.gain_intervals[0, 1] if result.grid.gain_intervals is not None else (0, 0)
    assert row_of_the_pair(result)["interval"] == f"[{low:.2f}, {high:.2f}]"
    without = replace(result, grid=replace(result.grid, gain_intervals=None))
    assert row_of_the_pair(without)["interval"] == "n/a"


@pytest.mark.parametrize(
    ("names", "place", "shown"),
    [
        (("Kite", "Albatross"), 1, ["Kite", "Albatross (baseline)"]),
        (("Baseline", "Albatross"), 0, ["Baseline", "Albatross"]),
        (("Kite", "BASELINE"), 1, ["Kite", "BASELINE"]),
        (("Baseline", "baseline"), 0, ["Baseline", "baseline"]),
    ],
)
def test_the_baseline_of_runs(result: runs.RunsResult, names: tuple[str, str], place: int, shown: list[str]) -> None:
    """That of this name, or else the last; it has no p against itself, and no second word for what it is."""
    named = replace(result, grid=replace(result.grid, systems=names))
    assert baseline_of(named) == place
    lines = multeval_table([named]).split("\n")[1:]
    assert [re.split(r"\s{2,}", line)[0] for line in lines] == shown
    assert [line.endswith("/-)") for line in lines] == [k == place for k in range(2)]
    head, *rows = summary([named])
    assert head[-1] == f"p against {names[place]}"
    assert [row[2] for row in rows] == ["3", "2"]
    assert [row[-1] == "-" for row in rows] == [k == place for k in range(2)]


def test_the_numbers_of_a_system_with_runs(result: runs.RunsResult) -> None:
    """Average, spread over test sets, spread over runs, and p against the baseline."""
    first, last = summary([result])[1:]
    assert first[:3] == ["BLEU", "Kite", "3"]
    for k, row in enumerate((first, last)):
        assert row[3:6] == [f"{values[k]:.2f}" for values in (result.average, result.s_sel, result.s_opt)]
    assert first[6] == format_p(float(result.shuffled_p[0, 1]), result.resamples)
    assert multeval_table([result]).split("\n")[0].split()[0] == "n=2/3"
    assert multeval_table([result]).split("\n")[1].endswith(f"{first[3]} ({'/'.join(first[4:7])})")


def test_p_of_a_formula_is_never_below_a_count(result: runs.RunsResult) -> None:
    """A mixed model and a t test draw nothing: a p below a millionth says so."""
    tiny = np.full((2, 2), 1e-9)
    shown = row_of_the_pair(replace(result, mixed_p=tiny, run_p=tiny))
    assert shown["mixed model"] == shown["p of t"] == "< 0.000001"


def test_how_runs_are_compared_follows_from_how_many_there_are(result: runs.RunsResult) -> None:
    """A second run has a mixed model; single runs have the hierarchical bootstrap."""
    assert "come from a mixed model" in runs_sentence(result)
    assert runs_sentence(result).startswith("Every system has several runs (Kite: 3, Albatross: 2)")
    setup = replace(result.grid.setup, by_formula=False)
    single = replace(result, grid=replace(result.grid, setup=setup))
    assert "come from the hierarchical bootstrap" in runs_sentence(single)


def test_every_pair_has_its_row_once(result: runs.RunsResult) -> None:
    """Three systems: three pairs, the first against the later ones."""
    testset, outputs = text_set(20, (0.1, 0.12, 0.2, 0.22, 0.3, 0.32))
    study = Study(testset, (), [("bleu", {})], resamples=50, seed=3)
    plan = runs.RunsPlan({"A": outputs[:2], "B": outputs[2:4], "C": outputs[4:]}, "exact")
    three = runs.read(runs.run(study, plan), "bleu")
    table = next(part for part in runs_table([three], 0.05).split("\n\n") if part.startswith("pair "))
    assert [line.split("  ")[0] for line in table.split("\n")[1:4]] == ["A - B", "A - C", "B - C"]
    assert all(line[0] != " " for line in runs_table([three], 0.05).split("\n\n")[2].split("\n"))


def test_the_numbers_of_one_metric_are_at_the_top_of_the_json(result: runs.RunsResult) -> None:
    """Of several metrics, each result has its own; a family that was requested is in each."""
    one = runs_json([result])
    assert one["average"] == one["results"][0]["average"]
    two = runs_json([result, result], family=Family(1, 1, kind="one planned pair"))
    assert "average" not in two
    assert [item["family"]["planned"] for item in two["results"]] == [True, True]


def test_numbers_of_runs_are_in_their_order(result: runs.RunsResult) -> None:
    """Each once, from the smallest."""
    scores = tuple(np.arange(float(count)) for count in (9, 2))
    shown = multeval_table([replace(result, scores=scores)])
    assert shown.split("\n")[0].split()[0] == "n=2/9"
    same = multeval_table([replace(result, scores=(scores[0], scores[0]))])
    assert same.split("\n")[0].split()[0] == "n=9"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"resamples": 0}, ", two-sided, exact; adjusted p"),
        ({"resamples": 0, "by_formula": True}, ", two-sided, by formula; adjusted p"),
        ({"resamples": 1}, ", two-sided, 1 resample; adjusted p"),
        ({"resamples": 200_000, "fewest": 10_000}, ", two-sided, 10,000 to 200,000 resamples; adjusted p"),
    ],
)
def test_the_caption_of_pairs_says_on_what_p_was_counted(settings: dict[str, int | bool], said: str) -> None:
    """Nothing is drawn for an exact p."""
    assert said in paper.pairs_caption(matrix(**settings), 0.05)


def test_scores_as_good_as_the_best_are_the_best() -> None:
    """As they are printed; a dagger only against the baseline, and none where there are no verdicts."""
    result = matrix((40.0, 41.999, 42.001), p=np.array([[1, 0.001, 0.001], [0.001, 1, 0.9], [0.001, 0.9, 1]]))
    shown = paper.scores([result], 0.05, "sys1")
    assert [(row[0].text, row[0].best, row[0].mark) for row in shown.cells] == [
        ("42.00", True, ""), ("42.00", True, ""), ("40.00", False, paper.WORSE),
    ]  # fmt: skip
    above = paper.scores([result], 0.05, "sys0")
    assert [row[0].mark for row in above.cells] == [paper.BETTER, paper.BETTER, ""]
    assert "Clusters" in above.caption
    printed = paper.scores([replace(result, setup=replace(result.setup, ties="strict"))], 0.05, "sys0")
    assert {row[0].mark for row in printed.cells} == {""}
    assert "significantly" not in printed.caption


def test_a_verdict_at_the_lowest_level_has_a_dagger() -> None:
    """In bold is the best alone, in both formats."""
    shown = paper.scores([matrix((40.0, 42.0), p=np.array([[1, 0.03], [0.03, 1]]))], 0.05, "sys0")
    assert shown.cells[0][0].mark == paper.BETTER
    assert [line for line in paper.scores_latex(shown).split("\n") if line[:3] == "sys" and line[3].isdigit()] == [
        r"sys1 & \textbf{42.00}$^{\dagger}$ \\", r"sys0 & 40.00 \\",
    ]  # fmt: skip
    lines = paper.scores_markdown(shown).split("\n")
    assert lines[2:4] == ["| sys1 | **42.00**† | 1 |", "| sys0 | 40.00 | 2 |"]


def test_clusters_of_a_table_are_numbered_from_the_best() -> None:
    """In Markdown by a column, in LaTeX by a rule below the last of each."""
    result = matrix((40.0, 42.0, 41.99), p=np.array([[1, 0.001, 0.001], [0.001, 1, 0.9], [0.001, 0.9, 1]]))
    shown = paper.scores([result], 0.05)
    assert shown.clusters == (1,)
    lines = paper.scores_markdown(shown).split("\n")
    assert [line.split("|")[-2].strip() for line in lines[:5]] == ["cluster", "---:", "1", "1", "2"]
    rows = paper.scores_latex(shown).split("\n")
    assert rows[rows.index(r"\midrule", rows.index(r"\midrule") + 1) - 1].startswith("sys2")
    alone = paper.scores_markdown(paper.scores([matrix((40.0, 41.99), p=np.full((2, 2), 0.9))], 0.05))
    assert "cluster" not in alone


def test_an_undefined_score_is_not_the_best() -> None:
    """n/a stood in bold where all scores were undefined."""
    shown = paper.scores([matrix((np.nan, np.nan))], 0.05, "")
    assert [(row[0].text, row[0].best) for row in shown.cells] == [("n/a", False)] * 2
    assert [row[0].best for row in paper.scores([matrix((40.0, 42.0))], 0.05, "").cells].count(True) == 1
