"""The plan of a table: what each column is taken for, in wide and long tables, where columns cross, and for whole systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from sigcore.readers import Choice, Intake, read

Cells = Callable[[int], tuple[object, ...]]


def loaded(heads: str, rows: Iterable[str]) -> Intake:
    return read([("t.csv", "\n".join([heads.replace(" ", ","), *rows]).encode())])


def planned(heads: str, rows: Iterable[str]) -> tuple[str, dict[str, str]]:
    """What is asked, and the role of each column."""
    intake = loaded(heads, rows)
    (problem,) = intake.problems or (None,)
    claims = getattr(problem, "claims", intake.claims)
    return getattr(problem, "why", getattr(problem, "what", "")), {one.column: one.role for one in claims}


def of(cells: Cells, rows: int = 12) -> list[str]:
    return [",".join(map(str, cells(k))) for k in range(rows)]


CROSSED = [f"{m},t{q},a{m}{q},g{q},{q / 3},{q * 2}" for q in range(5) for m in "AB"]


def test_a_method_and_its_tasks() -> None:
    """The measure is the score, and what an answer costs is not; a reference that all share is one."""
    why, roles = planned("method task_id answer gold score cost", CROSSED)
    assert "Does method name systems?" in why
    assert roles == {
        "method": "system",
        "task_id": "question",
        "answer": "ignored",
        "gold": "reference",
        "score": "score",
        "cost": "ignored",
    }


def test_a_reference_of_each_system_is_what_it_wrote() -> None:
    """An answer that all systems share may be the right one."""
    own, shared = (
        [f"{m},t{q},said {m if each else ''}{q},{q / 3},{q / 7}" for q in range(5) for m in "AB"]
        for each in (True, False)
    )
    assert planned("method task_id answer size2 depth2", own)[1]["answer"] == "text"
    assert planned("method task_id answer size2 depth2", shared)[1]["answer"] == "reference"


def test_judges_of_methods_stay_judges() -> None:
    """They tell the rows of one question apart, and are no runs."""
    why, roles = planned(
        "method task_id judge score", [f"{m},t{q},{j},{q / 3}" for q in range(5) for m in "AB" for j in ("Ann", "Eve")]
    )
    assert "judge names judges" in why
    assert roles == {"method": "system", "task_id": "question", "judge": "ignored", "score": "score"}


@pytest.mark.parametrize(("columns", "odd"), [(3, "C"), (2, "")])
def test_a_column_on_another_scale_than_all_others(columns: int, odd: str) -> None:
    """Of three; of two either may be it."""
    rows = of(lambda k: (f"s{k}", k / 10, *([k / 9] if columns == 3 else []), k * 100))
    why, roles = planned("id A B C" if columns == 3 else "id A C", rows)
    assert "very different scales" in why
    assert [name for name, role in roles.items() if role == "ignored"] == ([odd] if odd else [])


@pytest.mark.parametrize(
    ("heads", "turn"),
    [("extra", False), ("extra more", True), ("BLEU more extra", False), ("extra tokens", False)],
)
def test_whole_systems_may_be_turned_where_columns_may_be_questions(heads: str, turn: bool) -> None:
    """Two of them at least, none a measure."""
    rows = [f"{name},{','.join(str(k + i / 7) for i in range(heads.count(' ') + 1))}" for k, name in enumerate("AB")]
    (problem,) = loaded(f"system {heads}", rows).problems
    assert "one row per system" in problem.what
    assert ("--columns rows=system" in problem.fix) is turn


@pytest.mark.parametrize(
    ("heads", "cells", "scores", "why"),
    [
        ("system seg score foo bar", "{q}.5,{q},{p}", ["score"], ""),  # a known heading wins over others
        ("system seg score foo", "{q}.5,{q}", ["score"], ""),
        ("system seg foo", "{q}.5", ["foo"], ""),  # the only one
        ("system seg foo bar", "{q}.5,{q}", ["foo", "bar"], "Which of these are scores: foo, bar?"),
        ("system seg COMET BLEU foo", "{q}.5,{q},{p}", ["COMET", "BLEU"], ""),
        ("system seg score latency_ms", "{q}.5,{q}", ["score"], ""),
        ("system seg pred", "{p}", ["pred"], "scores, or predictions"),
        ("system seg score cost", "{q}.5,{q}", ["score"], ""),
    ],
)
def test_scores_of_a_table_in_long_form(heads: str, cells: str, scores: list[str], why: str) -> None:
    """By their headings, or because there is no other; several unknown ones are asked about."""
    rows = [f"{m},{q},{cells.format(q=q, p=q % 3)}" for q in range(5) for m in "AB"]
    asked, roles = planned(heads, rows)
    assert (why in asked) if why else asked == ""
    assert [name for name, role in roles.items() if role == "score"] == scores
    assert (roles["system"], roles["seg"]) == ("system", "question")


def test_names_of_six_words_may_name_rows() -> None:
    """Seven are a sentence, beside which the spread of a mean says nothing."""
    for words, refused in ((6, True), (7, False)):
        name = " ".join(["the"] * (words - 1))
        rows = [f"{name} x{k},0.{k},0.0{k}" for k in range(4)]
        assert (
            any("Each row sums up others" in one.what for one in loaded("name acc acc_stderr", rows).problems)
            is refused
        )


@pytest.mark.parametrize(("n", "role"), [(40, "system"), (41, "ignored")])
def test_people_judge_at_most_forty_systems(n: int, role: str) -> None:
    """More names are those of something else."""
    names = [f"n{chr(97 + m // 26)}{chr(97 + m % 26)}" for m in range(n)]
    rows = [f"{j},{name},{(q + m) % 5}" for q in range(2) for m, name in enumerate(names) for j in ("Ann", "Eve")]
    why, roles = planned("judge colour mos", rows)
    assert "judge names judges" in why
    assert roles == {"judge": "ignored", "colour": role, "mos": "score"}


def test_a_column_of_another_role_is_never_a_system_in_the_plan() -> None:
    """A judge beside outputs."""
    _, roles = planned("id A B judge", of(lambda k: (k, f"a w{k}", f"b w{k}", ("Ann", "Eve")[k % 2])))
    assert roles == {"id": "question", "A": "system", "B": "system", "judge": "ignored"}


def test_an_empty_column_is_nothing() -> None:
    """Its heading names no system then."""
    assert planned("id A B C", of(lambda k: (k, k / 3, k / 7, ""))) == (
        "",
        {"id": "question", "A": "system", "B": "system", "C": "ignored"},
    )


@pytest.mark.parametrize(("heads", "named"), [("page2 other2", "page2"), ("other2 page2", "other2")])
def test_the_first_column_that_may_name_questions_is_asked_about(heads: str, named: str) -> None:
    """Where no heading says it, and each system has several rows."""
    rows = [f"{m},p{k},q{k},{k}.5" for m in "AB" for k in range(6)]
    why, roles = planned(f"system {heads} score", rows)
    assert f"Does {named} name the questions?" in why
    assert [name for name, role in roles.items() if role == "question"] == [named]


def test_what_somebody_said_is_the_reason() -> None:
    """The others keep theirs."""
    text = b"id,A,B,w\ns1,1.5,2.5,3.5\ns2,4.5,2.25,1.5\ns3,1,7.5,2.5\n"
    found = read([("t.csv", text)], every=Choice("csv", {"columns": "w=ignored"})).claims
    assert [(one.column, one.role, one.basis) for one in found] == [
        ("id", "question", "heading"),
        ("A", "system", "layout"),
        ("B", "system", "layout"),
        ("w", "ignored", "said"),
    ]
    assert found[1].cells == ("1.5", "4.5", "1")  # the first three
