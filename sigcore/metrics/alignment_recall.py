"""Alignment recall: the share of the sure gold links that a system has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sigcore.metrics.contract import Done, Metric, Options, References, only_reference, percent
from sigcore.proof import Proof
from sigcore.text import links
from sigcore.types import Floats


def prepare(references: References, options: Options) -> links.GoldLinks:
    """The gold links."""
    return links.gold_links(only_reference(references, "Alignment recall"))


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 4): links |A|, sure gold links |S|, |A and S|, |A and P|."""
    rows: Floats = prepared.rows(segments, done)
    return rows


def score(sums: Floats, options: Options) -> Floats:
    """|A and S| / |S|, 0 to 100, of sums (..., 4); nan where there are no sure gold links."""
    return percent(sums[..., 2], sums[..., 1])


METRIC = Metric(
    name="alignment_recall",
    title="Alignment recall",
    kind="alignments",
    better="higher",
    columns=links.COLUMNS,
    prepare=prepare,
    statistics=statistics,
    score=score,
    help="Share of the sure gold links that a system has.",
    source="Och & Ney 2003",
    proof=Proof(oracle="of_metrics:alignment_recall", golden=("aer.nltk",)),
)
