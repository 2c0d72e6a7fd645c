"""JSON documents of known programs: which records they give, who judged, and what a control is called."""

from __future__ import annotations

from sigcore.readers.tables import documents


def result(kind: str, name: str, **value: object) -> dict[str, object]:
    return {"type": kind, "from_name": name, "value": value}


def task(place: int, person: object, *results: dict[str, object], **data: object) -> dict[str, object]:
    annotation = {"completed_by": person, "result": list(results)}
    return {"id": place, "inner_id": 100 + place, "data": data, "annotations": [annotation]}


def test_each_annotation_has_its_task_its_judge_and_what_was_said() -> None:
    """The judge is the mail address, else the number of the account; the one number is the rating, whatever it is called."""
    tasks = [
        task(5, {"id": 9, "email": "ann@x"}, result("rating", "quality", rating=4), text="a"),
        task(
            6, {"id": 8}, result("rating", "quality", rating=2), result("choices", "why", choices=["short"]), text="b"
        ),
        task(7, 3, result("rating", "quality", rating=1), result("choices", "why", choices=["x", "y"]), item="i7"),
    ]
    assert documents.annotated(tasks) == [
        {"id": 5, "judge": "ann@x", "text": "a", "rating": 4},
        {"id": 6, "judge": "8", "text": "b", "rating": 2, "why": "short"},
        {"judge": "3", "item": "i7", "rating": 1, "why": ["x", "y"]},
    ]


def test_two_numbers_keep_their_names() -> None:
    """Neither of them is the rating."""
    tasks = [task(1, 3, result("rating", "quality", rating=1), result("number", "tone", number=0.5), text="a")]
    assert documents.annotated(tasks) == [{"id": 1, "judge": "3", "text": "a", "quality": 1, "tone": 0.5}]


def test_the_better_side_is_the_winner() -> None:
    """Of two texts side by side; results of another type are left out."""
    said = [{"type": "pairwise", "value": {"selected": "left"}}, {"type": "labels", "value": {"start": 1}}]
    (record,) = documents.annotated([task(1, "Eve", *said, a="x", b="y")])
    assert record == {"id": 1, "judge": "Eve", "a": "x", "b": "y", "winner": "left"}


def test_other_records_are_no_annotations() -> None:
    """No records at all, and records without data or without annotations."""
    assert documents.annotated([]) == []
    assert documents.annotated([{"id": 1, "data": {}}]) == []
    assert documents.annotated([task(1, 3, text="a"), {"id": 2}]) == []


def test_every_problem_that_a_report_names_counts() -> None:
    """Resolved is 1; failed, not submitted and broken ones are 0. Lists of other things are not looked at."""
    report = {"resolved_ids": ["b"], "submitted_ids": ["a", "b"], "error_ids": ["a", "c"], "total": 3, "schema": ["z"]}
    names = [(one["instance_id"], one["resolved"]) for one in documents.known(report)]
    assert names == [("a", 0), ("b", 1), ("c", 0)]
    assert documents.known({"resolved_ids": ["b"]}) == []


def test_an_image_with_fewer_captions_has_its_first_one_again() -> None:
    """Captions are sorted to their images, in the order of the file."""
    rows = [(1, "x"), (2, "y"), (1, "z"), (2, "u"), (1, "w")]
    document: dict[str, object] = {"images": [], "annotations": [{"image_id": i, "caption": c} for i, c in rows]}
    assert documents.known(document) == [
        {"image_id": "1", "references": ["x", "z", "w"]},
        {"image_id": "2", "references": ["y", "u", "y"]},
    ]
