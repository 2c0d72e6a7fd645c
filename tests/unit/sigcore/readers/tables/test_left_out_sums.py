"""Last rows that sum up the others are left out where their numbers are the means or the sums, and kept elsewhere."""

from __future__ import annotations

import pytest

from sigcore.readers.contract import Found
from sigcore.readers.tables import summary_rows
from sigcore.readers.tables.table import Table

THREE = ["w1,1,10", "w2,2,20", "w3,2,60"]
PARTS = ["q1,1,5", "q2,2,7", "de avg,1.5,6", "q3,4,5", "q4,2,8"]


def kept(*rows: str) -> tuple[int, list[str], list[int | None]]:
    """How many rows are left, and the message and the line of each notice."""
    result, cells = Found(), [row.split(",") for row in rows]
    left = summary_rows.without(Table("s.csv", ["word", "A", "B"], cells, range(2, len(rows) + 2)), result)
    return len(left.rows), [one.message for one in result.notices], [one.line for one in result.notices]


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ([*THREE, "mean,1.67,30"], 3),  # 5 / 3, rounded as it is written
        ([*THREE, "mean,1.66,31"], 4),  # rounded to another digit
        ([*THREE, "mean,1.6,30.3"], 4),
        ([*THREE, "total,5,90"], 3),
        ([*THREE, "total,9,90"], 3),  # one column is enough: the other may be a rate
        ([*THREE, "total,9,91"], 4),
        ([*THREE, "mean,1.67,30", "total,5,90"], 3),
        ([*THREE, "mean,1.67,30", "total,9,91"], 5),  # each of the last rows has to be one
        ([*THREE, "last,5,90"], 4),
        ([*THREE[:2], "total,3,30"], 3),  # of two rows a number may be the sum by chance
        (["w1,1,", "w2,2,20", "w3,3,40", "mean,2,30"], 3),  # 60 / 2: a missing number is none
        (["w1,1,", "w2,2,20", "w3,3,40", "mean,9,20"], 4),
        (["w1,1,5", "w2,2,5", "w3,3,5", "mean,9,5"], 4),  # a column of one number says nothing
        (["r1,10,0.1", "r2,30,0.2", "r3,60,0.5", "overall,7,0.37"], 3),  # weighted by the column beside it
        (["r1,10,0.1", "r2,30,0.2", "r3,60,0.5", "overall,7,0.36"], 4),
    ],
)
def test_a_last_row_is_left_out_only_if_its_numbers_say_it(rows: list[str], left: int) -> None:
    """To half of the last digit that is written."""
    assert kept(*rows)[0] == left


def test_the_notice_names_the_first_row_that_is_left_out() -> None:
    """One row, and two."""
    assert kept(*THREE, "mean,1.67,30")[1:] == (["Its last row, mean, sums up the others: left out."], [5])
    both = kept(*THREE, "mean,1.67,30", "total,5,90")
    assert both[1:] == (["Its last rows, mean, total, sum up the others: left out."], [5])


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ([*PARTS, "fr avg,3,6.5"], 4),
        ([*PARTS, "fr avg,2.25,6.25"], 6),  # the mean of all is not that of its part
        ([*PARTS, "fr avg,3,6.5", "all avg,2.25,6.25"], 4),
        ([*PARTS, "fr avg,3,6.5", "all avg,3,6.5"], 7),
        (["q1,1,5", "q2,2,7", "q3,4,5", "q4,2,8", "all avg,2.25,6.25"], 5),  # one such name may be a question
    ],
)
def test_means_of_parts_are_left_out_together(rows: list[str], left: int) -> None:
    """Each sums up the rows since the one before, the last perhaps all of them."""
    assert kept(*rows)[0] == left
