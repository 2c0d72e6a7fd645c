"""Columns that cross each other: which of them may name the systems, which the questions, and what tells rows apart."""

from __future__ import annotations

import itertools

import pytest

from sigcore.readers.tables.crossing import Crossing, are_tasks, found
from sigcore.readers.tables.table import Table

LETTERS = "abcdefgh"


def table(heads: str, rows: list[tuple[object, ...]]) -> Table:
    headings = heads.split()
    return Table("x.csv", headings, [[str(cell) for cell in row] for row in rows], range(2, len(rows) + 2))


def crossed(systems: int, questions: int, rows: int) -> Crossing | None:
    """What is found in a table with so many of all pairs of systems and questions, a number beside each."""
    pairs = sorted(itertools.product(range(questions), range(systems)), key=lambda pair: (sum(pair) % systems, pair))
    cells = [(LETTERS[s], f"t{q}", k / 10) for k, (q, s) in enumerate(pairs[:rows])]
    return found(table("colour task_id quality", cells), [2])


@pytest.mark.parametrize(
    ("systems", "questions", "rows", "is_one"),
    [
        (2, 4, 8, True),
        (3, 4, 12, True),
        (3, 4, 9, True),  # three quarters of all pairs
        (3, 4, 8, False),
        (3, 3, 9, False),  # as many of both: nothing says which are the questions
        (1, 4, 4, False),  # one name is no comparison
        (2, 2, 4, False),
    ],
)
def test_names_that_come_with_each_question_may_be_systems(
    systems: int, questions: int, rows: int, is_one: bool
) -> None:
    """At least three quarters of all pairs, more questions than systems, and two systems or more."""
    assert crossed(systems, questions, rows) == (Crossing(0, 1) if is_one else None)


def test_a_heading_that_says_system_comes_first_even_where_a_third_column_is_needed() -> None:
    """colour alone tells the rows of a task apart; method does it together with the language."""
    rows = [
        (LETTERS[2 * m + g], "AB"[m], ("en", "de")[g], f"t{q}", (q + m + g) / 10)
        for q in range(5)
        for m in range(2)
        for g in range(2)
    ]
    assert found(table("colour method lang task_id quality", rows), [4]) == Crossing(1, 3, 0)
    assert found(table("colour hue lang task_id quality", rows), [4]) == Crossing(0, 3)


def test_rows_that_nothing_tells_apart_are_no_crossing() -> None:
    """A column with other words in nearly every row names no runs."""
    rows = [("AB"[s], f"t{q}", f"word{4 * q + 2 * s + r}", 0.5) for q in range(4) for s in range(2) for r in range(2)]
    assert found(table("method task_id remark2 quality", rows), [3]) is None
    runs = [("AB"[s], f"t{q}", ("x", "y")[r], 0.5) for q in range(4) for s in range(2) for r in range(2)]
    assert found(table("method task_id side quality", runs), [3]) == Crossing(0, 1, 2)


@pytest.mark.parametrize(
    ("names", "tasks"),
    [
        (["sums", "dates", "names", "places"], True),
        ([f"{letter}x" for letter in "abcdefghij"], True),
        ([f"{letter}x" for letter in "abcdefghijk"], False),
        (["run1", "run2"], False),
        (["ann@x", "eve@x"], False),
    ],
)
def test_up_to_ten_words_are_tasks(names: list[str], tasks: bool) -> None:
    """More names, names with numbers and addresses are of people or of repetitions."""
    assert are_tasks([*names, names[0]]) is tasks


@pytest.mark.parametrize(("systems", "is_one"), [(100, True), (101, False)])
def test_up_to_a_hundred_names(systems: int, is_one: bool) -> None:
    """More are hardly systems."""
    rows = [(f"n{s:03d}x", f"t{q}", 0.5) for q in range(120) for s in range(systems)]
    assert (found(table("colour task_id quality", rows), [2]) == Crossing(0, 1)) is is_one
