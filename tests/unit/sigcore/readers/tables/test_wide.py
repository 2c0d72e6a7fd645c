"""Tables with a column per system: ids and their order, outcomes and labels, people beside outputs, measures of one system."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sigcore.readers import Intake, read

Cells = Callable[[int], tuple[object, ...]]


def loaded(heads: str, cells: Cells | list[str], rows: int = 12, file: str = "t.csv") -> Intake:
    lines = cells if isinstance(cells, list) else [",".join(map(str, cells(k))) for k in range(rows)]
    return read([(file, "\n".join([heads.replace(" ", ","), *lines]).encode())])


def outline(intake: Intake) -> str:
    """NAME=ROLE/KIND of each stream; or what is asked."""
    asked = [getattr(problem, "why", problem.what) for problem in intake.problems]
    return " ".join([*asked, *(f"{item.name}={item.role}/{item.kind}" for item in intake.items)])


@pytest.mark.parametrize(
    ("ids", "keys", "order"),
    [
        (("10", "9", "2"), ("2", "9", "10"), (2, 1, 0)),  # by their size, not by their letters
        (("1", "2", "3"), ("1", "2", "3"), (0, 1, 2)),
        (("q10", "q9", "q2"), ("q10", "q9", "q2"), (0, 1, 2)),
        (("a", "", "c"), (), (0, 1, 2)),  # one has none
    ],
)
def test_ids_and_the_order_of_rows(ids: tuple[str, ...], keys: tuple[str, ...], order: tuple[int, ...]) -> None:
    """Whole numbers put the rows in order, and that is said."""
    intake = loaded("id A B", [f"{one},0.{k},0.5{k}" for k, one in enumerate(ids)])
    scores = [tuple(f"0.{k}" for k in order), tuple(f"0.5{k}" for k in order)]
    assert [(item.segments, item.keys) for item in intake.items] == [(one, keys) for one in scores]
    assert any("sorted by id" in notice.message for notice in intake.notices) == (order != (0, 1, 2))


def test_the_row_without_an_id_is_named() -> None:
    """Its line, and that segments are matched by place."""
    (notice,) = (one for one in loaded("id A B", ["a,0.5,0.1", ",0.25,0.2", "c,0.1,0.3"]).notices if one.line == 3)
    assert "row 2 has no id" in notice.message


def test_ids_that_count_in_each_document_are_joined_with_it() -> None:
    """1 of d1 is another segment than 1 of d2."""
    intake = loaded("seg doc reference A B", lambda k: (k % 6, f"d{k // 6}", f"r w{k}", f"a w{k}", f"b w{k}"))
    assert {item.keys[5:7] for item in intake.items} == {("5 of d0", "0 of d1")}


def test_numbers_before_texts_name_them_only_if_they_differ() -> None:
    """In a file without a header."""
    (one, two) = read([("t.tsv", b"5\ta b\tc d\n7\te f\tg h\n")]).items
    assert (one.keys, two.segments) == (("5", "7"), ("c d", "g h"))
    assert read([("t.tsv", b"5\ta b\tc d\n5\te f\tg h\n")]).problems


@pytest.mark.parametrize(
    ("heads", "cells", "wanted"),
    [
        # words of right and wrong are scores; beside a reference they are answers, unless it says neither true nor false
        ("id A B", lambda k: (k, ("pass", "fail")[k % 2], ("pass", "fail")[k // 2 % 2]), "A=system/scores B=system/scores"),
        ("id reference A B", lambda k: (k, f"w{k % 4} x", ("pass", "fail")[k % 2], ("pass", "fail")[k // 2 % 2]),
         "reference=reference/text A=system/text B=system/text"),
        ("id reference A B", lambda k: (k, f"w{k} x", ("true", "false")[k % 2], ("true", "false")[k // 2 % 2]),
         "reference=reference/text A=system/scores B=system/scores"),
        ("id reference A B", lambda k: (k, ("true", "false")[k // 3 % 2], ("true", "false")[k % 2], ("true", "false")[k // 2 % 2]),
         "reference=reference/text A=system/text B=system/text"),
        # a few short names that come again are of judges; long ones only beside scores
        ("id A B judge", lambda k: (k, f"a w{k}", f"b w{k}", ("Ann", "Eve")[k % 2]), "judge=ignored/text"),
        ("id A B judge", lambda k: (k, f"a w{k}", f"b w{k}", f"Ann likes {k}"), "judge=system/text"),
        ("id A B judge", lambda k: (k, k / 3, k / 7, f"Ann likes {k}"), "judge=ignored/text"),
        ("id A B judge", lambda k: (k, f"a w{k}", f"b w{k}", ("Ann" * 14, "Eve")[k % 2]), "a few words again and again"),
        # a column with a few numbers is one of scores beside others; an empty one is none
        ("id A B C", lambda k: (k, k / 10, k / 7, k if k < 2 else ""), "C=system/scores"),
        ("id A B C", lambda k: (k, k / 10, k / 7, ""), "C=ignored/text"),
        ("id A B remark", lambda k: (k, k / 10, k / 7, f"fine {k}"), "remark=ignored/text"),
        # a sample beside outputs is what was asked; where no other text is, it is the output
        ("id sample A B", lambda k: (k, f"r w{k}", f"a v{k}", f"b v{k}"), "sample=ignored/text A=system/text B=system/text"),
        ("id sample", lambda k: (k, f"a w{k}"), "sample=system/text"),
        # measures of one system: what a program ran is not used; several outputs are no such table
        ("id output COMET tokens", lambda k: (k, f"a w{k}", k / 10, k * 3), "t=system/text t=system/scores tokens=ignored/scores"),
        ("id output COMET depth2 tokens", lambda k: (k, f"a w{k}", k / 10, k / 7, k * 3),
         "t=system/text t=system/scores depth2=ignored/scores tokens=ignored/scores"),
        ("id output hyp COMET tokens", lambda k: (k, f"a w{k}", f"b w{k}", k / 10, k * 3), "fields of a log, not systems: tokens"),
    ],
)  # fmt: skip
def test_what_columns_are(heads: str, cells: Cells, wanted: str) -> None:
    """By their cells, and by what stands beside them."""
    found = outline(loaded(heads, cells))
    assert wanted in found, found


def test_scores_without_a_name_have_the_measure_of_the_file() -> None:
    """Others keep their own; both are of the system in the name of the file."""
    intake = loaded("id score accuracy", lambda k: (k, k / 10, k / 7), file="One.comet.csv")
    assert [(item.name, item.measure) for item in intake.items] == [("One", "comet"), ("One", "accuracy")]


def test_headings_that_all_name_one_measure_name_that_of_the_scores() -> None:
    """Unless the file names another one."""
    cells: Cells = lambda k: (k, k / 10, k / 7)  # noqa: E731
    assert {item.measure for item in loaded("id A_wer B_wer", cells).items} == {"wer"}
    assert {item.measure for item in loaded("id A_wer B_wer", cells, file="comet.csv").items} == {"comet"}
    assert {item.measure for item in loaded("id A_wer B", cells).items} == {"t"}
