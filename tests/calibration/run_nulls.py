"""Test sets on which two systems with several runs are equally good, by construction, and how often tests reject there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sigcore.executors import Serial
from sigcore.significance import get
from sigcore.studies import runs
from sigcore.studies.matrix import Settings
from sigcore.studies.runs import mixed
from sigcore.study import Runtime, Study
from tests.calibration.nulls import p_values, statistics_of
from tests.made import score_set

Made = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]
SINGLE = "first runs"  # randomization on the first run of each system


def world(m: int, n: int, alike: float = 0.0, between: float = 0.0) -> Made:
    """Scores (m, n) of the runs of two equal systems on n segments: a score of the segment, and noise of variance 1.

    `alike` is the SD of what all runs of a system share on a segment, `between` that of what a run adds to all segments.
    """

    def make(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        segments = rng.normal(size=n)
        first, second = (
            segments + alike * rng.normal(size=n) + between * rng.normal(size=(m, 1)) + rng.normal(size=(m, n))
            for _ in range(2)
        )
        return first, second

    return make


def p_of(made: tuple[np.ndarray, np.ndarray], resamples: int, seed: int, shuffles: tuple[str, ...]) -> dict[str, float]:
    """The two-sided p of every test on one test set."""
    m = len(made[0])
    testset, outputs = score_set(*made[0], *made[1])
    out = {}
    for shuffle in shuffles:
        found = runs.run(
            Study(testset, (), [("own_scores", {})], resamples=resamples, seed=seed),
            runs.RunsPlan({"A": outputs[:m], "B": outputs[m:]}, shuffle),
            runtime=Runtime(executor=Serial()),
        )
        result = runs.read(found, "own_scores", Settings())
        out[shuffle] = float(result.shuffled_p[0, 1])
        out["swapped as one"] = float(result.swapped_p[0, 1])
        out["hierarchical"] = float(result.nested_p[0, 1])
        out["t"] = float(result.run_p[0, 1])
        out["mixed"] = float(result.mixed_p[0, 1])
    single = statistics_of("own_scores", testset, [outputs[0], outputs[m]])
    test = get("approximate_randomization")
    out[SINGLE] = p_values(single, [test], resamples, seed)[test.name]["two-sided"]
    return out


def of_model(make: Made, replications: int, seed: int) -> dict[float, float]:
    """The share of test sets on which the mixed model's two-sided p is at most .05, and .01."""
    p = np.empty(replications)
    for k, child in enumerate(np.random.SeedSequence(seed).spawn(replications)):
        first, second = make(np.random.default_rng(child))
        rows = [np.arange(len(first)), np.arange(len(first), len(first) + len(second))]
        error, freedom = mixed.fit(np.concatenate([first, second]), rows, np.array([[0, 1]]))
        p[k] = mixed.p_of(np.array([first.mean() - second.mean()]), error, freedom, "two-sided")[0]
    return {alpha: float((p <= alpha).mean()) for alpha in (0.05, 0.01)}


def rates(
    make: Made, replications: int, resamples: int, seed: int, shuffles: tuple[str, ...] = ("exact", "multeval")
) -> dict[str, float]:
    """The share of test sets on which p <= .05, by test; each has draws of its own."""
    hits: dict[str, int] = {}
    for child in np.random.SeedSequence(seed).spawn(replications):
        rng = np.random.default_rng(child)
        for name, p in p_of(make(rng), resamples, int(rng.integers(2**53)), shuffles).items():
            hits[name] = hits.get(name, 0) + (p <= 0.05)
    return {name: count / replications for name, count in hits.items()}
