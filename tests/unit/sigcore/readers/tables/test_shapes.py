"""Records of JSON to rows: lists of texts and of ratings, names inside names, parts that become rows, and lines."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import Choice, Intake, read
from sigcore.readers.contract import Content
from sigcore.readers.lines import decode, split
from sigcore.readers.tables import shapes


def loaded(value: object, file: str = "x.json", **options: str) -> Intake:
    text = value if isinstance(value, str) else json.dumps(value)
    return read([(file, text.encode())], every=Choice("jsonl", options) if options else None)


def cells(value: list[dict[str, object]], explode: tuple[str, ...] = ()) -> tuple[list[str], list[list[str]]]:
    """The headings and the rows of records."""
    table, _ = shapes.read(Content("x.json", json.dumps(value).encode(), decode, split), explode)
    return list(table.headings), [list(row) for row in table.rows]


@pytest.mark.parametrize(
    ("record", "row"),
    [
        ({"id": 1, "ok": True, "no": None}, {"id": "1", "ok": "true", "no": ""}),
        ({"a": {"b": {"c": 1.5}}}, {"a.b.c": "1.5"}),
        ({"output": ["two", "lines"]}, {"output": "two\nlines"}),
        ({"reference": ["r", "s"]}, {"reference 1": "r", "reference 2": "s"}),
        ({"reference": ["r"]}, {"reference": "r"}),
        ({"scores": [1, 2, 6]}, {"scores": "3.0"}),
        ({"flag": [True]}, {"flag": "1.0"}),
        ({"n": [{"x": 1, "y": 4}, {"x": 2}]}, {"n.x": "1.5", "n.y": "4.0"}),
        ({"m": [{"name": "f1", "score": 0.5}, {"name": "em", "score": 1}]}, {"m.f1.score": "0.5", "m.em.score": "1"}),
        ({"stats": [{"name": {"name": "em"}, "count": 1, "mean": 0.25}]}, {"stats.em": "0.25"}),
    ],
)
def test_a_record_is_a_row(record: dict[str, object], row: dict[str, str]) -> None:
    """Lists of sentences are one text, of references several, of ratings their mean."""
    headings, (found,) = cells([record])
    assert dict(zip(headings, found, strict=True)) == row


def test_several_truths_are_no_ratings() -> None:
    """One in a list is its value; of two there is no mean."""
    intake = loaded([{"id": 1, "x": 0.5, "flags": [True, False]}, {"id": 2, "x": 0.25, "flags": [True, True]}])
    assert any("neither texts nor ratings were not used: flags" in notice.message for notice in intake.notices)


def test_shorter_lists_of_references_have_their_first_again() -> None:
    """Of other texts they are empty."""
    headings, rows = cells([{"reference": ["r", "s"], "hint": ["a", "b"]}, {"reference": ["t"], "hint": ["c"]}])
    assert [dict(zip(headings, row, strict=True)) for row in rows] == [
        {"reference 1": "r", "reference 2": "s", "hint 1": "a", "hint 2": "b"},
        {"reference 1": "t", "reference 2": "t", "hint 1": "c", "hint 2": ""},
    ]


def test_parts_of_lists_become_rows() -> None:
    """They are numbered from 1; several lists go side by side, and have one length."""
    turns = [{"id": 1, "turns": [{"score": 3}, {"score": 4}], "said": ["a", "b"]}]
    assert cells(turns, ("turns",))[1][0][0] == "1"
    headings, rows = cells(turns, ("turns", "said"))
    assert [dict(zip(headings, row, strict=True)) for row in rows] == [
        {"id": "1", "run": "1", "score": "3", "said": "a"},
        {"id": "1", "run": "2", "score": "4", "said": "b"},
    ]
    (problem,) = loaded([{**turns[0], "said": ["a"]}], explode="turns,said").problems
    assert "record 1 has no lists of one length below turns, said." in problem.what


@pytest.mark.parametrize(("depth", "refused"), [(20, False), (21, True)])
def test_records_are_nested_twenty_deep(depth: int, refused: bool) -> None:
    """And no deeper."""
    value: dict[str, object] = {"score": 1.5}
    for _ in range(depth):
        value = {"a": value}
    (problem,) = loaded([value | {"id": 1}, value | {"id": 2}]).problems or (None,)
    assert ("nested more than 20 deep" in getattr(problem, "what", "")) is refused


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        (
            '{"id":1,"output":"a"}\n\n{"id":2,"output":"b","output":"c"}\n',
            "line 3: an object has the name 'output' twice.",
            3,
        ),
        ('{"id":1,"output":"a"}\n\n{"id":2,"output"\n', "line 3 is not JSON", 3),
        ('{"id":1,"output":"a"}\n3\n', "record 2 is not an object", 2),
    ],
)
def test_a_bad_line_is_named(text: str, what: str, line: int) -> None:
    """Blank lines count."""
    (problem,) = loaded(text, "x.jsonl").problems
    assert (what in problem.what, getattr(problem, "line", None)) == (True, line)
