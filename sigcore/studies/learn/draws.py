"""Resamples of one small data set under a rule, and data sets drawn from the class's own with a true null hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sigcore.resampling.blocks import Block, blocks, bootstrap_counts, generator, part_counts, strips, swap_masks
from sigcore.results import CompareResult, freeze
from sigcore.significance import DrawKind, Resampling
from sigcore.studies import compare, pairs, units
from sigcore.studies.statistics import Asked, Measured, measure
from sigcore.study import LOCAL, Runtime, Study, chosen_unit
from sigcore.sufficient import SufficientStatistics, gains, oriented
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, Floats, Ints, Progress, Unit

# The class's own data: the statistics of systems under one metric, one row for each unit.


@dataclass(frozen=True, eq=False)
class Data:
    """What a lesson draws from: the statistics of `measured` have one row for each `unit`."""

    measured: Measured
    unit: Unit
    segments: int

    @property
    def n(self) -> int:
        """The number of units."""
        return self.measured.systems[0].n

    @property
    def names(self) -> tuple[str, ...]:
        """The systems."""
        return tuple(item.system for item in self.measured.systems)


def data(
    testset: Testset, outputs: Sequence[Outputs], asked: Asked, unit: str | Unit = AUTO, runtime: Runtime = LOCAL
) -> Data:
    """These systems under the first metric of `asked`. Raises: as `statistics.measure`."""
    drawn, _ = chosen_unit(testset, unit)
    (measured,) = measure(testset, outputs, asked[:1], runtime)
    return Data(units.in_units(measured, units.groups(testset, drawn)), drawn, testset.n)


# Streams of child seeds; other studies have 10, 11 and 20 to 23.
WORLDS, ROUNDS, MANY, ORDER = 30, 31, 32, 33

PairStatistics = Sequence[SufficientStatistics]


@dataclass(frozen=True)
class Draw:
    """What is drawn: swaps, or units with replacement, a share `ratio` of n of them; if not `paired`, for each of the two
    systems apart."""

    kind: DrawKind = "swap"
    ratio: float = 1.0
    paired: bool = True


def pseudo_gains(pair: PairStatistics, draw: Draw, resamples: int, rng: np.random.Generator) -> Floats:
    """The gains (R,) of the two pseudo-systems on each resample. Cost: O(R n K)."""
    first, second = pair
    if draw.kind == "swap":
        swapped = swap_masks(rng, resamples, first.n).astype(np.float64)
        one, other = swapped @ first.values, swapped @ second.values  # (R, n) @ (n, K) -> (R, K)
        return _gain(pair, first.total - one + other, second.total - other + one)
    weights = _counts(draw, resamples, first.n, rng)
    others = weights if draw.paired else _counts(draw, resamples, first.n, rng)
    return _gain(pair, weights @ first.values, others @ second.values)


def engine_gains(pair: PairStatistics, draw: Draw, resamples: int, seed: int) -> Floats:
    """The same, block by block, with the draws of the engine: those of the other pages where a rule is the usual one."""
    parts = [pseudo_gains(pair, draw, b.size, generator(seed, draw.kind, b.index)) for b in blocks(resamples)]
    return np.concatenate(parts)


def _counts(draw: Draw, rows: int, n: int, rng: np.random.Generator) -> Floats:
    size = max(1, round(draw.ratio * n))
    counts = bootstrap_counts(rng, rows, n) if size == n else part_counts(rng, rows, n, size)
    return counts.astype(np.float64)


def _gain(pair: PairStatistics, one: Floats, other: Floats) -> Floats:
    first, second = pair
    return np.asarray(oriented(first.score(one), first.better) - oriented(second.score(other), second.better))


def gain_of(pair: PairStatistics) -> float:
    """The gain of the first of the two systems."""
    first, second = pair
    return float(_gain(pair, first.total, second.total))


def unit_of(pair: PairStatistics) -> float:
    """The size by which ties are recognised: that of the engine."""
    question = Resampling((tuple(pair),), (), np.array([[0, 1]]), 1, 0)
    return float(question.units(0)[0])


def world(
    pair: PairStatistics, units: int, is_null: bool, rng: np.random.Generator
) -> tuple[SufficientStatistics, ...]:
    """A data set of `units` rows drawn from the pair with replacement; under the null, a coin for each row decides which
    system gets which output, so that the two systems do not differ."""
    first, second = pair
    rows = rng.integers(0, first.n, units)
    one, other = first.values[rows], second.values[rows]
    if is_null:
        swap = rng.random(units)[:, None] < 0.5
        one, other = np.where(swap, other, one), np.where(swap, one, other)
    return replace(first, values=one), replace(second, values=other)


@dataclass(frozen=True, eq=False)
class Worlds:
    """Data sets drawn from one pair: their gains (M,), and the gains (M, R) of the resamples of each."""

    gains: Floats
    pseudo: Floats


def worlds(
    pair: PairStatistics,
    draw: Draw,
    units: int,
    resamples: int,
    repetitions: int,
    seed: int,
    is_null: bool = True,
    progress: Progress | None = None,
) -> Worlds:
    """The gain and the resamples of many drawn data sets; each has its own child seed. Cost: O(M R n K)."""
    gains, pseudo = np.empty(repetitions), np.empty((repetitions, resamples))
    for k, rng in _each(seed, repetitions, progress):
        drawn = world(pair, units, is_null, rng)
        gains[k], pseudo[k] = gain_of(drawn), pseudo_gains(drawn, draw, resamples, rng)
    return Worlds(gains, pseudo)


def _each(seed: int, repetitions: int, progress: Progress | None) -> Iterator[tuple[int, np.random.Generator]]:
    for k in range(repetitions):
        if progress is not None and k % 50 == 0:
            progress("Drawing data sets", k, repetitions)
        yield k, pairs.generator(seed, WORLDS, k)


# The pair with which a lesson begins: neither clearly different nor clearly the same.

BORDERLINE = 2.0  # standard errors


def usual_pair(of: Data) -> tuple[str, str]:
    """The pair whose gain is nearest to two of its standard errors, the better system first; the first pair if none
    differs.

    The standard errors are those of the jackknife over units. Cost: O(S^2 n).
    """
    whole = of.measured
    without, gain = units.left_out(whole), gains(whole.scores, whole.systems[0].better)
    rows, columns = np.triu_indices(len(of.names), k=1)
    error = np.sqrt(units.variance(without[rows] - without[columns]))
    distance = np.full(len(rows), np.inf)
    known = np.isfinite(error) & (error > 0)
    distance[known] = np.abs(np.abs(gain[rows, columns][known]) / error[known] - BORDERLINE)
    best = int(distance.argmin())
    first, second = int(rows[best]), int(columns[best])
    ordered = (first, second) if gain[first, second] >= 0 else (second, first)
    return of.names[ordered[0]], of.names[ordered[1]]


# One pair under the three tests of the lessons, and single resamples of them, to be shown one at a time.

TESTS = ("approximate_randomization", "bootstrap_shift", "paired_bootstrap")
DRAWN = 1_000
# The resamples that are shown: the first ones one by one, then every tenth, then every hundredth.
PLACES = (*range(1, 11), *range(20, 101, 10), *range(200, DRAWN + 1, 100))


@dataclass(frozen=True, eq=False)
class Shown:
    """Single resamples of one kind of draw: their numbers `places` (m,) from 1, the `weights` (m, n) as they were drawn
    (1 = swapped, or how often drawn), and the `scores` (m, 2) of the two pseudo-systems, not oriented."""

    places: Ints
    weights: Floats
    scores: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, eq=False)
class Steps:
    """One pair under the tests of the lessons, with every pseudo-gain (`null` of a result), and single draws of it."""

    compared: CompareResult
    swaps: Shown
    draws: Shown


def steps(study: Study, runtime: Runtime = LOCAL) -> Steps:
    """The pair under the first metric of the study, with DRAWN resamples: the first ones of any larger run of its seed.

    Raises: as `compare.run`. Cost: O(DRAWN n K).
    """
    run = compare.run(replace(study, metrics=study.metrics[:1], tests=TESTS, resamples=DRAWN), runtime)
    seed = study.seed
    (measured,) = run.matrix.summed
    pair = measured.systems
    return Steps(compare.read(run, measured.metric.name), shown(pair, "swap", seed), shown(pair, "bootstrap", seed))


def shown(
    pair: Sequence[SufficientStatistics], draws: DrawKind, seed: int, places: Sequence[int] = PLACES, drawn: int = DRAWN
) -> Shown:
    """The resamples with these numbers of the `drawn` that the engine draws for the pair, and the scores on them."""
    first, second = pair
    wanted = np.array(places, dtype=np.int64)
    parts = [part for block in blocks(drawn) for part in _kept(block, draws, seed, first.n, wanted)]
    weights = np.concatenate(parts).astype(np.float64)
    one, other = weights @ first.values, weights @ second.values  # (m, n) @ (n, K) -> (m, K)
    if draws == "swap":
        one, other = first.total - one + other, second.total - other + one
    return Shown(wanted, weights, np.column_stack((first.score(one), second.score(other))))


def _kept(block: Block, draws: DrawKind, seed: int, n: int, wanted: Ints) -> list[Floats]:
    """The wanted rows of one block, strip by strip, so that memory stays bounded."""
    start, out = block.start, []
    for strip in strips(generator(seed, draws, block.index), draws, block.size, n):
        own = wanted[(wanted > start) & (wanted <= start + len(strip))] - start - 1
        out.append(np.asarray(strip[own], dtype=np.float64))
        start += len(strip)
    return out
