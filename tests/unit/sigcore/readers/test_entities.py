"""Entities in JSON: the layouts of programs, letters and words, and what is refused."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import Item
from tests.unit.sigcore.readers.test_structures import one, problem

TEXT, OTHER = "Peter lives in Oslo.", "It rains."
FOUND = (f"{TEXT}\n0:5\tPER\n15:19\tLOC", OTHER)
LISTS = [[0, 5, "PER"], [15, 19, "LOC"]]
OBJECTS = [{"start": 0, "end": 5, "label": "PER"}, {"start": 15, "end": 19, "label": "LOC"}]


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def only(file: str, text: str) -> Item:
    """The only stream of a file without problems."""
    intake = one(file, text)
    assert intake.problems == ()
    (found,) = intake.items
    return found


def task(text: str, found: list[list[object]], own: list[list[object]] | None = None) -> dict[str, object]:
    """A task as Label Studio exports it."""

    def result(spans: list[list[object]]) -> list[object]:
        values = [{"start": s, "end": e, "text": text[s:e], "labels": [kind]} for s, e, kind in spans]  # type: ignore[misc]
        return [{"result": [{"type": "labels", "value": value} for value in values]}]

    return {"id": len(text), "data": {"text": text}, "annotations": result(found)} | (
        {"predictions": result(own)} if own is not None else {}
    )


@pytest.mark.parametrize("name", ["entities", "spans", "label", "ents"])
@pytest.mark.parametrize("found", [LISTS, OBJECTS, [["PER", 0, 5], ["LOC", 15, 19]]])
def test_places_and_types_under_every_name(name: str, found: list[object]) -> None:
    """[start, end, type], [type, start, end] and objects; lines, or one list of records."""
    records = [{"text": TEXT, name: found}, {"text": OTHER, name: []}]
    assert only("One.jsonl", lines(*records)).segments == FOUND
    assert only("One.json", json.dumps(records)).segments == FOUND
    assert only("gold.jsonl", lines(*records)).role == "reference"


def test_layouts_of_programs() -> None:
    """doccano's offsets, a pipeline of transformers, Label Studio (whole, and its short form)."""
    doccano = [
        {"start_offset": 0, "end_offset": 5, "label": "PER"},
        {"start_offset": 15, "end_offset": 19, "label": "LOC"},
    ]
    pipeline = [{"entity_group": kind, "score": 0.9, "word": TEXT[s:e], "start": s, "end": e} for s, e, kind in LISTS]
    short = [{"start": s, "end": e, "text": TEXT[s:e], "labels": [kind]} for s, e, kind in LISTS]
    for name, found in (("entities", doccano), ("entities", pipeline), ("label", short)):
        assert only("One.jsonl", lines({"text": TEXT, name: found}, {"text": OTHER, name: []})).segments == FOUND
    assert only("One.json", json.dumps([task(TEXT, LISTS), task(OTHER, [])])).segments == FOUND
    pairs = [[TEXT, {"entities": LISTS}], [OTHER, {"entities": []}]]
    assert only("One.json", json.dumps(pairs)).segments == FOUND


@pytest.mark.parametrize(
    ("gold", "own"), [("gold", "pred"), ("entities", "predicted_entities"), ("true_ents", "system")]
)
def test_gold_and_predicted_entities_in_one_record(gold: str, own: str) -> None:
    """Their names say which is which, in either order; ids are those of the records."""
    text = lines(
        {"id": "b", own: [[0, 5, "ORG"]], "text": TEXT, gold: LISTS},
        {"id": "a", own: [], "text": OTHER, gold: []},
    )
    found = {item.role: item for item in one("One.jsonl", text).items}
    assert found["reference"].segments == FOUND
    assert found["system"].segments == (f"{TEXT}\n0:5\tORG", OTHER)
    assert found["system"].keys == ("b", "a")
    studio = json.dumps([task(TEXT, LISTS, [[0, 5, "ORG"]]), task(OTHER, [], [])])
    assert {item.role for item in one("One.json", studio).items} == {"reference", "system"}


def test_words_with_tags_or_places_count_words() -> None:
    """tokens and ner_tags, as data sets have them; places in words where there is no text."""
    tagged = lines(
        {"tokens": ["Peter", "lives", "here"], "ner_tags": ["B-PER", "O", "O"]},
        {"tokens": ["Oslo"], "ner_tags": ["B-LOC"]},
    )
    assert only("One.jsonl", tagged).segments == ("Peter\tlives\there\n0-1\tPER", "Oslo\n0-1\tLOC")
    placed = lines(
        {"tokens": ["Peter", "lives", "here"], "entities": [{"start": 0, "end": 1, "type": "PER"}]},
        {"tokens": ["Oslo"], "entities": []},
    )
    assert only("One.jsonl", placed).segments == ("Peter\tlives\there\n0-1\tPER", "Oslo")


@pytest.mark.parametrize(
    ("records", "what"),
    [
        (
            [{"text": OTHER, "spans": [[0, 2, "A"]]}, {"text": OTHER, "spans": [[3, 99, "A"]]}],
            "not within its 9 letters",
        ),
        ([{"text": OTHER, "spans": [[2, 2, "A"]]}], "the entity 2 to 2 (A) is not within"),
        ([{"text": OTHER, "spans": [[0, 2, "A"]]}, {"text": OTHER}], "record 2: it has no list 'spans'."),
        (
            [{"text": OTHER, "spans": [[0, 2, "A"]]}, {"text": OTHER, "spans": [[1, "x"]]}],
            'record 2: [1, "x"] is no entity.',
        ),
        (
            [{"text": OTHER, "spans": [{"start": 0, "end": 3, "label": "A", "text": "It"}]}],
            "the entity 0 to 3 is 'It ' in the text, but 'It' by its own words",
        ),
        (
            [{"text": OTHER, "spans": [[0, 2, "A"]], "others": [[0, 2, "A"]]}],
            "several lists of entities: spans, others.",
        ),
    ],
)
def test_broken_records_are_refused(records: list[object], what: str) -> None:
    """Places outside of the text, other words, missing lists, and lists of which nothing says what they are."""
    if "by its own words" in what:
        records = [{"text": OTHER, "spans": [{"start": 0, "end": 4, "label": "A", "text": "It"}]}]
        what = "the entity 0 to 4 is 'It r' in the text, but 'It' by its own words"
    assert what in problem("One.jsonl", lines(*records))


def test_other_records_are_tables_as_before() -> None:
    """A text beside a number, and spans of errors that people marked, are no entities."""
    text = lines(*({"text": f"t{k}", "spans": [], "score": k} for k in range(3)))
    assert {item.kind for item in one("One.jsonl", text).items} != {"spans"}


def test_ids_that_come_again_match_nothing() -> None:
    """Texts with one id would get the entities of each other."""
    records = [{"id": k, "text": f"{k} Oslo", "entities": [[2, 6, "LOC"]]} for k in (1, 2)]
    assert only("One.jsonl", lines(*records)).keys == ("1", "2")
    assert only("One.jsonl", lines(*(record | {"id": 1} for record in records))).keys == ()
    assert only("One.jsonl", lines(records[0], {**records[1], "id": None})).keys == ()
