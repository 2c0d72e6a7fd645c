"""Mixtures: synthetic systems whose segments come from one of two real ones, for curves where few real ones are there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sigcore import executors
from sigcore.errors import OptionError, Undefined
from sigcore.results import GainResult
from sigcore.studies.pairs import MIXTURES, How, by_gain, examine, generator, scores
from sigcore.studies.statistics import Progress
from sigcore.studies.units import Groups, summed
from sigcore.sufficient import SufficientStatistics
from sigcore.types import Ints, Setup

MIXED_TOGETHER = "mixtures of the same two systems"
MIXED_APART = "mixtures of different systems"
MOST_BASES = 3  # pairs of systems that are mixed, where nobody chose them
MOST_MIXTURES = 1_000


@dataclass(frozen=True, eq=False)
class Mixtures:
    """M synthetic systems, with a row of statistics per segment; `base` (M,) is the number of the pair that each mixes."""

    systems: tuple[SufficientStatistics, ...]
    base: Ints


def bases(systems: Sequence[SufficientStatistics]) -> tuple[tuple[int, int], ...]:
    """The pairs that are mixed where nobody chose them: by score, the best with the one in the middle, and so on.

    No system is in two pairs. The scores of the mixtures of different pairs then overlap, so that small and large gains
    occur in both classes.
    """
    order = np.argsort(-scores(systems), kind="stable").tolist()
    half = len(order) // 2
    return tuple((order[k], order[k + half]) for k in range(min(MOST_BASES, half)))


def mix(systems: Sequence[SufficientStatistics], pairs: Sequence[tuple[int, int]], each: int, seed: int) -> Mixtures:
    """`each` mixtures of every pair (A, B): the k-th takes every segment from B with probability k / (each + 1).

    A segment's statistics are those of the system that it comes from, so nothing is scored again; which segments come
    from B depends on the seed, the number of the pair, and k.

    Raises: Undefined without a pair; OptionError for too few or too many mixtures.
    """
    if not pairs:
        raise Undefined("Mixtures need at least two systems.", "", "Load more outputs.")
    if not 1 <= each <= MOST_MIXTURES // len(pairs):
        fix = f"It must be in [1, {MOST_MIXTURES // len(pairs)}]: at most {MOST_MIXTURES:,} mixtures in all."
        raise OptionError(f"mixtures = {each} of each of {len(pairs)} pairs.", "", fix)
    made, base = list[SufficientStatistics](), list[int]()
    for number, (a, b) in enumerate(pairs):
        first, second = systems[a], systems[b]
        for k in range(1, each + 1):
            share = k / (each + 1)
            from_second = generator(seed, MIXTURES, number, k).random(first.n) < share
            values = np.where(from_second[:, None], second.values, first.values)
            name = f"{first.system} with {100 * share:.3g} % {second.system}"
            made.append(replace(first, system=name, values=values))
            base.append(number)
    return Mixtures(tuple(made), np.array(base, dtype=np.int64))


def classes(mixtures: Mixtures, pairs: NDArray[np.intp]) -> tuple[str, ...]:
    """The class of each of the pairs (P, 2): whether both mix the same two systems."""
    together = mixtures.base[pairs[:, 0]] == mixtures.base[pairs[:, 1]]
    return tuple(MIXED_TOGETHER if same else MIXED_APART for same in together.tolist())


def read(
    mixtures: Mixtures,
    unit_of: Groups | None,
    setup: Setup,
    how: How,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
) -> GainResult:
    """All pairs of the mixtures as points, tested as the real pairs of `setup` were, on the same draws.

    `unit_of` says which unit each segment belongs to; None if segments are drawn.
    """
    systems = mixtures.systems if unit_of is None else tuple(summed(item, unit_of) for item in mixtures.systems)
    pairs = by_gain(systems)
    found = examine(systems, pairs, how, executor, progress)
    names = [item.system for item in systems]
    return GainResult(
        setup=replace(setup, caveat="", signature=f"{setup.signature}|mixtures:{len(names)}"),
        systems=tuple(names[a] for a in pairs[:, 0].tolist()),
        baselines=tuple(names[b] for b in pairs[:, 1].tolist()),
        pair_class=classes(mixtures, pairs),
        gains=found.gains,
        p_values=found.p_values,
        confidence=1 - found.p_values,
        p_low=found.p_low,
        p_high=found.p_high,
        synthetic=True,
    )
