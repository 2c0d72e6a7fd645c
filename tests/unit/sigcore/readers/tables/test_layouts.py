"""Unusual layouts: where the headings are, which rows become columns, what is a label, a source or the name of a file."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sigcore.errors import ReadError
from sigcore.readers import read
from sigcore.readers.tables import layouts

Cells = Callable[[int], tuple[object, ...]]


def outline(heads: str, cells: Cells, rows: int = 14) -> str:
    """NAME=ROLE/KIND of each stream; or what is asked."""
    lines = [heads.replace(" ", ","), *(",".join(map(str, cells(k))) for k in range(rows))]
    intake = read([("t.csv", "\n".join(lines).encode())])
    asked = [getattr(problem, "why", problem.what) for problem in intake.problems]
    return " ".join([*asked, *(f"{item.name}={item.role}/{item.kind}" for item in intake.items)])


@pytest.mark.parametrize(
    ("rows", "start"),
    [
        ([["T", "", ""], ["id", "A", "B"], ["1", "2", "3"]], 1),
        ([["T", "", ""], ["by", "me", ""], ["id", "A", "B"], ["1", "2", "3"]], 2),
        ([["T", "", ""], ["id", "A", "B"]], 0),  # nothing stands below
        ([["T", "", ""], ["id", "A", "A"], ["1", "2", "3"]], 0),  # headings differ
        ([["T", "", ""], *[["n", "", ""]] * 5, ["id", "A", "B"], ["1", "2", "3"]], 6),
        ([["T", "", ""], *[["n", "", ""]] * 6, ["id", "A", "B"], ["1", "2", "3"]], 0),
        ([["T", "U", ""], ["id", "A", "B"], ["1", "2", "3"]], 0),
        ([["T", ""], ["id", "A"], ["1", "2"]], 0),
    ],
)
def test_headings_below_a_title(rows: list[list[str]], start: int) -> None:
    """A title is one cell; its headings are the next line without a blank cell, at most six lines below."""
    assert layouts.below_title(rows) == start


def test_headings_in_two_lines_are_joined() -> None:
    """A merged cell has its name in the first of its columns only."""
    rows = [
        ["", "A", "", "B", ""],
        ["", "bleu", "ter", "bleu", "ter"],
        ["id", "", "", "", ""],
        ["1", "2", "3", "4", "5"],
    ]
    assert layouts.of_levels(rows) == [["id", "A bleu", "A ter", "B bleu", "B ter"], rows[3]]
    assert layouts.of_levels(rows[:3]) == rows[:3]
    filled = [*rows[:2], ["id", "0", "", "", ""], rows[3]]
    assert layouts.of_levels(filled) == filled
    numbers = [["", "1", "", "2", ""], *rows[1:]]
    assert layouts.of_levels(numbers) == numbers


def promptfoo(other: str) -> list[list[str]]:
    part = ["Status", "Score", "Named Scores", "Grader Reason"]
    head = ["q", "[openai:gpt] Say", *part, other, *part]
    body = [
        ("PASS", "1", "{}", "r", "text", "FAIL", "0.5", "{}", "s"),
        ("FAIL", "0", "{}", "r", "text", "PASS", "1", "{}", "s"),
    ]
    return [head, *(["asked", "said", *cells] for cells in body)]


def test_the_score_of_each_provider() -> None:
    """Tests are numbered from 1; a provider with several prompts keeps its whole heading."""
    two = [["1", "1", "0.5"], ["2", "0", "1"]]
    assert layouts.of_promptfoo(promptfoo("[x] Say")) == [["segment", "openai:gpt", "x"], *two]
    heads = ["segment", "[openai:gpt] Say", "[openai:gpt] Ask"]
    assert layouts.of_promptfoo(promptfoo("[openai:gpt] Ask")) == [heads, *two]


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        (["| a | b |", "|---|:-:|", "| 1 | 2 |", ""], [["a", "b"], ["1", "2"]]),
        (["| a | b |", "|---|---|", "| 1 | 2 | 3 |"], []),
        (["| a | b |", "|---|---|"], []),
        (["| a | b |", "| 1 | 2 |", "| 3 | 4 |"], []),
        (["| a | b |", "|---|---|", "| 1 | 2 |", "and a text"], []),
    ],
)
def test_a_table_of_markdown(lines: list[str], rows: list[list[str]]) -> None:
    """A rule below its headings, and as many cells in each row."""
    assert layouts.piped(lines) == rows


@pytest.mark.parametrize(
    ("heads", "cells", "wanted"),
    [
        # labels beside gold labels, and marks of what is right beside other gold numbers
        ("id reference A B", lambda k: (k, k % 2, k // 2 % 2, k // 3 % 2), "reference=reference/text A=system/text B=system/text"),
        ("id reference A B", lambda k: (k, k % 3 + 1, (k + 1) % 3 + 1, k // 3 % 3 + 1),
         "reference=reference/text A=system/text B=system/text"),
        ("id reference A B", lambda k: (k, k % 3 + 1, k % 2, k // 2 % 2), "reference=reference/scores A=system/scores B=system/scores"),
        ("id reference A B", lambda k: (k, k % 3 + 1, k % 3 + 7, k % 2 + 8), "Are the numbers in A, B scores, or do they predict"),
        # two languages: from the first into the second
        ("id translation.de translation.en out", lambda k: (f"s{k}", f"ein w{k} x", f"a w{k} x", f"a v{k} x"),
         "source=source/text reference=reference/text out=system/text"),
        # a text that was labelled; seven labels in fourteen lines may be classes, eight are texts
        ("id text reference A", lambda k: (k, f"some text {k}", "abcdefg"[k % 7], "ab"[k // 2 % 2]),
         "text=source/text reference=reference/text A=system/text"),
        ("id text reference A", lambda k: (k, f"some text {k}", "abcdefgh"[k % 8], "ab"[k // 2 % 2]), "text is the output of one system"),
        # names of files only where every line is one
        ("id reference A B", lambda k: (k, f"r w{k}", f"pic{k}.png", f"r v{k}"), "reference=reference/text A=ignored/text B=system/text"),
        ("id reference A B", lambda k: (k, f"r w{k}", f"pic{k}.png" if k else "r v0", f"r v{k}"),
         "reference=reference/text A=system/text B=system/text"),
    ],
)  # fmt: skip
def test_what_columns_are(heads: str, cells: Cells, wanted: str) -> None:
    """By what stands beside them."""
    found = outline(heads, cells)
    assert wanted in found, found


@pytest.mark.parametrize("questions", [10, 9])
def test_ten_numbered_questions_turn_a_table(questions: int) -> None:
    """With a row for each system; nine may be anything, and are asked about."""
    text = f"system,{','.join(f'q{k + 1}' for k in range(questions))}\nA{',1' * questions}\nB{',0' * questions}\n"
    intake = read([("t.csv", text.encode())])
    assert [item.name for item in intake.items] == (["A", "B"] if questions == 10 else [])
    assert [item.keys[-1] for item in intake.items] == (["q10"] * 2 if questions == 10 else [])
    assert len(intake.problems) == (questions < 10)


def test_the_first_of_two_languages_is_the_source() -> None:
    """Whatever their names are."""
    text = "id,translation.fr,translation.de,out\ns1,un mot,ein Wort,ein Wort\ns2,deux mots,zwei Worte,zwo Worte\n"
    intake = read([("t.csv", text.encode())])
    found = {item.role: item.segments[0] for item in intake.items}
    assert (found["source"], found["reference"]) == ("un mot", "ein Wort")
    assert intake.notices[-1].message == "translation.fr was read as the source, translation.de as the reference."


@pytest.mark.parametrize(
    ("first", "refused"),
    [(["id", "A", "A", "B", "B"], True), (["id", "A", "", "B", ""], True), (["id", "A", "B", "C", "D"], False)],
)
def test_two_lines_of_headings_are_refused(first: list[str], refused: bool) -> None:
    """Names that come again, or stand above several columns, and words below them."""
    rows = [first, ["seg", "bleu", "ter", "bleu", "ter"], *([f"s{k}", "1", "2", "3", "4"] for k in range(10))]
    if refused:
        with pytest.raises(ReadError, match="two lines of headings"):
            layouts.refuse("t.csv", rows)
    else:
        layouts.refuse("t.csv", rows)
    layouts.refuse("t.csv", rows[:9])  # of few rows nothing is said
