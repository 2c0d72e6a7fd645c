"""Intervals of gains and scores contain the truth as often as they say, from 12 units on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from sigcore import data, significance
from sigcore.metrics import get
from sigcore.metrics.contract import from_values
from sigcore.resampling.pvalues import tolerance
from sigcore.significance import Resampling, tally
from sigcore.studies import intervals
from sigcore.studies.exact import add_exact
from sigcore.studies.matrix import Settings, p_of_pairs
from sigcore.studies.statistics import Measured, differing
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.testset import Outputs
from tests import some
from tests.calibration.nulls import Serial, Systems, statistics_of
from tests.stored import stored

TEST = significance.get("approximate_randomization")
OWN = get("own_scores")
SIZES = (12, 26, 50, 300)
PAIR = np.array([[0, 1]])
World = Callable[
    [np.random.Generator, int], tuple[Systems, float, float]
]  # systems, true gain, true score of the first


def sampled(first: str, second: str, metric: str = "bleu") -> World:
    """Segments of the sample drawn with replacement: the truth is the score of all of them."""
    collection = data.Collection()
    collection.add_sample("harbour")
    loaded = collection.loaded()
    chosen = [next(one for one in loaded.outputs if one.system == name) for name in (first, second)]
    pair = statistics_of(metric, loaded.testset, chosen)
    truth = [float(oriented(item.corpus_score, item.better)) for item in pair]

    def world(rng: np.random.Generator, n: int) -> tuple[Systems, float, float]:
        rows = rng.integers(0, pair[0].n, n)
        return [replace(item, values=item.values[rows]) for item in pair], truth[0] - truth[1], pair[0].corpus_score

    return world


def scores(made: Callable[[np.random.Generator, int], np.ndarray], truth: tuple[float, float]) -> World:
    """Scores (2, n) of two systems whose true means are known."""

    def world(rng: np.random.Generator, n: int) -> tuple[Systems, float, float]:
        values = made(rng, n)
        pair = [
            from_values(OWN, OWN.chosen(), Outputs(f"s{k}", ("0",)), np.column_stack([row, np.ones(n)]), "coverage")
            for k, row in enumerate(values)
        ]
        return pair, truth[0] - truth[1], truth[0]

    return world


def answers(first: float, second: float) -> World:
    """Right or wrong answers to the same questions, of which four of five are as hard for both systems."""

    def made(rng: np.random.Generator, n: int) -> np.ndarray:
        hard, other = rng.random(n), rng.random(n)
        return np.array([hard < first, np.where(rng.random(n) < 0.8, hard, other) < second], dtype=np.float64)

    return scores(made, (first, second))


WORLDS: dict[str, Callable[[], World]] = {
    "BLEU, a small gain": lambda: sampled("Albatross-2", "Cormorant"),
    "BLEU, a large gain": lambda: sampled("Turnstone", "Albatross-2"),
    "normal scores": lambda: scores(lambda rng, n: rng.normal([[0.3], [0.0]], 1.0, (2, n)), (0.3, 0.0)),
    "exponential scores": lambda: scores(lambda rng, n: rng.exponential([[1.0], [0.7]], (2, n)), (1.0, 0.7)),
    "right answers, 60% and 55%": lambda: answers(0.60, 0.55),
    "right answers, 90% and 85%": lambda: answers(0.90, 0.85),
    "right answers, 97% and 97%": lambda: answers(0.97, 0.97),
}


def held(systems: list[SufficientStatistics], gain: float, score: float, seed: int) -> tuple[bool, bool]:
    """Whether the intervals of one test set contain the true gain, and the true score of the first system."""
    question = Resampling((tuple(systems),), (TEST,), PAIR, 999, seed)
    draws = tally(question, Serial())
    add_exact(question, draws)
    whole = intervals.whole_of(systems)
    # differing units enough, whatever they are: the rule about few of them is not what is measured
    (ends,) = intervals.of_gains(question, 0, draws[0], np.maximum(differing(systems), 10), whole).values()
    counted = draws[0].tallies[TEST.name]
    p, _, _ = p_of_pairs(counted, TEST, Settings("two-sided", exact=True))
    low, high = intervals.agreeing(ends, p, tolerance(counted.gains, counted.units))[0]
    metric = get("bleu") if systems[0].signature.startswith("bleu|") else OWN
    below, above = intervals.of_scores(question, 0, Measured(metric, metric.chosen(), tuple(systems)), whole)[0]
    return low <= gain <= high, below <= score <= above


def coverage(world: World, n: int, sets: int, seed: int) -> tuple[float, float]:
    """The shares of so many test sets whose intervals contain the true gain, and the true score."""
    rng = np.random.default_rng([seed, n])
    found = [held(*world(rng, n), seed + k) for k in range(sets)]
    return tuple(np.mean(found, axis=0).tolist())


@pytest.mark.parametrize("name", some.first(WORLDS))
def test_coverage_quick(name: str) -> None:
    """With 26 units .95 of 300 test sets, within .04 (three standard errors); answers have few values, so there it may be more."""
    gain, score = coverage(WORLDS[name](), 26, 300, seed=1)
    assert 0.91 <= gain <= (1.0 if "answers" in name else 0.99)
    assert 0.90 <= score <= (1.0 if "answers" in name else 0.99)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_coverage_is_that_of_the_table(name: str) -> None:
    """Of 4,000 test sets at each size so many intervals hold the truth as the page on p prints, within .015."""
    rows = {row[0]: row[1:] for row in stored("intervals.coverage")}
    world = WORLDS[name]()
    for k, n in enumerate(SIZES):
        gain, score = coverage(world, n, 4000, seed=2)
        assert gain == pytest.approx(rows[f"gain: {name}"][k], abs=0.015)
        assert score == pytest.approx(rows[f"score: {name}"][k], abs=0.015)
