"""Test sets on which there is no difference, drawn from real or made-up pairs of systems, and how often tests reject."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.stats import binom

from sigcore.significance import Question, Test, tally
from sigcore.studies.matrix import Settings, p_of_pairs
from sigcore.sufficient import SufficientStatistics
from tests.oracles.printed_tests import abs_before_shift

ALPHA = 0.05


class Serial:
    """Blocks one after the other."""

    def map(self, work: Callable, items: Sequence):
        """The results in order."""
        return map(work, items)


def band(replications: int, alpha: float = ALPHA, level: float = 0.999) -> tuple[float, float]:
    """The rejection rates that a test of size alpha shows in all but 1 of 1000 such experiments."""
    low, high = binom.ppf([(1 - level) / 2, (1 + level) / 2], replications, alpha)
    return low / replications, high / replications


def exchanged(rng: np.random.Generator, first: np.ndarray, second: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """n segments drawn with replacement, the two systems' rows changing sides at random: a true null for both."""
    drawn, swap = rng.integers(0, len(first), n), rng.random(n) < 0.5
    a, b = first[drawn], second[drawn]
    return np.where(swap[:, None], b, a), np.where(swap[:, None], a, b)


def p_values(
    pair: Sequence[SufficientStatistics], tests: Sequence[Test], resamples: int, seed: int
) -> dict[str, dict[str, float]]:
    """p of every test on every side for two systems, from draws of that seed."""
    question = Question((tuple(pair),), tuple(tests), np.array([[0, 1]]), resamples, seed)
    (draws,) = tally(question, Serial())
    sides = ("two-sided", "greater", "less")
    out = {
        test.name: {side: float(p_of_pairs(draws.tallies[test.name], test, Settings(side))[0][0]) for side in sides}
        for test in tests
    }
    tallied = next((test for test in tests if test.draws == "bootstrap"), None)
    if draws.scores is not None and tallied is not None:
        scores = np.concatenate(list(draws.scores), axis=1)
        count = abs_before_shift(list(scores[0] - scores[1]), float(draws.tallies[tallied.name].gains[0]))
        out["abs_before_shift"] = {"two-sided": (count + 1) / (resamples + 1)}
    draws.close()
    return out


def rejections(
    first: SufficientStatistics,
    second: SufficientStatistics,
    tests: Sequence[Test],
    *,
    n: int,
    replications: int,
    resamples: int,
    seed: int,
) -> dict[tuple[str, str], float]:
    """The share of null test sets on which p <= alpha, by (test, side); every one has draws of its own."""
    hits: dict[tuple[str, str], int] = {}
    for child in np.random.SeedSequence(seed).spawn(replications):
        rng = np.random.default_rng(child)
        values = exchanged(rng, first.values, second.values, n)
        pair = [
            SufficientStatistics(f"s{k}", first.columns, v, first.score, first.better, first.signature)
            for k, v in enumerate(values)
        ]
        for name, sides in p_values(pair, tests, resamples, int(rng.integers(2**62))).items():
            for side, p in sides.items():
                hits[name, side] = hits.get((name, side), 0) + (p <= ALPHA)
    return {key: count / replications for key, count in hits.items()}
