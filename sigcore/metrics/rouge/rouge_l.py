"""ROUGE-L of whole summaries: common subsequences of their sentences, as ROUGE-1.5.5 counts them."""

from __future__ import annotations

from sigcore.metrics.contract import Metric
from sigcore.metrics.rouge import common as rouge
from sigcore.metrics.rouge.overlap import LcsOverlap

OPTIONS = (*rouge.OPTIONS, rouge.SENTENCES)

METRIC = Metric(
    name="rouge_l",
    title=rouge.titled("ROUGE-L"),
    kind="text",
    better="higher",
    columns=rouge.columns,
    prepare=rouge.preparing(LcsOverlap),
    statistics=rouge.statistics,
    score=rouge.score,
    describe=rouge.described("rouge_l", OPTIONS),
    options=OPTIONS,
    help="Words of the reference that the summary has in the same order, sentence by sentence; ROUGE-1.5.5's numbers.",
    source="Lin 2004; ROUGE-1.5.5",
    notes=rouge.NOTES,
)
