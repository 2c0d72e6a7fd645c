"""The formula of the power checked by simulation: test sets drawn from the segments, and how often a test finds the gain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sigcore import executors
from sigcore.errors import OptionError, Undefined
from sigcore.formatting import count, format_gain
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies.pairs import SIMULATED, How, examine, generator, scores, staged
from sigcore.studies.prepared import drawn_sets
from sigcore.studies.size.compute import SizeRun
from sigcore.studies.size.detectable import power
from sigcore.studies.statistics import Progress

TEST, SHUFFLES = "approximate_randomization", 999
DRAWS, EVERY = 200, 20  # test sets; a partial result comes after every 20
MOST_SEGMENTS = 100_000


@dataclass(frozen=True)
class Simulated:
    """Of `draws` test sets of about `segments` segments, drawn from all segments, on how many a two-sided test at `alpha`
    found that `system` is better; `expected` is the probability of the formula.

    The population is the whole test set, so `gain`, that of the pair on it, is the true gain.
    """

    system: str
    baseline: str
    gain: float
    segments: int
    alpha: float
    draws: int
    found: int
    expected: float
    metric: str
    decimals: int

    @property
    def interval(self) -> tuple[float, float]:
        """The exact 95 % interval of the power."""
        low, high = clopper_pearson(self.found, self.draws)
        return float(low), float(high)

    def __str__(self) -> str:
        share, low, high, formula = (
            f"{100 * value:.0f}" for value in (self.found / self.draws, *self.interval, self.expected)
        )
        return (
            f"On {self.draws} test sets of {count(self.segments, 'segment')} drawn from these segments, two-sided approximate "
            f"randomization at alpha {self.alpha:g} found that {self.system} is better than {self.baseline} (true gain "
            f"{format_gain(self.gain, self.decimals)} {self.metric}) in {share} % of them "
            f"[{low} %, {high} %]; the formula says {formula} %.{self._differ}"
        )

    @property
    def _differ(self) -> str:
        low, high = self.interval
        if low <= self.expected <= high:
            return ""
        return " They differ: the formula takes gains as normal, which is inexact with few units. Plan with the simulation."

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON."""
        low, high = self.interval
        names = ("system", "baseline", "gain", "segments", "alpha", "draws", "found", "expected")
        return {
            **{name: getattr(self, name) for name in names},
            "power": self.found / self.draws,
            "low": low,
            "high": high,
        }


def simulate(
    run: SizeRun,
    pair: tuple[str, str],
    segments: int,
    alpha: float,
    draws: int = DRAWS,
    *,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
    partial_result: Callable[[Simulated], None] | None = None,
) -> Simulated:
    """The power of approximate randomization for this pair on test sets of this many segments, by simulation.

    Every test set is drawn with replacement, unit by unit, and has its own shuffles. `partial_result` is called with the
    test sets so far. Cost: that of `draws` comparisons of the pair.

    Raises: Undefined for a pair that is not among the systems, or whose gain is 0 or varies too little; OptionError for
    numbers out of range.
    """
    if not (1 <= segments <= MOST_SEGMENTS and draws >= 1):
        what = f"segments = {segments}, draws = {draws}."
        raise OptionError(what, "", f"Up to {MOST_SEGMENTS:,} segments, and at least one of each.")
    prepared = run.prepared
    better, worse = _places(run, pair)
    whole = [prepared.measured.systems[k] for k in (better, worse)]
    names, gain = [item.system for item in whole], float(np.subtract(*scores(whole)))
    deviation = _deviation(run, better, worse)
    if not (gain > 0 and deviation > 0):
        fix = "Choose a pair with different scores that differs on at least 10 units."
        raise Undefined(f"{' and '.join(pair)} have no gain that could be found.", "", fix)
    found = done = 0

    def result() -> Simulated:
        expected, setup = power(deviation, segments, gain, alpha), prepared.setup
        return Simulated(
            names[0], names[1], gain, segments, alpha, done, found, expected, setup.metric_title, setup.decimals
        )

    seeds = _seeds(prepared.setup.seed)
    for part in drawn_sets(prepared, segments, draws, prepared.setup.seed, SIMULATED):
        how = How(TEST, "two-sided", resamples=SHUFFLES, seed=next(seeds))
        inner = staged(progress, f"test sets of {segments:,} segments", done, draws)
        tested = examine(part.of(whole), np.array([[0, 1]]), how, executor, inner)
        done += 1
        found += bool(tested.p_values[0] <= alpha and tested.gains[0] > 0)
        if partial_result is not None and done % EVERY == 0:
            partial_result(result())
    return result()


def _places(run: SizeRun, pair: tuple[str, str]) -> tuple[int, int]:
    """Where the better and the worse system of the pair are."""
    systems = run.prepared.measured.systems
    names = [item.system for item in systems]
    if not set(pair) <= set(names):
        raise Undefined(f"{' and '.join(pair)} are not both loaded.", "", f"Systems: {', '.join(names)}.")
    first, second = (names.index(name) for name in pair)
    upward = scores(systems)
    return (first, second) if upward[first] >= upward[second] else (second, first)


def _deviation(run: SizeRun, better: int, worse: int) -> float:
    pairs = run.varied.pairs.tolist()
    return next(float(run.varied.deviation[k]) for k, pair in enumerate(pairs) if set(pair) == {better, worse})


def _seeds(seed: int) -> Iterator[int]:
    """A seed for the shuffles of every test set: shared ones would make the tests depend on each other."""
    rng = generator(seed, SIMULATED)
    while True:
        yield int(rng.integers(2**53))
