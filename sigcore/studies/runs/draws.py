"""Stratified approximate randomization of several runs: the runs' outputs of a unit change places between two systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError
from sigcore.resampling.blocks import (
    AT_ONCE,
    Block,
    Weights,
    blocks,
    bootstrap_counts,
    generator,
    multeval_masks,
    split_masks,
)
from sigcore.resampling.columns import Columns, gather
from sigcore.resampling.pvalues import RAW, Thresholds, thresholds
from sigcore.resampling.spool import Spool
from sigcore.significance import Mapper, Resampling, Tally, Test
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.types import SHUFFLE_NAMES, SIDES, Floats, Ints

# The hierarchical bootstrap: runs are drawn with replacement, then units; the draws of units are those of all tests.


NESTED = Test(
    name="hierarchical_bootstrap",
    title="Hierarchical bootstrap",
    draws="bootstrap",
    null=lambda pseudo, mean, gain: pseudo - gain,
    shifts=True,
    help="Draws runs with replacement, then units, and shifts the gains to zero. It asks about other runs and other "
    "segments; with few runs it finds too many differences.",
    source="Davison & Hinkley 1997, Section 3.8; the deviations of m runs are multiplied by sqrt(m / (m - 1))",
)


def nested_scores(scores: Spool, rows: Sequence[NDArray[np.intp]], keys: Sequence[tuple[int, ...]], seed: int) -> Spool:
    """The oriented average score of the drawn runs of every system on every resample of units.

    `scores` has the bootstrap scores of all runs, `rows[s]` the places of the runs of system s, `keys[s]` the numbers
    that its draws depend on besides the seed. The deviations of m drawn runs from the average of all are multiplied by
    sqrt(m / (m - 1)): without that, the average of m drawn runs varies too little by a factor of (m - 1) / m in variance.
    """
    out = Spool(len(rows), scores.resamples)
    for block in blocks(scores.resamples):
        of_runs = scores.get(block.index)
        systems = zip(rows, keys, strict=True)
        out.put(block.index, np.stack([_drawn(of_runs[own], key, seed, block.index) for own, key in systems]))
    return out


def _drawn(scores: Floats, key: tuple[int, ...], seed: int, index: int) -> Floats:
    """The average (B,) of drawn runs from the scores (m, B) of all runs of a system."""
    runs, size = scores.shape
    average = scores.mean(axis=0)
    if runs < 2:
        return np.asarray(average)
    drawn = bootstrap_counts(generator(seed, "drawn runs", index, *key), size, runs).T / runs  # (m, B)
    deviations = (drawn * (scores - average)).sum(axis=0)
    return np.asarray(average + math.sqrt(runs / (runs - 1)) * deviations)


def tally_nested(scores: Spool, gains: Floats, units: Floats, pairs: NDArray[np.intp]) -> Tally:
    """The counts of the hierarchical bootstrap on pairs (P, 2), from the drawn averages of all systems.

    `gains` (P,) are those of the averages: the expectation of a drawn gain for a metric that is a mean.
    """
    seen = thresholds([NESTED.cutoffs(gains, side) for side in SIDES], units)
    raw = np.zeros((RAW, len(pairs)), dtype=np.int64)
    left, right = pairs.T
    for block in scores:
        raw += seen.count(NESTED.statistics(block[left] - block[right], gains[:, None], gains[:, None]))
    return Tally(pairs, gains, units, gains, seen.sides(raw), raw[-1], scores.resamples)


Runs = Sequence[Sequence[SufficientStatistics]]  # the runs of every system
Pairs = NDArray[np.intp]
IN_MEMORY = 4 * AT_ONCE  # entries of a mask that are drawn at once; part of the seed contract
CLARK = "Clark, Dyer, Lavie & Smith 2011"


def _as_drawn(pseudo: Floats, mean: Floats, gain: Floats) -> Floats:
    return pseudo


EXACT = Test(
    name="runs_exact",
    title="Stratified approximate randomization of runs",
    draws="swap",
    null=_as_drawn,
    counted="shuffles",
    help="Divides all runs' outputs of a unit among the two systems at random, every division equally likely. Assumes that "
    "under the null hypothesis all of these outputs could change places, independently of other units.",
    source=f"{CLARK}, with exchangeable outputs",
)
MULTEVAL = Test(
    name="runs_multeval",
    title="MultEval's shuffle of runs",
    draws="swap",
    null=_as_drawn,
    counted="shuffles",
    help="Permutes the runs of a unit and swaps the two systems as MultEval does. From three runs on, an output may be in "
    "both pseudo-systems or in none; where all outputs could change places, gains then vary too little and p is too small.",
    source=f"{CLARK}; MultEval 0.5.1",
)
SHUFFLES: Mapping[str, Test] = dict(zip(SHUFFLE_NAMES, (EXACT, MULTEVAL), strict=True))


@dataclass(frozen=True, eq=False)
class Shape:
    """All pairs (P, 2) of a system with `first` runs and one with `second` runs.

    `ahead` and `behind` are the columns (of all metrics) of the systems with these numbers of runs, a row for each unit
    of each run; `left` and `right` (P,) are the places of the pairs' systems among them.
    """

    pairs: Pairs
    first: int
    second: int
    ahead: Columns
    behind: Columns
    left: Pairs
    right: Pairs


@dataclass(frozen=True, eq=False)
class Shuffled:
    """What one block needs: a system's statistics under each metric (for its score), the pairs by the numbers of runs,
    the shuffle, and the thresholds of every metric (of one shape)."""

    scorers: tuple[SufficientStatistics, ...]
    shape: Shape
    test: Test
    seed: int
    n: int
    seen: tuple[Thresholds, ...] = field(default=())

    def totals(self, metric: int) -> tuple[Floats, Floats]:
        """The sums of all runs of the first and of the second system of every pair, (P, K) each."""
        shape = self.shape
        return shape.ahead.totals(metric)[shape.left], shape.behind.totals(metric)[shape.right]

    def gains(self, metric: int) -> Floats:
        """The gain in the score of all runs together of every pair, (P,)."""
        ahead, behind = self.totals(metric)
        return self._gain(metric, ahead, behind)

    def _gain(self, metric: int, ahead: Floats, behind: Floats) -> Floats:
        scorer = self.scorers[metric]
        return np.asarray(oriented(scorer.score(ahead), scorer.better) - oriented(scorer.score(behind), scorer.better))

    def masks(self, rng: np.random.Generator, rows: int) -> tuple[Weights, Weights | None]:
        """What each pseudo-system has, (rows, runs of both systems, n); None for the second where it has the rest."""
        shape = self.shape
        if self.test.name == MULTEVAL.name:  # a test that came from another process is not the same object
            return multeval_masks(rng, rows, self.n, shape.first)
        return split_masks(rng, rows, self.n, shape.first + shape.second, shape.first), None

    def pseudo(self, metric: int, drawn: Sequence[tuple[Floats, Floats]]) -> Floats:
        """The pseudo-gains (P, rows) under one metric, from the sums of the columns of both systems."""
        shape, sums = self.shape, []
        for ahead, behind in drawn:
            of_first = shape.ahead.pick(ahead, metric)[:, shape.left]  # (K, P, rows)
            sums.append(of_first + shape.behind.pick(behind, metric)[:, shape.right])
        if len(sums) == 1:
            whole = sum(self.totals(metric))
            sums.append(np.asarray(whole).T[:, :, None] - sums[0])
        ahead, behind = (np.moveaxis(part, 0, -1) for part in sums)
        return self._gain(metric, ahead, behind)


def tally_shuffles(
    runs: Sequence[Runs], pairs: Pairs, name: str, resamples: int, seed: int, mapper: Mapper, step: Callable[[], None]
) -> list[Tally]:
    """The counts of a shuffle on pairs (P, 2) of systems, a Tally for each metric; `runs[metric][system]` are the runs.

    The statistic is the gain in the score of all runs of a system together, as if they were one long output. `step` is
    called once for each block and pair of numbers of runs. Cost: O(R n m) draws, O(R n m K) for each system.

    Raises: OptionError for MultEval's shuffle of two systems with different numbers of runs.
    """
    test, sizes = SHUFFLES[name], [len(system) for system in runs[0]]
    if test is MULTEVAL and len(set(sizes)) > 1:
        words = " and ".join(str(size) for size in sorted(set(sizes)))
        fix = "Give every system the same number of runs, or use the exact shuffle."
        raise OptionError(f"MultEval's shuffle needs as many runs of each system; there are {words}.", "", fix)
    metrics, n = len(runs), runs[0][0][0].n
    gains, units = np.zeros((metrics, len(pairs))), _units(runs, pairs)
    counts = np.zeros((metrics, len(SIDES), 2, len(pairs)), dtype=np.int64)
    undefined = np.zeros((metrics, len(pairs)), dtype=np.int64)
    for shape, places in _shapes(runs, pairs, sizes):
        work = Shuffled(tuple(systems[0][0] for systems in runs), shape, test, seed, n)
        gains[:, places] = [work.gains(m) for m in range(metrics)]
        seen = tuple(
            thresholds([test.cutoffs(gains[m, places], side) for side in SIDES], units[m, places])
            for m in range(metrics)
        )
        raw = np.zeros((metrics, RAW, len(places)), dtype=np.int64)
        for counted in mapper.map(partial(shuffled_block, replace(work, seen=seen)), blocks(resamples)):
            raw += counted
            step()
        for m in range(metrics):
            counts[m][..., places], undefined[m, places] = seen[m].sides(raw[m]), raw[m, -1]
    zero = np.zeros(len(pairs))
    return [
        Tally(pairs, gains[m], units[m], zero, counts[m], undefined[m], resamples, error=zero) for m in range(metrics)
    ]


def shuffled_block(work: Shuffled, block: Block) -> Ints:
    """The raw counts (metrics, RAW, P) of one block of shuffles."""
    shape, rng = work.shape, generator(work.seed, "shuffled runs", block.index)
    counts = np.zeros((len(work.seen), RAW, len(shape.pairs)), dtype=np.int64)
    for rows in _strips(block.size, work.n * (shape.first + shape.second)):
        masks = work.masks(rng, rows)
        drawn = [
            (shape.ahead.sums(_flat(mask[:, : shape.first])), shape.behind.sums(_flat(mask[:, shape.first :])))
            for mask in masks
            if mask is not None
        ]
        for metric, seen in enumerate(work.seen):
            counts[metric] += seen.count(work.pseudo(metric, drawn))
    return counts


def _strips(rows: int, numbers: int) -> Iterator[int]:
    """The rows of a block cut into parts whose masks fit in memory; where the cuts fall is part of the seed contract."""
    step = max(1, IN_MEMORY // max(numbers, 1))
    return (min(step, rows - start) for start in range(0, rows, step))


def _flat(mask: Weights) -> Weights:
    return np.ascontiguousarray(mask).reshape(len(mask), -1)


def _shapes(runs: Sequence[Runs], pairs: Pairs, sizes: Sequence[int]) -> Iterator[tuple[Shape, Pairs]]:
    """The pairs by the numbers of runs of their systems, each with their places among all pairs."""
    own = np.array(sizes)
    members = {size: np.nonzero(own == size)[0] for size in set(sizes)}
    columns = {
        size: gather([[np.concatenate([run.values for run in systems[k]]) for k in ks.tolist()] for systems in runs])
        for size, ks in members.items()
    }
    both = own[pairs]  # (P, 2)
    for first, second in np.unique(both, axis=0).tolist():
        where = np.nonzero((both == (first, second)).all(axis=1))[0]
        left, right = pairs[where].T
        places = np.searchsorted(members[first], left), np.searchsorted(members[second], right)
        yield Shape(pairs[where], first, second, columns[first], columns[second], *places), where


def _units(runs: Sequence[Runs], pairs: Pairs) -> Floats:
    """The size by which ties of each pair are recognised, (metrics, P): the largest among all pairs of its runs."""
    owner = np.array([system for system, own in enumerate(runs[0]) for _ in own])
    every = tuple(tuple(run for own in systems for run in own) for systems in runs)
    couples = np.array(list(combinations(range(len(owner)), 2)), dtype=np.intp)
    question = Resampling(every, (), couples, 1, 0)
    out = np.zeros((len(runs), len(pairs)))
    for metric in range(len(runs)):
        sizes = question.units(metric)
        for k, pair in enumerate(pairs):
            out[metric, k] = sizes[np.isin(owner[couples], pair).all(axis=1)].max()
    return out
