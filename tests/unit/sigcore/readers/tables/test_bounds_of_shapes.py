"""Records of JSON to rows: nested names, lists and their means; one value to either side of what decides."""

from __future__ import annotations

import json

import pytest

from sigcore import readers
from sigcore.errors import ReadError
from sigcore.readers.tables import jsontext, shapes
from sigcore.readers.tables.shapes import Flat
from tests.unit.sigcore.readers.tables.built import cells_of, content

Record = dict[str, object]


def flat(record: Record) -> tuple[dict[str, str], Flat]:
    lists = Flat()
    return shapes.flat("f", 1, record, lists), lists


@pytest.mark.parametrize(
    ("value", "cells"),
    [
        ([1, 2, 4.5], {"x": "2.5"}),
        ([True], {"x": "1.0"}),
        ([True, False], {}),
        ([1, True], {}),
        (["a", "b"], {"x 1": "a", "x 2": "b"}),
        ([], {}),
        ([{"a": 1, "b": 2}, {"a": 3}], {"x.a": "2.0", "x.b": "2.0"}),
        ([{"a": 1}, {"a": "t"}], {}),
        ([{"a": 1}, 2], {}),
        ([{"name": "em", "count": 1, "mean": 0.5}, {"name": {"name": "f1"}, "count": 1}], {"x.em": "0.5", "x.f1": ""}),
        ([{"name": "em", "count": 1}, {"name": "f1"}], {}),
        ([{"name": "em", "score": 0.5}, {"name": "f1", "score": 1}], {"x.em.score": "0.5", "x.f1.score": "1"}),
        ([{"metricName": "em", "result": "good"}], {"x.em.score": "good"}),
        ([{"metric": "em", "value": 0.5}], {"x.em.score": "0.5"}),
        ([{"name": "em", "score": 0.5}, {"name": "em", "score": 1}], {}),  # a name twice
        ([{"name": 3, "score": "a"}], {}),
        ([{"name": "em", "score": 0.5, "metric": "f1"}], {}),  # two names
        ([10**400], {"x": "inf"}),
    ],
)
def test_lists_of_records(value: list[object], cells: dict[str, str]) -> None:
    found, lists = flat({"x": value})
    assert found == cells
    assert ("x" in lists.unused) is (not cells and bool(value))


def test_names_inside_names_are_joined_by_dots() -> None:
    assert flat({"a": {"b": {"c": 1}, "d": [1, 2]}, "e": None, "f": True})[0] == {
        "a.b.c": "1",
        "a.d": "1.5",
        "e": "",
        "f": "true",
    }
    assert flat({"output": ["p", "q"]})[0] == {"output": "p\nq"}
    assert flat({"delays": [1, 2], "x.elapsed": [1, 2]})[0] == {}


def deep(n: int) -> Record:
    return {"a": deep(n - 1)} if n else {"a": 1}


@pytest.mark.parametrize(("n", "refused"), [(20, False), (21, True)])
def test_records_are_at_most_twenty_deep(n: int, refused: bool) -> None:
    if refused:
        with pytest.raises(ReadError, match="record 1 is nested more than 20 deep"):
            flat(deep(n))
    else:
        assert len(flat(deep(n))[0]) == 1


def read(
    value: object, explode: tuple[str, ...] = (), name: str = "x.json"
) -> tuple[list[str], list[list[str]], list[str]]:
    table, notices = shapes.read(content(json.dumps(value), name), explode)
    return table.headings, cells_of(table), [one.message for one in notices]


@pytest.mark.parametrize(
    ("lists", "names"),
    [
        ([[1, 2, 3, 4, 5, 6]] * 2, True),
        ([[1, 2, 3, 4, 5]] * 2, False),  # five people may give five ratings
        ([["1", "2", "3"]] * 2, True),
        ([["1", "2"]] * 2, False),
        ([[1, 2, 3, 4, 5, 5]] * 2, False),
        ([[1, 2, 3, 4, 5, 6], [1, 2]], False),
        ([[1.5, 2, 3, 4, 5, 6]] * 2, False),
    ],
)
def test_numbers_that_all_differ_name_documents(lists: list[list[object]], names: bool) -> None:
    heads, _, notes = read([{"id": k, "x": own} for k, own in enumerate(lists)])
    assert ("Lists of documents were not used: x." in notes) is names
    assert (heads == ["id"]) is names


def test_a_heading_says_that_numbers_name_documents() -> None:
    assert read([{"id": 1, "retrieved": [4, 4]}, {"id": 2, "retrieved": [3]}])[0] == ["id"]
    assert read([{"id": 1, "top_k": ["4"]}, {"id": 2, "top_k": ["3"]}])[0] == ["id"]
    assert read([{"id": 1, "doc_ids": ["a"]}, {"id": 2, "doc_ids": ["b"]}])[0] == ["id", "doc_ids"]
    assert read([{"id": 1, "references": ["1", "2", "3"]}] * 2)[0] == [
        "id",
        "references 1",
        "references 2",
        "references 3",
    ]


def test_shorter_lists_of_references_have_their_first_again() -> None:
    heads, rows, _ = read([{"references": ["a", "b", "c"], "x": ["p", "q"]}, {"references": ["d"], "x": ["r"]}])
    assert heads == ["references 1", "references 2", "references 3", "x 1", "x 2"]
    assert rows[1] == ["d", "d", "d", "r", ""]
    assert read([{"references": ["a"]}, {"references": ["d"]}])[0] == ["references"]
    assert read([{"references": ["a", "b"]}, {"y": "d"}])[1][1] == ["", "", "d"]


def test_what_is_said_of_lists() -> None:
    _, _, notes = read([{"id": 1, "r": [1, 2], "u": [{"a": "t"}]}, {"id": 2, "r": [1], "u": []}])
    assert notes == [
        "Lists of ratings were averaged in each record: r.",
        "Lists that are neither texts nor ratings were not used: u.",
    ]
    with pytest.raises(ReadError, match="It has one record, and what is compared is in a list inside it") as error:
        read([{"id": 1, "u": [{"a": "t"}]}])
    assert error.value.fix.endswith("jq .u FILE > u.json")
    with pytest.raises(ReadError, match="Its records are empty"):
        read([{}, {}])


def test_parts_of_lists_become_rows_side_by_side() -> None:
    records = [{"id": 1, "a": [{"p": 1}, {"p": 2}], "b": ["x", "y"]}, {"id": 2, "a": [{"p": 3}], "b": ["z"]}]
    assert read(records, ("a", "b"))[:2] == (
        ["id", "run", "p", "b"],
        [["1", "1", "1", "x"], ["1", "2", "2", "y"], ["2", "1", "3", "z"]],
    )
    for bad in ({"id": 1, "a": [1], "b": ["x", "y"]}, {"id": 1, "a": [1]}, {"id": 1, "a": [1], "b": "x"}):
        with pytest.raises(ReadError, match="record 2 has no lists of one length below a, b"):
            read([records[0], bad], ("a", "b"))


@pytest.mark.parametrize(
    ("text", "are"),
    [
        ('{"a": 1}\n{"a": 2}\n', True), ("[\n{\n", False), ('[\n{"a": 1}\n]\n', True), ('{\n"a": 1\n}\n', True), ('[{\n"a": 1}]\n', True),
        ('[{"a": 1}, {"a": 2}]\n', True), ("[1, 2]\n", False), ("[\n1\n]\n", False), ("{a}\n", False), ('{"a": 1\n', False), ("a [1]\n", False),
    ],
)  # fmt: skip
def test_a_text_looks_like_records(text: str, are: bool) -> None:
    assert jsontext.looks_like_records(content(text)) is are
    assert shapes.are_records(content(text, "x.jsonl"))


def test_the_first_headings_of_a_file() -> None:
    assert shapes.first_headings(content('{"a": 1, "b": 2}\n')) == ["a", "b"]
    assert shapes.first_headings(content('[{"a": 1}]')) == ["a"]
    assert shapes.first_headings(content('{"judge": "x", "data": [{"a": 1}]}')) == ["a", "judge"]
    assert shapes.first_headings(content("[1]")) == []
    assert shapes.first_headings(content("text")) == []


def test_lists_of_objects_that_every_record_has() -> None:
    def named(*records: Record) -> list[str]:
        return [name for name, _ in shapes.lists_of_objects(content("\n".join(map(json.dumps, records)), "x.jsonl"))]

    two: Record = {"t": [{"a": 1}, {"a": 2}]}
    assert named(two, two) == ["t"]
    assert named(two, {"t": [{"a": 1}]}) == []
    assert named(two, {"t": [{"a": 1}, 2]}) == []
    assert named(two, {"x": 1}) == []
    assert named({"t": [1, 2]}, {"t": [1, 2]}) == []


def rated(*records: Record) -> tuple[list[str], list[list[str]], list[str]]:
    table, notices = shapes.rated_by_people(content(json.dumps(list(records)), "x.json"))
    return table.headings, cells_of(table), [one.message for one in notices]


def test_annotations_of_people_have_a_row_each() -> None:
    """Of several lists those of experts, else the first; each has objects of numbers alone."""
    marks = [{"fluency": 4}, {"fluency": 2}]
    heads, rows, notes = rated({"id": 1, "annotations": marks}, {"id": 2, "annotations": marks})
    assert (heads, rows[:2]) == (["id", "judge", "fluency"], [["1", "1", "4"], ["1", "2", "2"]])
    assert notes == [f"annotations: {shapes.NAMELESS}"]
    both = {"id": 1, "turker_annotations": [{"fluency": 1}], "expert_annotations": marks}
    heads, rows, notes = rated(both, both)
    assert (heads, len(rows)) == (["id", "judge", "fluency"], 4)
    assert notes == [
        "Each part of expert_annotations was read as the ratings of one judge. Not used: turker_annotations."
    ]
    first = {"id": 1, "a_annotations": marks, "b_annotations": [{"fluency": 1}]}
    assert rated(first, first)[2][-1].startswith(f"a_annotations: {shapes.NAMELESS} Not used: b_annotations")
    for other in ([], [{"fluency": "good"}], [{}], [3], "x"):
        assert not any(
            shapes.NAMELESS in one
            for one in rated({"id": 1, "annotations": marks, "t": 1}, {"id": 2, "annotations": other, "t": 1})[2]
        )


def test_a_person_beside_all_records_is_the_judge_of_each() -> None:
    text = json.dumps({"judge": "ann", "data": [{"id": 1, "system": "A"}, {"id": 2, "system": "A"}]})
    table, notices = shapes.rated_by_people(content(text, "x.json"))
    assert (table.headings, cells_of(table)[0]) == (["id", "system", "judge"], ["1", "A", "ann"])
    assert notices[-1].message == "judge = ann is beside its records: the judge of all of them."


def test_a_name_twice_and_text_that_is_no_json_are_refused() -> None:
    for text, what in (
        ('[{"a": 1, "a": 2}]', "Here an object has the name 'a' twice."),
        ('{"a": 1}\n{"a": 1, "a": 2}', "line 2: an object has the name 'a' twice."),
        ('{"a": 1}\n{"a"}', "line 2 is not JSON"),
        ("[1", "It is not JSON"),
        ("[]", "There are no records."),
        ('[{"a": 1}, 2]', "record 2 is not an object with names and values."),
    ):
        with pytest.raises(ReadError) as error:
            shapes.read(content(text, "x.jsonl" if "\n" in text else "x.json"))
        assert what in error.value.what


def test_one_value_for_each_segment_has_no_heading() -> None:
    table, _ = shapes.read(content('["a", "b"]', "A.json"))
    assert (table.headings, cells_of(table), list(table.places), table.role) == (
        ["A"],
        [["a"], ["b"]],
        [1, 2],
        "system",
    )


def test_lines_of_python_are_records() -> None:
    """VERSA writes what Python prints of a dict: single quotes, True, inf."""
    text = "".join(
        f"{{'key': 'u{k}', 'mcd': {k}.5, 'sdr': {'-inf' if k == 3 else k}, 'text': \"it's\"}}\n" for k in range(5)
    )
    columns = readers.columns("A.jsonl", text.encode())
    assert columns["key"] == ("u0", "u1", "u2", "u3", "u4")
    assert columns["mcd"][1] == "1.5"
    assert columns["text"][0] == "it's"
    assert columns["sdr"][2:] == ("2", "", "4")


@pytest.mark.parametrize("line", ["{'a', 'b'}", "{'a': print()}", "{'a': 1", "{1: 'a'}", "{'a': 1, 2: 3}"])
def test_other_lines_of_python_are_none(line: str) -> None:
    found = readers.read([("A.jsonl", "\n".join([line] * 5).encode())])
    assert found.problems
    assert not [item for item in found.items if item.role == "system"]
