"""Small test sets of counts per segment, made for the tests; and counts on which every formula and option shows."""

from __future__ import annotations

import numpy as np

from sigcore.testset import Outputs, Testset
from sigcore.text.meteor_score import METEOR_COLUMNS


def _written(columns: dict[str, object]) -> str:
    return " ".join(f"{name}={value}" for name, value in columns.items())


def statistics_set(n: int, rates: tuple[float, ...] = (0.05, 0.3, 0.3), seed: int = 0) -> tuple[Testset, list[Outputs]]:
    """Hits, predictions and gold of n segments, and a system for each rate of misses: sys0, sys1, ..."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 9, size=n)
    systems = []
    for k, rate in enumerate(rates):
        hits = rng.binomial(gold, 1 - rate)
        rows = zip(hits, hits + rng.binomial(gold, rate), gold, strict=True)
        segments = tuple(_written(dict(zip(("tp", "pred", "gold"), row, strict=True))) for row in rows)
        systems.append(Outputs(f"sys{k}", segments))
    return Testset("made", "statistics", n), systems


def _bleu(length: int, matches: tuple[int, ...]) -> dict[str, object]:
    names = [f"{kind}{k}" for kind in ("correct", "total") for k in range(1, 5)]
    totals = (length, length - 1, length - 2, length - 3)
    return {"sys_len": length, "ref_len": 11, **dict(zip(names, (*matches, *totals), strict=True))}


def _meteor(words: int, matched: int, chunks: int) -> dict[str, object]:
    row: dict[str, object] = dict.fromkeys(METEOR_COLUMNS, 0)
    row |= {"output_words": words, "reference_words": 9, "output_function": 2, "reference_function": 3}
    row |= {"m1_output_content": matched - 1, "m1_reference_content": matched - 1}
    row |= {"m2_output_content": 1, "m2_reference_content": 1}
    return row | {"chunks": chunks, "output_matched": matched, "reference_matched": matched}


def _whole(tp: int, pred: int, gold: int, score: float) -> dict[str, object]:
    links = {"links": pred + 2, "sure": gold, "links_and_sure": tp, "links_and_possible": tp + 1}
    return {"tp": tp, "pred": pred, "gold": gold, "num": 3, "den": 7, "score": score, "weight": gold, **links}


# Two segments with the columns of every formula at once.
TELLING = (
    _written(_whole(3, 5, 4, 0.25) | _bleu(9, (7, 4, 2, 1)) | _meteor(8, 5, 2)),
    _written(_whole(1, 6, 2, 0.75) | _bleu(12, (5, 2, 1, 0)) | _meteor(10, 4, 3)),
)

# Hardly a hit in any segment, and nothing but hits.
BAD, GOOD = "tp=1 pred=8 gold=8", "tp=8 pred=8 gold=8"
