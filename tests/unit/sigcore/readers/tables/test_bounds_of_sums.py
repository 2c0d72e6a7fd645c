"""Rows that sum up others, titles and gaps: one row, and one digit, to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.readers.contract import Found
from sigcore.readers.tables import summary_rows
from sigcore.readers.tables.table import Table
from tests.unit.sigcore.readers.tables.built import messages


def left(*rows: str, heads: str = "word,A,B") -> list[str]:
    """The names of the rows that stay."""
    cells = [row.split(",") for row in rows]
    of = Table("s.csv", heads.split(","), cells, range(2, len(rows) + 2))
    return [row[0] for row in summary_rows.without(of, Found()).rows]


THREE = ("a,1,10", "b,2,20", "c,6,60")


@pytest.mark.parametrize(
    ("last", "out"),
    [
        ("mean,3,30", True),
        ("mean,3,7", True),  # one number tells
        ("mean,7,7", False),
        ("sum,9,90", True),
        ("sum,9,7", True),
        ("sd,2.65,26.5", True),  # of a sample: 2.6458
        ("sd,2.16,21.6", True),  # of all: 2.1602
        ("sd,2.6,99", True),  # as rounded to one digit: 2.55 to 2.65
        ("sd,2.7,99", False),
        ("sd,2.5,99", False),
        ("mean,3.0,99", True),
        ("mean,3.1,99", False),
        ("x,3,30", False),
        ("(mean),3,30", True),
        ("[mean],3,30", True),
        ("mean,,", False),
        ('mean,"3",x', False),
    ],
)
def test_a_last_row_is_left_out_where_its_numbers_are_what_it_says(last: str, out: bool) -> None:
    assert left(*THREE, last) == ["a", "b", "c", *([] if out else [last.partition(",")[0]])]


def test_a_number_may_be_half_a_digit_off() -> None:
    """The mean is 3.5: 4 and 3 are it without digits, 3.4 is not."""
    rows = ("a,1,x", "b,2,x", "c,6,x", "d,5,x")
    assert [left(*rows, f"mean,{cell},x")[-1] for cell in ("4", "3", "3.4", "3.5", "5")] == [
        "d",
        "d",
        "mean",
        "d",
        "mean",
    ]
    # written in full: the digits that are there count, and rounding of the last
    thirds = ("a,1,x", "b,0,x", "c,0,x")
    assert left(*thirds, "mean,0.3333333333333333,x")[-1] == "c"
    assert left(*thirds, "mean,3.3333333333333333e-1,x")[-1] == "c"
    assert left(*thirds, "mean,3.33e-1,x")[-1] == "mean"
    assert left(*thirds, "mean,0.334,x")[-1] == "mean"


def test_texts_have_no_sums() -> None:
    """Columns of one role, as the lines of a text."""
    cells = [row.split(",") for row in (*THREE, "mean,3,30")]
    of = Table("s.csv", ["word", "A", "B"], cells, range(2, 6), role="system")
    assert summary_rows.without(of, Found()) is of
    parts = [row.split(",") for row in ("x,1,1", "y,3,3", "de avg,2,2", "z,5,5", "fr avg,5,5")]
    of = Table("s.csv", ["word", "A", "B"], parts, range(2, 7), role="reference")
    assert summary_rows.without(of, Found()) is of


def test_fewer_than_three_rows_are_summed_up_by_chance() -> None:
    assert left("a,1,10", "b,2,20", "c,6,60", "mean,3,30") == ["a", "b", "c"]
    assert left("a,1,10", "b,2,20", "mean,1.5,15") == ["a", "b", "mean"]


def test_several_last_rows() -> None:
    """Each of them is what it says; a deviation may be of another kind."""
    assert left(*THREE, "mean,3,30", "sum,9,90") == ["a", "b", "c"]
    assert left(*THREE, "mean,3,30", "max,7,7") == ["a", "b", "c", "mean", "max"]
    assert left(*THREE, "mean,3,30", "sum,7,7") == ["a", "b", "c", "mean", "sum"]
    assert left(*THREE, "mean,3,30", "sd,0.7,7") == ["a", "b", "c"]
    assert left(*THREE, "sd,0.7,7") == ["a", "b", "c", "sd"]


def test_a_name_that_other_rows_have_is_that_of_a_segment() -> None:
    """sum may be a task, also below another heading than the first."""
    assert left("sum,1,10", "b,2,20", "c,6,60", "sum,3,30") == ["sum", "b", "c", "sum"]
    assert left("mean,1,10", "b,2,20", "c,6,60", "sum,9,90") == ["mean", "b", "c"]
    # then the others of the last rows are, too
    assert left("sum,1,10", "b,2,20", "c,6,60", "mean,3,30", "sum,12,120") == ["sum", "b", "c", "mean", "sum"]


def test_a_column_of_one_number_tells_nothing() -> None:
    assert left("a,5,x", "b,5,y", "c,5,z", "mean,5,w") == ["a", "b", "c", "mean"]
    assert left("a,5,x", "b,5,y", "c,6,z", "mean,5.33,w") == ["a", "b", "c"]


def test_a_mean_may_be_weighted_by_another_column() -> None:
    """By words; not by a column that has gaps, or whose sum is nothing."""
    rows = ("a,0.5,10", "b,0.2,20", "c,0.1,70")
    assert left(*rows, "mean,0.16,99") == ["a", "b", "c"]
    assert left(*rows, "mean,0.18,99") == ["a", "b", "c", "mean"]
    assert left("a,0.5,10", "b,0.2,20", "c,0.1,", "mean,0.30,9") == ["a", "b", "c", "mean"]
    assert left("a,0.5,-1", "b,0.2,1", "c,0.1,0", "mean,0.16,9") == ["a", "b", "c", "mean"]


def test_numbers_with_commas_and_percent_signs() -> None:
    cells = [["a", "1,5", "10%"], ["b", "2,5", "20 %"], ["c", "5", "60%"], ["mean", "3,0", "7"]]
    of = Table("s.csv", ["word", "A", "B"], cells, range(2, 6))
    found = Found()
    assert len(summary_rows.without(of, found).rows) == 3
    assert messages(found) == ["Its last row, mean, sums up the others: left out."]
    assert found.notices[0].line == 5
    two = Table("s.csv", ["word", "A", "B"], [*cells[:3], ["mean", "3,0", "7"], ["sum", "9,0", "90%"]], range(2, 7))
    found = Found()
    summary_rows.without(two, found)
    assert messages(found) == ["Its last rows, mean, sum, sum up the others: left out."]


def test_means_of_parts_and_of_all() -> None:
    """Each below the rows of its part; the last one of all rows, without those of parts."""
    parts = ("x,1,10", "y,3,20", "de avg,2,15", "z,5,30", "w,7,50", "fr avg,6,40")
    assert left(*parts, "all avg,4,27.5") == ["x", "y", "z", "w"]
    assert left(*parts) == ["x", "y", "z", "w"]
    assert left(*parts, "all avg,9,99") == [row.partition(",")[0] for row in (*parts, "all avg")]
    assert left("x,1,10", "y,3,20", "de avg,9,99", "z,5,30", "fr avg,5,30") == ["x", "y", "de avg", "z", "fr avg"]
    # one number of each tells it, beside words
    assert left("x,1,10", "y,3,20", "de avg,2,99", "z,5,30", "w,7,50", "fr avg,x,40") == ["x", "y", "z", "w"]
    # one such row is the name of a segment
    assert left("x,1,10", "y,3,20", "z,5,30", "de avg,3,20") == ["x", "y", "z", "de avg"]
    # three rows beside them, or more
    assert left("x,1,10", "de avg,1,10", "y,3,20", "fr avg,3,20") == ["x", "de avg", "y", "fr avg"]
    assert left("x,1,10", "de avg,1,10", "y,3,20", "z,5,60", "fr avg,4,40") == ["x", "y", "z"]


def titled(*rows: str) -> tuple[list[str], list[int], list[str]]:
    found = Found()
    cells = [row.split(",") for row in rows]
    kept, places = summary_rows.without_titles("s.csv", cells, range(1, len(rows) + 1), found)
    return [row[0] for row in kept], list(places), messages(found)


def test_titles_of_parts_have_a_mark_and_nothing_beside_them() -> None:
    rows = ("word,A,B", "== Easy ==,,", "a,1,10", "b,2,20", "c,6,60")
    told = "1 row without numbers is a title of parts, and no segments: == Easy ==."
    assert titled(*rows) == (["word", "a", "b", "c"], [1, 3, 4, 5], [told])
    kept, _, notes = titled(*rows, "# Hard,-,--", "d,1,2")
    assert (kept, notes) == (["word", "a", "b", "c", "d"], [
        "2 rows without numbers are titles of parts, and no segments: == Easy ==, # Hard."
    ])  # fmt: skip


@pytest.mark.parametrize(
    "rows",
    [
        ("word,A,B", "Easy,,", "a,1,10", "b,2,20", "c,6,60"),  # the name of a segment without scores
        ("word,A,B", "== Easy ==,,3", "a,1,10", "b,2,20", "c,6,60"),
        ("word,A,B", "== Easy ==,,", "a,1,10", "b,2,20"),  # two rows
        ("word,A,B", "== Easy ==,,", "a,1,x", "b,2,20", "c,6,60"),  # one column of numbers
        ("word,A", "== Easy ==,", "a,1", "b,2", "c,6"),
        ("== Easy ==,,", "a,1,10", "b,2,20", "c,6,60"),  # above the first row
    ],
)
def test_what_is_no_title_of_a_part(rows: tuple[str, ...]) -> None:
    kept, places, notes = titled(*rows)
    assert (kept, places, notes) == ([row.partition(",")[0] for row in rows], [*range(1, len(rows) + 1)], [])


def test_as_many_titles_as_rows_are_none() -> None:
    titles = [f"== {k} ==,," for k in range(4)]
    rows = [f"{k},{k},1" for k in range(4)]
    both = [line for pair in zip(titles, rows, strict=True) for line in pair]
    assert len(titled("word,A,B", *both)[0]) == 5
    assert len(titled("word,A,B", *both, "== x ==,,")[0]) == 10


def test_a_gap_above_sums_is_no_row() -> None:
    """A sheet sets them apart; blank rows between others stay."""

    def kept(*rows: str) -> list[str]:
        cells, places = summary_rows.without_gap([row.split(",") for row in rows], range(1, len(rows) + 1))
        assert [rows[place - 1].split(",") for place in places] == list(map(list, cells))
        return [",".join(row) for row in cells]

    body = ("word,A", "a,1", "b,2", "c,3")
    assert kept(*body, ",", "mean,2") == [*body, "mean,2"]
    assert kept(*body, ",", "mean,2", ",") == [*body, "mean,2"]
    assert kept(*body, ",", "mean,2", "d,4") == [*body, ",", "mean,2", "d,4"]
    assert kept(*body, "mean,2") == [*body, "mean,2"]
    assert kept("word,A", "a,1", "b,2", ",", "mean,2") == ["word,A", "a,1", "b,2", "mean,2"]
    assert kept("word,A", "a,1", ",", "mean,2") == ["word,A", "a,1", ",", "mean,2"]
    assert kept(*body, ",x", "mean,2") == [*body, ",x", "mean,2"]
    assert kept("a", "b", "c", "", "mean") == ["a", "b", "c", "", "mean"]  # a column of texts
