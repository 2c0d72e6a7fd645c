"""Grids of systems of which some are equal: how often a correction finds a difference that is not there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sigcore import corrections, significance
from sigcore.corrections.contract import GridOfP
from sigcore.significance import Jointly, Resampling, Test, tally
from sigcore.studies.matrix import Settings, p_grid
from sigcore.studies.matrix.compute import cells_of, pairs_of, prepare, turned, with_swaps
from sigcore.sufficient import SufficientStatistics
from sigcore.types import ALL_PAIRS, SIDES, Bools, Comparisons, Side
from tests.calibration.nulls import ALPHAS, Null, Serial, Systems, statistics_of
from tests.made import score_set

BOOTSTRAP = [significance.get(name) for name in ("bootstrap_shift", "two_delta_bootstrap", "paired_bootstrap")]
RANDOMIZATION = significance.get("approximate_randomization")
CORRECTIONS = ("none", "holm", "joint")

Key = tuple[str, str, Side]  # correction, test, side


def equal_means(levels: Sequence[float]) -> Systems:
    """Systems under the mean of skewed scores, each with a level of its own."""
    rng = np.random.default_rng(1)
    base = rng.exponential(size=2000)
    return statistics_of("own_scores", *score_set(*(base + rng.exponential(size=2000) + level for level in levels)))


def adjusted(
    systems: Sequence[SufficientStatistics],
    tests: Sequence[Test],
    resamples: int,
    seed: int,
    family: Comparisons = ALL_PAIRS,
) -> dict[Key, GridOfP]:
    """Every p (m,) of the family and its Monte Carlo interval, for every correction, test and side."""
    names = [str(k) for k in range(len(systems))]
    pairs, directed = pairs_of(family, names), None if family.whole else family.directed(names)
    joint = [
        Jointly(corrections.get("joint"), turned(pairs, cells_of(len(systems), side, directed), side)) for side in SIDES
    ]
    question = Resampling((tuple(systems),), tuple(tests), pairs, resamples, seed)
    (draws,) = tally(with_swaps(question, joint), Serial(), joint=joint)
    prepared = prepare(draws.joint, tests)
    draws.close()
    none_same, out = np.eye(len(systems), dtype=bool), {}
    for test in tests:
        for side in SIDES:
            cells = cells_of(len(systems), side, directed)
            whole = p_grid(draws.tallies[test.name], test, none_same, Settings(side))
            p, low, high = (part[cells] for part in whole)
            for name in CORRECTIONS:
                key = (name, test.name, side)
                out[key] = corrections.get(name).grid((p, low, high), prepared.get(key), resamples)
    return out


def true_nulls(levels: Sequence[float], side: Side, family: Comparisons = ALL_PAIRS) -> Bools:
    """Which tests of the family (m,) have a true null: no difference, one-sided also one the other way."""
    directed = None if family.whole else family.directed([str(k) for k in range(len(levels))])
    row, column = cells_of(len(levels), side, directed)
    gain = np.array(levels)[row] - np.array(levels)[column]
    return np.asarray({"two-sided": gain == 0, "greater": gain <= 0, "less": gain >= 0}[side])


def family_wise_errors(
    null: Null,
    levels: Sequence[float],
    tests: Sequence[Test],
    *,
    replications: int,
    resamples: int,
    seed: int,
    family: Comparisons = ALL_PAIRS,
) -> dict[tuple[str, str, Side, float], float]:
    """The share of test sets on which any true null has p <= alpha, by (correction, test, side, alpha)."""
    at = {side: true_nulls(levels, side, family) for side in SIDES}
    hits: dict[tuple[str, str, Side, float], int] = {}
    for child in np.random.SeedSequence(seed).spawn(replications):
        rng = np.random.default_rng(child)
        systems = null(rng)
        for key, grid in adjusted(systems, tests, resamples, int(rng.integers(2**62)), family).items():
            least = grid[0][at[key[2]]].min()
            for alpha in ALPHAS:
                hits[*key, alpha] = hits.get((*key, alpha), 0) + bool(least <= alpha)
    return {key: count / replications for key, count in hits.items()}
