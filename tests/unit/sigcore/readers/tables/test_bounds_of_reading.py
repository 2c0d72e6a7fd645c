"""The first rows of a table, its headings, and rows and columns that only count: one to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import header as header_of_rows
from sigcore.readers.tables import read
from sigcore.readers.tables.columns import Column, Grid
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, headings, messages, table


def rows(heads: str, cells: Cells, n: int = 12) -> list[list[str]]:
    return [headings(heads), *(list(map(str, cells(k))) for k in range(n))]


def names(found: Found) -> list[str]:
    return [item.name for item in found.items if item.role == "system"]


HEADER = "Its first line was read as a header: {}."


def header(heads: str, cells: Cells, n: int = 12) -> bool:
    """Whether the first row is read as headings, also where the table is asked about."""
    try:
        found = read.read_rows("t.csv", rows(heads, cells, n))
    except Unclear as problem:
        return problem.claims[0].column == headings(heads)[0]
    return any(one.startswith("Its first line was read as a header") for one in messages(found))


@pytest.mark.parametrize(
    ("heads", "cells", "is_one"),
    [
        ("A B", lambda k: (k / 7, k / 9), True),  # words above numbers
        ("A A", lambda k: (k / 7, k / 9), False),
        ("0.5 B", lambda k: (k / 7, f"t{k} is"), False),
        ("bleu ter", lambda k: (f"t {k}", f"u {k}"), True),  # two known headings
        ("bleu bleu", lambda k: (f"t {k}", f"u {k}"), False),
        ("reference B", lambda k: (f"t {k}", f"u {k}"), True),
        ("some words", lambda k: (f"t {k}", f"u {k}"), False),
        ("One Two", lambda k: (f"t {k} so long", f"u {k} so long"), True),  # single words above sentences
        ("One Two", lambda k: (f"t {k} so long", f"u {k} short" if k else "u short"), False),
    ],
)
def test_the_first_row_names_the_columns(heads: str, cells: Cells, is_one: bool) -> None:
    assert header(heads, cells) is is_one


@pytest.mark.parametrize(("n", "is_one"), [(10, True), (9, False)])
def test_words_above_ten_rows_of_sentences_are_headings(n: int, is_one: bool) -> None:
    assert header("One Two", lambda k: (f"t {k} so", f"u {k} so"), n) is is_one
    assert not header("One~x Two", lambda k: (f"t {k} so", f"u {k} so"))


@pytest.mark.parametrize(
    ("heads", "different", "is_one"),
    [
        ("item 7 13", 2, True), ("item 7 7", 2, False), ("item 7", 2, False), ("item 1 13", 2, False), ("item 70 130", 11, True),
        ("item 70 130", 12, False), ("item x 13", 2, False),
    ],
)  # fmt: skip
def test_numbers_above_others_are_sizes(heads: str, different: int, is_one: bool) -> None:
    """All beyond the few numbers below them."""
    n = len(heads.split()) - 1
    found = header(heads, lambda k: (f"w{k}", *(k % different for _ in range(n))), 24)
    assert found is is_one


def test_a_first_column_that_only_counts_is_not_used() -> None:
    """Below no heading, or without headings three rows at least; from 0 or from 1 on."""
    told = "Its first column only counts the rows; it was not used."
    index = "Its first column has no heading and numbers that go up: they name the segments."

    def counts(heads: str, first: Cells, n: int = 4) -> bool:
        own = rows(heads, lambda k: (*first(k), k / 7, k / 9), n)
        own[0][0] = own[0][0].replace("_", "")
        for kept in (own, Grid([Column(column) for column in zip(*own, strict=True)])):
            found = read.read_rows("t.csv", kept)
            assert len({told, index}.intersection(messages(found))) == (
                names(found) == ["A", "B"] and len(found.items) == 2
            )
        return told in messages(found)

    assert counts("_ A B", lambda k: (k,))
    assert counts("_ A B", lambda k: (k + 1,))
    assert not counts("_ A B", lambda k: (k + 2,))
    assert not counts("_ A B", lambda k: (k if k < 3 else 9,))
    for again in ("3 3 4 5", "1 2 4 3", "0 1 x 3", "0.5 1 2 3", "2 3"):
        result = Found()
        header_of_rows.beside_counts("t.csv", [["", "A"], *([cell, "0.5"] for cell in again.split())], result)
        assert index not in messages(result), again
    result = Found()
    header_of_rows.beside_counts("t.csv", [["", "item"], *([cell, "0.5"] for cell in "2 4 5")], result)
    assert not result.notices, "another column names the segments"
    found = read.read_rows("t.csv", [["", "A", "B"], *([str(k), "0.5", "0.25"] for k in (4, 7, 9))])
    assert found.items[0].keys == ("4", "7", "9")

    def bare(n: int, first: int = 0) -> bool:
        own = [[str(first + k), f"t {k} x", f"u {k} x"] for k in range(n)]
        return told in messages(read.read_rows("t.csv", own))

    assert [bare(3), bare(2), bare(3, 1), bare(3, 2)] == [True, False, True, False]


def test_rows_that_repeat_the_headings_are_left_out() -> None:
    def told(again: int) -> list[str]:
        own = rows("id A B", lambda k: (k, k / 7, k / 9), 30)
        found = read.read_rows("t.csv", [*own, *[own[0]] * again])
        return [one for one in messages(found) if "repeat" in one]

    assert told(1) == ["1 row repeats its headings, and no segments: left out."]
    assert told(2) == ["2 rows repeat its headings, and no segments: left out."]
    assert told(0) == []


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(ReadError, match=r"t.csv has a header but no rows."):
        read.read_rows("t.csv", [["id", "A_bleu"]])


def test_a_sheet_begins_below_its_first_row_or_a_title() -> None:
    own = rows("id A B", lambda k: (f"q{k}", k / 7, k / 9))
    found = read.read_rows("t.csv", [["", "", ""], *own])
    assert HEADER.format("id, A, B") in messages(found)
    assert [one.line for one in found.notices if one.message.startswith("Its first line")] == [2]
    found = read.read_rows("t.csv", [["Results", "", ""], *own])
    assert "Its headings are in line 2, below a title." in messages(found)
    found = read.read_rows("t.csv", [["Results", "", ""], *own], [3, *range(5, 18)])
    assert "Its headings are in line 5, below a title." in messages(found)


def test_a_second_row_of_a_segment_is_refused() -> None:
    with pytest.raises(Unclear, match=r"Row 3 has id q1 a second time \(first in row 2\)"):
        read.read_rows("t.csv", rows("id A B", lambda k: (f"q{min(k, 1)}" if k < 3 else f"q{k}", k / 7, k / 9)))
    found = read.read_rows("t.csv", rows("id A B", lambda k: ("" if k < 3 else f"q{k}", k / 7, k / 9)))
    assert names(found) == ["A", "B"]


@pytest.mark.parametrize(
    ("heading", "ids", "times", "told"),
    [
        ("task_id", 3, 4, True),
        ("task_id", 2, 6, False),
        ("task_id", 12, 1, False),
        ("doc_id", 3, 4, False),
        ("response_id", 3, 4, False),
    ],
)
def test_ids_that_come_equally_often_are_noted(heading: str, ids: int, times: int, told: bool) -> None:
    found = read.read_rows("t.csv", rows(f"A_bleu B_bleu {heading}", lambda k: (k / 7, k / 9, f"t{k % ids}")))
    message = f"Each {heading} has {times} rows, and each row was counted as a segment of its own."
    assert any(one.startswith(message) for one in messages(found)) is told


def test_groups_of_systems() -> None:
    found = read.read_rows("g.csv", [["system", "group"], ["A", "x"], ["B", "y"], ["A", "x"]])
    assert found.groups == {"A": "x", "B": "y"}
    kinds = read.read_rows("g.csv", [["system", "group", "kind"], ["A", "x", "System"], ["B", "y", "combination"]])
    assert kinds.kinds == {"A": "system", "B": "combination"}
    with pytest.raises(ReadError, match="A is in two groups or of two kinds: x and y") as error:
        read.read_rows("g.csv", [["system", "group"], ["A", "x"], ["A", "y"]])
    assert error.value.line == 3


def test_a_summary_of_opencompass_names_its_measure() -> None:
    def found(*measures: str) -> tuple[set[str], list[str]]:
        body = [[f"d{k}", "1", measure, "gen", str(k + 50), str(k + 51)] for k, measure in enumerate(measures)]
        result = read.read_rows("s.csv", [["dataset", "version", "metric", "mode", "A", "B"], *body])
        return {item.measure for item in result.items}, [one for one in messages(result) if "OpenCompass" in one]

    told = "It was recognised as a summary of OpenCompass: {} of each model, without averages. Each dataset counts as one segment."
    assert found("accuracy", "accuracy", "naive_average") == ({"accuracy"}, [told.format("accuracy")])
    assert found("accuracy", "bleu") == ({"score"}, [told.format("score")])


def test_columns_that_a_first_line_counts_are_not_used() -> None:
    own = [["0", "1", "A", "B"], *([f"q{k}", f"w{k}", str(k / 7), str(k / 9)] for k in range(12))]
    found = read.read_rows("t.csv", own)
    assert "Not used, the columns without names that its first line counts: 0, 1." in messages(found)
    assert names(found) == ["A", "B"]


def test_a_table_whose_columns_have_one_role() -> None:
    of = table("x", lambda k: (f"t {k}",), 3)
    found = read.read_records(type(of)(of.file, of.headings, of.rows, of.places, role="reference"))
    assert [(item.role, item.segments) for item in found.items] == [("reference", ("t 0", "t 1", "t 2"))]
