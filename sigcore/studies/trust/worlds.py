"""Data sets without a difference, made of the user's own outputs, and p of the test on each.

A coin for each unit exchanges the outputs of a pair; the outputs of a grid are permuted in each unit. So any difference that
is left is chance, on the user's own segments, with their own spread and their own ties.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections, significance
from sigcore.corrections import Correction
from sigcore.executors import Serial
from sigcore.resampling.pvalues import tolerance
from sigcore.significance import Draws, Jointly, Resampling, Test
from sigcore.studies import intervals
from sigcore.studies.matrix import adjust, cells_of, p_grid, p_of_pairs
from sigcore.studies.matrix.compute import prepare, turned, with_swaps
from sigcore.studies.pairs import generator
from sigcore.studies.statistics import differing, too_few
from sigcore.studies.trust.plan import UNPAIRED, riezler_maxwell, unpaired
from sigcore.studies.units import Groups, summed
from sigcore.study import Settings
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.types import Floats

TRUST = 27  # the stream of child seeds
PAIR = 2
GRAIN = 2.0**16  # shifts are multiples of its inverse, so that sums stay exact


@dataclass(frozen=True, eq=False)
class World:
    """The data, what changes sides together, and the test: everything that a repetition needs.

    The rows of `systems` are the smallest parts that the null or the test keeps together; `null_of` and `unit_of` (rows,)
    are the unit of each under the null and in the test, `unit_of` None where rows are the units of the test. With `halves` the
    units of one system are split, and the systems take turns.
    """

    systems: tuple[SufficientStatistics, ...]
    null_of: Groups
    unit_of: Groups | None
    test: Test
    rule: str
    settings: Settings
    pairs: NDArray[np.intp]
    directed: NDArray[np.intp] | None
    resamples: int
    seed: int
    halves: bool = False

    @property
    def nulls(self) -> int:
        """How many units change sides."""
        return int(self.null_of.max()) + 1

    @property
    def units(self) -> int:
        """How many units the test draws."""
        return self.systems[0].n if self.unit_of is None else int(self.unit_of.max()) + 1

    @property
    def coarse(self) -> bool:
        """Whether units of the test change sides together: then the systems are centred first."""
        return self.nulls < self.units

    @cached_property
    def centred(self) -> tuple[SufficientStatistics, ...]:
        """The systems with equal sums. Without this a real gain would become a difference between documents, as soon as
        whole documents change sides, and a test of segments would be blamed for it."""
        means = np.array([item.values.mean(axis=0) for item in self.systems])  # (S, K)
        shifts = np.rint((means.mean(axis=0) - means) * GRAIN) / GRAIN
        return tuple(replace(item, values=item.values + own) for item, own in zip(self.systems, shifts, strict=True))

    @property
    def cells(self) -> tuple[NDArray[np.intp], ...]:
        """The cells of the grid that are tests; two halves are one test."""
        return (
            cells_of(PAIR, "two-sided", None)
            if self.halves
            else cells_of(len(self.systems), self.settings.side, self.directed)
        )


def world(
    systems: Sequence[SufficientStatistics],
    null_of: Groups | None,
    unit_of: Groups | None,
    test: Test,
    settings: Settings,
    pairs: NDArray[np.intp],
    directed: NDArray[np.intp] | None,
    resamples: int,
    seed: int,
    rule: str = "",
) -> World:
    """The world of these segments; groups as of `units.groups`, None for the segments themselves."""
    whole = np.arange(systems[0].n)
    first, second = (whole if groups is None else groups for groups in (null_of, unit_of))
    # segments that are together in both are one row
    _, start, row = np.unique(np.column_stack((first, second)), axis=0, return_index=True, return_inverse=True)
    row = row.reshape(-1)
    kept = tuple(summed(item, row) if len(start) < len(whole) else item for item in systems)
    places = start if len(start) < len(whole) else whole
    own = np.unique(first[places], return_inverse=True)[1].reshape(-1)
    drawn = np.unique(second[places], return_inverse=True)[1].reshape(-1)
    apart = int(drawn.max()) + 1 == len(places)
    unit = None if apart and np.array_equal(drawn, np.arange(len(places))) else drawn
    return World(kept, own, unit, test, rule, settings, pairs, directed, resamples, seed)


def exchanged(of: World, rng: np.random.Generator, share: float = 0.0) -> list[SufficientStatistics]:
    """The systems with outputs exchanged by chance in every unit of the null; a unit stays as it is with probability
    `share`, so that share of the gain is planted."""
    count = len(of.systems)
    if count == PAIR:
        swap = rng.random(of.nulls) < 0.5 * (1 - share)
        order = np.column_stack((swap, ~swap)).astype(np.intp)
    else:
        order = rng.permuted(np.tile(np.arange(count), (of.nulls, 1)), axis=1)
        if share:
            order[rng.random(of.nulls) < share] = np.arange(count)
    systems = of.centred if of.coarse and not share else of.systems
    values = np.stack([item.values for item in systems])  # (S, rows, K)
    rows = np.arange(values.shape[1])
    return [replace(item, values=values[order[of.null_of, s], rows]) for s, item in enumerate(of.systems)]


def planted_gain(of: World, share: float) -> float:
    """The gain where a share of the gains is planted, that of the expected sums; of a grid the largest of its tests."""
    totals, one = np.array([item.total for item in of.systems]), of.systems[0]
    middle = totals.mean(axis=0)
    scores = oriented(np.array([one.score(middle + share * (own - middle)) for own in totals]), one.better)
    gains = scores[of.pairs[:, 0]] - scores[of.pairs[:, 1]]
    return float(gains[np.argmax(np.abs(gains))]) if len(of.systems) > PAIR else float(scores[0] - scores[1])


def repeated(of: World, number: int, share: float = 0.0, stream: int = 0) -> list[float]:
    """The adjusted p of one repetition, that of each test of the family; 1 for a test without a p."""
    rng = generator(of.seed, TRUST, stream, number)
    if of.halves:
        return [halved(of, rng, number)]
    systems = exchanged(of, rng, share)
    if of.unit_of is not None:
        systems = [summed(item, of.unit_of) for item in systems]
    return list(np.nan_to_num(tested(of, systems, int(rng.integers(2**62))), nan=1.0).tolist())


def halved(of: World, rng: np.random.Generator, number: int) -> float:
    """p of two halves of one system, whose units are split by chance; with an odd number of units one is left out."""
    one = of.systems[number % len(of.systems)]
    scores = unit_scores(one if of.unit_of is None else summed(one, of.unit_of))
    order, half = rng.permutation(len(scores)), len(scores) // 2
    return unpaired(of.rule, scores[order[:half]], scores[order[half : 2 * half]])


def unit_scores(one: SufficientStatistics) -> Floats:
    """The scores of the units of a system; a unit without a score is left out."""
    scores = np.asarray(one.score(one.values))
    return scores[np.isfinite(scores)]


def covered(of: World, number: int, share: float, stream: int) -> list[float]:
    """Whether the interval of a pair's gain holds the true one in one repetition: [1.0] or [0.0].

    The units are drawn with replacement, so that the pair at hand is the population, and then keep their outputs or not.
    """
    rng = generator(of.seed, TRUST, stream, number)
    drawn = redrawn(of, rng)
    systems = exchanged(drawn, rng, share)
    sizes = None
    if drawn.unit_of is not None:
        systems = [summed(item, drawn.unit_of) for item in systems]
        sizes = np.bincount(drawn.unit_of).astype(np.float64)
    low, high = interval(of, systems, sizes, int(rng.integers(2**62)))
    return [float(low <= planted_gain(of, share) <= high)]


def redrawn(of: World, rng: np.random.Generator) -> World:
    """The world with its units drawn with replacement: those of the null or of the test, whichever are larger."""
    unit_of = np.arange(len(of.null_of)) if of.unit_of is None else of.unit_of
    larger = of.null_of if of.nulls <= of.units else unit_of
    rows = np.argsort(larger, kind="stable")
    ends = np.concatenate([[0], np.bincount(larger).cumsum()])
    chosen = rng.integers(0, len(ends) - 1, len(ends) - 1)
    places = np.concatenate([rows[ends[k] : ends[k + 1]] for k in chosen])
    copy = np.repeat(np.arange(len(chosen)), np.diff(ends)[chosen])
    null_of, unit = (_renumbered(copy, groups[places]) for groups in (of.null_of, unit_of))
    systems = tuple(replace(item, values=item.values[places]) for item in of.systems)
    return replace(of, systems=systems, null_of=null_of, unit_of=None if of.unit_of is None else unit)


def _renumbered(copy: Groups, groups: Groups) -> Groups:
    """Groups that are different in each copy, numbered from 0."""
    return np.asarray(np.unique(np.column_stack((copy, groups)), axis=0, return_inverse=True)[1].reshape(-1))


def interval(
    of: World, systems: Sequence[SufficientStatistics], sizes: Floats | None, seed: int
) -> tuple[float, float]:
    """The interval of the gain of a pair, as a verdict has it; every gain where there is none."""
    test = of.test
    question = Resampling((tuple(systems),), (test,), of.pairs, of.resamples, seed, sizes)
    whole = intervals.whole_of(systems)
    too, inverted = intervals.needs_bootstrap((test,)), intervals.inverting([whole], (test,))
    (draws,) = significance.tally(question, Serial(), bootstrap_too=too, intervals=inverted)
    found = intervals.of_gains(question, 0, draws, differing(systems), whole)
    tally = draws.tallies[test.name]
    p, _, _ = p_of_pairs(tally, test, Settings("two-sided"))
    draws.close()
    ends = None if found is None else intervals.agreeing(found[test.name], p, tolerance(tally.gains, tally.units))[0]
    return (-math.inf, math.inf) if ends is None or np.isnan(ends).any() else (float(ends[0]), float(ends[1]))


def tested(of: World, systems: Sequence[SufficientStatistics], seed: int) -> Floats:
    """The adjusted p (m,) of every test of the family, as a grid has them; nan where a test gives none."""
    if of.rule in UNPAIRED:
        p = np.ones((len(systems), len(systems)))
        for a, b in of.pairs:
            p[a, b] = unpaired(of.rule, unit_scores(systems[a]), unit_scores(systems[b]))
        return np.asarray(adjust((p, p, p), of.cells, of.settings, None, of.resamples)[0][of.cells])
    test, settings = of.test, of.settings
    corrected = [corrections.get(settings.correction)]
    joint = _joint(of, corrected)
    question = Resampling((tuple(systems),), (test,), of.pairs, of.resamples, seed)
    with np.errstate(invalid="ignore"):  # a unit alone may have no score once its system is centred
        (draws,) = significance.tally(with_swaps(question, joint), Serial(), joint=joint, intervals=[False])
    differ = differing(systems)
    prepared = prepare(draws.joint, (test,))
    whole = _by_rule(of, draws, differ) if of.rule else p_grid(draws.tallies[test.name], test, differ == 0, settings)
    draws.close()
    if test.draws == "bootstrap":
        for part in whole:
            part[too_few(differ)] = math.nan
    reached = prepared.get((settings.correction, test.name, settings.side))
    return np.asarray(adjust(whole, of.cells, settings, reached, of.resamples)[0][of.cells])


def _joint(of: World, corrected: Sequence[Correction]) -> list[Jointly]:
    """What is counted together, where the correction uses the joint null."""
    turn = turned(of.pairs, of.cells, of.settings.side)
    return [Jointly(one, turn) for one in corrected if one.needs_joint]


def _by_rule(of: World, draws: Draws, differ: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
    """p of the rule for every pair in both directions, three times: a rule has no interval."""
    p = riezler_maxwell(draws, draws.tallies[of.test.name].gains, of.pairs)
    grid = np.ones(differ.shape)
    grid[of.pairs[:, 0], of.pairs[:, 1]] = grid[of.pairs[:, 1], of.pairs[:, 0]] = p
    grid[differ == 0] = 1.0
    return grid, grid.copy(), grid.copy()
