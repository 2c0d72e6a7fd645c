"""Exact quantiles of numbers that come in blocks, in memory that does not grow with their number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sigcore.types import Floats

Blocks = Callable[[], Iterable[Floats]]

BINS = 4096


def quantiles(read: Blocks, resamples: int, levels: Sequence[float]) -> Floats:
    """Quantiles (rows, len(levels)) of all columns together, linear between neighbours as numpy's default.

    `read()` returns the blocks (rows, size) again at each call. Three passes are made: for the range, for a fine
    histogram, and for the few values that share a bin with a requested rank. A row with undefined numbers (nan) gets the
    quantiles of the others; such rows are rare, and held in memory.
    """
    undefined = np.isnan(_range(read())[0])
    if not undefined.any():
        return _defined(read, resamples, levels)
    out = np.empty((len(undefined), len(levels)))
    if not undefined.all():
        out[~undefined] = _defined(lambda: (block[~undefined] for block in read()), resamples, levels)
    for row in np.flatnonzero(undefined):
        values = np.concatenate([block[row] for block in read()])
        values = values[~np.isnan(values)]
        out[row] = np.quantile(values, levels) if len(values) else np.nan
    return out


def _defined(read: Blocks, resamples: int, levels: Sequence[float]) -> Floats:
    position = np.asarray(levels, dtype=np.float64) * (resamples - 1)
    ranks = np.unique(np.concatenate([np.floor(position), np.ceil(position)]).astype(np.int64))
    order = order_statistics(read, ranks)
    below = order[:, np.searchsorted(ranks, np.floor(position).astype(np.int64))]
    above = order[:, np.searchsorted(ranks, np.ceil(position).astype(np.int64))]
    share = position - np.floor(position)
    # measured from the nearer neighbour, as numpy does, so that the last bit is numpy's too
    return np.asarray(np.where(share < 0.5, below + (above - below) * share, above - (above - below) * (1 - share)))


def order_statistics(read: Blocks, ranks: NDArray[np.int64]) -> Floats:
    """The values of the given 0-based ranks, (rows, len(ranks))."""
    low, high = _range(read())
    counts = np.zeros((len(low), BINS), dtype=np.int64)
    for block in read():
        counts += _histogram(block, low, high)
    ends = np.cumsum(counts, axis=1)  # (rows, BINS)
    bins = np.array([np.searchsorted(row, ranks, side="right") for row in ends])  # (rows, ranks)
    wanted = np.zeros_like(ends, dtype=bool)
    np.put_along_axis(wanted, bins, True, axis=1)
    held: list[list[Floats]] = [[] for _ in range(len(low))]
    for block in read():
        keep = np.take_along_axis(wanted, _bin(block, low, high), axis=1)
        for row, (values, mask) in enumerate(zip(block, keep, strict=True)):
            held[row].append(values[mask])
    out = np.empty(bins.shape)
    for row, parts in enumerate(held):
        values = np.sort(np.concatenate(parts))
        sizes = np.where(wanted[row], counts[row], 0)
        before = np.cumsum(sizes) - sizes  # held values in earlier bins
        start = ends[row] - counts[row]  # all values in earlier bins
        out[row] = values[before[bins[row]] + ranks - start[bins[row]]]
    return out


def _range(parts: Iterable[Floats]) -> tuple[Floats, Floats]:
    low = high = None
    for block in parts:
        least, most = block.min(axis=1), block.max(axis=1)
        low = least if low is None else np.minimum(low, least)
        high = most if high is None else np.maximum(high, most)
    assert low is not None
    assert high is not None
    return low, high


def _bin(block: Floats, low: Floats, high: Floats) -> NDArray[np.intp]:
    width = np.where(high > low, high - low, 1.0)
    place = ((block - low[:, None]) / width[:, None] * BINS).astype(np.intp)
    return np.asarray(np.clip(place, 0, BINS - 1))


def _histogram(block: Floats, low: Floats, high: Floats) -> NDArray[np.int64]:
    rows = len(block)
    flat = _bin(block, low, high) + np.arange(rows)[:, None] * BINS
    return np.bincount(flat.ravel(), minlength=rows * BINS).reshape(rows, BINS)
