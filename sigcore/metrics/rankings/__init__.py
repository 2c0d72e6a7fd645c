"""Measures of retrieval, as trec_eval computes them: nDCG, MAP, reciprocal rank, precision and recall of the first documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal, get_args

import numpy as np

from sigcore.metrics.contract import (
    Metric,
    Options,
    References,
    Swapped,
    choice_of,
    described,
    only_reference,
    rows,
    settings,
)
from sigcore.proof import Proof
from sigcore.registry import Option, number_of
from sigcore.text import mean_pairs, rankings
from sigcore.types import Floats

Gain = Literal["linear", "exponential"]
GAINS: tuple[Gain, ...] = get_args(Gain)
Score = Callable[..., float]  # of rankings: the documents, their judgments, the level, the cut-off
NOTES = """Documents are ordered by their scores in single precision, and equally scored ones by their names, the last first, as in
trec_eval. The column of ranks is not used. Every judged question counts, as with the option -c: a question that a run does
not have, or that has no relevant document, is 0. The numbers of such questions are said. Documents without a judgment are not
relevant."""

LEVEL = Option("level", 1, low=1, help="The least judgment of a relevant document (trec_eval -l; TREC DL uses 2).")


def cutoff(number: int, least: int = 1) -> Option:
    """How many documents count, `number` by default; 0, where it is allowed, is all of them."""
    everything = "; 0 = all" if not least else ""
    return Option("cutoff", number, low=least, help=f"How many of the first documents of a question count{everything}.")


def mean(sums: Floats, options: Options) -> Floats:
    """The mean over the questions of sums (..., 2); nan without questions."""
    n = sums[..., 1]
    return np.where(n > 0, sums[..., 0] / np.where(n > 0, n, 1.0), np.nan)


def _judgments(references: References, measure: rankings.Measure, title: str) -> rankings.GoldRankings:
    return rankings.gold(only_reference(references, title), measure)


def _prepare(score: Score, name: str, references: References, options: Options) -> rankings.GoldRankings:
    level, first = int(number_of(options, "level")), int(number_of(options, "cutoff"))
    return _judgments(references, partial(score, level=level, cutoff=first), name)


def _prepare_ndcg(references: References, options: Options) -> rankings.GoldRankings:
    exponential = choice_of(options, "gain", GAINS) == "exponential"
    first = int(number_of(options, "cutoff"))
    return _judgments(references, partial(rankings.ndcg, cutoff=first, exponential=exponential), "nDCG")


def _title(word: str, options: Options) -> str:
    """The name with its cut-off, and the level if it is not 1: P@10, MAP, Recall@100 (relevant from 2)."""
    first, level = int(number_of(options, "cutoff")), options.get("level", 1)
    return (f"{word}@{first}" if first else word) + (f" (relevant from {level})" if level != 1 else "")


def _metric(name: str, word: str, score: Score, first: Option) -> Metric:
    return Metric(
        **described(name),
        title=partial(_title, word),
        kind="rankings",
        better="higher",
        columns=rankings.COLUMNS,
        prepare=partial(_prepare, score, word),
        statistics=rows,
        score=mean,
        describe=lambda references, options: settings(name, options),
        swapped=Swapped(mean_pairs.KERNELS, mean_pairs.means),
        decimals=4,
        options=(first, LEVEL),
        notes=NOTES,
        proof=Proof(oracle=f"of_metrics:{name}", golden=("pytrec_eval",)),
    )


GAIN = "What a document gains: its judgment (trec_eval), or 2 to the power of it, less 1."
NDCG = _metric("ndcg", "nDCG", rankings.ndcg, cutoff(10))
METRICS = (
    replace(NDCG, prepare=_prepare_ndcg, options=(cutoff(10), Option("gain", "linear", choices=GAINS, help=GAIN))),
    _metric("average_precision", "MAP", rankings.average_precision, cutoff(0, least=0)),
    _metric("reciprocal_rank", "MRR", rankings.reciprocal_rank, cutoff(0, least=0)),
    _metric("precision_at", "P", rankings.precision, cutoff(10)),
    _metric("recall_at", "Recall", rankings.recall, cutoff(100)),
)
