"""Tables as programs print them: which texts are tables, and what is refused."""

from __future__ import annotations

import pytest

from sigcore.readers import Choice, Intake, Unclear, read

N = 12
A = [f"{k * 7 % 10 / 10}" for k in range(N)]
B = ["0.123" if k % 3 else "1.0" for k in range(N)]
HEADS = ("qid", "dense", "bm25 base")


def right(rows: list[list[str]], gap: str = "  ") -> list[str]:
    """Lines in which each cell ends below its heading."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [gap.join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def rows(heads: tuple[str, ...] = HEADS) -> list[list[str]]:
    return [list(heads), *([f"q{k}", A[k], B[k]] for k in range(N))]


def frame(index: bool = True, named: bool = False) -> list[str]:
    """A data frame as it is printed; `named`: qid is its index, whose name has a line of its own."""
    if named:
        body = [["", *HEADS[1:]], *([f"q{k}".ljust(4), A[k], B[k]] for k in range(N))]
        first, *others = right(body)
        return [first, "qid".ljust(len(first)), *others]
    return right([["", *HEADS], *([str(k), *row] for k, row in enumerate(rows()[1:]))]) if index else right(rows())


def ruled(corner: str, across: str, down: str) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows(), strict=True)]
    rule = corner + corner.join(across * (width + 2) for width in widths) + corner
    lines = [
        down + down.join(f" {cell.ljust(width)} " for cell, width in zip(row, widths, strict=True)) + down
        for row in rows()
    ]
    return [rule, lines[0], rule, *lines[1:], rule]


def dashed() -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows(), strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows()]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


MARKDOWN = ["| qid | dense | bm25 base |", "|---|--:|--:|", *(f"| q{k} | {A[k]} | {B[k]} |" for k in range(N))]


def intake(lines: list[str], file: str = "results.txt") -> Intake:
    return read([(file, ("\n".join(lines) + "\n").encode())])


LAYOUTS = {
    "frame": (frame(), "results.txt"),
    "frame without an index": (frame(index=False), "results.txt"),
    "frame with a named index": (frame(named=True), "results.log"),
    "frame with its size": ([*frame(), "", f"[{N} rows x 3 columns]"], "results.txt"),
    "frame of equal cells": (
        right([["", *HEADS], *([str(k), f"q{k}", "0.5", B[1]] for k in range(10))]),
        "results.txt",
    ),
    "grid": (ruled("+", "-", "|"), "results.txt"),
    "box": (["      A title", *ruled("┼", "─", "│")], "results.txt"),
    "dashes": (dashed(), "results.txt"),
    "markdown below a heading": (["# Evaluation", "", "On 12 March | by us", "", *MARKDOWN, "", "End."], "results.md"),
    "markdown in a text": (MARKDOWN, "results.txt"),
    "markdown with bold cells": (
        [
            "| qid | **dense** | *bm25 base* |",
            "|---|--:|--:|",
            *(f"| q{k} | **{A[k]}** | `{B[k]}` |" for k in range(N)),
        ],
        "results.md",
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_printed_tables_are_read(layout: str) -> None:
    found = intake(*LAYOUTS[layout])
    assert not found.problems
    if "equal" in layout:
        assert {item.name: len(item.segments) for item in found.items} == {"dense": 10, "bm25 base": 10}
        return
    assert {item.name: item.segments for item in found.items if item.role == "system"} == {
        "dense": tuple(A),
        "bm25 base": tuple(B),
    }


def test_a_frame_that_was_cut_is_refused() -> None:
    """print(df) of many rows leaves out those in the middle."""
    whole = frame()
    (problem,) = intake([*whole[:6], "..".ljust(4) + "...".rjust(len(whole[0]) - 4), *whole[8:]]).problems
    assert "without some of its rows" in problem.what


def test_several_tables_are_refused() -> None:
    """Each is shown, with its place and its columns."""
    (problem,) = intake([*MARKDOWN, "", "and another:", "", *MARKDOWN], "results.md").problems
    assert "It has 2 tables, which belong together in no known way: line 1: " in problem.what
    (problem,) = intake(["# One", "", *MARKDOWN, "", "# One", "", *MARKDOWN], "results.md").problems
    assert "2 tables" in problem.what


REPORT = """# Report

## Summary

| model | mean |
|---|---|
| ours | 0.75 |
| base | 0.25 |

### ours

**Correct:** 9

| case | correct |
|---|---|
{0}

### base

| case | correct |
|---|---|
{1}
"""


def test_tables_below_headings_of_their_own_are_one() -> None:
    """A report of a benchmark has a table for each model, and one that sums up."""
    ours, base = ("\n".join(f"| c{k} | {int(k % n > 0)} |" for k in range(12)) for n in (4, 2))
    data = REPORT.format(ours, base).encode()
    (problem,) = read([("report.md", data)]).problems
    assert isinstance(problem, Unclear)
    command = "heading=system case=question correct=score"
    assert f"--columns {command}" in problem.fix
    found = read([("report.md", data)], every=Choice(options={"columns": command.replace(" ", "\n")}))
    how = "2 tables with the same columns were read as one; heading is what stands above each. 1 other table not used."
    assert how in [one.message for one in found.notices]
    assert {one.name: sum(map(float, one.segments)) for one in found.items} == {"ours": 9.0, "base": 6.0}


@pytest.mark.parametrize(
    ("lines", "file"),
    [
        ([f"The cat sat on mat number {k} with 3 dogs" for k in range(10, 30)], "out.txt"),  # as long as each other
        ([f"line  {k} of a text with 2 blanks" for k in range(10, 30)], "out.txt"),
        ([f"| said {k}, and no rule below it" for k in range(10, 30)], "out.txt"),
        (["a long text of many lines" for _ in range(40)] + MARKDOWN, "out.txt"),  # mostly text
    ],
)
def test_texts_stay_texts(lines: list[str], file: str) -> None:
    found = intake(lines, file)
    assert [(item.kind, len(item.segments)) for item in found.items] == [("text", len(lines))]


def test_a_readme_is_no_table() -> None:
    found = intake(["# Read me", "", *MARKDOWN], "README.md")
    assert not [item for item in found.items if item.role != "ignored"]
