"""Test sets on which there is no difference, drawn from real or made-up systems, and how often tests reject."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from scipy.stats import binom

from sigcore import metrics
from sigcore.metrics import extractor
from sigcore.significance import Resampling, Test, tally
from sigcore.studies.matrix import Settings, p_of_pairs
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES, Floats, Ints, TieRule
from tests.oracles.printed_tests import abs_before_shift

ALPHA = 0.05
ALPHAS = (0.05, 0.01)
FLAWED = "abs_before_shift"

Systems = list[SufficientStatistics]
Null = Callable[[np.random.Generator], Systems]  # a test set without a difference


class Serial:
    """Blocks one after the other."""

    def map(self, work: Callable, items: Sequence):
        """The results in order."""
        return map(work, items)


def band(replications: int, alpha: float = ALPHA, level: float = 0.999) -> tuple[float, float]:
    """The rejection rates that a test of size alpha shows in all but 1 of 1000 such experiments."""
    low, high = binom.ppf([(1 - level) / 2, (1 + level) / 2], replications, alpha)
    return low / replications, high / replications


def allowance(test: str, units: int, alpha: float = ALPHA) -> float:
    """How much a bootstrap of so many units may exceed its level: it takes the sample for the population.

    That costs a normal mean about 0.4 / n at .05 and 0.2 / n at .01 (a t statistic compared with the normal
    distribution); allowed is two and a half times as much, for other distributions. Randomization may not exceed it.
    """
    return 0.0 if test == "approximate_randomization" else {0.05: 1.0, 0.01: 0.5}[alpha] / units


def statistics_of(metric: str, testset: Testset, outputs: Sequence[Outputs]) -> Systems:
    """The statistics of every system under a metric with its usual options."""
    member = metrics.get(metric)
    extract = extractor(member, testset, member.chosen())
    return [extract(item) for item in outputs]


def redrawn(systems: Sequence[SufficientStatistics], values: Sequence[Floats]) -> Systems:
    """The systems with other rows."""
    return [replace(item, values=rows) for item, rows in zip(systems, values, strict=True)]


def members(unit_of: Ints) -> list[Ints]:
    """The segments of every unit, from the unit of every segment."""
    return [np.nonzero(unit_of == k)[0] for k in range(int(unit_of.max()) + 1)]


def exchanged(pair: Sequence[SufficientStatistics], n: int, units: Sequence[Ints] | None = None) -> Null:
    """n segments drawn with replacement, the two systems' rows changing sides at random: a true null for both.

    With the segments of every unit, whole units are drawn and change sides; the rows are still those of segments.
    """
    first, second = (item.values for item in pair)

    def null(rng: np.random.Generator) -> Systems:
        drawn, swap = rng.integers(0, len(first if units is None else units), n), rng.random(n) < 0.5
        if units is not None:
            swap = np.repeat(swap, [len(units[k]) for k in drawn])
            drawn = np.concatenate([units[k] for k in drawn])
        a, b = first[drawn], second[drawn]
        return redrawn(pair, [np.where(swap[:, None], b, a), np.where(swap[:, None], a, b)])

    return null


def permuted(systems: Sequence[SufficientStatistics], n: int, groups: Sequence[Sequence[int]] | None = None) -> Null:
    """n segments drawn with replacement, the rows of all systems (or of those of each group) in an order of chance."""
    rows = np.stack([item.values for item in systems])  # (S, N, K)
    together = [np.array(group) for group in groups or [range(len(systems))]]

    def null(rng: np.random.Generator) -> Systems:
        drawn = rows[:, rng.integers(0, rows.shape[1], n)]
        out = drawn.copy()
        for group in together:
            order = rng.permuted(np.tile(group, (n, 1)), axis=1)  # (n, systems of the group)
            out[group] = drawn[order.T, np.arange(n)]
        return redrawn(systems, list(out))

    return null


def p_values(
    pair: Sequence[SufficientStatistics],
    tests: Sequence[Test],
    resamples: int,
    seed: int,
    ties: TieRule = "counted",
) -> dict[str, dict[str, float]]:
    """p of every test on every side for two systems, from draws of that seed."""
    question = Resampling((tuple(pair),), tuple(tests), np.array([[0, 1]]), resamples, seed)
    (draws,) = tally(question, Serial())
    settings = [Settings(side, ties=ties) for side in SIDES]
    out = {
        test.name: {s.side: float(p_of_pairs(draws.tallies[test.name], test, s)[0][0]) for s in settings}
        for test in tests
    }
    tallied = next((test for test in tests if test.draws == "bootstrap"), None)
    if draws.scores is not None and tallied is not None:
        scores = np.concatenate(list(draws.scores), axis=1)
        count = abs_before_shift(list(scores[0] - scores[1]), float(draws.tallies[tallied.name].gains[0]))
        out[FLAWED] = {"two-sided": (count + 1) / (resamples + 1)}
    draws.close()
    return out


def rejections(
    null: Null,
    tests: Sequence[Test],
    *,
    replications: int,
    resamples: int,
    seed: int,
    alphas: Sequence[float] = ALPHAS,
) -> dict[tuple[str, str, float], float]:
    """The share of null test sets on which p <= alpha, by (test, side, alpha); every one has draws of its own."""
    hits: dict[tuple[str, str, float], int] = {}
    for child in np.random.SeedSequence(seed).spawn(replications):
        rng = np.random.default_rng(child)
        drawn = null(rng)
        for name, sides in p_values(drawn, tests, resamples, int(rng.integers(2**62))).items():
            for side, p in sides.items():
                for alpha in alphas:
                    hits[name, side, alpha] = hits.get((name, side, alpha), 0) + (p <= alpha)
    return {key: count / replications for key, count in hits.items()}
