"""Measures of retrieval against trec_eval, question by question; the numbers are in tests/golden/data."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from sigcore import data, metrics
from sigcore.metrics import extractor
from sigcore.sufficient import SufficientStatistics
from tests.golden.printed import DATA
from tests.oracles import retrieval

MEASURES: list[tuple[str, dict[str, int], str]] = [
    ("ndcg", {}, "ndcg_cut_10"),
    ("ndcg", {"cutoff": 5}, "ndcg_cut_5"),
    ("average_precision", {}, "map"),
    ("average_precision", {"cutoff": 10}, "map_cut_10"),
    ("reciprocal_rank", {}, "recip_rank"),
    ("precision_at", {}, "P_10"),
    ("precision_at", {"cutoff": 5}, "P_5"),
    ("recall_at", {}, "recall_100"),
    ("recall_at", {"cutoff": 10}, "recall_10"),
]


@cache
def figures() -> dict[str, Any]:
    """Runs, judgments, and what trec_eval gave for each question."""
    found: dict[str, Any] = json.loads((DATA / "pytrec_eval.made.json").read_text(encoding="utf-8"))
    return found


@cache
def loaded() -> data.Ready:
    """The runs and judgments, as the files of a person."""
    judgments = "".join(f"{q} 0 {d} {value}\n" for q, own in figures()["qrels"].items() for d, value in own.items())
    files = [("qrels.txt", judgments.encode())]
    for name, run in figures()["runs"].items():
        rows = ((q, d, s) for q, own in run.items() for d, s in own.items())
        files.append((f"{name}.run", "".join(f"{q} Q0 {d} 1 {s!r} tag\n" for q, d, s in rows).encode()))
    collection = data.Collection()
    collection.add(files)
    assert collection.problems == ()
    return collection.sound()


def measured(metric: str, **options: int) -> dict[str, SufficientStatistics]:
    ready, member = loaded(), metrics.get(metric)
    extract = extractor(member, ready.testset, member.chosen(options))
    return {item.system: extract(item) for item in ready.outputs}


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(("metric", "options", "column"), MEASURES)
def test_every_question_is_scored_as_by_trec_eval(
    metric: str, options: dict[str, int], column: str, level: int
) -> None:
    """Ties, negative judgments, a question without relevant documents, and one that a run lacks (0, as with -c)."""
    more = {} if metric == "ndcg" else {"level": level}
    expected, ours = figures()["results" if level == 1 else "level_2"], measured(metric, **options, **more)
    questions = list(figures()["qrels"])
    assert loaded().ids == tuple(questions)
    for name, rows in ours.items():
        theirs = [expected[name].get(question, {}).get(column, 0.0) for question in questions]
        np.testing.assert_allclose(rows.values[:, 0], theirs, rtol=1e-12, atol=1e-15)
        assert rows.corpus_score == pytest.approx(sum(theirs) / len(questions), rel=1e-12)


def test_documents_are_ordered_as_by_the_slow_twin() -> None:
    """Scores that are equal in single precision are ordered by name."""
    ready = loaded()
    for item in ready.outputs:
        for question, segment in zip(ready.ids, item.segments, strict=True):
            scores = figures()["runs"][item.system].get(question, {})
            assert [line for line in segment.split("\n") if line] == retrieval.order(scores)
