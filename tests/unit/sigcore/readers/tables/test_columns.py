"""Plain tables that are cut into columns at once: which texts are such tables, and what their cells are."""

from __future__ import annotations

import pytest

from sigcore.readers.tables import columns


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,2\n", [("a", "b"), ("1", "2")]),
        ("a,b\n1,2", [("a", "b"), ("1", "2")]),  # the last line may have no end
        ("a,b\n,\n", [("a", "b"), ("", "")]),
        ("a,b\n1,2,3\n4\n", None),  # as many marks in all, and not in each line
        ("a,b\n1\n2,3,4\n", None),
        ("a,b\n1,2,3\n", None),
        ("a,b\n1\n", None),
        ('a,b\n"1",2\n', None),
        ("a\n1\n", None),
        ("a,b\r\n1,2\r\n", None),
        ("ä,b\n1,2\n", None),
    ],
)
def test_every_line_has_the_same_cells(text: str, rows: list[tuple[str, ...]] | None) -> None:
    """No quotes, no other line ends, two columns or more."""
    found = columns.grid(text, ",")
    assert (None if found is None else [tuple(row) for row in found]) == rows


def test_parts_of_a_long_table_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Line by line, whatever the size of a part."""
    text = "".join(f"s{k % 3},{k}\n" for k in range(25))
    whole = columns.grid(text, ",")
    for size in (1, 7, 25):
        monkeypatch.setattr(columns, "LINES_AT_ONCE", size)
        found = columns.grid(text, ",")
        assert found is not None
        assert whole is not None
        assert list(found) == list(whole) == [(f"s{k % 3}", str(k)) for k in range(25)]
        assert [list(found[2:4]), found[-1]] == [[("s2", "2"), ("s0", "3")], ("s0", "24")]


def test_different_cells_are_counted_in_their_order() -> None:
    """Once for a column."""
    column = columns.Column(("b", "a", "b"))
    assert list(column.counts.items()) == [("b", 2), ("a", 1)]
    assert columns.counts(["x", "x"]) == {"x": 2}


@pytest.mark.parametrize(
    ("cells", "times"),
    [("abab", 2), ("aabbaabb", 4), ("ab", 0), ("aab", 0), ("aaab", 0), ("", 0)],
)
def test_how_often_cells_come_is_known_where_all_come_equally_often(cells, times):
    assert columns.Column(cells).times == times
