"""ROUGE-1: the words a summary shares with its reference, as ROUGE-1.5.5 counts them."""

from __future__ import annotations

from functools import partial

from sigcore.metrics.contract import Metric
from sigcore.metrics.rouge import common as rouge
from sigcore.metrics.rouge.overlap import GramOverlap, Grams

METRIC = Metric(
    name="rouge_1",
    title=rouge.titled("ROUGE-1"),
    kind="text",
    better="higher",
    columns=rouge.columns,
    prepare=rouge.preparing(partial(GramOverlap, grams=Grams(words_left=0))),
    statistics=rouge.statistics,
    score=rouge.score,
    describe=rouge.described("rouge_1", rouge.OPTIONS),
    options=rouge.OPTIONS,
    help="Words that summary and reference share; ROUGE-1.5.5's numbers.",
    source="Lin 2004; ROUGE-1.5.5",
    notes=rouge.NOTES,
)
