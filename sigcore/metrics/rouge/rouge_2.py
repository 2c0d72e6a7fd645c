"""ROUGE-2: the pairs of neighbouring words a summary shares with its reference, as ROUGE-1.5.5 counts them."""

from __future__ import annotations

from functools import partial

from sigcore.metrics.contract import Metric
from sigcore.metrics.rouge import common as rouge
from sigcore.metrics.rouge.overlap import GramOverlap, Grams

METRIC = Metric(
    name="rouge_2",
    title=rouge.titled("ROUGE-2"),
    kind="text",
    better="higher",
    columns=rouge.columns,
    prepare=rouge.preparing(partial(GramOverlap, grams=Grams(words_left=None, distances=(1,)))),
    statistics=rouge.statistics,
    score=rouge.score,
    describe=rouge.described("rouge_2", rouge.OPTIONS),
    options=rouge.OPTIONS,
    help="Pairs of neighbouring words that summary and reference share; ROUGE-1.5.5's numbers.",
    source="Lin 2004; ROUGE-1.5.5",
    notes=rouge.NOTES,
)
