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
from sigcore.resampling.pvalues import p_values, tolerance
from sigcore.resampling.weights import strips
from sigcore.studies.scores.pairs import Pairs, from_shares
from sigcore.types import ESTIMATORS, Estimator, Floats, Ints

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
    """The result of the draws for P pairs: `counts` (2, 3, P) draws at least as large as observed, and the cut-offs of
    |S| for each level, each (2, 3, P, L): `cutoffs` where p is (c + 1) / (R + 1), `paper_cutoffs` where it is c / R."""

    counts: Ints
    cutoffs: Floats
    paper_cutoffs: Floats


def draw(
    pairs: Pairs, levels: Sequence[float], resamples: int, seed: int, executor: Executor, step: Step | None = None
) -> Empirical:
    """The empirical null of these pairs under both methods.

    The cut-off at a level is the smallest value, among the drawn ones and the observed one, whose own p is at most the
    level: so the observed value reaches it exactly if its p is at most the level. nan if there is no such value.
    Cost: O(R n P) time, O(R P) memory: pass few pairs at a time if R is large.
    """
    parts = list(_drawn(pairs, resamples, seed, executor, step))
    whole = np.concatenate(parts, axis=-1)  # (2, 3, P, R)
    reached = observed(sums_of(pairs))
    counts = (whole >= (reached - tolerance(reached, 0.0))[None, ..., None]).sum(axis=-1)
    allowed = {
        estimator: [most_exceedances(level, resamples, estimator) for level in levels] for estimator in ESTIMATORS
    }
    most = max([0, *(k for of_levels in allowed.values() for k in of_levels)])
    whole.partition(resamples - 1 - most, axis=-1)
    largest = np.sort(whole[..., resamples - 1 - most :], axis=-1)
    cutoffs = {
        estimator: np.stack([_cutoff(largest, reached, counts, k) for k in of_levels], axis=-1)
        for estimator, of_levels in allowed.items()
    }
    for of_estimator in cutoffs.values():
        for row, freedom in enumerate((2 * pairs.n - 2, pairs.n - 1)):
            share = of_estimator[:, row]
            of_estimator[:, row] = np.where(np.isnan(share), np.nan, from_shares(share, freedom))
        of_estimator[:, :, pairs.same] = np.nan
    return Empirical(counts, cutoffs["valid"], cutoffs["paper"])


def most_exceedances(level: float, resamples: int, estimator: Estimator) -> int:
    """The largest number of draws at or beyond a value whose p is still at most the level; -1 if even 0 is too many."""
    return int((p_values(np.arange(resamples + 1), resamples, estimator) <= level).sum()) - 1


def _cutoff(largest: Floats, reached: Floats, counts: Ints, most: int) -> Floats:
    """(2, 3, P): the smallest of the largest draws (..., m), in order, and of the observed sizes that at most `most` draws
    reach; nan if there is none."""
    if most < 0:
        return np.full(counts.shape, np.nan)
    # a value that equals the next draw within the tolerance would be reached by that draw too
    beyond = largest[..., -1 - most][..., None]
    above = largest - tolerance(largest, 0.0) > beyond
    drawn = np.min(largest, axis=-1, where=above, initial=np.inf)
    least = np.minimum(drawn, np.where(counts <= most, reached[None], np.inf))
    return np.where(np.isinf(least), np.nan, least)


def nulls(pairs: Pairs, resamples: int, seed: int) -> Floats:
    """The sizes of the three statistics of one pair on every draw, (2, 3, R); infinite where T is."""
    sums = sums_of(pairs)
    whole = np.concatenate([null(sums, seed, block) for block in blocks(resamples)], axis=-1)[:, :, 0]
    for row, freedom in enumerate((2 * pairs.n - 2, pairs.n - 1)):
        whole[:, row] = from_shares(whole[:, row], freedom)
    return whole


def _drawn(pairs: Pairs, resamples: int, seed: int, executor: Executor, step: Step | None) -> Iterator[Floats]:
    sums = sums_of(pairs)
    for part in executor.map(partial(null, sums, seed), blocks(resamples)):
        yield part
        if step is not None:
            step()
