"""Numbers and words in columns: how many of them, how long, and how far apart; one step to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.tables import numbers, sums
from sigcore.readers.tables.columns import Column

TEN = [str(k) for k in range(10)]


@pytest.mark.parametrize(
    ("cell", "is_one"),
    [
        ("1", True), ("-1.5", True), ("+.5", True), ("1.", True), (" 2 ", True), ("1e-3", True), ("1E+300", True),
        ("1e999", False), ("nan", False), ("inf", False), ("1_000", False), ("1,5", False), (".", False), ("", False),
        ("٣", False), ("5%", False), ("1 2", False),
    ],
)  # fmt: skip
def test_numbers_are_finite_and_in_ascii(cell: str, is_one: bool) -> None:
    assert numbers.is_number(cell) is is_one
    assert (cell in numbers.parsed([cell])) is is_one
    assert (cell in numbers.parsed(Column([cell]))) is is_one


@pytest.mark.parametrize(
    ("cells", "read", "how"),
    [
        (("7/10", "3/10"), ("7", "3"), "the points before / 10 were read"),
        (("7 / 10", "", "2.5/10"), ("7", "", "2.5"), "the points before / 10 were read"),
        (("7/10", "3/5", ""), ("0.7", "0.6", ""), "points out of different numbers (2/3) were read as their shares"),
        (("7/10", "6/5"), (), ""),
        (("7/10", "0/0"), (), ""),
        (("7/10", "x/5"), (), ""),
        (("7/10", "3"), (), ""),
        (("12,345.5", "1,234"), ("12345.5", "1234"), "its commas between thousands were left out"),
        (("1,234,567", "5"), ("1234567", "5"), "its commas between thousands were left out"),
        (("1,234,567", "x"), (), ""),
        (("0,5", "1"), ("0.5", "1"), "its decimal commas were read as points"),
        (("0,5", "1.5"), (), ""),
        (("5%", "2.5 %"), ("5", "2.5 "), "its percent signs were left out"),
        (("5%", "", "7%"), ("5", "", "7"), "its percent signs were left out"),
        (("5%", "7"), (), ""),
        (("91,8%", "5%"), ("91.8", "5"), "its decimal commas were read as points, its percent signs were left out"),
        (("91,8 %", "na"), ("91.8", "na"), "its decimal commas were read as points, its percent signs were left out"),
        (("91,8%", "5.5%"), (), ""),
        (("91,8%", "5"), (), ""),
        (("[PASS] a", "[FAIL] b", "[ERROR] c"), ("1", "0", "0"), "[PASS] and [FAIL] before its texts were read as 1 and 0"),
        (("[PASS] a", "b"), (), ""),
        (("true", "False", ""), ("1", "0", ""), "true and false were read as 1 and 0"),
        (("false", "false"), ("0", "0"), "false were read as 1 and 0"),
        (("pass", "fail"), (), ""),
        (("1", "2"), (), ""),
        (("word", "5%"), (), ""),
    ],
)  # fmt: skip
def test_cells_as_plain_numbers(cells: tuple[str, ...], read: tuple[str, ...], how: str) -> None:
    assert numbers.as_numbers("f", cells) == (read, how)
    assert numbers.as_numbers("f", Column(cells)) == (read, how)


def test_words_for_one_and_nought_below_a_heading_that_says_so() -> None:
    assert numbers.as_numbers("f", ("fail", "pass", "na"), known=numbers.OUTCOMES) == (
        ("0", "1", ""),
        "pass and fail were read as 1 and 0",
    )
    assert numbers.as_numbers("f", ("✓ because", "✗"), known=numbers.OUTCOMES)[0] == ("1", "0")
    assert numbers.as_numbers("f", ("yes", "no"), known=numbers.OUTCOMES) == ((), "")
    assert numbers.as_numbers("f", ("yes", "no"), known=numbers.ALL_OUTCOMES)[0] == ("1", "0")


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (("true", "false"), ("1", "0")),
        (("", "true"), ("", "1")),
        (("", ""), ()),
        (("x", "true"), ()),
        (("true", "x"), ()),
        ((), ()),
    ],
)
def test_only_words_for_one_and_nought_are_truths(cells: tuple[str, ...], found: tuple[str, ...]) -> None:
    assert numbers.truths(cells) == found


def test_what_words_mean_and_say_is_better() -> None:
    assert [numbers.meant(word) for word in ("Yes", "n", "✅ good", "fail", "perhaps", "")] == [
        "1",
        "0",
        "1",
        "0",
        "",
        "",
    ]
    assert [numbers.better_of(cells) for cells in (("pass", "fail"), ("true", "false"), ("1", "0"))] == [
        "higher",
        "",
        "",
    ]


@pytest.mark.parametrize(("n", "bad", "are"), [(20, 1, True), (20, 2, False), (10, 1, False), (11, 1, True)])
def test_nine_of_ten_filled_cells_are_numbers(n: int, bad: int, are: bool) -> None:
    """More than nine of ten."""
    assert numbers.mostly_numbers(["x"] * bad + ["1"] * (n - bad)) is are
    assert numbers.mostly_numbers(["inf"] * bad + ["1"] * (n - bad)) is True


@pytest.mark.parametrize(("missing", "are"), [(5, True), (6, False)])
def test_half_of_all_cells_are_numbers(missing: int, are: bool) -> None:
    assert numbers.mostly_numbers([""] * missing + TEN[: 10 - missing]) is are


def test_many_whole_numbers_are_ids_without_a_value() -> None:
    """A thousand and one of them, of at most 300 digits: nobody needs the value of each."""
    for n, parsed in ((1_000, True), (1_001, False)):
        cells = Column(map(str, range(n)))
        assert numbers.mostly_numbers(cells)
        assert (cells.numbers is not None) is parsed
    for digits, are in ((300, True), (310, False)):
        cells = Column([*map(str, range(1_001)), "9" * digits])
        assert numbers.mostly_numbers(cells)
        assert (cells.numbers is None) is are
        assert ("9" * digits in numbers.parsed(cells)) is are


def test_digits_alone() -> None:
    assert [numbers.are_digits(cells) for cells in (["1", "23"], ["1", ""], ["1", "-2"], ["٣"], [])] == [
        True,
        False,
        False,
        False,
        False,
    ]


def test_the_scale_of_numbers() -> None:
    """The median distance from nought, the largest, and how many are no whole numbers."""
    one = numbers.scale(["-4", "1", "1", "2.5", "x", ""])
    assert (one.values, one.times, len(one)) == ((-4.0, 1.0, 2.5), (1, 2, 1), 4)
    assert (one.largest, one.usual, one.fractions) == (4.0, 1.75, 1)
    assert numbers.scale(["3", "1", "2"]).usual == 2.0
    assert numbers.times(["1", "1.0", "2"]) == {1.0: 2, 2.0: 1}
    assert numbers.numbers_in(["2", "x", "1"]) == [2.0, 1.0]


def apart(one: list[float], other: list[float]) -> bool:
    return numbers.different(
        [("a", numbers.scale(list(map(str, one)))), ("b", numbers.scale(list(map(str, other))))]
    ) != ("", "")


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ([1, 1, 1], [20, 20, 20], False),
        ([1, 1, 1], [21, 21, 21], True),
        ([1, 1, 1], [1, 1, 21], False),  # only the largest
        ([1, 1, 10], [21, 21, 21], False),  # only the median
        ([1, 1], [21, 21], False),
        ([-1, -2, -3], [1, 2, 3], True),
        ([-1, -2, 0], [0, 2, 3], True),
        ([-1, -2, 1], [1, 2, 3], False),
        ([0, 0, 0], [1, 2, 3], False),  # nothing but noughts
    ],
)  # fmt: skip
def test_scores_are_on_other_scales(one: list[float], other: list[float], are: bool) -> None:
    assert apart(one, other) is are


@pytest.mark.parametrize(
    ("n", "equal", "is_one"), [(3, 3, True), (3, 2, False), (29, 28, False), (50, 49, True), (49, 48, False)]
)
def test_nearly_all_lines_of_many_are_those_of_a_copy(n: int, equal: int, is_one: bool) -> None:
    """Of thirty or more, 98 of a hundred."""
    gold = [f"t{k}" for k in range(n)]
    assert numbers.is_copy([*gold[:equal], *["x"] * (n - equal)], gold) is is_one


def test_scores_with_slips_are_refused_with_their_place() -> None:
    """One empty cell at the end does not count; up to a tenth of the cells are slips, more are text."""
    assert numbers.are_scores("f", ["1", "2", ""])
    assert numbers.are_scores("f", ["1", "na", "2", "3"])
    assert not numbers.are_scores("f", ["a", "b"])
    cells = [*["1"] * 19, "oops"]
    with pytest.raises(ReadError, match="line 20: 'oops' is not a number") as error:
        numbers.are_scores("f", cells)
    assert error.value.fix == "Give every segment a finite number with a decimal point, or remove this cell."
    with pytest.raises(ReadError, match="column A, row 20: 'oops' is not a number") as error:
        numbers.are_scores("f", cells, "A", range(2, 22))
    assert (error.value.line, error.value.fix.partition(" If ")[2]) == (
        21,
        "there is no score where it says so: --cells oops=missing.",
    )
    with pytest.raises(ReadError, match="is not a number") as error:
        numbers.are_scores("f", ["head", *["1"] * 19])
    assert error.value.fix.endswith("or remove the heading.")
    with pytest.raises(ReadError, match=r"'a' is not a number. \(2 such cells.\)"):
        numbers.are_scores("f", ["a", "b", *["1"] * 19])
    assert not numbers.are_scores("f", ["a", "b", "c", *["1"] * 19])


@pytest.mark.parametrize(("word", "said"), [("w" * 30, True), ("w" * 31, False), ("5x", False)])
def test_short_words_among_numbers_may_say_why_there_is_none(word: str, said: bool) -> None:
    with pytest.raises(ReadError, match="is not a number") as error:
        numbers.are_scores("f", [*["1"] * 19, word], "A")
    assert (f"--cells {word}=missing" in error.value.fix) is said


@pytest.mark.parametrize(("words", "said"), [(6, True), (7, False)])
def test_six_words_among_numbers_are_said(words: int, said: bool) -> None:
    with pytest.raises(ReadError, match="is not a number") as error:
        numbers.are_scores("f", [*["1"] * 93, *(f"w{k}" for k in range(words))], "A")
    assert ("--cells w0=missing" in error.value.fix) is said


def test_a_comma_before_three_digits_may_mean_two_things() -> None:
    """Unless another comma says what all are."""
    assert numbers.with_points("f", ["1,234", "0,5"]) == ("1.234", "0.5")
    assert numbers.with_points("f", ["0,234", "0,125"]) == ("0.234", "0.125")
    assert numbers.with_points("f", ["1", "2"]) == ()
    assert numbers.with_points("f", ["1,2", "x"]) == ()
    with pytest.raises(
        ReadError, match="column A, row 2: '1,234' may have a decimal comma, or a thousands separator"
    ) as error:
        numbers.with_points("f", ["5", "1,234"], "A", [2, 3])
    assert error.value.line == 3


@pytest.mark.parametrize(
    ("words", "rows", "are"),
    [(1, 20, False), (2, 10, True), (2, 9, False), (6, 30, True), (6, 29, False), (7, 70, False)],
)
def test_two_to_six_words_with_five_rows_each_are_marks(words: int, rows: int, are: bool) -> None:
    cells = [f"w{k % words}" for k in range(rows)]
    assert bool(numbers.marks([*cells, "", "na"])) is are
    assert numbers.marks(["a" * 30, "b"] * 5) == ["a" * 30, "b"]
    assert numbers.marks(["a" * 31, "b"] * 5) == []


@pytest.mark.parametrize(
    ("words", "rows", "are"),
    [(1, 2, True), (1, 1, False), (6, 12, True), (6, 11, False), (7, 20, False)],
)
def test_grades_are_up_to_six_words_with_two_rows_each(words: int, rows: int, are: bool) -> None:
    assert bool(numbers.few_words(f"w{k % words}" for k in range(rows))) is are
    assert numbers.few_words(["a" * 31] * 2) == []
    assert numbers.few_words(["1"] * 2) == []
    assert numbers.few_words(["", ""]) == []


@pytest.mark.parametrize(
    ("column", "headed"),
    [
        (["head", *["1"] * 10], True),
        (["head", *TEN, "x"], True),
        (["head", *TEN[1:], "x"], False),
        (["head", "pass", "fail"], True),
        (["head", "5%", "na"], True),
        (["head"], False),
        (["head", *["a", "b"] * 5], True),
        (["a", *["a", "b"] * 5], False),
        (["head", "x", "y"], False),
    ],
)
def test_a_first_cell_above_values_is_a_heading(column: list[str], headed: bool) -> None:
    assert numbers.is_headed(column) is headed


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        (["a", "b", "mean"], [3]),
        (["a", "b", " Total "], [3]),
        (["mean", "a", "b", "mean"], [1, 4]),
        (["a", "mean"], []),  # half of the names: words of the data
        (["a", "b", "c", "mean", "sum"], [4, 5]),
        (["a", "b", "mean value"], []),
    ],
)
def test_rows_that_sum_up_others_are_found(names: list[str], lines: list[int]) -> None:
    assert [one.line for one in sums.found("f", names, range(1, len(names) + 1))] == lines
    if lines:
        with pytest.raises(ReadError):
            sums.refuse("f", names, range(1, len(names) + 1))
    else:
        sums.refuse("f", names, range(1, len(names) + 1))
