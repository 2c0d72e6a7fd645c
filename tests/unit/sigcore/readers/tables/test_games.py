"""Judgments of Arena-Hard: two games for each question, with both answers in both orders."""

from __future__ import annotations

import json

import pytest

from sigcore.readers import Intake, read


def record(k: int, *scores: object, **more: object) -> dict[str, object]:
    games = [
        {"score": score, "judgment": {"answer": "..."}, "prompt": [{"role": "user", "content": "x"}]}
        for score in scores
    ]
    return {"uid": f"u{k}", "category": "hard", "judge": "g", "model": "new", "baseline": "old", "games": games, **more}


def loaded(*records: dict[str, object]) -> Intake:
    return read([("new.jsonl", "".join(json.dumps(one) + "\n" for one in records).encode())])


def won(found: Intake) -> list[tuple[str, str, str, float]]:
    """The question, both systems and what the first got, of each comparison."""
    (part,) = found.preferences
    return list(
        zip(part.question.tolist(), part.first.tolist(), part.second.tolist(), part.outcome.tolist(), strict=True)
    )


def test_the_sides_turn_in_the_second_game() -> None:
    """A is the baseline in the first game, and the model in the second; how clear a win is does not count."""
    found = loaded(record(1, "A>>B", "A>B"), record(2, "B>A", "B>>A"), record(3, "A=B", "B<A"))
    assert not found.problems
    assert won(found) == [
        ("u1", "old", "new", 1.0), ("u1", "new", "old", 1.0),
        ("u2", "old", "new", 0.0), ("u2", "new", "old", 0.0),
        ("u3", "old", "new", 0.5), ("u3", "new", "old", 1.0),
    ]  # fmt: skip
    assert any("Arena-Hard" in notice.message for notice in found.notices)


def test_games_without_a_verdict_are_counted() -> None:
    """A judge that gave no verdict is none for either side; the other game of the question stays."""
    found = loaded(record(1, None, "A>B"), record(2, "A=B", "A=B"), record(3, None, None))
    # the first game has none, so the sides are those of the second one: the model is A
    assert won(found) == [("u1", "new", "old", 1.0), ("u2", "old", "new", 0.5), ("u2", "new", "old", 0.5)]
    assert any("3 games of 6 without a verdict left out." in notice.message for notice in found.notices)


@pytest.mark.parametrize(
    "other",
    [
        record(4, "A>A"),
        record(4, "first"),
        record(4, 3),
        record(4),
        record(4, "A>B", "A>B", "A>B"),
        record(4, "A>B", model=None),
        record(4, "A>B") | {"games": "A>B"},
    ],
    ids=["itself", "a word", "a number", "no game", "three games", "no name", "no list"],
)
def test_other_records_are_no_games(other: dict[str, object]) -> None:
    """One record in another shape is enough: nothing is read of the file as games."""
    found = loaded(*(record(k, "A>B", "B>A") for k in range(3)), other)
    assert not any("Arena-Hard" in notice.message for notice in found.notices)
    assert found.preferences == ()
