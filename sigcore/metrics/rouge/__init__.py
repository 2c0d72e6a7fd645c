"""ROUGE-1, 2, L and SU4: what a summary shares with its references, as ROUGE-1.5.5 counts it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sigcore.metrics.contract import Metric
from sigcore.metrics.rouge.options import OPTIONS, SENTENCES, described, titled
from sigcore.metrics.rouge.overlap import GramOverlap, Grams, LcsOverlap, Overlap
from sigcore.metrics.rouge.statistics import columns, preparing, score, statistics
from sigcore.metrics.rouge.summaries import Reader
from sigcore.registry import Option
from sigcore.text.bounds import ROUGE_L, Bound
from sigcore.text.symbols import Streams

NOTES = (
    "A segment is one summary. The options and the flags of ROUGE-1.5.5, our departures from it, and a comparison "
    "with published scores: [rouge.md](rouge.md)."
)


def rouge(
    name: str,
    title: str,
    overlap: Callable[[Streams, Reader], Overlap],
    help: str,
    options: tuple[Option, ...] = OPTIONS,
    limits: tuple[Bound, ...] = (),
) -> Metric:
    """The ROUGE metric that counts this overlap."""
    return Metric(
        name=name,
        title=titled(title),
        kind="text",
        better="higher",
        columns=columns,
        prepare=preparing(overlap),
        statistics=statistics,
        score=score,
        bounds=limits,
        describe=described(name, options),
        options=options,
        help=f"{help}; ROUGE-1.5.5's numbers.",
        source="Lin 2004; ROUGE-1.5.5",
        notes=NOTES,
    )


METRICS = (
    rouge(
        "rouge_1",
        "ROUGE-1",
        partial(GramOverlap, grams=Grams(words_left=0)),
        "Words that summary and reference share",
    ),
    rouge(
        "rouge_2",
        "ROUGE-2",
        partial(GramOverlap, grams=Grams(words_left=None, distances=(1,))),
        "Pairs of neighbouring words that summary and reference share",
    ),
    rouge(
        "rouge_l",
        "ROUGE-L",
        LcsOverlap,
        "Words of the reference that the summary has in the same order, sentence by sentence",
        (*OPTIONS, SENTENCES),
        (ROUGE_L,),
    ),
    rouge(
        "rouge_su4",
        "ROUGE-SU4",
        # the program counts every word but the last one
        partial(GramOverlap, grams=Grams(words_left=1, distances=(1, 2, 3, 4, 5))),
        "Words, and pairs of words with up to four between them, that summary and reference share",
    ),
)
