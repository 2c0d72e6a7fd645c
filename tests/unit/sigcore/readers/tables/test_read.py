"""From the first row of a table to its content: which row is the header, which column only counts, what somebody said."""

from __future__ import annotations

import pytest

from sigcore.readers import Choice, Intake, read


def loaded(text: str, file: str = "t.csv", **said: str) -> Intake:
    return read([(file, text.encode())], every=Choice("csv", said) if said else None)


def names(intake: Intake) -> list[str]:
    return [item.name for item in intake.items]


def test_a_bad_cell_below_a_title_is_named_with_its_line() -> None:
    """The lines of the file count, not those of the table."""
    rows = "".join(f"{k},0.{k},{'x9' if k == 3 else '0.5'}\n" for k in range(1, 20))
    intake = loaded(f"Results of May,,\nid,A,B\n{rows}")
    (problem,) = intake.problems
    assert getattr(problem, "line", None) == 5
    assert "column B, row 3" in problem.what
    assert [item.keys[0] for item in intake.items] == ["1"]


@pytest.mark.parametrize(("rows", "numbered"), [(2, False), (3, True)])
def test_a_column_without_a_heading_counts_from_three_rows_on(rows: int, numbered: bool) -> None:
    """1, 2, 3 count the rows; 1, 2 name the segments, as other whole numbers do."""
    text = "".join(f"{k}\ta{k} x\tb{k} y\n" for k in range(1, rows + 1))
    intake = loaded(text, "t.tsv")
    assert any("only counts the rows" in notice.message for notice in intake.notices) is numbered
    assert [item.keys for item in intake.items] == [() if numbered else ("1", "2")] * 2


@pytest.mark.parametrize("start", [0, 1])
def test_an_index_below_an_empty_heading_is_not_used(start: int) -> None:
    """From 0 or from 1; from 2 on the numbers are those of a system."""
    intake = loaded(",A,B\n" + "".join(f"{k + start},0.{k},0.5{k}\n" for k in range(5)))
    assert names(intake) == ["A", "B"]
    assert any("only counts the rows" in notice.message for notice in intake.notices)


@pytest.mark.parametrize(
    ("heads", "is_header"),
    [
        ("text,other", False),
        ("text,reference", True),
        ("id,other", True),
        ("text,prediction", True),
        ("text,text", False),
    ],
)
def test_a_first_line_of_words_is_a_header_if_it_says_so(heads: str, is_header: bool) -> None:
    """One word for an id or a reference; two different ones of other roles."""
    intake = loaded(f"{heads}\nfoo a,bar b\nfoo c,bar d\n")
    assert ("as a header" in " ".join(notice.message for notice in intake.notices)) is is_header


def test_what_somebody_says_is_better_wins_over_the_words_of_the_cells() -> None:
    """Pass is better than fail, unless lower is said to be better."""
    text = "id,A,B\n1,pass,fail\n2,fail,fail\n3,pass,pass\n"
    assert {item.better for item in loaded(text).items} == {"higher"}
    assert {item.better for item in loaded(text, id_field="id", score_field="A,B", better="lower").items} == {"lower"}


def test_a_repeated_id_is_refused_also_where_other_columns_are_said() -> None:
    """Both rows are named; a row without an id is no repetition."""
    text = "id,A,B,note\n1,0.5,0.2,x\n2,0.5,0.2,x\n1,0.25,0.1,x\n"
    for said in ({}, {"columns": "note=ignored"}):
        (problem,) = loaded(text, **said).problems
        assert "Row 3 has id 1 a second time (first in row 1)." in problem.what
    assert not loaded("id,A,B\n1,0.5,0.2\n,0.5,0.2\n,0.25,0.1\n").problems


def test_a_system_in_two_groups_is_refused() -> None:
    """The names of both groups, and the line of the second; the same group twice is none."""
    (problem,) = loaded("system,group\nA,one\nB,two\nA,three\n").problems
    assert ("one and three" in problem.what, getattr(problem, "line", None)) == (True, 4)
    assert loaded("system,group\nA,one\nB,two\nA,one\n").groups == {"A": "one", "B": "two"}


def test_long_cells_are_shown_in_short() -> None:
    """The first three cells of a column, at most 24 characters of each."""
    rows = "".join(f"{'abcdefghij' * 3}{k},{k}.5,{k * 7}\n" for k in range(12))
    (problem,) = loaded(f"thing,A,tokens\n{rows}").problems
    shown = getattr(problem, "claims", ())[0].cells
    assert shown == ("abcdefghijabcdefghija...",) * 3
