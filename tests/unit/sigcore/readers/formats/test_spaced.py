"""Columns of numbers with blanks between them, and what has blanks and is something else."""

from __future__ import annotations

import pytest

from sigcore.readers import Intake, read

N = 12
ONE, TWO = ([f"0.{(k * step) % 90 + 10}" for k in range(N)] for step in (7, 11))


def intake(lines: list[str], file: str = "scores.txt") -> Intake:
    return read([(file, ("\n".join(lines) + "\n").encode())])


def systems(found: Intake) -> dict[str, list[str]]:
    assert not found.problems
    return {item.name: list(item.segments) for item in found.items if item.role == "system"}


ROWS = [f"{one}  {two}" for one, two in zip(ONE, TWO, strict=True)]
NUMBERED = [f"{k} {row}" for k, row in enumerate(ROWS, 1)]
NAMED = [f"doc{k} {row}" for k, row in enumerate(ROWS)]


@pytest.mark.parametrize(
    "lines",
    [
        ["One Two", *ROWS],
        ["segment One Two", *NAMED],
        ["One Two", *NUMBERED],  # R does not name the column of its rows
        ["id One Two", *NUMBERED],
        ["One  Two", "", *ROWS, ""],
    ],
)
def test_headed_columns_are_systems(lines: list[str]) -> None:
    """With headings each column is a system; the rows may be named."""
    assert systems(intake(lines)) == {"One": ONE, "Two": TWO}


def test_columns_without_headings_are_numbered() -> None:
    """As in a table with TABs."""
    assert list(systems(intake(ROWS)).values()) == [ONE, TWO]


def test_names_without_headings_are_asked_about() -> None:
    """The first word of each line may be the name of the row, or of a system."""
    (problem,) = intake(NAMED).problems
    assert "'column 1=question'" in problem.fix


def test_a_missing_score_is_a_gap() -> None:
    """NA is no word."""
    rows = [*ROWS[:3], f"NA {TWO[3]}", *ROWS[4:]]
    found = systems(intake(["One Two", *rows]))
    assert [found["One"][3].strip(), found["Two"]] in (["NA", TWO], ["", TWO])


@pytest.mark.parametrize(
    ("lines", "reader"),
    [
        ([f"utt_{k} one two three" for k in range(N)], "utterances"),
        ([f"utt_{k} 1 2 3" for k in range(N)], "utterances"),  # spoken digits
        ([f"{k} 7 {k + 1} 7 {k + 2} 9" for k in range(N)], "plain"),  # tokens, ids or counts
        ([f"30{k} 0 7.{k} {k % 2}" for k in range(N)], "trec"),
        ([f"It costs {k}.5 today" for k in range(N)], "plain"),
        ([f"{one}" for one in ONE], "plain"),
        ([*ROWS[:5], "and one line of words", *ROWS[5:]], "plain"),
        (["One Two Three Four", *ROWS], "plain"),  # two headings too many
        (["One One", *ROWS], "plain"),
        ([f"{a} b{k} {a}" for k, a in enumerate(ONE)], "plain"),  # words between the numbers
    ],
)
def test_other_lines_with_blanks(lines: list[str], reader: str) -> None:
    """What is no table keeps its format."""
    assert {item.reader for item in intake(lines).items} == {reader}


def test_a_log_stays_refused() -> None:
    """A known report has columns of numbers behind two words, too."""
    (problem,) = intake([f"2025-03-10 10:00:0{k} 0.{k} 1.{k}" for k in range(9)]).problems
    assert "a log with a time" in problem.what
