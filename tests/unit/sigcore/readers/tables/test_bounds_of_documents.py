"""JSON documents of known programs, and exports of the programs in which people rate: what is recognised, and what just not."""

from __future__ import annotations

import json

import pytest

from sigcore.readers.contract import Notice
from sigcore.readers.tables import annotation, documents
from sigcore.readers.tables.cells import Rows
from tests.unit.sigcore.readers.tables.built import cells_of, table

Record = dict[str, object]


def failures(total: int = 5, right: int = 3, *failed: object, model: str = "gpt") -> list[object]:
    own = failed or ("q_1", "q_3")
    return [
        {"total_count": total, "correct_count": right},
        *({"id": one, "model_name": model, "valid": False} for one in own),
    ]


def test_a_file_of_failures_has_a_record_for_each_question() -> None:
    assert documents.of_failures(failures()) == [
        {"id": f"q_{k}", "system": "gpt", "correct": int(k not in (1, 3))} for k in range(5)
    ]


@pytest.mark.parametrize(
    "records",
    [
        failures(right=4), failures(5, 3, "q_1", "q_5"), failures(5, 3, "q_1", "q_1"), failures(model=""), failures()[1:], [],
        [*failures()[:2], {"id": "q_3", "model_name": "bart", "valid": False}],
        [*failures()[:2], {"id": "q_3", "model_name": "gpt", "valid": True}],
        failures(1_000_001, 999_999),
    ],
)  # fmt: skip
def test_other_files_of_failures_are_none(records: list[object]) -> None:
    assert documents.of_failures(records) == []


ONE: Record = {"x": 1, "y": 2}


@pytest.mark.parametrize(
    ("value", "n"),
    [
        ([{"a": [ONE, ONE]}, {"b": [ONE]}], 3), ([{"a": [ONE]}], 0), ([{"a": [ONE]}, {"a": [ONE]}], 0), ([{"a": [ONE]}, {"b": []}], 0),
        ([{"a": [ONE]}, {"b": [{"x": 1}]}], 0), ([{"a": [ONE]}, {"b": ONE}], 0), ([{"a": [ONE]}, {"b": [ONE], "c": 1}], 0), ([{"a": [ONE]}, 1], 0),
    ],
)  # fmt: skip
def test_records_in_batches_with_a_name_each(value: list[object], n: int) -> None:
    assert documents.in_batches(value) == [ONE] * n


def nested(names: int = 2, ids: int = 3, sets: int = 1) -> Record:
    return {f"set{s}": {f"m{m}": {f"q{k}": dict(ONE) for k in range(ids)} for m in range(names)} for s in range(sets)}


def test_records_of_the_same_ids_below_several_names() -> None:
    """Six of them at least; several sets are tasks."""
    assert documents.by_two_names(nested(), "key")[0] == {"key": "m0", "id": "q0", **ONE}
    assert documents.by_two_names(nested(sets=2), "key")[0] == {"task": "set0", "key": "m0", "id": "q0", **ONE}
    assert [len(documents.by_two_names(nested(*size), "key")) for size in ((2, 3), (2, 2), (1, 6), (3, 2))] == [
        6,
        0,
        0,
        6,
    ]
    for change in (
        {"set0": {"m0": {"q0": ONE}, "m1": {"q1": ONE}}},
        {"set0": {**nested()["set0"], "m2": 1}},  # type: ignore[dict-item]
        {**nested(), "n": [1]},
        {"set0": {name: {f"q{k}": {"x": {}} for k in range(3)} for name in "ab"}},
    ):
        assert documents.by_two_names(change, "key") == []


def test_a_report_of_resolved_problems() -> None:
    report: Record = {
        "resolved_ids": ["b"],
        "submitted_ids": ["a", "b"],
        "error_ids": ["c"],
        "resolved_instances": 1,
        "ids": 3,
    }
    assert documents.known(report) == [
        {"instance_id": "a", "resolved": 0}, {"instance_id": "b", "resolved": 1}, {"instance_id": "c", "resolved": 0},
    ]  # fmt: skip
    assert documents.known({"resolved_ids": ["b"], "error_ids": ["c"]}) == []


def compared(**more: object) -> Record:
    one = {"name": "A", "mt": ["p", "q"], "scores": [0.5, 1]}
    return {"source": ["s", "t"], "model": "comet", "translations": [one, {**one, "name": "B"}], **more}


def test_the_scores_of_comet_compare() -> None:
    assert documents.known(compared())[:2] == [
        {"system": "A", "segment": 0, "mt": "p", "comet": 0.5}, {"system": "A", "segment": 1, "mt": "q", "comet": 1},
    ]  # fmt: skip
    assert documents.known(compared(reference=["r", "u"]))[0] == {
        "system": "A",
        "segment": 0,
        "mt": "p",
        "reference": "r",
        "comet": 0.5,
    }
    assert "reference" not in documents.known(compared(reference=["r"]))[0]
    for more in (
        {"source": ["s"]},
        {"source": []},
        {"model": 1},
        {"translations": []},
        {"translations": [{"name": "A"}]},
    ):
        assert documents.known(compared(**more)) == []


def test_captions_of_images() -> None:
    rows = [{"image_id": k, "caption": f"c{k}{i}"} for k, n in ((1, 2), (2, 1)) for i in range(n)]
    assert documents.known({"images": [], "annotations": rows}) == [
        {"image_id": "1", "references": ["c10", "c11"]}, {"image_id": "2", "references": ["c20", "c20"]},
    ]  # fmt: skip
    assert documents.known({"annotations": rows}) == []
    assert documents.known({"images": [], "annotations": [*rows, {"image_id": 3}]}) == []


def said(kind: str, value: object, name: str = "how good") -> Record:
    return {"type": kind, "from_name": name, "value": value}


def task(*results: Record, by: object = 7, **data: object) -> Record:
    return {"id": 1, "data": data, "annotations": [{"completed_by": by, "result": list(results)}]}


def test_annotations_of_label_studio() -> None:
    """The one number is the rating; of two texts side by side the winner is said."""
    one = task(said("rating", {"rating": 4}), said("choices", {"choices": ["good"]}, "kind"), text="t")
    assert documents.annotated([one]) == [{"id": 1, "judge": "7", "text": "t", "rating": 4, "kind": "good"}]
    two = task(said("rating", {"rating": 4}), said("rating", {"rating": 3}, "clear"), by={"email": "a@b", "id": 3})
    assert documents.annotated([two]) == [{"id": 1, "judge": "a@b", "how good": 4, "clear": 3}]
    assert documents.annotated([task(said("pairwise", {"selected": "left"}), by=None)]) == [
        {"id": 1, "judge": "", "winner": "left"}
    ]
    assert documents.annotated([task(said("choices", {"choices": ["a", "b"]}), by={"id": 3})])[0]["how good"] == [
        "a",
        "b",
    ]
    assert documents.annotated([task(said("rating", {"other": 4}), item="x")]) == [{"judge": "7", "item": "x"}]
    for other in (
        [],
        [{"id": 1, "data": {}}],
        [{**one, "annotations": [{"x": 1}]}],
        [one, 1],
        [{"annotations": one["annotations"]}],
    ):
        assert documents.annotated(other) == []  # type: ignore[arg-type]


# Exports of programs in which people rate.


def test_headings_of_known_programs_get_words_of_the_vocabulary() -> None:
    notices: list[Notice] = []
    heads = "session_uuid email trial_id rating_stimulus rating_score"
    of = annotation.of_tool(table(heads, lambda k: (k, "x", k, "A", k), 2), notices)
    assert of.headings == ["judge", "email", "segment", "system", "score", "dimension"]
    assert cells_of(of)[0][-1] == "MUSHRA"
    assert notices[0].message == (
        "It was recognised as a file of webMUSHRA: session_uuid = judge, trial_id = segment, rating_stimulus = system, rating_score = score."
    )
    assert annotation.renamed(["Trial_ID", "rating_stimulus", "rating_score", "email"]) == [
        "segment",
        "system",
        "score",
        "judge",
    ]
    assert annotation.renamed(["trial_id", "rating_score"]) == ["trial_id", "rating_score"]
    crowd = annotation.of_tool(table("_unit_id _worker_id x", lambda k: (k, k, k), 2), [])
    assert crowd.headings == ["segment", "judge", "x"]


def survey(*codes: str, people: bool = True, more: tuple[str, ...] = ()) -> Rows:
    heads = [*(["ResponseId"] if people else []), "Status", *codes]
    asked = [*(["Response ID"] if people else []), "Response Type", *(f"How good is {code}?" for code in codes)]
    ids = [*(["_recordId"] if people else []), "status", *(f"QID{k}" for k in range(len(codes)))]
    sources = [json.dumps({"ImportId": one}) for one in ids]
    answers = [
        [*([f"R_{k}"] if people else []), kind, *map(str, range(len(codes)))]
        for k, kind in enumerate(("IP Address", *more))
    ]
    cells = [heads, asked, sources, *answers]
    return Rows("q.csv", ",", cells, range(1, len(cells) + 1))


def test_answers_in_an_export_of_qualtrics() -> None:
    notices: list[Notice] = []
    of = annotation.of_survey(survey("Q1", "Q2", more=("Survey Preview", "IP Address", " survey test")), notices)
    assert [list(row) for row in of.cells] == [
        ["judge", "How good is Q1?", "How good is Q2?"], ["R_0", "0", "1"], ["R_2", "0", "1"],
    ]  # fmt: skip
    assert list(of.lines) == [1, 4, 6]
    assert notices[0].message.endswith(
        "its second line says what was asked, and 2 responses of a preview are left out."
    )
    notices = []
    bare = annotation.of_survey(survey("Q1", people=False), notices)
    assert bare.cells[0] == ["How good is Q1?"]
    assert notices[0].message.endswith("its second line says what was asked.")
    short = survey("Q1").kept([0, 1, 2])
    assert annotation.of_survey(short, []) is short


@pytest.mark.parametrize(
    ("codes", "crossed"),
    [
        (("S1_bart", "S1_tfive", "S2_bart", "S2_tfive", "S3_bart", "S3_tfive"), True),
        (("S1_bart", "S2_bart", "S3_bart"), False),  # one system
        (("S1_bart", "S1_tfive", "S2_bart", "S2_tfive"), False),  # as many of both
        (("S1_1", "S1_2", "S2_1", "S2_2", "S3_1", "S3_2"), False),  # numbers
        (("S1_bart", "S1_tfive", "S2_bart", "S2_tfive", "S3_bart"), False),
        (("S_1_bart", "S_1_tfive", "S_2_bart", "S_2_tfive", "S_3_bart", "S_3_tfive"), True),
        (("S1_my_bart", "S1_my_t", "S2_my_bart", "S2_my_t", "S3_my_bart", "S3_my_t"), True),
    ],
)
def test_codes_of_a_segment_and_a_system(codes: tuple[str, ...], crossed: bool) -> None:
    head = annotation.of_survey(survey(*codes), []).cells[0][1:]
    assert all(" - " in one for one in head) is crossed
    assert all(one.startswith("How") for one in head) is not crossed


def test_answers_in_an_export_of_surveymonkey() -> None:
    cells = [
        ["Respondent ID", "Collector ID", "How good is it?", "", "Why?"],
        ["", "", "System X", "System Y", "Open-Ended Response"],
        ["17", "3", "4", "5", "so"],
    ]
    notices: list[Notice] = []
    of = annotation.of_responses(Rows("m.csv", ",", cells, [1, 2, 3]), notices)
    assert [list(row) for row in of.cells] == [
        ["judge", "How good is it? [System X]", "How good is it? [System Y]", "Why?"], ["17", "4", "5", "so"],
    ]  # fmt: skip
    assert (list(of.lines), len(notices)) == ([1, 3], 1)
    assert annotation.are_responses(["respondent_id", " Collector ID", "x"])
    assert not annotation.are_responses(["respondent_id", "x"])
    two = Rows("m.csv", ",", cells[:2], [1, 2])
    assert annotation.of_responses(two, []) is two
