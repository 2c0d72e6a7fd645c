"""Three statistics of a pair of systems (unpaired T, paired T and Wilcoxon's W) with theoretical p and cut-offs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError
from sigcore.executors import Executor
from sigcore.resampling.blocks import Block, blocks, generator, strips
from sigcore.resampling.pvalues import p_values, tolerance
from sigcore.types import ESTIMATORS, Estimator, Floats, Ints

Bools = NDArray[np.bool_]

STATISTICS = ("t", "paired_t", "wilcoxon")
TITLES = {"t": "unpaired T", "paired_t": "paired T", "wilcoxon": "Wilcoxon W"}
ZEROS = {
    "pratt": "zeros are ranked, then left out of the sum (Pratt 1959)",
    "wilcox": "zeros are dropped before ranking (Wilcoxon 1945)",
    "zsplit": "zeros are ranked, half of each rank on either side",
}
FINE = 1e-12  # differences of scores that agree in twelve digits are ties: 0.3 - 0.1 is 0.4 - 0.2
MOST_EXACT = 50  # documents up to which the null of W is computed exactly, without ties
MOST_SWAPS = 13  # documents up to which all 2^n swaps are tried, with ties


@dataclass(frozen=True, eq=False)
class Pairs:
    """P pairs of systems scored on the same n documents: `x`, `y` (n, P), no cell missing, more is better.

    `z` = x - y, with differences that are equal up to rounding made equal; `signed_ranks` (n, P) are the ranks of |z|
    (midranks) with the sign of z, 0 where z is 0; `zeros` the rule for these.
    """

    x: Floats
    y: Floats
    z: Floats
    signed_ranks: Floats
    zeros: str

    @property
    def n(self) -> int:
        """The number of documents."""
        return int(self.x.shape[0])

    @property
    def unit(self) -> Floats:
        """A power of two near the largest score of each pair, (P,): dividing by it changes no T, and keeps squares finite."""
        return np.asarray(2.0 ** np.floor(np.log2(_largest(self.x, self.y))))

    @property
    def same(self) -> Bools:
        """Whether the two systems have the same score on every document, (P,)."""
        return np.asarray((self.z == 0).all(axis=0))

    @property
    def w(self) -> Floats:
        """The signed-rank statistic, the sum of the signed ranks: (P,)."""
        return np.asarray(self.signed_ranks.sum(axis=0))

    @property
    def variance(self) -> Floats:
        """The variance of W given the sizes of the differences, (P,), when every sign is a fair coin.

        Without ties and zeros it is n (n + 1) (2n + 1) / 6, so the cut-off of W is about sqrt(n^3 / 3) z. (Rankel et al.
        2011, Section 2, print sqrt(n^3 / 12) z: that is the cut-off of W+, the sum of the positive ranks.)
        """
        squares = (self.signed_ranks**2).sum(axis=0)
        if self.zeros != "zsplit":
            return np.asarray(squares)
        return np.asarray(squares + (_zero_ranks(self.z) ** 2).sum(axis=0))

    @property
    def simple(self) -> Bools:
        """Whether no difference is zero and no two have the same size, (P,)."""
        sizes = np.sort(np.abs(self.z), axis=0)
        return np.asarray((sizes[:1] > 0).all(axis=0) & (np.diff(sizes, axis=0) > 0).all(axis=0))


def pairs(x: Floats, y: Floats, zeros: str = "pratt") -> Pairs:
    """The pairs of the columns of x and y, (n, P) each.

    Raises: OptionError for an unknown rule for zeros.
    """
    from scipy.stats import rankdata

    if zeros not in ZEROS:
        raise OptionError(f"zeros = {zeros!r}.", "", f"Choose from: {', '.join(ZEROS)}.")
    z = _differences(x, y)
    sizes = np.abs(z)
    if zeros == "wilcox":  # ranked last, and then with rank 0: as if they were absent
        sizes = np.where(z == 0, np.inf, sizes)
    ranks = rankdata(sizes, axis=0) if z.size else np.zeros_like(z)
    return Pairs(x, y, z, np.sign(z) * ranks, zeros)


def _differences(x: Floats, y: Floats) -> Floats:
    """x - y in steps of a power of two near FINE of the largest score of the pair, so that equal means equal."""
    step = 2.0 ** np.ceil(np.log2(np.maximum(FINE * _largest(x, y), np.finfo(np.float64).tiny)))
    return np.asarray(np.rint((x - y) / step) * step) + 0.0  # + 0.0: no negative zero


def _largest(x: Floats, y: Floats) -> Floats:
    """The size of the largest score of each pair, (P,); 1 where all are 0."""
    largest = np.maximum(np.abs(x).max(axis=0, initial=0.0), np.abs(y).max(axis=0, initial=0.0))
    return np.where(largest > 0, largest, 1.0)


def _zero_ranks(z: Floats) -> Floats:
    """The rank of each zero among all differences, (n, P); 0 where a difference is not zero."""
    zero = z == 0
    return np.where(zero, (zero.sum(axis=0) + 1) / 2, 0.0)


# ---- statistics


def student(pairs: Pairs) -> tuple[Floats, Floats]:
    """Unpaired T (pooled variance) and paired T, (P,) each; infinite if nothing varies, 0 if nothing differs."""
    n, x, y = pairs.n, pairs.x / pairs.unit, pairs.y / pairs.unit
    z = x - y
    mean = z.mean(axis=0)
    within = ((x - x.mean(axis=0)) ** 2).sum(axis=0) + ((y - y.mean(axis=0)) ** 2).sum(axis=0)
    around = ((z - mean) ** 2).sum(axis=0)
    unpaired = _ratio(mean, within / (n * (n - 1)), pairs)  # sqrt(pooled variance * 2 / n)
    return unpaired, _ratio(mean, around / (n * (n - 1)), pairs)


def _ratio(mean: Floats, squared_error: Floats, pairs: Pairs) -> Floats:
    """mean / error, both in units of the pair; the error counts as 0 if it is only rounding."""
    scale = _largest(pairs.x, pairs.y) / pairs.unit
    none = squared_error <= (FINE * scale) ** 2
    value = mean / np.sqrt(np.where(none, 1.0, squared_error))
    return np.where(pairs.same, 0.0, np.where(none, np.copysign(np.inf, mean), value))


def shares(statistic: Floats, freedom: int) -> Floats:
    """T^2 / (T^2 + degrees of freedom), in [0, 1]: it grows with |T|, and an infinite T is 1."""
    square = np.where(np.isinf(statistic), 1.0, statistic) ** 2
    return np.where(np.isinf(statistic), 1.0, square / (square + freedom))


def from_shares(share: Floats, freedom: int) -> Floats:
    """|T| from these shares; infinite for a share of 1."""
    left = 1.0 - np.asarray(share)
    none = left <= FINE
    return np.where(none, np.inf, np.sqrt(freedom * np.asarray(share) / np.where(none, 1.0, left)))


# ---- theory


def theoretical_p(pairs: Pairs) -> Floats:
    """Two-sided p of the three statistics, (3, P): 1 for identical systems, nan where T is infinite.

    T has 2n - 2 degrees of freedom, paired T n - 1. W: exact if the documents are few (see `exact_kind`), else
    the normal approximation with the variance under ties, without a continuity correction.
    """
    from scipy.stats import t as student_t

    unpaired, paired = student(pairs)
    p = np.ones((3, len(unpaired)))
    for row, (statistic, freedom) in enumerate(((unpaired, 2 * pairs.n - 2), (paired, pairs.n - 1))):
        finite = np.where(np.isfinite(statistic), statistic, 0.0)
        p[row] = np.where(np.isinf(statistic), np.nan, 2 * student_t.sf(np.abs(finite), freedom))
    p[2] = _signed_rank_p(pairs)
    p[:, pairs.same] = 1.0
    return np.minimum(p, 1.0)


def exact_kind(pairs: Pairs) -> Bools:
    """Whether the null of W is computed exactly, (P,): up to 50 documents without ties or zeros, up to 13 with them."""
    return np.asarray((pairs.n <= MOST_SWAPS) | ((pairs.n <= MOST_EXACT) & pairs.simple))


def _signed_rank_p(pairs: Pairs) -> Floats:
    from scipy.stats import wilcoxon

    p = np.ones(pairs.z.shape[1])
    exact, simple, differ = exact_kind(pairs), pairs.simple, ~pairs.same
    for method, chosen in (("exact", exact & simple), ("asymptotic", ~exact)):
        places = np.nonzero(chosen & differ)[0]
        if len(places):
            p[places] = wilcoxon(pairs.z[:, places], zero_method=pairs.zeros, method=method, axis=0).pvalue
    for place in np.nonzero(exact & ~simple & differ)[0]:
        # scipy would try all 2^n swaps one by one; the distribution of their sums follows from the ranks directly
        chance = signed_sums(_doubled(pairs, int(place)))
        reach = round(2 * abs(float(pairs.w[place])))
        p[place] = chance[np.abs(np.arange(len(chance)) - len(chance) // 2) >= reach].sum()
    return p


def _doubled(pairs: Pairs, place: int) -> tuple[int, ...]:
    """The ranks of one pair in order, doubled so that midranks are whole numbers."""
    return tuple(np.sort(2 * np.abs(pairs.signed_ranks[:, place])).astype(int).tolist())


def theoretical_cutoffs(pairs: Pairs, alpha: float) -> Floats:
    """The smallest sizes of the three statistics with p at most alpha, (3, P).

    nan if there is none: for identical systems, for an infinite T, which has no p, and for W if even the largest sum of
    ranks is not rare enough.
    """
    from scipy.stats import norm
    from scipy.stats import t as student_t

    cut = np.empty((3, pairs.z.shape[1]))
    cut[0] = student_t.isf(alpha / 2, 2 * pairs.n - 2)
    cut[1] = student_t.isf(alpha / 2, pairs.n - 1)
    cut[2] = norm.isf(alpha / 2) * np.sqrt(pairs.variance)
    for place in np.nonzero(exact_kind(pairs) & ~pairs.same)[0]:
        cut[2, place] = exact_cutoff(_doubled(pairs, int(place)), alpha)
    cut[:2][np.isinf(student(pairs))] = np.nan
    cut[np.isinf(cut)] = np.nan
    cut[:, pairs.same] = np.nan
    return cut


@lru_cache(maxsize=256)
def exact_cutoff(doubled_ranks: tuple[int, ...], alpha: float) -> float:
    """The smallest |W| with P(|W*| >= |W|) <= alpha when every sign is a fair coin; infinite if there is none.

    The ranks are doubled, so that midranks are whole numbers. Cost: O(n^3).
    """
    chance = signed_sums(doubled_ranks)
    middle = len(chance) // 2
    tail = 2 * np.cumsum(chance[::-1])[:middle]  # P(|W*| >= k) for k = middle, middle - 1, ..., 1
    within = np.nonzero((tail <= alpha) & (chance[::-1][:middle] > 0))[0]
    return float((middle - within[-1]) / 2) if len(within) else float("inf")


def signed_sums(whole: tuple[int, ...]) -> Floats:
    """The probability of every sum, from -total to +total, of the numbers with random signs."""
    chance = np.ones(1)
    for number in whole:
        wider = np.zeros(len(chance) + 2 * number)
        wider[: len(chance)] += chance / 2
        wider[2 * number :] += chance / 2
        chance = wider
    return chance


# Empirical nulls of many pairs at once: MC swaps the two scores of a document, HB draws documents and then swaps. Both
# follow Rankel et al. 2011, Section 2. A draw is a row of weights, so all pairs cost a few matrix products; only the
# ranks of a redrawn sample need a running sum over the sorted differences.

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
