"""Runs are no further questions, several marks in a cell are averaged, totals are refused, and files of known programs are tables
where somebody says what their columns hold."""

from __future__ import annotations

from statistics import mean

import pytest

from sigcore.measures import better_of
from sigcore.readers import Choice, Unclear, read, read_ratings
from tests.made_tables import asked, means, of_people, rows, scored, value

# Runs.


def runs(tasks: int, head: str = "run") -> str:
    """Two settings, each of which did a few tasks ten times."""
    own = ((setting, task, run) for setting in ("with", "without") for task in range(tasks) for run in range(10))
    return rows(
        f"memory,task_id,{head},note,solved",
        *(f"{s},t{t},{r},{s}{t}{r},{int((3 * t + r + 2 * (s == 'with')) % 5 > 1)}" for s, t, r in own),
    )


@pytest.mark.parametrize("tasks", [2, 3])
def test_runs_of_few_tasks_are_no_questions(tasks: int) -> None:
    """Two tasks with ten runs each were offered as twenty questions."""
    offered = [command for _, command in asked(runs(tasks)).ways]
    assert offered
    assert all("run=run" in one.split() and "run=question" not in one for one in offered)


def test_two_columns_may_name_a_run_together() -> None:
    """The second one was forgotten, and its rows were a run that came again."""
    own = [
        (q, s, p, t, (3 * q + 2 * s + p + 5 * t) % 7)
        for q in range(8)
        for s in range(2)
        for p in range(2)
        for t in range(2)
    ]
    text = rows("id,model,prompt,temperature,points", *(f"{q},{'AB'[s]},p{p},0.{t},{x}" for q, s, p, t, x in own))
    said = "id=question\nmodel=system\nprompt=run\ntemperature=run\npoints=score"
    found = scored(text, columns=said)
    assert means(found) == pytest.approx(
        {name: mean(x for _, s, *_, x in own if s == i) for i, name in enumerate("AB")}
    )


def test_a_criterion_is_no_task_of_ratings() -> None:
    """The ratings of errors were a further test set, in which many errors were good."""
    own = [(k, s, c, r) for k in range(6) for s in "AB" for c in ("fluency", "errors") for r in ("anna", "ben")]
    text = rows("item,system,criterion,rater,value", *(f"{k},{s},{c},{r},{rating(k, s, c)}" for k, s, c, r in own))
    found = read_ratings([("t.csv", text.encode())], Choice(options={"columns": "criterion=task"}).options)
    (people,) = found.judgments
    for name, sign in (("fluency", 1), ("errors", -1)):
        right = {s: sign * mean(rating(k, s, name) for k in range(6)) for s in "AB"}
        assert of_people(people, name) == pytest.approx(right)


def rating(k: int, system: str, criterion: str) -> int:
    return 1 + (k + 2 * (system == "B") + 3 * (criterion == "errors")) % 5


# Marks of several people in a cell.


def listed(k: int, i: int, length: int) -> list[int]:
    """The marks of several people, some of whom agree."""
    return [1 + (k + i + j // 2) % 5 for j in range(length)]


def marks(lengths: tuple[int, int]) -> str:
    own = ((k, i, listed(k, i, lengths[k % 2])) for k in range(8) for i in range(2))
    return rows("item,system,marks", *(f'q{k},{"AB"[i]},"{each}"' for k, i, each in own))


@pytest.mark.parametrize("lengths", [(9, 9), (9, 10)])
def test_marks_in_one_cell_are_averaged(lengths: tuple[int, int]) -> None:
    """Nine or ten marks in a text were no number."""
    said = "item=question\nsystem=system\nmarks=score"
    found = read_ratings([("people.csv", marks(lengths).encode())], Choice(options={"columns": said}).options)
    (people,) = found.judgments
    (dimension,) = people.dimensions
    right = {
        name: mean(mean(listed(k, i, lengths[k % 2])) for k in range(8)) for i, name in enumerate("AB")
    }  # fmt: skip
    assert of_people(people, dimension) == pytest.approx(right)
    assert means(scored(marks(lengths), columns=said)) == pytest.approx(right)


def test_sets_of_numbers_are_no_marks() -> None:
    """Ids that were found differ in number, and none comes twice."""
    own = ((k, i, [1 + (k + i + j) % 9 for j in range(2 + k % 3)]) for k in range(8) for i in range(2))
    text = rows("item,system,found", *(f'q{k},{"AB"[i]},"{each}"' for k, i, each in own))
    found = scored(text, columns="item=question\nsystem=system\nfound=score")
    assert "is not a number" in found.problems[0].what


@pytest.mark.parametrize(
    ("head", "lists"),
    [
        ("A,B", [[k % 3, 3, 3, k % 2] for k in range(8)]),  # classes of words, from 0 on
        ("found_ids,more_ids", [[1 + k % 3, 4, 4] for k in range(8)]),  # what was found
        ("A,B", [[k % 9 + 1, 30, 30] for k in range(8)]),  # places
    ],
)
def test_lists_without_a_word_for_scores_are_no_marks(head: str, lists: list[list[int]]) -> None:
    text = rows(f"item,{head}", *(f'q{k},"{own}","{own[::-1]}"' for k, own in enumerate(lists)))
    assert not any("marks of several people" in one.message for one in scored(text).notices)


# Totals.


def totals(right: int, wrong: str = "incorrect", head: str = "trial") -> str:
    return rows(f"{head},correct,{wrong}", *(f"{k},{right + k},{100 - right - k}" for k in range(5)))


def test_counts_of_right_and_wrong_answers_are_refused() -> None:
    """Each attempt at a hundred questions was a question."""
    (problem,) = scored(totals(60)).problems
    assert (
        problem.what
        == "Each row counts 100 answers (correct and incorrect). Which question was right is not in the file."
    )


@pytest.mark.parametrize(
    "text",
    [
        totals(60, head="question"),  # ten samples of each question may be right or wrong
        totals(60).replace("60,40", "60,41"),  # another number in each row
        rows("trial,correct,incorrect", *(f"{k},{k % 2},{1 - k % 2}" for k in range(9))),  # one answer in each row
        totals(60, "seconds"),
    ],
)
def test_other_counts_are_no_totals(text: str) -> None:
    assert not any("Each row counts" in problem.what for problem in scored(text).problems)


# Flags beside a measure of each system.


def test_a_flag_is_no_system_beside_systems_with_a_measure() -> None:
    """Whether a woman speaks was offered as one more system with a word error rate."""
    text = rows(
        "clip,female_flag,words,google_wer,ibm_wer,msft_wer",
        *(f"c{k},{k % 2},{k % 7 + 3},{value(k, 0)},{value(k, 1)},{value(k, 2)}" for k in range(12)),
    )
    found = scored(text)
    if found.problems:
        (problem,) = found.problems
        assert isinstance(problem, Unclear)
        found = scored(text, columns="\n".join(f"{name}={role}" for name, role in problem.plan.items()))
    right = {name: mean(value(k, i) for k in range(12)) for i, name in enumerate(("google", "ibm", "msft"))}
    assert sorted(means(found).values()) == pytest.approx(sorted(right.values()))


# Files of known programs.


def errors() -> str:
    """Errors that people marked, as MQM has them."""
    head = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity"
    own = ((s, k, r) for s in "AB" for k in range(6) for r in ("r1", "r2"))
    return rows(head, *(f"{s}\td\t{k}\t{k}\t{r}\ts{k}\t{s}{k}\tstyle\t{level(s, k)}" for s, k, r in own))


def level(system: str, k: int) -> str:
    return ("Minor", "Major")[(k + (system == "B")) % 3 == 0]


def test_roles_make_a_table_of_a_known_program() -> None:
    """The roles were refused, as if the file were no table; severe errors counted as good ones."""
    said = "system=system\nglobalSegId=question\nrater=judge\nseverity=score"
    options = {"columns": said, "cells": "Minor=1\nMajor=5"}
    found = read_ratings([("mqm.tsv", errors().encode())], Choice(options=options).options)
    (people,) = found.judgments
    (dimension,) = people.dimensions
    points = {"Minor": 1, "Major": 5}
    right = {s: -mean(points[level(s, k)] for k in range(6)) for s in "AB"}
    assert of_people(people, dimension) == pytest.approx(right)


def test_other_roles_say_how_the_file_was_read() -> None:
    found = read([("mqm.tsv", errors().encode())], every=Choice(options={"columns": "system=system\nother=question"}))
    (problem,) = found.problems
    assert (
        problem.what == "The files were read as errors marked by people (MQM), so this does not apply to any: columns."
    )


def test_the_direction_of_severity_is_known() -> None:
    assert better_of("severity") == "lower"


# A file that is called a summary.


@pytest.mark.parametrize(("name", "said"), [("summary.csv", True), ("answers.csv", False)])
def test_a_summary_may_hold_means(name: str, said: bool) -> None:
    text = rows("setting,question,mode,accuracy", *(f"s{k % 3},q{k % 4},m{k % 2},0.{k + 10}" for k in range(24)))
    (problem,) = read([(name, text.encode())]).problems
    assert ("mean over questions" in str(problem)) == said


# Few rows.


def test_many_columns_over_few_rows_are_no_systems() -> None:
    """Twenty-four trials of two listeners were twenty-four systems with two segments."""
    head = ",".join(["subject_id", "participant_id", "age", *(f"trial_{t}_id_{c}" for t in range(8) for c in range(3))])
    text = rows(head, *(f"{i},{i},{30 + i},{','.join(str(10.0 * ((i + k) % 9)) for k in range(24))}" for i in range(2)))
    found = read_ratings([("people.csv", text.encode())])
    assert not found.judgments
    assert found.problems
