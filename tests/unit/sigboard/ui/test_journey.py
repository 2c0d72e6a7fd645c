"""The navigation: every page is under one heading, and a page for other data is under More."""

from __future__ import annotations

import pytest
import streamlit as st

from sigboard import catalogue
from sigboard.server.visits import Visit
from sigboard.shell import journey, session
from sigcore import Collection


def listed(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The words of the pages under each heading, for what is loaded."""
    monkeypatch.setattr(st, "session_state", {session.KEY: Visit(collection)})
    return {name: [question.word for question in questions] for name, questions in journey.sections().items()}


def test_pages_for_other_data_are_under_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample has no scores per question; scores make the page of tasks one of theirs. No page is lost or twice."""
    sample, scores = Collection(), Collection()
    sample.add_sample("harbour")
    scores.add([("A.scores.txt", b"0.5\n0.7\n0.1\n" * 9), ("B.scores.txt", b"0.4\n0.7\n0.2\n" * 9)])
    one, other = listed(sample, monkeypatch), listed(scores, monkeypatch)
    assert "tasks" in one[catalogue.MORE]
    assert "pairwise" in one["For these data"]
    assert "tasks" in other["For these data"]
    for found in (one, other):
        assert sorted(word for words in found.values() for word in words) == sorted(
            question.word for question in catalogue.QUESTIONS
        )
    assert list(one) == [name for name in catalogue.SECTIONS if name in one]
