"""Data sets without a difference and the resamples of each, loop by loop, from whole numbers per row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Rows = Sequence[tuple[float, float]]


def swapped_gains(rows: Rows, masks: np.ndarray) -> list[float]:
    """The difference of the two means after each shuffle of (first, second) rows."""
    out = []
    for mask in masks:
        first = [b if m else a for (a, b), m in zip(rows, mask, strict=True)]
        second = [a if m else b for (a, b), m in zip(rows, mask, strict=True)]
        out.append(sum(first) / len(first) - sum(second) / len(second))
    return out


def drawn_gains(rows: Rows, counts: np.ndarray, others: np.ndarray) -> list[float]:
    """The difference of the means where row k of the first system is drawn counts[k] times, and of the second others[k]."""
    out = []
    for own, other in zip(counts, others, strict=True):
        first = [a for (a, _), c in zip(rows, own, strict=True) for _ in range(int(c))]
        second = [b for (_, b), c in zip(rows, other, strict=True) for _ in range(int(c))]
        out.append(sum(first) / len(first) - sum(second) / len(second))
    return out
