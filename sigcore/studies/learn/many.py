"""Many pairs, many chances: fifteen artificial systems without any difference, and the p of all 105 pairs, many times over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sigcore import corrections, executors
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.results import freeze
from sigcore.studies import pairs
from sigcore.studies.learn.data import Data
from sigcore.studies.learn.draws import MANY
from sigcore.studies.statistics import Progress
from sigcore.sufficient import SufficientStatistics
from sigcore.types import Floats, Ints

SYSTEMS = 15
PAIRS = SYSTEMS * (SYSTEMS - 1) // 2
# After Holm, a p must be at most alpha / 105 to be significant: with fewer shuffles, none could be at alpha 0.05.
RESAMPLES, WORLDS, SHOWN = 4_096, 60, 10  # a partial result every SHOWN worlds
MOST_UNITS = 100
CORRECTION = "holm"


@dataclass(frozen=True, eq=False)
class Many:
    """p and adjusted p (W, pairs) of W worlds in which no two of the systems differ; `units` units in each."""

    p: Floats
    adjusted: Floats
    units: int

    def __post_init__(self) -> None:
        freeze(self)

    def found(self, alpha: float) -> Ints:
        """How many pairs are significant in each world, uncorrected: all are false alarms, (W,)."""
        return np.asarray((self.p <= alpha).sum(axis=1))

    def kept(self, alpha: float) -> Ints:
        """The same after the correction."""
        return np.asarray((self.adjusted <= alpha).sum(axis=1))


def any_of(found: Ints) -> tuple[int, float, float]:
    """In how many worlds anything was found, and the exact 95 % interval of their share."""
    some = int((found > 0).sum())
    low, high = clopper_pearson(some, len(found))
    return some, float(low), float(high)


def cells() -> tuple[Ints, Ints]:
    """The (row, column) of every pair in the grid."""
    rows, columns = np.triu_indices(SYSTEMS, k=1)
    return rows.astype(np.int64), columns.astype(np.int64)


def many(
    of: Data,
    seed: int,
    worlds: int = WORLDS,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
    partial_result: Callable[[Many], None] | None = None,
) -> Many:
    """All pairs of all worlds under two-sided approximate randomization. Cost: that of W grids of 15 systems."""
    units = min(of.n, MOST_UNITS)
    p = np.empty((worlds, PAIRS))
    of_pairs = np.column_stack(cells()).astype(np.intp)
    for k in range(worlds):
        if progress is not None:
            progress("Drawing worlds", k, worlds)
        rng = pairs.generator(seed, MANY, k)
        drawn = world(of, units, rng)
        how = pairs.How("approximate_randomization", "two-sided", resamples=RESAMPLES, seed=int(rng.integers(2**31)))
        p[k] = pairs.examine(drawn, of_pairs, how, executor).p_values
        if partial_result is not None and (k + 1) % SHOWN == 0 and k + 1 < worlds:
            partial_result(_corrected(p[: k + 1], units))
    return _corrected(p, units)


def _corrected(p: Floats, units: int) -> Many:
    """The worlds so far, each corrected over its pairs."""
    member = corrections.get(CORRECTION)
    return Many(p.copy(), np.array([member.grid((row, row, row), None, RESAMPLES)[0] for row in p]), units)


def world(of: Data, units: int, rng: np.random.Generator) -> tuple[SufficientStatistics, ...]:
    """SYSTEMS systems on units drawn with replacement: each takes every unit's output from one of the loaded systems, by
    chance, so that none is better than another."""
    systems = of.measured.systems
    rows = rng.integers(0, of.n, units)
    outputs = np.stack([item.values[rows] for item in systems])  # (S, units, K)
    taken = rng.integers(0, len(systems), (SYSTEMS, units))
    return tuple(
        replace(systems[0], system=f"S{k + 1}", values=outputs[taken[k], np.arange(units)]) for k in range(SYSTEMS)
    )
