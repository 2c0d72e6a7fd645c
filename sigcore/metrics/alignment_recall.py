"""Alignment recall: the share of the sure gold links that a system has."""

from __future__ import annotations

from sigcore.metrics.contract import Metric, Options, only_reference, percent, rows
from sigcore.proof import Proof
from sigcore.text import links
from sigcore.types import Floats


def score(sums: Floats, options: Options) -> Floats:
    """|A and S| / |S|, 0 to 100, of sums (..., 4); nan where there are no sure gold links."""
    return percent(sums[..., 2], sums[..., 1])


METRIC = Metric(
    name="alignment_recall",
    title="Alignment recall",
    kind="alignments",
    better="higher",
    columns=links.COLUMNS,
    prepare=lambda references, options: links.gold_links(only_reference(references, "Alignment recall")),
    statistics=rows,
    score=score,
    help="Share of the sure gold links that a system has.",
    source="Och & Ney 2003",
    proof=Proof(oracle="of_metrics:alignment_recall", golden=("aer.nltk",)),
)
