"""Scores of bootstrap test sets, made by writing every drawn segment down again and scoring the strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sigcore.resampling.blocks import blocks, generator, strips


def drawn(seed: int, draws: str, resamples: int, n: int) -> np.ndarray:
    """The weights of all resamples, (R, n), as the engine draws them."""
    parts = []
    for block in blocks(resamples):
        parts += list(strips(generator(seed, draws, block.index), draws, block.size, n))
    return np.concatenate(parts)


def repeated(segments: Sequence[str], counts: Sequence[float]) -> list[str]:
    """Every segment as often as it was drawn."""
    return [segment for segment, count in zip(segments, counts, strict=True) for _ in range(int(count))]


def swapped(first: Sequence[str], second: Sequence[str], mask: Sequence[float]) -> tuple[list[str], list[str]]:
    """Both systems' segments after those under the mask have changed sides."""
    left = [b if m else a for a, b, m in zip(first, second, mask, strict=True)]
    right = [a if m else b for a, b, m in zip(first, second, mask, strict=True)]
    return left, right


def corpus_score(scorer: Any, segments: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """sacrebleu's public corpus score."""
    return float(scorer.corpus_score(list(segments), [list(stream) for stream in references]).score)


def bootstrap_scores(
    scorer: Any, segments: Sequence[str], references: Sequence[Sequence[str]], weights: np.ndarray
) -> list[float]:
    """The score of every bootstrap test set, from its strings."""
    return [
        corpus_score(scorer, repeated(segments, row), [repeated(stream, row) for stream in references])
        for row in weights
    ]


def swap_gains(
    scorer: Any, first: Sequence[str], second: Sequence[str], references: Sequence[Sequence[str]], masks: np.ndarray
) -> list[float]:
    """Score of the first system minus that of the second after every shuffle, from the strings."""
    out = []
    for mask in masks:
        left, right = swapped(first, second, mask)
        out.append(corpus_score(scorer, left, references) - corpus_score(scorer, right, references))
    return out
