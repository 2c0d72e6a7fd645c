"""Slow, obvious twins of the measures of retrieval, written from their definitions with fractions."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from fractions import Fraction

Judged = Mapping[str, int]


def order(scores: Mapping[str, float]) -> list[str]:
    """The documents as trec_eval orders them: by the score as a float of C, then by name, both from the top."""
    single = {document: struct.unpack("f", struct.pack("f", score))[0] for document, score in scores.items()}
    return [document for _, document in sorted(((single[one], one.encode()), one) for one in scores)][::-1]


def ndcg(ranked: Sequence[str], judged: Judged, cutoff: int = 10, exponential: bool = False) -> float:
    """Gains by logarithms of 2, summed rank by rank, by those of the best order."""

    def total(values: Sequence[int]) -> float:
        out = 0.0
        for rank in range(1, cutoff + 1):
            if rank <= len(values) and values[rank - 1] > 0:
                gain = 2 ** values[rank - 1] - 1 if exponential else values[rank - 1]
                out += gain / (math.log(rank + 1) / math.log(2))
        return out

    best = total(sorted(judged.values())[::-1])
    return total([judged.get(one, 0) for one in ranked]) / best if best else 0.0


def hits(ranked: Sequence[str], judged: Judged, level: int = 1) -> list[bool]:
    """Which documents are relevant."""
    return [one in judged and judged[one] >= level for one in ranked]


def average_precision(ranked: Sequence[str], judged: Judged, level: int = 1) -> float:
    """The precision of every beginning that ends with a relevant document, by all relevant documents."""
    found = hits(ranked, judged, level)
    number = sum(hits(list(judged), judged, level))
    parts = [Fraction(sum(found[:rank]), rank) for rank in range(1, len(found) + 1) if found[rank - 1]]
    return float(sum(parts, Fraction(0)) / number) if number else 0.0


def reciprocal_rank(ranked: Sequence[str], judged: Judged, level: int = 1) -> float:
    """One by the first rank with a relevant document."""
    found = hits(ranked, judged, level)
    return 1 / (found.index(True) + 1) if True in found else 0.0


def precision(ranked: Sequence[str], judged: Judged, cutoff: int = 10, level: int = 1) -> float:
    """Relevant ones among the first, by the cut-off."""
    return sum(hits(ranked[:cutoff], judged, level)) / cutoff


def recall(ranked: Sequence[str], judged: Judged, cutoff: int = 100, level: int = 1) -> float:
    """Relevant ones among the first, by all of them."""
    number = sum(hits(list(judged), judged, level))
    return sum(hits(ranked[:cutoff], judged, level)) / number if number else 0.0
