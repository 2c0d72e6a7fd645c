"""Objects of JSON, one name, record or number to either side of what decides how they are read."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.tables import objects
from sigcore.readers.tables.objects import Shaped

Records = list[object]


def shaped(value: object) -> Shaped:
    return objects.shaped("x.json", value)


def records(value: object) -> Records:
    return list(shaped(value).records)


def refused(value: object) -> str:
    with pytest.raises(ReadError) as error:
        shaped(value)
    return error.value.what


def said(value: object) -> str:
    """Why a value is refused, or its records."""
    try:
        return f"none: {records(value)}"
    except ReadError as error:
        return error.what


def ids(n: int, stem: str = "q") -> list[str]:
    return [f"{stem}{k}" for k in range(n)]


@pytest.mark.parametrize(
    ("value", "bare"),
    [
        ([0.5, 1], True),
        ([None, True, 2], True),
        (["a", "b"], True),
        (["a", 1], False),
        ([{"a": 1}], False),
        ([], False),
    ],
)
def test_a_list_of_numbers_or_of_texts_has_a_value_for_each_segment(value: list[object], bare: bool) -> None:
    assert (records(value), shaped(value).bare) == (value, bare)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([[1, 2], [3, 4]], "It has 2 lists of 2 numbers, without names: which is which system?"),
        ([[1, 2]] * 3, "It has 3 lists of 2 numbers, without names: which is which system?"),
        (
            {"scores": [[1] * 11] * 2},
            "It has 2 lists of 11 numbers below scores, without names: which is which system?",
        ),
    ],
)
def test_lists_of_as_many_numbers_need_names(value: object, what: str) -> None:
    assert what in refused(value)


@pytest.mark.parametrize(
    "value",
    [
        [[1, 2]],
        [[1, 2], [3]],
        [[1], [2]],
        [["a", "b"], ["c", "d"]],
        [[1, 2], []],
        {"scores": [[1] * 10] * 2},
    ],
)
def test_other_lists_are_no_systems_without_names(value: object) -> None:
    """One list, lists of other lengths, one number in each; or as many as people rate one text."""
    assert "without names" not in said(value)


def test_a_data_frame_of_columns_and_rows() -> None:
    frame = {"columns": ["id", "A"], "data": [["q1", 1], ["q2", 2]]}
    assert records(frame) == [{"id": "q1", "A": 1}, {"id": "q2", "A": 2}]
    assert records({**frame, "index": [0, 1]}) == [{"id": "q1", "A": 1}, {"id": "q2", "A": 2}]
    assert "different lengths (columns: 1, data: 2)" in refused({"columns": ["id"], "data": frame["data"]})
    assert records({"columns": [1, 2], "data": frame["data"]}) == [
        {"columns": 1, "data": ["q1", 1]}, {"columns": 2, "data": ["q2", 2]},
    ]  # fmt: skip


@pytest.mark.parametrize(("n", "crossed"), [(10, True), (9, False)])
def test_numbers_by_system_and_by_ten_ids(n: int, crossed: bool) -> None:
    """In either order; nine names may be anything."""
    by_system = {"A": dict.fromkeys(ids(n), 1), "B": dict.fromkeys(ids(n), 2)}
    by_id = {name: {"A": 1, "B": 2} for name in ids(n)}
    wanted = [{"id": name, "A": 1, "B": 2} for name in ids(n)]
    for value in (by_id, by_system):
        assert (said(value) == f"none: {wanted}") is crossed


@pytest.mark.parametrize(
    "name",
    ["q{}", "arc_{}", "1{}", "a b {}", "0f3a-00{}0"],
)
def test_ids_are_numbers_or_few_words_with_numbers(name: str) -> None:
    names = [name.format(k) for k in range(10)]
    by_system = {"A": dict.fromkeys(names, 1), "B": dict.fromkeys(names, 2)}
    assert records(by_system) == [{"id": one, "A": 1, "B": 2} for one in names]


@pytest.mark.parametrize(("stems", "are"), [(5, True), (6, False)])
def test_ids_have_half_as_many_words_as_names(stems: int, are: bool) -> None:
    names = [f"{'abcdefghij'[k % stems]}{k}" for k in range(10)]
    by_system = {"A": dict.fromkeys(names, 1), "B": dict.fromkeys(names, 2)}
    if are:
        assert len(records(by_system)) == 10
    else:
        assert refused(by_system)


def test_a_data_frame_of_rows_that_are_counted() -> None:
    """One column for each name, whatever it holds; lists in it are none."""
    frame = {"id": {"0": "x", "1": "y"}, "A": {"0": 1, "1": 2}}
    assert records(frame) == [{"id": "x", "A": 1}, {"id": "y", "A": 2}]
    assert records({"A": {"0": 1}, "B": {"0": 2}}) == [{"A": 1, "B": 2}]
    assert "one object" in refused({**frame, "B": {"0": 1, "1": [2]}})


@pytest.mark.parametrize(("n", "many"), [(10, True), (9, False)])
def test_ten_objects_with_the_same_names_are_records(n: int, many: bool) -> None:
    """Each with its key, which the plan asks about."""
    value = {f"thing {'abcdefghij'[k]}": {"x": 1, "y": "t"} for k in range(n)}
    if many:
        assert records(value)[0] == {"key": "thing a", "x": 1, "y": "t"}
        other = {**value, "thing a": {"x": 1}}
        assert refused(other)
    else:
        assert refused(value)


def test_objects_by_system_and_by_question_in_either_order() -> None:
    def cell(k: int) -> dict[str, object]:
        return {"score": k, "text": f"t{k}"}

    by_system = {name: {one: cell(k) for k, one in enumerate(ids(10))} for name in "AB"}
    assert records(by_system)[0] == {"system": "A", "id": "q0", "score": 0, "text": "t0"}
    assert len(records(by_system)) == 20
    by_id = {one: {name: cell(k) for name in "AB"} for k, one in enumerate(ids(10))}
    assert records(by_id)[:2] == [
        {"id": "q0", "system": "A", "score": 0, "text": "t0"}, {"id": "q0", "system": "B", "score": 0, "text": "t0"},
    ]  # fmt: skip


def rated(people: int = 2, n: int = 10, name: str = "rater_{}") -> dict[str, object]:
    return {one: {name.format(k): {"fluency": k + 1, "adequacy": 5} for k in range(people)} for one in ids(n)}


def test_ratings_of_people_below_questions() -> None:
    """A list below each criterion; remarks may be missing, but no rating."""
    assert records(rated())[0] == {"id": "q0", "fluency": [1, 2], "adequacy": [5, 5]}
    value = rated()
    value["q3"] = {"rater_0": {"fluency": 4, "adequacy": 2, "remark": "good"}}
    assert records(value)[3] == {"id": "q3", "fluency": [4], "adequacy": [2]}


@pytest.mark.parametrize("name", ["A1B2C3D4E{}", "worker {}", "{}", "p{}", "W-{}", "5f" * 11 + "0{}"])
def test_names_of_people(name: str) -> None:
    assert records(rated(name=name))[0] == {"id": "q0", "fluency": [1, 2], "adequacy": [5, 5]}


@pytest.mark.parametrize("name", ["gpt-{}", "bart", "rater_x{}"])
def test_names_that_may_be_those_of_systems(name: str) -> None:
    """Each of them has a record with its question."""
    first = records(rated(1, name=name))[0]
    assert first == {"id": "q0", "system": name.format(0), "fluency": 1, "adequacy": 5}


def test_the_same_ratings_of_each_person() -> None:
    value = rated()
    value["q5"] = {"rater_0": {"fluency": 4}}
    assert "one object" in refused(value)


def test_answers_beside_questions_by_the_same_ids() -> None:
    """HotpotQA: one object of texts, the others of lists."""
    value = {"answer": dict.fromkeys(ids(10), "yes"), "sp": {one: [["t", 0]] for one in ids(10)}}
    assert records(value) == [{"id": one, "text": "yes"} for one in ids(10)]
    nine = {name: dict(list(part.items())[:9]) for name, part in value.items()}
    assert refused(nine)
    assert refused({**value, "sp": {one: [["t", 0]] for one in ids(10, "r")}})


def test_answers_by_id() -> None:
    """Two at least, all of them texts, below names that are no headings."""
    assert records({"q1": "a", "q2": "b"}) == [{"id": "q1", "text": "a"}, {"id": "q2", "text": "b"}]
    assert records({"x": "a"}) == [{"x": "a"}]
    assert records({"system": "a", "text": "b"}) == [{"system": "a", "text": "b"}]


def test_numbered_records() -> None:
    """From 0 on, each of them (OpenCompass); in results of promptfoo."""
    assert records({"0": {"a": "x"}, "1": {"a": "y"}}) == [{"id": "0", "a": "x"}, {"id": "1", "a": "y"}]
    assert records({"results": {"results": [{"a": "x"}, {"a": "y"}]}, "version": 3}) == [{"a": "x"}, {"a": "y"}]
    assert refused({"1": {"a": "x"}, "2": {"a": "y"}})


def test_records_by_what_was_right() -> None:
    """Two lists of them, whose names mean 1 and 0."""
    assert records({"correct": [{"id": 1}], "incorrect": [{"id": 2}, {"id": 3}]}) == [
        {"id": 1, "correct": 1}, {"id": 2, "correct": 0}, {"id": 3, "correct": 0},
    ]  # fmt: skip
    assert records({"Pass": [{"id": 1}], " fail": [{"id": 2}]}) == [{"id": 1, "correct": 1}, {"id": 2, "correct": 0}]


@pytest.mark.parametrize(("n", "own"), [(10, True), (9, False)])
def test_lists_of_records_by_ten_questions(n: int, own: bool) -> None:
    """Samples are numbered where there are several; fewer lists are of a system each."""
    one = {name: [{"x": 1}] for name in ids(n)}
    assert records(one)[0] == ({"id": "q0", "x": 1} if own else {"system": "q0", "segment": 0, "x": 1})
    two = {name: [{"x": 1}, {"x": 2}] for name in ids(n)}
    assert records(two)[1] == (
        {"id": "q0", "sample_index": 1, "x": 2} if own else {"system": "q0", "segment": 1, "x": 2}
    )


@pytest.mark.parametrize(("longest", "own"), [(9, True), (10, False)])
def test_as_many_records_as_names_are_no_samples(longest: int, own: bool) -> None:
    value = {name: [{"x": k} for k in range(longest)] for name in ids(10)}
    assert ("sample_index" in str(records(value)[0])) is own


def test_names_as_they_were_asked_have_one_record_each() -> None:
    names = [f"what is {word}" for word in "abcdefghij"]
    assert records({name: [{"x": 1}] for name in names})[0] == {"id": "what is a", "x": 1}
    assert "system" in str(records({name: [{"x": 1}, {"x": 2}] for name in names})[0])


@pytest.mark.parametrize("longest", [60, 61])
def test_lists_that_cross_short_names_are_about_questions(longest: int) -> None:
    """Each has the same names once: these may be systems of at most sixty characters."""
    names = ("a" * longest, "b")
    value = {f"x{k}.": [{"model": name, "y": k} for name in names] for k in range(3)}
    first = records(value)[0]
    assert first == (
        {"id": "x0.", "model": names[0], "y": 0}
        if longest == 60
        else {"system": "x0.", "segment": 0, "model": names[0], "y": 0}
    )


@pytest.mark.parametrize(
    "value",
    [
        {"x.json": [{"model": "a"}, {"model": "b"}], "y.json": [{"model": "a"}, {"model": "c"}]},  # other names
        {"x.json": [{"model": "a"}, {"model": "a"}], "y.json": [{"model": "a"}, {"model": "a"}]},  # a name twice
        {"x.json": [{"model": "a"}], "y.json": [{"model": "a"}]},  # one name
        {"x.json": [{"model": ""}, {"model": "b"}], "y.json": [{"model": ""}, {"model": "b"}]},
        {"x.json": [{"model": 1}, {"model": 2}], "y.json": [{"model": 1}, {"model": 2}]},
        {"x.json": [{"output": "a"}, {"output": "b"}], "y.json": [{"output": "a"}, {"output": "b"}]},
    ],
)
def test_other_lists_are_of_one_system_each(value: dict[str, list[dict[str, object]]]) -> None:
    own = records(value)
    assert [(one["system"], one["segment"]) for one in own if isinstance(one, dict)] == [
        (name, k) for name in "xy" for k in range(len(value[f"{name}.json"]))
    ]


def test_one_list_of_records_is_what_the_file_holds() -> None:
    """Unless its name is that of a file, which is a system."""
    assert records({"data": [{"x": 1}]}) == [{"x": 1}]
    assert records({"a.json": [{"x": 1}]}) == [{"system": "a", "segment": 0, "x": 1}]
    assert records({"b\\a": [{"x": 1}]})[0] != {"x": 1}


def test_records_beside_other_lists() -> None:
    """A usual name, or the only list with ids; everything else stands beside them."""
    two = {"data": [{"x": 1}], "other": [{"y": 1}], "n": 3}
    assert (records(two), shaped(two).header) == ([{"x": 1}], {"other": [{"y": 1}], "n": 3})
    with_ids = {"one": [{"id": 1}, {"id": 2}], "other": [{"y": 1}, {"y": 2}], "n": 3}
    assert records(with_ids) == [{"id": 1}, {"id": 2}]
    both = {**with_ids, "other": [{"id": 1}, {"id": 2}, {"id": 3}]}
    assert "It has several lists of records: one, other." in refused(both)
    same = {**with_ids, "one": [{"id": 1}, {"id": 1}]}
    assert "It has several lists of records" in refused(same)
    with pytest.raises(ReadError) as error:
        shaped(both)
    assert error.value.fix.endswith("jq .other FILE > other.json")


def test_samples_of_inspect() -> None:
    """Only ids and scores stay; a run without any has ended with an error."""
    sample = {"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}, "messages": ["long"]}
    log = {"status": "success", "samples": [sample, {**sample, "scores": {}}]}
    assert records(log) == [{"id": 1, "epoch": 1, "scores": sample["scores"]}, {"id": 1, "epoch": 1, "scores": {}}]
    assert "none of its samples has a score" in refused({"status": "error", "samples": [{**sample, "scores": {}}]})


def test_lists_side_by_side() -> None:
    """Two values at least; one list of texts is what the file holds; more numbers than lists are results of a whole run."""
    assert records({"A": [1, 2], "B": [3, 4], "n": 2}) == [{"A": 1, "B": 3}, {"A": 2, "B": 4}]
    assert shaped({"A": [1, 2], "B": [3, 4], "n": 2}).header == {"n": 2}
    texts = shaped({"outputs": ["a", "b"], "n": 2})
    assert (list(texts.records), texts.bare) == (["a", "b"], True)
    numbers = shaped({"A": [1, 2]})
    assert (list(numbers.records), numbers.bare) == ([{"A": 1}, {"A": 2}], False)
    assert "Its lists have different lengths (A: 2, B: 1)" in refused({"A": [1, 2], "B": [3]})
    assert "one object" in refused({"A": [1, 2], "m": 1, "n": 2})


def test_the_first_four_names_of_a_summary_are_shown() -> None:
    assert "(a: 1, b: 2, c: [...], d: {...})." in refused({"a": 1, "b": 2, "c": [1], "d": {"x": 1}})
    assert "(a: 1, b: 2, c: 3, d: 4, ...)." in refused({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5})
    assert f"(a: '{'x' * 19}, b: 1)" in refused({"a": "x" * 30, "b": 1})


def test_one_name_of_a_single_value_is_a_record() -> None:
    """With an object or a list below it, it is the summary of something."""
    assert records({"x": 1}) == [{"x": 1}]
    assert "one object" in refused({"x": {"a": 1, "b": "t"}})
    assert "one object" in refused({"x": {"a": 1, "b": "t"}, "y": 2})


def test_records_of_several_tasks() -> None:
    """lm-evaluation-harness with its samples: a name for each task where there are several."""
    one = {"results": {}, "samples": {"arc": [{"doc_id": 0}]}}
    assert records(one) == [{"doc_id": 0}]
    two = {"results": {}, "samples": {"arc": [{"doc_id": 0}], "boolq": [{"doc_id": 1}]}}
    assert records(two) == [{"task": "arc", "doc_id": 0}, {"task": "boolq", "doc_id": 1}]
