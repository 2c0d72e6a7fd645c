"""Alignment precision: the share of a system's links that are at least possible."""

from __future__ import annotations

from sigcore.metrics.contract import Metric, Options, only_reference, percent, rows
from sigcore.proof import Proof
from sigcore.text import links
from sigcore.types import Floats


def score(sums: Floats, options: Options) -> Floats:
    """|A and P| / |A|, 0 to 100, of sums (..., 4); nan where the system has no links."""
    return percent(sums[..., 3], sums[..., 0])


METRIC = Metric(
    name="alignment_precision",
    title="Alignment precision",
    kind="alignments",
    better="higher",
    columns=links.COLUMNS,
    prepare=lambda references, options: links.gold_links(only_reference(references, "Alignment precision")),
    statistics=rows,
    score=score,
    help="Share of a system's links that are sure or possible in the gold links.",
    source="Och & Ney 2003",
    proof=Proof(oracle="of_metrics:alignment_precision", golden=("aer.nltk",)),
)
