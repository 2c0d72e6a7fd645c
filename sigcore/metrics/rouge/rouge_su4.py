"""ROUGE-SU4: words, and pairs with up to four words between them, as ROUGE-1.5.5 counts them (not the last word)."""

from __future__ import annotations

from functools import partial

from sigcore.metrics.contract import Metric
from sigcore.metrics.rouge import common as rouge
from sigcore.metrics.rouge.overlap import GramOverlap, Grams

METRIC = Metric(
    name="rouge_su4",
    title=rouge.titled("ROUGE-SU4"),
    kind="text",
    better="higher",
    columns=rouge.columns,
    prepare=rouge.preparing(partial(GramOverlap, grams=Grams(words_left=1, distances=(1, 2, 3, 4, 5)))),
    statistics=rouge.statistics,
    score=rouge.score,
    describe=rouge.described("rouge_su4", rouge.OPTIONS),
    options=rouge.OPTIONS,
    help="Words, and pairs of words with up to four between them, that summary and reference share; ROUGE-1.5.5's numbers.",
    source="Lin 2004; ROUGE-1.5.5",
    notes=rouge.NOTES,
)
