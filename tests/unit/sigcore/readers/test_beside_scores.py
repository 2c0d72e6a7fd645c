"""What stands beside scores and outputs in records and tables: usage, documents, marks, and texts that were labelled."""

from __future__ import annotations

import json

import pytest

from sigcore.errors import ReadError, SigError, refuse
from sigcore.readers import Intake, Unclear, read

N = 24


def intake(text: str, file: str = "log.jsonl") -> Intake:
    return read([(file, text.encode())])


def records(*beside: tuple[str, object]) -> str:
    """Two retrievers with one measure, and in each record something else."""
    rows = [{"query_id": f"q{k}", "dense": {"hit1": k % 2}, "bm25": {"hit1": k % 3 % 2}} for k in range(N)]
    return "".join(json.dumps({**row, **{name: make(k) for name, make in beside}}) + "\n" for k, row in enumerate(rows))


def scores(found: Intake) -> dict[str, tuple[str, ...]]:
    return {item.name: item.segments for item in found.items if item.role == "system"}


@pytest.mark.parametrize(
    "beside",
    [
        ("usage", lambda k: {"prompt_tokens": 100 + k, "total": 300 + k}),
        ("token_usage", lambda k: {"input": {"text": 100 + k}}),
        ("dense_top3", lambda k: [str(k), str(k), str(k + 2)]),
        ("found", lambda k: [str(k), str(k + 1), str(k + 2)]),
        ("found", lambda k: [k + i for i in range(8)]),
    ],
)
def test_usage_and_documents_beside_scores(beside: tuple[str, object]) -> None:
    """What an answer took, and which documents were found, are no scores of a rival."""
    found = intake(records(beside))
    assert not found.problems
    assert scores(found) == scores(intake(records()))
    assert any("ot used" in notice.message for notice in found.notices)


@pytest.mark.parametrize(
    "ratings",
    [lambda k: [k % 5, (k + 1) % 5, (k + 2) % 5], lambda k: [k % 5] * 8, lambda k: [k / 2 + i for i in range(8)]],
)
def test_ratings_are_averaged(ratings: object) -> None:
    """A few different ratings, the same one again, and decimals are no names of documents."""
    assert callable(ratings)
    text = "".join(
        json.dumps({"id": f"q{k}", "model": m, "ratings": ratings(k)}) + "\n" for k in range(N) for m in "ab"
    )
    assert any("averaged" in notice.message for notice in intake(text).notices)


def test_numbers_below_usage_alone_stay() -> None:
    """Nothing else is nested, so these may be what is compared: nothing is left out."""
    text = "".join(json.dumps({"id": f"q{k}", "usage": {"a": k % 5, "b": k % 7}}) + "\n" for k in range(N))
    assert not any("what an answer took" in notice.message for notice in intake(text).notices)


def marked(*heads: str) -> str:
    rows = [[f"q{k}", *("○" if (k + c) % 3 else "× no answer" for c in range(len(heads)))] for k in range(N)]
    return "\n".join([",".join(["qid", *heads]), *map(",".join, rows)]) + "\n"


def test_marks_below_any_heading_may_be_systems() -> None:
    """No context and no comment is a mark alone: with headings that mean something else it is asked."""
    (problem,) = intake(marked("raw", "comments", "context"), "t.csv").problems
    assert isinstance(problem, Unclear)
    roles = {claim.column: claim.role for claim in problem.claims}
    assert roles == {"qid": "question", "raw": "system", "comments": "system", "context": "system"}


def test_marks_below_measures_are_no_systems() -> None:
    found = intake(marked("passed", "correct"), "t.csv")
    claims = [claim for one in found.problems if isinstance(one, Unclear) for claim in one.claims]
    assert "system" not in {claim.role for claim in claims}


# Answers below headings of a known program, and texts that were labelled.


def labelled(extra: dict[str, str]) -> str:
    labels = ("entailment", "neutral", "contradiction")
    return "".join(
        json.dumps(
            {
                "id": f"x{k}",
                "premise": f"person {k} sleeps",
                "label": labels[k % 3],
                "prediction": labels[k % 5 % 3],
                **extra,
            }
        )
        + "\n"
        for k in range(N)
    )


def test_labels_are_no_scores_of_a_program() -> None:
    """hypothesis and prediction are what MetricX writes, but these predictions are words."""
    text = labelled({"hypothesis": "a person rests"})
    found = intake(text, "predictions.jsonl")
    assert not any("MetricX" in notice.message for notice in found.notices)
    assert found.problems == ()
    assert {item.role for item in found.items} == {"reference", "system"}
    assert [item.segments[:2] for item in found.items if item.role == "system"] == [("entailment", "neutral")]


def test_numbers_of_a_program_are_its_scores() -> None:
    text = "".join(json.dumps({"hypothesis": f"text {k}", "prediction": k / 7}) + "\n" for k in range(N))
    assert any("MetricX" in notice.message for notice in intake(text, "metricx.jsonl").notices)


# Problems of several files in the same words.


def test_equal_problems_are_said_once() -> None:
    files = [ReadError("It is empty.", f"{name}.txt", fix="Load it again.") for name in "abcdefgh"]
    with pytest.raises(SigError) as raised:
        refuse([*files, ReadError("It is no text.", "z.txt")])
    said = str(raised.value)
    assert said.count("It is empty.") == 1
    assert "The same holds for: b.txt, c.txt, d.txt, e.txt and 3 more." in said
    assert "It is no text. [z.txt]" in said
