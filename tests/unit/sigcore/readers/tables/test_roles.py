"""Runs, tasks, categories, gold labels and labels by people: what belongs together, and what is averaged."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sigcore.readers import Choice, Intake, read
from sigcore.readers.tables.roles import mean_of


def loaded(heads: str, rows: Iterable[str], **options: str) -> Intake:
    text = "\n".join([heads.replace(" ", ","), *rows]).encode()
    return read([("t.csv", text)], every=Choice("csv", options) if options else None)


def notes(intake: Intake) -> str:
    return " ".join(notice.message for notice in intake.notices)


def test_runs_of_a_question_stay_together() -> None:
    """Each is a segment; the question is the document."""
    rows = [f"{s},q{q},{r},{q}.{r}" for s in "AB" for q in range(2) for r in (1, 2)]
    intake = loaded("system segment seed score", rows)
    documents, one, _ = intake.items
    assert documents.segments == ("q0", "q0", "q1", "q1")
    assert (one.segments, one.keys[:2]) == (("0.1", "0.2", "1.1", "1.2"), ("seed 1 of q0", "seed 2 of q0"))
    assert "2 questions with several rows each: seed names the run" in notes(intake)


@pytest.mark.parametrize(
    ("runs", "averaged"),
    [
        (("1 2", "1 2"), False),
        (("1 2 3", "1 2 4"), False),  # 3 of 4 runs each: three quarters of all pairs
        (("1 2", "3 4"), True),
        (("1 2 3", "3 4 5"), True),  # 3 of 5
    ],
)
def test_runs_of_its_own_for_each_system_are_averaged(runs: tuple[str, str], averaged: bool) -> None:
    """As where each output has its own listeners; missing numbers count for nothing."""
    rows = [f"{s},q{q},{r},{q}.{r}" for s, own in zip("AB", runs, strict=True) for q in range(4) for r in own.split()]
    intake = loaded("system segment run score", rows)
    assert ("were averaged" in notes(intake)) is averaged
    scores = {item.name: item.segments for item in intake.items if item.kind == "scores"}
    assert len(scores["A"]) == (4 if averaged else 4 * len(set(" ".join(runs).split())))
    if runs == ("1 2", "3 4"):
        assert [round(float(cell), 9) for cell in scores["B"]] == [0.35, 1.35, 2.35, 3.35]


def test_a_mean_of_cells() -> None:
    """Of those that are filled in."""
    assert [mean_of(cells) for cells in (("1", "", "4"), ("", "nan"), ("2",))] == ["2.5", "", "2.0"]


def test_each_task_is_a_test_set() -> None:
    """What is said of all of them is said once."""
    rows = [f"{s},q{q},{t},{q}" for t in ("x", "y") for s in "AB" for q in range(4)]
    intake = loaded("system segment task score", rows)
    assert [(item.testset, item.name) for item in intake.items] == [("x", "A"), ("x", "B"), ("y", "A"), ("y", "B")]
    assert notes(intake).count("It was read in long form") == 1


def test_categories_are_subsets_unless_a_domain_is_named() -> None:
    """Then the domain is one, and the category none."""
    rows = [f"{k},c{k % 2},r w{k},a w{k},b w{k}" for k in range(6)]
    assert next(item.role for item in loaded("id category reference A B", rows).items) == "domains"
    both = loaded("id category domain reference A B", [row.replace(",r", f",d{k},r", 1) for k, row in enumerate(rows)])
    assert [item.segments[:2] for item in both.items if item.role == "domains"] == [("d0", "d1")]


@pytest.mark.parametrize(("extra", "measures"), [(0, {"bleu", "ter"}), (1, set())])
def test_names_of_measures_come_equally_often(extra: int, measures: set[str]) -> None:
    """Below a heading that nobody knows; labels hardly do."""
    rows = [f"{s},{q},{m},0.{q}" for s in "AB" for q in range(3) for m in ("bleu", "ter")]
    rows += ["A,9,bleu,0.5"] * extra
    found = loaded("system seg what score", rows)
    assert {item.measure for item in found.items if item.kind == "scores"} & {"bleu", "ter"} == measures


@pytest.mark.parametrize(("different", "used"), [(4, True), (5, False)])
def test_texts_that_were_labelled_are_no_predictions(different: int, used: bool) -> None:
    """More than twice as many different ones as labels."""
    rows = [f"word{k % different} x,{'pn'[k % 2]},{'pn'[k // 2 % 2]}" for k in range(20)]
    intake = loaded("phrase label pred_a", rows)
    assert ("Not used next to labels and predictions: phrase." in notes(intake)) is not used


def test_labels_by_people_are_ratings() -> None:
    """True and false are 1 and 0; an empty one is none."""
    rows = [f"{s},q{q},{('true', 'false', '')[q % 3]},{q}.5" for s in "AB" for q in range(4)]
    (part,) = loaded("system segment said score", rows, label_field="said").judgments
    assert part.score.tolist() == [1.0, 0.0, 1.0] * 2
    assert part.segment.tolist() == ["q0", "q1", "q3"] * 2
    (problem,) = loaded(
        "system segment said score", [row.replace("true", "odd") for row in rows], label_field="said"
    ).problems
    assert ("'odd' is no label that counts" in problem.what, getattr(problem, "line", None)) == (True, 2)


def test_a_run_comes_before_samples() -> None:
    """Where both are there, the run tells the rows apart."""
    rows = [f"{s},q{q},{r},{7 - r},{q}.{r}" for s in "AB" for q in range(2) for r in (1, 2)]
    intake = loaded("system segment run sample score", rows)
    assert "run names the run" in notes(intake)
    assert "sample names the run" in notes(loaded("system segment sample score", [row[:4] + row[6:] for row in rows]))


def test_ids_that_count_in_each_language_are_joined_with_it() -> None:
    """With the first column that tells them apart, not with one that is the same everywhere."""
    rows = [f"{k},news,{lang},r w{k}{lang},a w{k}{lang},b w{k}{lang}" for lang in ("de", "fr") for k in range(5)]
    intake = loaded("id domain lang reference A B", rows)
    assert "lang, id name the segment together" in notes(intake)
    assert {item.keys[4:6] for item in intake.items if item.name in "AB"} == {("4 of de", "0 of fr")}


def test_the_first_of_two_ids_names_the_question() -> None:
    """Its rows are runs of it."""
    rows = [f"{s},s{k // 2},i{k // 4},{k % 2},{k}.5" for s in "AB" for k in range(8)]
    assert "4 questions with several rows each" in notes(loaded("system seg item_id run score", rows))
