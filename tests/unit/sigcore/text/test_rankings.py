"""Measures of rankings by hand: what is retrieved late, too seldom or not at all."""

from __future__ import annotations

import pytest

from sigcore.text import rankings


@pytest.mark.parametrize(
    ("ranked", "cutoff", "share"),
    [("ab", 10, 0.2), ("axb", 10, 0.2), ("abc", 2, 1.0), ("xab", 2, 0.5), ("", 5, 0.0), ("a", 1, 1.0)],
)
def test_precision_divides_by_the_cutoff_however_few_were_retrieved(ranked: str, cutoff: int, share: float) -> None:
    """As trec_eval does: two relevant documents and nothing else are a precision at 10 of .2."""
    judged = {"a": 1, "b": 1, "c": 1}
    assert rankings.precision([*ranked], judged, 1, cutoff) == pytest.approx(share)


@pytest.mark.parametrize(
    ("ranked", "cutoff", "share"),
    [("abc", 2, 2 / 3), ("axb", 2, 1 / 3), ("axb", 10, (1 + 2 / 3) / 3), ("abc", 0, 1.0), ("xabc", 1, 0.0)],
)
def test_average_precision_divides_by_all_relevant_documents(ranked: str, cutoff: int, share: float) -> None:
    """As trec_eval does (map_cut): of three relevant documents the first two are at most two thirds."""
    judged = {"a": 1, "b": 1, "c": 1, "d": 0}
    assert rankings.average_precision([*ranked], judged, 1, cutoff) == pytest.approx(share)


@pytest.mark.parametrize(
    ("ranked", "cutoff", "share"), [("ab", 10, 2 / 3), ("xab", 2, 1 / 3), ("", 5, 0.0), ("abc", 0, 1.0)]
)
def test_recall_divides_by_all_relevant_documents(ranked: str, cutoff: int, share: float) -> None:
    """A cutoff of 0 looks at all that was retrieved."""
    judged = {"a": 1, "b": 1, "c": 1, "d": 0}
    assert rankings.recall([*ranked], judged, 1, cutoff) == pytest.approx(share)
