"""Columns that may be no rivals are asked about: the bounds of each doubt, one step to either side."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sigcore.readers import read
from sigcore.readers.tables.unclear import Unclear

Cells = Callable[[int], tuple[object, ...]]


def asked(heads: str, cells: Cells, rows: int = 12) -> str:
    """What is asked about a table; "" for one that is read."""
    lines = [heads.replace(" ", ","), *(",".join(map(str, cells(k))) for k in range(rows))]
    problems = read([("t.csv", "\n".join(lines).encode())]).problems
    assert all(isinstance(problem, Unclear) for problem in problems)
    return " ".join(problem.why for problem in problems if isinstance(problem, Unclear))


def long(letter: str, n: int) -> Cells:
    """An output of ten characters, and one of n, beside a reference of ten."""
    return lambda k: (k, f"{k:02d}{'r' * 8}", f"{k:02d}{'a' * 8}", f"{k:02d}{letter * (n - 2)}")


def settings(n: int) -> Cells:
    """Two rows of each question, told apart by a text of n words, and a score."""
    return lambda k: (f"q{k // 2}", " ".join(["ab"[k % 2], *["word"] * (n - 1)]), (k * 7) % 5)


def first_rows(k: int) -> tuple[object, ...]:
    """Outputs that share all words of the sentence in two rows, and none in the others."""
    own = [f"{letter}{k}" for letter in "wxyz"]
    return k, " ".join(own), *(" ".join(own if k < 2 else [f"{letter}{i}of{k}" for i in range(4)]) for letter in "pq")


def shared(a: int, b: int) -> Cells:
    """Four words each: a and b of them are those of the sentence."""

    def cells(k: int) -> tuple[object, ...]:
        own = [f"{letter}{k}" for letter in "wxyz"]
        outputs = [[*own[:n], *(f"{letter}{i}of{k}" for i in range(4 - n))] for letter, n in (("p", a), ("q", b))]
        return k, " ".join(own), *map(" ".join, outputs)

    return cells


@pytest.mark.parametrize(
    ("heads", "cells", "rows", "why"),
    [
        # the length of a text, with one character more for the line, is at most four times that of the reference
        ("id reference A B", long("b", 43), 12, ""),
        ("id reference A B", long("b", 44), 12, "B: much shorter or longer"),
        # a sentence that shares half of its words with every output may be the reference
        ("id sentence A B", shared(2, 2), 12, "Is sentence the reference?"),
        ("id sentence A B", shared(2, 1), 12, ""),
        ("id sentence A B", shared(1, 1), 12, ""),
        ("id sentence A B", first_rows, 12, ""),  # the mean of all rows counts
        # whole numbers beside fractions, and beside right and wrong: only where there is nothing else
        ("id A B", lambda k: (f"s{k}", k * 7 % 5, k * 7 % 5 + 0.5), 12, "A are whole numbers, but B are fractions"),
        ("id A B C", lambda k: (f"s{k}", k * 7 % 5, k * 7 % 5 + 0.5, k * 7 % 5 + k % 2 / 2), 12, ""),
        ("id A B", lambda k: (f"s{k}", k % 2, k * 7 % 5), 12, "A hold 0 and 1, but B other numbers"),
        ("id A B C", lambda k: (f"s{k}", k % 2, k * 7 % 5, k * 7 % 5 + 0.5), 12, ""),
        # a copy of the reference, and the same text everywhere, beside other outputs
        ("id reference A", lambda k: (k, f"r w{k}", f"r w{k}"), 12, ""),
        ("id reference A B", lambda k: (k, f"r w{k}", f"r w{k}", f"b w{k}"), 12, "A is the same as the reference reference"),
        ("id output", lambda k: (k, "the same"), 12, ""),
        ("id A B", lambda k: (k, "the same", f"b w{k}"), 12, "same text in every row, so they are hardly outputs: A"),
        # a number that goes up by one in ten rows or more counts them
        ("id A B", lambda k: (f"s{k}", k + 1, (k * 7) % 5), 12, "count the rows, so they are hardly scores: A"),
        ("id A B", lambda k: (f"s{k}", k + 1, (k * 7) % 5), 9, ""),
        ("id A B", lambda k: (f"s{k}", 2 * k, (k * 7) % 5), 12, ""),
        # one field of a log is enough
        ("id A B tokens", lambda k: (f"s{k}", k / 10, k / 7, 5 * (k % 4)), 12, "fields of a log, not systems: tokens"),
        # of numbered columns two are needed
        ("id run1 B", lambda k: (f"s{k}", k / 10, k / 7), 12, ""),
        ("id run1 run2", lambda k: (f"s{k}", k / 10, k / 7), 12, "Are run1, run2 systems, or people"),
        # a name has six words at most
        ("id setting score", settings(6), 24, "Does setting name systems?"),
        ("id setting score", settings(7), 24, "Row 2 has id q0 a second time"),
        # the same number everywhere, beside fractions; one that is always right is a system
        ("id A B", lambda k: (f"s{k}", 1, k / 7), 12, "same number in every row, so they are hardly scores: A"),
        ("id A B", lambda k: (f"s{k}", 1, k % 2), 12, ""),
        # shares of 1 and of 100; numbers near their half change too little to say so
        ("id A B", lambda k: (f"s{k}", k / 20, 1 - k / 20), 12, "add up to a whole in every row"),
        ("id A B", lambda k: (f"s{k}", 5.5 * k, 100 - 5.5 * k), 12, "add up to a whole in every row"),
        ("id A B", lambda k: (f"s{k}", 0.5 + k / 1000, 0.5 - k / 1000), 12, ""),
        ("id A B", lambda k: (f"s{k}", k / 20, 1 - k / 20), 9, ""),
        # scales: twenty times the other in the largest and in the median
        ("id A B", lambda k: (f"s{k}", (k + 1) / 10, (k + 1) * 1.9 + 0.01), 12, ""),
        ("id A B", lambda k: (f"s{k}", (k + 1) / 10, (k + 1) * 2.1 + 0.01), 12, "very different scales"),
        ("id A B", lambda k: (f"s{k}", (k + 1) / 10, (k + 1) * 2.1 if k == 11 else (k + 1) / 9), 12, ""),
        ("id A B", lambda k: (f"s{k}", (k + 1) / 10, -(k + 1) / 10), 12, "very different scales"),
        # numbers beside a reference of numbers may predict it; 0 and 1 say which are right
        ("id reference A B", lambda k: (f"s{k}", k + 0.5, k + 0.4, k + 0.6), 12, "or do they predict those in reference"),
        ("id reference A B", lambda k: (f"s{k}", k + 0.5, k % 2, (k // 2) % 2), 12, ""),
    ],
)  # fmt: skip
def test_what_is_asked_and_what_is_read(heads: str, cells: Cells, rows: int, why: str) -> None:
    """A doubt is named; without one the table is read."""
    found = asked(heads, cells, rows)
    assert (why in found) if why else not found, found


def test_one_judge_alone_is_no_question_of_judges() -> None:
    """Two names of judges show that people rated; one name may be anything."""
    cells: Cells = lambda k: (f"s{k}", ("Ann", "Eve")[k % 2], k % 5)  # noqa: E731
    assert "names judges" in asked("id judge score", cells)
    assert "names judges" not in asked("id judge score", lambda k: (f"s{k}", "Ann", k % 5))
