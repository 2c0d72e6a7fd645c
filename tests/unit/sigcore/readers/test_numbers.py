"""Which columns are scores, and which systems can be rivals: the bounds, from both sides."""

from __future__ import annotations

from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore.errors import ReadError
from sigcore.readers.tables import numbers


def different(scores: list[tuple[str, list[float]]]) -> tuple[str, str]:
    return numbers.different([(name, numbers.scale([*map(str, values)])) for name, values in scores])


@pytest.mark.parametrize(("factor", "apart"), [(20.0, False), (20.5, True)])
def test_scores_are_on_other_scales_above_a_factor_of_twenty(factor: float, apart: bool) -> None:
    """Both the largest and the median size must differ by more than that."""
    small, large = [0.5, 1.0, 2.0], [0.5 * factor, 1.0 * factor, 2.0 * factor]
    assert different([("A", large), ("B", small)]) == (("B", "A") if apart else ("", ""))
    assert different([("A", [*large[:2], 2.0]), ("B", small)]) == ("", "")


def test_three_segments_are_enough_to_compare_scales() -> None:
    """In two segments numbers differ by chance."""
    assert different([("A", [1.0] * 3), ("B", [90.0] * 3)]) == ("A", "B")
    assert different([("A", [1.0] * 2), ("B", [90.0] * 3)]) == ("", "")


def test_error_points_below_zero_are_no_rivals_of_scores_above() -> None:
    """A system that reaches 0 is on its side; one with only zeros says nothing."""
    assert different([("A", [0.5, 0.9, 0.0]), ("MQM", [0.0, -1.0, -5.0])]) == ("MQM", "A")
    assert different([("A", [0.5, 0.9, 0.7]), ("B", [0.0] * 3)]) == ("", "")


def test_a_column_with_many_gaps_is_still_one_of_scores() -> None:
    """Missing scores do not count against it, as long as half of its cells are numbers."""
    assert numbers.mostly_numbers(["1"] * 5 + [""] * 5)
    assert not numbers.mostly_numbers(["1"] * 4 + [""] * 6)


def test_one_comma_that_is_no_thousands_separator_says_what_all_are() -> None:
    """1,234 alone may be either; beside 0,5 it has a decimal comma."""
    assert numbers.with_points("a.txt", ["1,234", "0,5", "", "7"]) == ("1.234", "0.5", "", "7")
    with pytest.raises(ReadError, match="a decimal comma, or a thousands separator"):
        numbers.with_points("a.txt", ["1,234", "7"])


@pytest.mark.parametrize(("words", "error"), [(1, True), (2, False), (3, False)])
def test_more_than_a_tenth_of_words_is_text(words: int, error: bool) -> None:
    """One word among twenty numbers is a slip, and named; three make the column text."""
    cells = ["1.5"] * (20 - words) + ["word"] * words
    if error:
        with pytest.raises(ReadError, match="'word' is not a number"):
            numbers.are_scores("a.txt", cells)
    else:
        assert not numbers.are_scores("a.txt", cells)


def test_fewer_words_than_a_tenth_are_slips() -> None:
    """Three words among forty cells are named, wherever they are, and not taken for text."""
    with pytest.raises(ReadError, match="3 such cells"):
        numbers.are_scores("a.txt", [*["x"] * 3, *["0.1"] * 37])


@given(st.lists(st.floats(-50, 50) | st.integers(-3, 3).map(float), min_size=1, max_size=40))
def test_the_scale_of_a_column_is_that_of_its_numbers(values: list[float]) -> None:
    """Sizes, the median and the fractions of the different numbers are those of all numbers."""
    one = numbers.scale([*map(repr, values)])
    assert len(one) == len(values)
    assert one.largest == max(map(abs, values))
    assert one.usual == median(map(abs, values))
    assert one.fractions == sum(not value.is_integer() for value in values)
