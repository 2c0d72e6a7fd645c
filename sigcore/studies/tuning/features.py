"""Features that need no model: length, ratio of lengths, and agreement with the other hypotheses of a list."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from sigcore import metrics
from sigcore.errors import OptionError, Undefined
from sigcore.kbest.language_model import NAME, BigramModel
from sigcore.kbest.lists import KBest
from sigcore.kbest.sentence_bleu import bleu_plus_one
from sigcore.studies.tuning.statistics import Progress
from sigcore.testset import Outputs, Testset
from sigcore.types import Floats

BuiltIn = Literal["words", "length_ratio", "consensus_chrf", "consensus_bleu"]
BUILT_IN: tuple[BuiltIn, ...] = get_args(BuiltIn)

# The different texts of a list that every hypothesis is compared with; the time grows with their number.
EVIDENCE = 20


def with_built_in(
    lists: KBest, names: Sequence[str], sources: Sequence[str] = (), progress: Progress | None = None
) -> KBest:
    """The lists with these features added; one that is already there stays as it is.

    words: number of words. length_ratio: log of characters over those of the source. consensus_chrf and
    consensus_bleu: mean chrF (0 to 1) or BLEU+1 with the other different texts of the list, each as the reference, at
    most EVIDENCE of them, the first ones; 0 where there are no others.

    Raises: OptionError for another name; Undefined for a ratio without sources.
    """
    makers: dict[str, Callable[[], Floats]] = {
        "words": lambda: np.array([float(len(text.split())) for text in lists.texts]),
        "length_ratio": lambda: _ratios(lists, sources),
        "consensus_chrf": lambda: _consensus(lists, "chrf", progress),
        "consensus_bleu": lambda: _consensus(lists, "bleu", progress),
    }
    for name in dict.fromkeys(names):
        if name not in makers:
            raise OptionError(f"{name!r} is not a built-in feature.", "", f"Choose from: {', '.join(BUILT_IN)}.")
        if name not in lists.names:
            lists = lists.with_features([name], makers[name]()[:, None])
    return lists


def with_language_model(lists: KBest, model: BigramModel) -> KBest:
    """The lists with the log probability of every hypothesis as a feature; one of that name stays as it is."""
    if NAME in lists.names:
        return lists
    scores = {text: model.score(text) for text in dict.fromkeys(lists.texts)}
    return lists.with_features([NAME], np.array([[scores[text]] for text in lists.texts]))


@dataclass(frozen=True)
class Described:
    """A feature of lists as they are: mean, standard deviation and ends over all hypotheses, and the share of the lists in
    which it varies, so that it can decide."""

    name: str
    mean: float
    deviation: float
    low: float
    high: float
    varies: float


def described(lists: KBest) -> tuple[Described, ...]:
    """Every feature of the lists, before anything is tuned."""
    starts = lists.offsets[:-1]
    spread = np.maximum.reduceat(lists.features, starts) - np.minimum.reduceat(lists.features, starts)
    return tuple(
        Described(name, float(own.mean()), float(own.std()), float(own.min()), float(own.max()), float(share))
        for name, own, share in zip(lists.names, lists.features.T, (spread > 0).mean(axis=0), strict=True)
    )


def _ratios(lists: KBest, sources: Sequence[str]) -> Floats:
    if len(sources) != lists.n:
        raise Undefined("length_ratio needs the sources.", lists.name, "Load them, or leave this feature out.")
    lengths = [max(len(source), 1) for source in sources]
    return np.array(
        [
            math.log(max(len(text), 1) / lengths[i])
            for i, text in zip(lists.segment_of.tolist(), lists.texts, strict=True)
        ]
    )


def _consensus(lists: KBest, name: str, progress: Progress | None) -> Floats:
    """The mean score of every hypothesis with the others as references, (H,)."""
    texts = [list(dict.fromkeys(lists.texts[a:b])) for a, b in zip(lists.offsets, lists.offsets[1:], strict=False)]
    longest = max(map(len, texts))
    sums, counts = np.zeros((lists.n, longest)), np.zeros((lists.n, longest))
    evidence = min(longest, EVIDENCE)
    for other in range(evidence):
        has = [i for i, own in enumerate(texts) if other < len(own)]
        scores = _scores([texts[i] for i in has], other, name)  # (lists that have it, longest)
        counted = np.isfinite(scores)
        sums[has, : scores.shape[1]] += np.where(counted, scores, 0.0)
        counts[has, : scores.shape[1]] += counted
        if progress is not None:
            progress(f"agreement by {name}", other + 1, evidence)
    mean = sums / np.maximum(counts, 1)
    places = [{text: k for k, text in enumerate(own)} for own in texts]
    return np.array([mean[i, places[i][text]] for i, text in zip(lists.segment_of.tolist(), lists.texts, strict=True)])


def _scores(texts: Sequence[Sequence[str]], other: int, name: str) -> Floats:
    """The score (lists, longest) of every text with text number `other` of its list as the reference; nan for itself and
    behind the end of a list."""
    metric = metrics.get(name)
    options = metric.chosen({"tokenize": "13a"} if name == "bleu" else {})
    references = (tuple(own[other] for own in texts),)
    extract = metrics.extractor(metric, Testset("others", "text", len(texts), references), options)
    scores = np.full((len(texts), max(map(len, texts))), np.nan)
    for rank in range(scores.shape[1]):
        values = extract(Outputs("own", tuple(own[rank] if rank < len(own) else "" for own in texts))).values
        score = bleu_plus_one(values) if name == "bleu" else np.nan_to_num(metric.score(values, options)) / 100
        counted = np.array([rank < len(own) and rank != other for own in texts])
        scores[counted, rank] = score[counted]
    return scores
