"""Rankings as segments: the documents that a run retrieved for a question, and the score of their order beside judgments."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from sigcore.errors import ReadError
from sigcore.text.chunks import Done, in_chunks
from sigcore.types import Floats

COLUMNS = ("score", "segments")
RELEVANT = 1  # the least judgment of a relevant document, by default

Judged = Mapping[str, int]  # the judgment of each document; negative ones, and none, are not relevant
Measure = Callable[[Sequence[str], Judged], float]  # of the documents in order


def read_ranking(segment: str) -> list[str]:
    """The documents of one question, the best first; what follows a TAB is not used."""
    return [line.partition("\t")[0] for line in segment.split("\n")] if segment else []


def read_judgments(segment: str, question: int) -> dict[str, int]:
    """The judgments of one question.

    Raises: ReadError for a line without a whole number after its document.
    """
    found = {}
    for line in segment.split("\n") if segment else ():
        document, _, value = line.partition("\t")
        try:
            found[document] = int(value)
        except ValueError:
            what = f"question {question}: {line[:40]!r} is not a judgment; expected a document, TAB and a whole number."
            raise ReadError(what, fix="Write one judged document per line.") from None
    return found


@dataclass(frozen=True, eq=False)
class GoldRankings:
    """The judgments of every question, and the measure of a ranking beside them."""

    judged: list[dict[str, int]]
    measure: Measure

    def rows(self, segments: Sequence[str], done: Done | None) -> Floats:
        """(n, 2): the score of each question, and 1."""
        scores = np.ones((len(segments), len(COLUMNS)))

        def work(start: int, stop: int) -> None:
            for i in range(start, stop):
                scores[i, 0] = self.measure(read_ranking(segments[i]), self.judged[i])

        in_chunks(len(segments), work, done)
        return scores


def gold(segments: Sequence[str], measure: Measure) -> GoldRankings:
    """The judgments of all questions.

    Raises: ReadError for anything that is not a judgment.
    """
    return GoldRankings([read_judgments(segment, i + 1) for i, segment in enumerate(segments)], measure)


def ndcg(ranked: Sequence[str], judged: Judged, cutoff: int, exponential: bool) -> float:
    """The discounted gain of the first documents by that of the best order; 0 without a relevant document."""
    best = _discounted(sorted(judged.values(), reverse=True)[:cutoff], exponential)
    found = _discounted([judged.get(document, 0) for document in ranked[:cutoff]], exponential)
    return found / best if best else 0.0


def _discounted(judgments: Sequence[int], exponential: bool) -> float:
    gains = (2.0**value - 1 if exponential else float(value) for value in (max(one, 0) for one in judgments))
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def average_precision(ranked: Sequence[str], judged: Judged, level: int, cutoff: int) -> float:
    """The mean over all relevant documents of the precision at their ranks; 0 for those that were not retrieved."""
    number = relevant(judged, level)
    ranks = _ranks(ranked, judged, level, cutoff)
    return math.fsum(k / rank for k, rank in enumerate(ranks, 1)) / number if number else 0.0


def reciprocal_rank(ranked: Sequence[str], judged: Judged, level: int, cutoff: int) -> float:
    """1 by the rank of the first relevant document; 0 without one."""
    return next((1 / rank for rank in _ranks(ranked, judged, level, cutoff)), 0.0)


def precision(ranked: Sequence[str], judged: Judged, level: int, cutoff: int) -> float:
    """The relevant ones among the first `cutoff` documents by `cutoff`, however many were retrieved."""
    return len(_ranks(ranked, judged, level, cutoff)) / cutoff


def recall(ranked: Sequence[str], judged: Judged, level: int, cutoff: int) -> float:
    """The share of all relevant documents that is among the first `cutoff`; 0 without a relevant document."""
    number = relevant(judged, level)
    return len(_ranks(ranked, judged, level, cutoff)) / number if number else 0.0


def relevant(judged: Judged, level: int = RELEVANT) -> int:
    """The number of relevant documents."""
    return sum(value >= level for value in judged.values())


def _ranks(ranked: Sequence[str], judged: Judged, level: int, cutoff: int) -> list[int]:
    """The ranks, from 1, of relevant documents; `cutoff` 0 looks at all."""
    first = islice(ranked, cutoff or None)
    return [rank for rank, document in enumerate(first, 1) if judged.get(document, level - 1) >= level]
