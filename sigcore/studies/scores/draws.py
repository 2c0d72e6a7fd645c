"""Empirical nulls of many pairs at once: MC swaps the two scores of a document, HB draws documents and then swaps.

Both follow Rankel et al. 2011, Section 2. A draw is a row of weights, so all pairs cost a few matrix products; only the
ranks of a redrawn sample need a running sum over the sorted differences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sigcore.executors import Executor
from sigcore.resampling.blocks import Block, blocks, generator
from sigcore.resampling.pvalues import tolerance
from sigcore.resampling.weights import strips
from sigcore.studies.scores.pairs import Pairs, from_shares
from sigcore.types import Floats, Ints

METHODS = ("mc", "hb")
Step = Callable[[], None]  # called after every block


@dataclass(frozen=True, eq=False)
class Sums:
    """What the draws need for P pairs on n documents, documents first so that a draw reads whole rows.

    `z`, `both` = x + y and `energy` = x^2 + y^2 (n, P), the scores measured from the mean of the pair in its unit.
    """

    z: Floats
    both: Floats
    energy: Floats
    signed_ranks: Floats
    order: NDArray[np.intp]  # (n, P) documents from the smallest to the largest difference
    first: NDArray[np.intp]  # (n, P) in that order, where the differences of equal size begin
    last: NDArray[np.intp]  # and where they end

    @property
    def n(self) -> int:
        """The number of documents."""
        return int(self.z.shape[0])


def sums_of(pairs: Pairs) -> Sums:
    """The sums of these pairs."""
    x, y = pairs.x / pairs.unit, pairs.y / pairs.unit
    middle = (x.mean(axis=0) + y.mean(axis=0)) / 2
    x, y = x - middle, y - middle
    sizes = np.abs(pairs.z)
    if pairs.zeros == "wilcox":  # a dropped zero is sorted after all others, where it changes no rank
        sizes = np.where(pairs.z == 0, np.inf, sizes)
    order = np.argsort(sizes, axis=0, kind="stable")
    ranked = np.take_along_axis(sizes, order, axis=0)
    first, last = (np.empty_like(order) for _ in range(2))
    for k in range(order.shape[1]):
        first[:, k] = np.searchsorted(ranked[:, k], ranked[:, k], side="left")
        last[:, k] = np.searchsorted(ranked[:, k], ranked[:, k], side="right")
    return Sums(pairs.z / pairs.unit, x + y, x**2 + y**2, pairs.signed_ranks, order, first, last)


def observed(sums: Sums) -> Floats:
    """The three statistics as the draws are measured: the shares of unpaired and of paired T, and |W|: (3, P)."""
    ones = np.ones((sums.n, 1))
    return _shares_and_ranks(sums, ones, ones, sums.signed_ranks.sum(axis=0)[:, None])[..., 0]


def null(sums: Sums, seed: int, block: Block) -> Floats:
    """The three statistics on every draw of a block, by swapping and by drawing and swapping: (2, 3, P, size)."""
    return np.stack([_swapped(sums, seed, block), _redrawn(sums, seed, block)])


def _swapped(sums: Sums, seed: int, block: Block) -> Floats:
    out = []
    for mask in strips(generator(seed, "swap", block.index), "swap", block.size, sums.n):
        signs = 1.0 - 2.0 * mask.T.astype(np.float64)  # (n, rows)
        out.append(_shares_and_ranks(sums, signs, np.ones((sums.n, 1)), sums.signed_ranks.T @ signs))
    return np.concatenate(out, axis=-1)


def _redrawn(sums: Sums, seed: int, block: Block) -> Floats:
    out = []
    for drawn in strips(generator(seed, "hybrid", block.index), "hybrid", block.size, sums.n):
        kept, swapped = (np.ascontiguousarray(half.T, dtype=np.float64) for half in np.hsplit(drawn, 2))
        signs, counts = kept - swapped, kept + swapped
        out.append(_shares_and_ranks(sums, signs, counts, _ranked_again(sums, signs, counts)))
    return np.concatenate(out, axis=-1)


def _shares_and_ranks(sums: Sums, signs: Floats, counts: Floats, w: Floats) -> Floats:
    """(3, P, rows) of the signed and plain weights (n, rows) of documents, and W (P, rows).

    With d the sum of the signed differences, the squares between the two systems sum to d^2 / 2n, those around the
    mean of both to the rest of `energy`; d^2 / n is the part of the mean in the sum of the squared differences.
    """
    d2 = (sums.z.T @ signs) ** 2 / sums.n  # (P, n) @ (n, rows) -> (P, rows)
    around = sums.energy.T @ counts - (sums.both.T @ counts) ** 2 / (2 * sums.n)
    return np.stack([_share(d2 / 2, around), _share(d2, (sums.z**2).T @ counts), np.abs(w)])


def _share(part: Floats, whole: Floats) -> Floats:
    """part / whole, at most 1; 0 where the part is 0."""
    return np.minimum(np.where(part > 0, part / np.where(whole > 0, whole, 1.0), 0.0), 1.0)


def _ranked_again(sums: Sums, signs: Floats, counts: Floats) -> Floats:
    """W of every redrawn sample, (P, rows): a document's rank depends on how often the others were drawn."""
    w = np.empty((sums.z.shape[1], signs.shape[1]))
    before = np.zeros((sums.n + 1, signs.shape[1]))
    for k in range(len(w)):
        order = sums.order[:, k]
        np.cumsum(counts[order], axis=0, out=before[1:])
        # copies of a difference, and all of its size, share the mean of their places
        twice = before[sums.first[:, k]] + before[sums.last[:, k]] + 1.0
        direction = np.sign(sums.z[order, k])
        w[k] = np.einsum("nr,nr,n->r", signs[order], twice, direction) / 2
    return w


@dataclass(frozen=True, eq=False)
class Empirical:
    """The result of the draws for P pairs: `counts` (2, 3, P) draws at least as large as observed, and `cutoffs`
    (2, 3, P, L), the 1 - level quantiles of |S| for each level."""

    counts: Ints
    cutoffs: Floats


def draw(
    pairs: Pairs, levels: Sequence[float], resamples: int, seed: int, executor: Executor, step: Step | None = None
) -> Empirical:
    """The empirical null of these pairs under both methods.

    The quantile of R draws is the smallest value that at least (1 - level) R of the draws do not exceed.
    Cost: O(R n P) time, O(R P) memory: pass few pairs at a time if R is large.
    """
    parts = list(_drawn(pairs, resamples, seed, executor, step))
    whole = np.concatenate(parts, axis=-1)  # (2, 3, P, R)
    reached = observed(sums_of(pairs))
    slack = tolerance(reached, 0.0)
    counts = (whole >= (reached - slack)[None, ..., None]).sum(axis=-1)
    places = [quantile_place(level, resamples) for level in levels]
    whole.partition(sorted(set(places)), axis=-1)
    cutoffs = whole[..., places]
    for row, freedom in enumerate((2 * pairs.n - 2, pairs.n - 1)):
        cutoffs[:, row] = from_shares(cutoffs[:, row], freedom)
    cutoffs[:, :, pairs.same] = np.nan
    return Empirical(counts, cutoffs)


def nulls(pairs: Pairs, resamples: int, seed: int) -> Floats:
    """The sizes of the three statistics of one pair on every draw, (2, 3, R); infinite where T is."""
    sums = sums_of(pairs)
    whole = np.concatenate([null(sums, seed, block) for block in blocks(resamples)], axis=-1)[:, :, 0]
    for row, freedom in enumerate((2 * pairs.n - 2, pairs.n - 1)):
        whole[:, row] = from_shares(whole[:, row], freedom)
    return whole


def quantile_place(level: float, resamples: int) -> int:
    """The position of the 1 - level quantile among `resamples` sorted values."""
    return int(np.clip(np.ceil((1 - level) * resamples - 1e-9) - 1, 0, resamples - 1))


def _drawn(pairs: Pairs, resamples: int, seed: int, executor: Executor, step: Step | None) -> Iterator[Floats]:
    sums = sums_of(pairs)
    for part in executor.map(partial(null, sums, seed), blocks(resamples)):
        yield part
        if step is not None:
            step()
