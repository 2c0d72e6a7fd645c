"""Cells that are numbers: how people write them, which are missing, and what makes a column one of scores."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.tables import numbers, sums


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (("7/10", "3 / 10", ""), ("7", "3", "")),
        (("7/10", "4/5"), ("0.7", "0.8")),  # of another number of points
        (("7/10", "x"), ()),
        (("0,5", "", "1"), ("0.5", "", "1")),
        (("0,5", "n/a", "1,250"), ("0.5", "n/a", "1.250")),  # one comma that is no thousands separator is enough
        (("12.5%", "3 %"), ("12.5", "3 ")),
        (("12.5%", "3"), ()),  # percent of what?
        (("1,234.5", "7", "2,000"), ("1234.5", "7", "2000")),
        (("[PASS] fine", "[FAIL] no"), ("1", "0")),
        (("[PASS] fine", "no"), ()),
        (("True", "false", "-"), ("1", "0", "")),
        (("✓ well done", "✗", "✔️"), ("1", "0", "1")),
        (("pass", "fail", "error"), ()),
        (("yes", "no"), ()),  # more often these are answers
        (("0.5", "0.25"), ()),  # as they are
    ],
)
def test_numbers_as_people_write_them(cells: tuple[str, ...], read: tuple[str, ...]) -> None:
    """One way in a whole column; () for numbers that need no reading, and for texts."""
    assert tuple(numbers.as_numbers("f", cells, known=numbers.OUTCOMES)[0]) == read


def test_the_note_names_the_words_that_were_read() -> None:
    """Those for 1 first; of a mark with a remark the mark alone."""
    assert numbers.as_numbers("f", ("✗ too long", "✓", ""), known=numbers.OUTCOMES)[1] == "✓ and ✗ were read as 1 and 0"
    assert numbers.as_numbers("f", ("False", "true"))[1] == "true and false were read as 1 and 0"


def test_a_comma_that_may_mean_two_things_is_refused_with_its_place() -> None:
    """All commas stand before three digits; the first one is named."""
    with pytest.raises(ReadError, match="column A, row 2: '1,250' may have a decimal comma") as caught:
        numbers.with_points("f", ("", "1,250", "3"), "A", (2, 7, 9))
    assert caught.value.line == 7


@pytest.mark.parametrize("cell", ["", " ", "NA", "n/a", "NaN", "None", "null", "-"])
def test_marks_of_a_missing_score(cell: str) -> None:
    """In small and in capital letters."""
    assert numbers.is_missing(cell)
    assert numbers.are_scores("f", ("0.5", "0.25", cell, "1"))


@pytest.mark.parametrize(
    ("cells", "are"),
    [
        (("0.5", ""), True),
        (("0.5", "", ""), True),  # the last one may be the end of the file
        (("0.5", "", "", ""), False),
        (("0.5", "0.1", "", ""), True),  # half of them
        (("0.5",) * 9 + ("x",), False),
        (("1",) * 18 + ("a", "b"), False),  # exactly nine tenths
    ],
)
def test_half_of_the_cells_and_nearly_all_that_are_filled_are_numbers(cells: tuple[str, ...], are: bool) -> None:
    """Else the column holds texts."""
    assert numbers.are_scores("f", cells) is are


def test_a_few_words_among_numbers_are_refused_and_explained() -> None:
    """More than nine tenths are numbers: the column says how to mark a word as missing, a file of lines cannot."""
    cells = ("0.5",) * 20 + ("timeout", "0.25", "timeout")
    with pytest.raises(ReadError, match=r"column A, row 21: 'timeout' is not a number\. \(2 such cells\.\)") as caught:
        numbers.are_scores("f", cells, "A")
    assert caught.value.fix.endswith("--cells timeout=missing.")
    with pytest.raises(ReadError, match="line 21: 'timeout' is not a number") as caught:
        numbers.are_scores("f", cells)
    assert "--cells" not in caught.value.fix


def test_the_median_of_an_even_number_lies_between_two() -> None:
    """1, 3, 5, 9: the median distance from 0 is 4; signs do not count."""
    scale = numbers.scale(("9", "-1", "3", "-5", "x"))
    assert (scale.usual, scale.largest, len(scale), scale.fractions) == (4.0, 9.0, 4, 0)
    assert numbers.scale(("2", "2", "7.5")).usual == 2.0


@pytest.mark.parametrize(
    ("n", "equal", "is_one"),
    [(10, 10, True), (10, 9, False), (100, 98, True), (100, 97, False), (50, 49, True), (30, 29, False)],
)
def test_nearly_all_of_many_lines_make_a_copy(n: int, equal: int, is_one: bool) -> None:
    """98 of 100; of fewer than 30 all of them."""
    gold = [f"line {k}" for k in range(n)]
    assert numbers.is_copy([*gold[:equal], *["other"] * (n - equal)], gold) is is_one


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        (["a", "b", "mean"], [4]),
        (["a", "mean"], []),  # half of the names are such words: they are the data
        (["a", "b", "mean", "median", "sum"], []),
        (["a", "b", "c", "Total", "a", "total"], [5, 7]),
        (["a1", "b2", "mean3"], []),
    ],
)
def test_rows_called_mean_or_total(names: list[str], lines: list[int]) -> None:
    """Each is a problem with its line, unless half of all names are such words."""
    assert [one.line for one in sums.found("f", names, range(2, len(names) + 2))] == lines


@pytest.mark.parametrize(
    ("cells", "marks"),
    [
        (["C"] * 5 + ["I"] * 5, ["C", "I"]),
        (["C"] * 5 + ["I"] * 4, []),  # five rows for each word
        (["C"] * 9, []),
        ([*"abcdef"] * 5, [*"abcdef"]),
        ([*"abcdefg"] * 5, []),
        (["C"] * 5 + ["I" * 31] * 5, []),
        (["C"] * 5 + ["I"] * 5 + [""], ["C", "I"]),
    ],
)
def test_a_few_short_words_again_and_again_are_marks(cells: list[str], marks: list[str]) -> None:
    """Two to six words of at most thirty letters, each for five rows on average."""
    assert numbers.marks(cells) == marks
