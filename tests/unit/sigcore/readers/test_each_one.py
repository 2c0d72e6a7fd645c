"""Files of one system each that no rule understands: the question has a command that takes each file for a system."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from sigcore.readers import Choice, Intake, Unclear, read
from sigcore.readers.each_one import BY_PLACE, EACH
from sigcore.readers.trial import parts
from tests.made_tables import N, rows, value

Row = Callable[[int, int], Sequence[object]]  # of a question and a system
PLAIN = "INSERTIONS,NTRUTH,TRUE WORDS RECALL"


def files(head: str, cells: Row, n: int = N, names: Sequence[str] = ("A", "B")) -> list[tuple[str, bytes]]:
    """A table of each system."""
    return [
        (f"{name}.csv", rows(head, *(",".join(map(str, cells(k, i))) for k in range(n))).encode())
        for i, name in enumerate(names)
    ]


def plain(k: int, i: int) -> Sequence[object]:
    return (3 * k + i) % 4, 2 * k % 5, value(k, i)


def ways(given: Sequence[tuple[str, bytes]]) -> list[tuple[str, str]]:
    """The commands of the question about the first of these files; those about the others are the same."""
    problems = [one for one in read(given).problems if isinstance(one, Unclear)]
    assert problems
    assert len({one.ways for one in problems}) == 1
    return [*problems[0].ways]


def shown(found: Intake) -> str:
    """What the problems say, with their commands."""
    return "\n".join(map(str, found.problems))


def confirmed(given: Sequence[tuple[str, bytes]], said: str) -> Intake:
    columns, cells = parts(said)
    return read(given, every=Choice(options={"columns": "\n".join(columns), "cells": "\n".join(cells)}))


def measured(found: Intake) -> set[tuple[str, str]]:
    assert not found.problems, found.problems
    return {(one.name, one.measure) for one in found.items if one.role == "system"}


def test_rows_without_names_are_of_one_question_if_somebody_says_so() -> None:
    """Word segmentation: only numbers, no ids. NTRUTH is the same in all files, and is left out."""
    given = files(PLAIN, plain)
    first = ways(given)[0]
    assert first == (BY_PLACE, "INSERTIONS=score NTRUTH=ignored 'TRUE WORDS RECALL=score'")
    assert measured(confirmed(given, first[1])) == {(s, m) for s in "AB" for m in ("INSERTIONS", "TRUE WORDS RECALL")}


@pytest.mark.parametrize("beside", ["seed", "lr", "epoch", "temperature"])
def test_rows_of_runs_are_of_no_question(beside: str) -> None:
    given = files(f"{beside},{PLAIN}", lambda k, i: (k, *plain(k, i)))
    assert EACH not in shown(read(given))
    assert BY_PLACE not in shown(read(given))


def test_other_numbers_of_rows_are_no_pairs() -> None:
    (one, _), (_, more) = files(PLAIN, plain), files(PLAIN, plain, N + 1)
    assert BY_PLACE not in shown(read([one, more]))
    assert BY_PLACE not in shown(read(files(PLAIN, plain, 4)))
    assert BY_PLACE in shown(read(files(PLAIN, plain, 5)))
    assert BY_PLACE not in shown(read(files(PLAIN, plain)[:1]))


def test_scores_that_differ_are_compared_and_no_others() -> None:
    """USL-H: nll and ppl are known, and the same in both files; USL-HS is what the second file is about."""

    def made(k: int, i: int) -> dict[str, float]:
        same = {
            name: n * (k * 7 % 11) + 0.5
            for n, name in enumerate(("nll", "nce", "ppl", "norm_nll", "norm_nce", "norm_ppl"), 1)
        }
        return {"vup": value(k, i) + 0.05, "nup": value(k + 1, i) + 0.05, **same, "USL-HS": value(k + 2, i) + 0.05}

    given = [(f"{s}.json", "\n".join(json.dumps(made(k, i)) for k in range(24)).encode()) for i, s in enumerate("AB")]
    what, said = ways(given)[0]
    assert what == BY_PLACE
    assert {name for name, _, role in (word.rpartition("=") for word in said.split()) if role == "score"} == {
        "vup",
        "nup",
        "USL-HS",
    }


def test_what_an_answer_costs_is_compared_where_nothing_else_has_numbers() -> None:
    given = files("id,run,response_time_ms,result", lambda k, i: (f"q{k // 3}", k % 3, 90 + 7 * k % 11 + i, "PASS"), 36)
    assert "response_time_ms=score" in shown(read(given))


def answers(k: int, i: int) -> dict[str, object]:
    """A record with an answer, several right ones, and what was said of it."""
    right = [f"right {k}", f"also {k}"]
    return {
        "question_id": f"q{k}",
        "question": f"What is number {k} of all?",
        "answers": right[: 1 + k % 2],
        "pred": f"right {k}" if (k + i) % 3 else f"wrong {k}",
        "official_score": value(k, i),
        "internal_score": value(k + 1, i),
        "exact_ci": bool((k + i) % 3),
        "exact_normalized": bool((k + i) % 2),
        "diagnostic": "exact" if (k + i) % 3 else "mismatch",
    }


def test_scores_of_the_file_are_offered_before_columns_that_compete() -> None:
    """Document questions: two ways to compare an answer with the right one were two systems, in the only command."""
    given = [
        (f"{s}.jsonl", "\n".join(json.dumps(answers(k, i)) for k in range(30)).encode()) for i, s in enumerate("AB")
    ]
    offered = ways(given)
    assert offered[0][0] == EACH
    found = measured(confirmed(given, offered[0][1]))
    assert found == {(s, m) for s in "AB" for m in ("official_score", "internal_score")}


HEAD = "case_id,evaluator_id,user_usefulness,evaluation_date"


def people(k: int, i: int) -> Sequence[object]:
    """Three people judge each of the cases, none of them another one, all on one day."""
    return f"c{k // 3}", f"p{k}", (k * k + i) % 5 + 1, "2026-07-20"


def test_who_rated_tells_rows_of_a_question_apart() -> None:
    """Sheets of people: each case comes three times."""
    given = files(HEAD, people, 36)
    what, said = ways(given)[0]
    assert what == f"{EACH}, and evaluator_id tells rows of a question apart"
    found = confirmed(given, said)
    assert measured(found) == {(name, "user_usefulness") for name in "AB"}
    runs = next(one for one in found.items if one.name == "question with its runs")
    assert len({*runs.segments}) == 12


@pytest.mark.parametrize(("start", "offered"), [(15, True), (16, False)])
def test_files_of_other_questions_are_no_pairs(start: int, offered: bool) -> None:
    """Less than half of the 30 questions of the first one."""
    records = ([json.dumps(answers(k, i)) for k in range(first, first + 30)] for i, first in enumerate((0, start)))
    given = [(f"{s}.jsonl", "\n".join(own).encode()) for s, own in zip("AB", records, strict=True)]
    assert (EACH in shown(read(given))) == offered


def inflected(k: int, i: int) -> str:
    """A word, its form, and what was asked for: the gold, and what a system says."""
    return f"lemma{k}\tform{k if (k + i) % 3 or not i else 90 + k}\tN;PL;{k % 4}"


@pytest.mark.parametrize("named", [True, False])
def test_the_only_column_that_differs_from_the_given_reference_is_compared(named: bool) -> None:
    """Inflection: three files of one layout, without headings. Without a file that is right nothing is known."""
    given = [
        (name, "\n".join(inflected(k, i) for k in range(20)).encode())
        for i, name in enumerate(("dev", "low", "medium"))
    ]
    found = read(given, roles=(("dev", "reference"),) if named else ())
    if not named:
        assert not found.items
        return
    assert not found.problems
    assert {(one.name, one.role) for one in found.items} == {
        ("reference", "reference"),
        ("low", "system"),
        ("medium", "system"),
    }
    assert next(one.segments for one in found.items if one.name == "low")[:3] == ("form0", "form1", "form92")
    assert "column 2 is the only column in which dev, low, medium differ" in str(found.notices)


@pytest.mark.parametrize("change", ["two columns", "other rows", "few"])
def test_files_that_differ_otherwise_are_asked_about(change: str) -> None:
    def line(k: int, i: int) -> str:
        return inflected(k, i) + f"{i}" * (change == "two columns")

    n = 4 if change == "few" else 20
    given = [
        (name, "\n".join(line(k, i) for k in range(n + (change == "other rows") * i)).encode())
        for i, name in enumerate(("dev", "low", "medium"))
    ]
    found = read(given, roles=(("dev", "reference"),))
    assert "is the only column" not in str(found.notices)
