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
from sigcore.significance import Draws, Jointly, Resampling, Test
from sigcore.studies.matrix import adjust, cells_of, p_grid
from sigcore.studies.matrix.compute import prepare, turned, with_swaps
from sigcore.studies.pairs import generator
from sigcore.studies.statistics import differing, too_few
from sigcore.studies.trust.plan import riezler_maxwell
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
    are the unit of each under the null and in the test, `unit_of` None where rows are the units of the test.
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
        """The cells of the grid that are tests."""
        return cells_of(len(self.systems), self.settings.side, self.directed)


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
    systems = of.centred if of.coarse and not share else of.systems
    values = np.stack([item.values for item in systems])  # (S, rows, K)
    rows = np.arange(values.shape[1])
    return [replace(item, values=values[order[of.null_of, s], rows]) for s, item in enumerate(of.systems)]


def planted_gain(of: World, share: float) -> float:
    """The gain of a pair in which a share of the gain is planted: that of the expected sums."""
    first, second = (item.total for item in of.systems)
    one = of.systems[0]
    middle, half = (first + second) / 2, share * (first - second) / 2
    scores = oriented(np.array([one.score(middle + half), one.score(middle - half)]), one.better)
    return float(scores[0] - scores[1])


def repeated(of: World, number: int, share: float = 0.0, stream: int = 0) -> float:
    """The smallest adjusted p of one repetition; of a pair its p. It is 1 where no test has a p."""
    rng = generator(of.seed, TRUST, stream, number)
    systems = exchanged(of, rng, share)
    if of.unit_of is not None:
        systems = [summed(item, of.unit_of) for item in systems]
    found = tested(of, systems, int(rng.integers(2**62)))
    return float(np.nanmin(found)) if np.isfinite(found).any() else 1.0


def tested(of: World, systems: Sequence[SufficientStatistics], seed: int) -> Floats:
    """The adjusted p (m,) of every test of the family, as a grid has them; nan where a test gives none."""
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
