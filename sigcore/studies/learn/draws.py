"""Resamples of one small data set under a rule, and data sets drawn from the class's own with a true null hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sigcore.resampling.blocks import blocks, generator
from sigcore.resampling.weights import bootstrap_counts, part_counts, swap_masks
from sigcore.significance import DrawKind, Question
from sigcore.studies import pairs
from sigcore.studies.statistics import Progress
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.types import Floats

# Streams of child seeds; other studies have 10, 11 and 20 to 23.
WORLDS, ROUNDS, MANY, ORDER = 30, 31, 32, 33

Pair = Sequence[SufficientStatistics]


@dataclass(frozen=True)
class Draw:
    """What is drawn: swaps, or units with replacement, a share `ratio` of n of them; if not `paired`, for each of the two
    systems apart."""

    kind: DrawKind = "swap"
    ratio: float = 1.0
    paired: bool = True


def pseudo_gains(pair: Pair, draw: Draw, resamples: int, rng: np.random.Generator) -> Floats:
    """The gains (R,) of the two pseudo-systems on each resample. Cost: O(R n K)."""
    first, second = pair
    if draw.kind == "swap":
        swapped = swap_masks(rng, resamples, first.n).astype(np.float64)
        one, other = swapped @ first.values, swapped @ second.values  # (R, n) @ (n, K) -> (R, K)
        return _gain(pair, first.total - one + other, second.total - other + one)
    weights = _counts(draw, resamples, first.n, rng)
    others = weights if draw.paired else _counts(draw, resamples, first.n, rng)
    return _gain(pair, weights @ first.values, others @ second.values)


def engine_gains(pair: Pair, draw: Draw, resamples: int, seed: int) -> Floats:
    """The same, block by block, with the draws of the engine: those of the other pages where a rule is the usual one."""
    parts = [pseudo_gains(pair, draw, b.size, generator(seed, draw.kind, b.index)) for b in blocks(resamples)]
    return np.concatenate(parts)


def _counts(draw: Draw, rows: int, n: int, rng: np.random.Generator) -> Floats:
    size = max(1, round(draw.ratio * n))
    counts = bootstrap_counts(rng, rows, n) if size == n else part_counts(rng, rows, n, size)
    return counts.astype(np.float64)


def _gain(pair: Pair, one: Floats, other: Floats) -> Floats:
    first, second = pair
    return np.asarray(oriented(first.score(one), first.better) - oriented(second.score(other), second.better))


def gain_of(pair: Pair) -> float:
    """The gain of the first of the two systems."""
    first, second = pair
    return float(_gain(pair, first.total, second.total))


def unit_of(pair: Pair) -> float:
    """The size by which ties are recognised: that of the engine."""
    question = Question((tuple(pair),), (), np.array([[0, 1]]), 1, 0)
    return float(question.units(0)[0])


def world(pair: Pair, units: int, is_null: bool, rng: np.random.Generator) -> tuple[SufficientStatistics, ...]:
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
    pair: Pair,
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
