"""Text to rows of cells: what separates them, in which line each row starts, and what is left out around a table."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.tables import cells
from sigcore.readers.tables.cells import Rows


@pytest.mark.parametrize(
    ("head", "mark"),
    [("a\tb,c;d", "\t"), ("a,b;c", ","), ("a;b;c,d", ";"), ("a;b", ";"), ("a,b", ","), ("a b", " "), ("a", " ")],
)
def test_what_separates_the_cells_of_a_first_line(head: str, mark: str) -> None:
    """TAB; else the more frequent of semicolon and comma, the comma where both are equally frequent; else a blank."""
    assert cells.mark_of(head) == mark
    assert cells.mark_of("a b", blanks=False) == ","


@pytest.mark.parametrize(
    ("lines", "even"),
    [
        (["a,b", "1,2", "3,4"], True),
        (["a,b", "1,2", "3"], False),  # half of them is not most
        (["a,b", "1,2", "3", "4,5"], True),
        (['a,"b"', '"1,2",3', "", "4,5"], True),  # blank lines do not count
        (['a,"b', "1,2"], False),
    ],
)
def test_most_rows_have_as_many_cells_as_the_first(lines: list[str], even: bool) -> None:
    """Unlike a text that begins with a list of words."""
    assert cells.is_even(lines, ",") is even


def test_a_row_starts_where_its_first_line_is() -> None:
    """A quoted cell may have several lines; the next row starts behind them."""
    rows = cells.quoted_rows("f", 'a,b\n"one\ntwo\nthree",2\n3,4\n', ",")
    assert rows.lines == [1, 2, 5]
    assert rows.cells[1] == ["one\ntwo\nthree", "2"]
    with pytest.raises(ReadError, match="From line 3 on") as caught:
        cells.quoted_rows("f", 'a,b\n1,2\n3,"4\n5,6\n', ",")
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("table", "kept", "left_out"),
    [
        ([["id", "A", ""], ["1", "2", ""], ["", "", ""]], [["id", "A"], ["1", "2"]], "1 row of empty cells"),
        ([["id", "A"], ["1", "2"], ["", ""], ["", " "]], [["id", "A"], ["1", "2"]], "2 rows of empty cells"),
        ([["id", "A", ""], ["1", "2", ""]], [["id", "A"], ["1", "2"]], ""),
        ([["id", "A"], ["", ""], ["1", "2"]], [["id", "A"], ["", ""], ["1", "2"]], ""),
        ([["A"], ["x"], [""]], [["A"], ["x"], [""]], ""),  # one column of text may end in an empty segment
    ],
)
def test_margins_of_a_sheet_are_left_out(table: list[list[str]], kept: list[list[str]], left_out: str) -> None:
    """Empty columns silently, empty rows at the end with a note, and no row between others."""
    rows, notices = cells.without_margins(Rows("f", ",", table, range(1, len(table) + 1)))
    assert [list(row) for row in rows.cells] == kept
    assert [left_out in notice.message for notice in notices] == [True] * bool(left_out)


def test_a_row_of_another_width_is_named() -> None:
    """Its line, its cells and those of the first, and what to do where this mark separates them."""
    with pytest.raises(ReadError, match="f: line 7 has 1 cell, line 1 has 2") as caught:
        cells.refuse_ragged(Rows("f", ";", [["a", "b"], ["1"]], [1, 7]))
    assert "semicolon" in caught.value.fix
    assert caught.value.line == 7


@pytest.mark.parametrize(
    ("width", "rows", "refused"), [(20_000, 1, False), (20_001, 1, True), (5_000, 10_000, False), (5_001, 10_000, True)]
)
def test_columns_and_cells_are_bounded(width: int, rows: int, refused: bool) -> None:
    """20,000 columns, and 50 million cells."""
    if refused:
        with pytest.raises(ReadError, match="At most"):
            cells.refuse_wide("f", width, rows)
    else:
        cells.refuse_wide("f", width, rows)
