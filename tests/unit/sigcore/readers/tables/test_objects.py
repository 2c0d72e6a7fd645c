"""Objects of JSON: which of their parts are records, systems, questions or answers."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import Intake, read
from sigcore.readers.tables import objects

Stream = tuple[str, str, tuple[str, ...], tuple[str, ...]]  # name, role, segments, keys


def loaded(value: object) -> Intake:
    return read([("x.json", json.dumps(value).encode())])


def streams(value: object) -> list[Stream]:
    intake = loaded(value)
    assert not intake.problems, intake.problems
    return [(item.name, item.role, item.segments, item.keys) for item in intake.items]


TEN = tuple(f"q{k}" for k in range(10))


def test_results_of_a_whole_run_are_no_columns() -> None:
    """More numbers than lists say so; one number beside a list of scores does not."""
    (problem,) = loaded({"precisions": [1, 2, 3], "bleu": 5, "bp": 1, "ratio": 7}).problems
    assert "one object, not one record per segment" in problem.what
    assert streams({"bleu": [1, 2, 3], "mean": 2}) == [("x", "system", ("1", "2", "3"), ())]


def test_the_questions_of_squad() -> None:
    """An answer that comes twice counts once; a question with fewer ones has its first again, one without has no words."""
    two = {"id": "q1", "answers": [{"text": "a"}, {"text": "a"}, {"text": "b"}]}
    one, none = {"id": "q2", "answers": [{"text": "c"}]}, {"id": "q3", "answers": []}
    data = [{"title": "T", "paragraphs": [{"qas": [two, one]}]}, {"title": "U", "paragraphs": [{"qas": [none]}]}]
    assert streams({"data": data}) == [
        ("document", "documents", ("T", "T", "U"), ("q1", "q2", "q3")),
        ("references 1", "reference", ("a", "c", ""), ("q1", "q2", "q3")),
        ("references 2", "reference", ("b", "c", ""), ("q1", "q2", "q3")),
    ]


@pytest.mark.parametrize(("files", "names"), [(("a.json", "b.json"), ("a", "b")), (("a/x.json", "b/x.json"),) * 2])
def test_records_by_file(files: tuple[str, str], names: tuple[str, str]) -> None:
    """The file names the system; with its folder where two have the same name."""
    value = {files[0]: [{"output": "p"}, {"output": "q"}], files[1]: [{"output": "r"}, {"output": "s"}]}
    wanted = [(names[0], "system", ("p", "q"), ("0", "1")), (names[1], "system", ("r", "s"), ("0", "1"))]
    assert streams(value) == wanted


@pytest.mark.parametrize("by_system", [True, False])
@pytest.mark.parametrize("record", [True, False])
def test_systems_and_questions_cross(by_system: bool, record: bool) -> None:
    """Ten numbered names are the questions, inside or outside; a value, or a record with one."""

    def cell(k: int, system: str) -> object:
        score = k + 10 * "AB".index(system)
        return {"score": score} if record else score

    outer = {s: {q: cell(k, s) for k, q in enumerate(TEN)} for s in "AB"}
    inner = {q: {s: cell(k, s) for s in "AB"} for k, q in enumerate(TEN)}
    wanted = [(s, "system", tuple(str(k + 10 * n) for k in range(10)), TEN) for n, s in enumerate("AB")]
    assert streams(outer if by_system else inner) == wanted


def test_a_data_frame_by_columns() -> None:
    """Its rows are numbered from 0; they have no ids."""
    value = {"A": {"0": 1, "1": 2, "2": 4}, "B": {"0": 4, "1": 5, "2": 7}}
    assert streams(value) == [("A", "system", ("1", "2", "4"), ()), ("B", "system", ("4", "5", "7"), ())]


@pytest.mark.parametrize(("n", "many"), [(10, True), (9, False)])
def test_records_by_key(n: int, many: bool) -> None:
    """Ten objects with the same names, one of them a number, are records; their keys are asked about. Nine are a summary."""
    (problem,) = loaded({f"q{k}": {"score": k, "note": "x"} for k in range(n)}).problems
    assert ("Does key name systems?" in problem.what) is many
    assert ("one object" in problem.what) is not many


@pytest.mark.parametrize("samples", [1, 2])
def test_records_by_question(samples: int) -> None:
    """A list for each question; with several records each is a sample of it."""
    value = {name: [{"score": k + 10 * i} for i in range(samples)] for k, name in enumerate(TEN)}
    (item, *rest) = loaded(value).items
    if samples == 1:
        assert (item.segments, item.keys, rest) == (tuple(map(str, range(10))), TEN, [])
    else:
        scores = next(one for one in (item, *rest) if one.kind == "scores")
        assert scores.segments[:4] == ("0", "10", "1", "11")
        assert scores.keys[:2] == ("sample_index 0 of q0", "sample_index 1 of q0")


def test_the_usual_list_has_the_records() -> None:
    """Beside others that tell of the run; what stands beside it is no record."""
    records = [{"id": "a", "score": 3}, {"id": "b", "score": 4}]
    value = {"name": "run", "events": [{"id": "z", "score": 9}], "samples": records}
    assert streams(value) == [("x", "system", ("3", "4"), ("a", "b"))]
    (problem,) = loaded({"name": "run", "events": [{"id": "z"}], "steps": records}).problems
    assert "several lists of records" in problem.what
    assert "jq .steps" in problem.fix  # the longer one


def test_lists_of_unequal_length_are_no_columns() -> None:
    """Their lengths are named."""
    (problem,) = loaded({"A": [1, 2, 3], "B": [1, 2]}).problems
    assert "A: 3, B: 2" in problem.what


def test_questions_as_they_were_asked_are_names_of_single_records() -> None:
    """With several records each, they are files or systems."""
    asked = [f"What is {word}?" for word in ["one", "two", "six", "red", "blue", "tall", "wide", "far", "near", "hot"]]
    (item,) = loaded({name: [{"score": k}] for k, name in enumerate(asked)}).items
    assert (item.keys, item.segments[:2]) == (tuple(asked), ("0", "1"))
    both = loaded({name: [{"score": k}, {"score": k}] for k, name in enumerate(asked)})
    assert {item.keys for item in both.items} != {tuple(asked)}


def test_answers_by_id() -> None:
    """Two or more; a single text below a name is a record."""
    assert streams({"q1": "yes", "q2": "no"}) == [("x", "system", ("yes", "no"), ("q1", "q2"))]
    assert streams({"q1": "yes"}) == [("q1", "system", ("yes",), ())]


def test_what_stands_beside_the_records_is_known() -> None:
    """As the header of the table."""
    value = {"model": "m", "samples": [{"id": "a", "score": 3}, {"id": "b", "score": 4}]}
    assert dict(objects.of_object("x.json", value).header) == {"model": "m"}


def test_many_records_of_each_name_are_no_samples() -> None:
    """As many as there are names, or more."""
    value = {name: [{"score": k + i} for i in range(10)] for k, name in enumerate(TEN)}
    assert not any("sample" in key for item in loaded(value).items for key in item.keys)


def test_parts_without_ids_belong_to_the_record_that_has_one() -> None:
    """With an id each they are the records, also where a second id is the same in all."""
    value: dict[str, object] = {"id": "q1", "text": "a boat"}
    spans: list[dict[str, object]] = [{"word": "a"}, {"word": "boat"}]
    assert objects.of_object("x.json", {**value, "spans": spans}).records == [{**value, "spans": spans}]
    for same in ({}, {"qid": "q1"}):
        named = [{"id": k, **same, **span} for k, span in enumerate(spans)]
        assert objects.of_object("x.json", {**value, "spans": named}).records == named
