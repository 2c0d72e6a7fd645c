"""Scores of trees, word links and bracketings against the figures of the field's programs."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import metrics
from sigcore.metrics import extractor
from sigcore.testset import Outputs, Testset
from tests.conftest import lines

pytestmark = pytest.mark.data


def rows(metric: str, gold: tuple[str, ...], own: tuple[str, ...], **options) -> tuple[np.ndarray, float]:
    """Statistics and score of one output."""
    member = metrics.get(metric)
    testset = Testset("t", member.kind, len(gold), (gold,))
    found = extractor(member, testset, member.chosen(options))(Outputs("s", own))
    return found.values, found.corpus_score


@pytest.mark.parametrize("which", ["pairs", "edge_pairs"])
def test_evalb(which, golden):
    """Every pair has evalb's counts, is skipped where evalb has an error or no parse, and the sums give its summary."""
    evalb = golden("evalb.samples.json")
    pairs = evalb[which]
    gold, own = (tuple(pair[side] for pair in pairs) for side in ("gold", "test"))
    for average, name in (("f", "f"), ("precision", "precision"), ("recall", "recall")):
        got, score = rows("constituency_f1", gold, own, average=average)
        summary = evalb["summary" if which == "pairs" else "edge_summary"]
        assert f"{score:.2f}" == f"{summary['all'][name]:.2f}"
    for pair, row in zip(pairs, got, strict=True):
        status, counts = pair["row"][1], pair["row"][4:7]
        assert row[3] == (status != 0), pair["note"]
        assert list(row[:3]) == (counts if status == 0 else [0, 0, 0]), pair["note"]
    total = summary["total_row"]
    assert list(got.sum(axis=0)) == [
        total["matched"],
        total["gold"],
        total["test"],
        summary["all"]["error"] + summary["all"]["skip"],
    ]
