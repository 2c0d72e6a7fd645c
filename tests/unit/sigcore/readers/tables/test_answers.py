"""What a log says beside its scores: the prompt, the right answer and the answer of each record."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import answered
from sigcore.readers.tables.answers import Answered, text_of


def test_the_most_telling_place_is_used_first() -> None:
    """Of a record that has several, and of one that has the last of them only; names below names are found."""
    full = Answered({"question": "q", "input": "i", "expected": "e", "target": "t", "answer": "a", "response": "r"})
    assert (full.prompt, full.right, full.answer) == ("i", "t", "r")
    nested = Answered({"doc": {"question": " why? "}, "answers": ["yes"], "output": {"completion": "no"}})
    assert (nested.prompt, nested.right, nested.answer) == ("why?", "yes", "no")
    bare = Answered({"input": "", "prompt": "p", "answer": 3})
    assert (bare.prompt, bare.right, bare.answer) == ("p", "", "3")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (0, "0"),
        ({"content": "c", "text": "t"}, "c"),
        ({"content": "", "text": "t"}, "t"),
        ([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}], "Be kind.\n\nHi"),
        (["a", "b"], "a\n\nb"),
        ([["a"]], "a"),
        ([3], ""),
        (["a", 3], ""),
        ([], ""),
    ],
)
def test_a_value_as_text(value: object, text: str) -> None:
    """Messages say their contents, one below the other; lists of numbers say nothing."""
    assert text_of(value) == text


def found(text: str) -> list[object]:
    return [dict(one.record) for one in answered("log.json", text.encode())]


def test_records_are_found_however_they_are_written() -> None:
    """One per line, a list, the known list of an object, or else its first list; nothing in other texts."""
    rows = [{"id": 1}, {"id": 2}]
    assert found("\n".join(map(json.dumps, rows)) + "\n\n") == rows
    assert found(json.dumps(rows)) == rows
    assert found(json.dumps({"plan": [{"id": 7}], "data": [{"id": 8}], "samples": rows})) == rows
    assert found(json.dumps({"name": "x", "first": rows, "second": [{"id": 9}]})) == rows
    assert found("no JSON") == found("3") == found('{"a": 1}') == []
    assert found('[1, {"id": 1}]') == [{"id": 1}]
