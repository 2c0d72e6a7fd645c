"""The study of sizes: the curve of every class, and what the jackknife says of planned tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np

from sigcore.errors import OptionError, Undefined
from sigcore.formatting import count, format_gain, format_level, format_size, listed
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies.pairs import SIMULATED, How, by_gain, examine, generator, scores
from sigcore.studies.prepared import Prepared, check_pairs, drawn_sets, prepare
from sigcore.studies.size.parts import (
    MEDIAN,
    POWERS,
    Detectable,
    Line,
    Needed,
    Size,
    SizeResult,
    Subsets,
    Variation,
    check,
    curve,
    detectable_gain,
    lines,
    median,
    needed_segments,
    power,
    variation,
)
from sigcore.studies.statistics import Asked
from sigcore.study import LOCAL, Runtime
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, Row, Setup, Unit

# What the sizes mean for a new test set, as sentences.

HINDSIGHT = (
    "These numbers plan a new test set; they are not about the observed gain. Power computed at the observed gain is only p "
    "on another scale (p of .05 always has about 50% power), so it cannot show that a test set was too small for a gain that "
    "was not significant. Use the interval of the gain for that."
)


def of_curve(line: Line, setup: Setup) -> str:
    """How the threshold of a class falls with the size."""
    return (
        f"{line.pair_class}: the threshold falls as segments to the power {line.slope:.2f} (-0.50 is expected); "
        f"threshold = {format_size(line.constant, setup.decimals)} {setup.metric_title} / sqrt(segments)."
    )


def of_needed(needed: Sequence[Needed], setup: Setup, alpha: float, most: float) -> tuple[str, ...]:
    """The segments that a gain needs, for each probability, of the median pair and of nearly all pairs."""
    out = []
    for middle in (item for item in needed[:2] if not math.isnan(item.segments)):
        nearly = next(item for item in needed[2:4] if item.power == middle.power)
        out.append(
            f"To find a true gain of {format_size(middle.gain, setup.decimals)} {setup.metric_title} with a probability of "
            f"{format_level(middle.power)} (two-sided, alpha {alpha:g}), about {count(rounded(middle.segments), 'segment')} like "
            f"these are needed for the median pair of these systems; about {rounded(nearly.segments):,} are enough for "
            f"{format_level(most)} of the pairs."
        )
    return tuple(out)


def rounded(segments: float) -> int:
    """The number in two significant digits, rounded up."""
    step = 10 ** max(0, len(str(math.ceil(segments))) - 2)
    return math.ceil(segments / step) * step


MOST_PAIRS = 0.95  # the share of the pairs for which a number of segments is enough


@dataclass(frozen=True)
class SizePlan:
    """Which sizes, how parts of the test set are chosen and how many of each size, the level of the planned two-sided test,
    and a gain whose segments are computed; `mixtures` of each of the `bases` are compared too."""

    sizes: tuple[int, ...]
    subsets: Subsets = "initial"
    draws: int = 20
    alpha: float = 0.05
    gain: float | None = None
    mixtures: int = 0
    bases: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class SizeRun:
    """What is drawn for a plan: the thresholds of its sizes so far, and how much the gain of every pair varies."""

    prepared: Prepared
    plan: SizePlan
    varied: Variation
    found: tuple[Size, ...]


def draw(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    plan: SizePlan,
    how: How | None = None,
    *,
    unit: str | Unit = AUTO,
    kinds: Mapping[str, str] | None = None,
    runtime: Runtime = LOCAL,
) -> SizeRun:
    """All pairs under the first metric of `asked` tested on parts of the test set, and how much their gains vary.

    `runtime.publish` is called before the first size, and after each, with what is known so far. The run depends only on the files, the metric,
    the plan and `how`: not on the executor. Neither `alpha` nor `gain` of the plan changes it.

    Raises: as `prepare`; OptionError and Undefined for a plan that cannot be used; Cancelled from `runtime`.
    """
    how = how or How()
    check_pairs(testset, outputs, plan.alpha)
    prepared = prepare(testset, outputs, asked, how, unit=unit, kinds=kinds, runtime=runtime)
    check(prepared, plan.sizes, plan.subsets, plan.draws)
    varied = variation(prepared.measured, prepared.unit_of, by_gain(prepared.measured.systems))
    compared = [prepared.real]
    if plan.mixtures:
        compared.append(prepared.mixed(plan.mixtures, plan.bases))
    found = list[Size]()
    runtime.show(SizeRun(prepared, plan, varied, ()))
    for size in plan.sizes:
        for each in compared:
            found += curve(prepared, each, size, plan.subsets, plan.draws, how, runtime)
        runtime.show(SizeRun(prepared, plan, varied, tuple(found)))
    return SizeRun(prepared, plan, varied, tuple(found))


def run(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    plan: SizePlan,
    how: How | None = None,
    *,
    runtime: Runtime = LOCAL,
    **drawing: Any,
) -> SizeResult:
    """The curve and the detectable gains: `draw`, and what is read from it, which is also published."""
    shown = runtime
    if runtime.publish is not None:
        shown = replace(runtime, publish=lambda found: runtime.show(read(found)))
    return read(draw(testset, outputs, asked, plan, how, runtime=shown, **drawing))


def read(run: SizeRun, alpha: float | None = None, gain: float | None = None) -> SizeResult:
    """The curve and the detectable gains of a run, at this level and for this planned gain (None: those of its plan).

    Raises: OptionError for a level or a gain that cannot be used.
    """
    plan = replace(run.plan, alpha=alpha or run.plan.alpha, gain=gain or run.plan.gain)
    prepared, varied, found = run.prepared, run.varied, run.found
    needed = () if plan.gain is None else tuple(_needed(prepared, plan, varied, plan.gain))
    setup = prepared.setup
    of_lines = lines(found)
    planning = of_needed(needed, setup, plan.alpha, MOST_PAIRS)
    return SizeResult(
        setup=setup,
        systems=tuple(item.system for item in prepared.measured.systems),
        subsets=plan.subsets,
        draws=plan.draws,
        alpha=plan.alpha,
        curve=tuple(found),
        lines=of_lines,
        detectable=tuple(_detectable(prepared, plan, varied)),
        needed=needed,
        design_effect=math.nan if prepared.unit_of is None else median(varied.design_effect.tolist()),
        notes=(*prepared.notes, HINDSIGHT),
        sentences=(*(of_curve(line, setup) for line in of_lines), *planning),
    )


def _rows(prepared: Prepared, varied: Variation) -> list[tuple[str, str, float]]:
    """(system, baseline, deviation) of every pair, and of the median pair."""
    names = [item.system for item in prepared.measured.systems]
    own = zip(varied.pairs.tolist(), varied.deviation.tolist(), strict=True)
    return [(MEDIAN, "", varied.quantile(0.5)), *((names[a], names[b], value) for (a, b), value in own)]


def _detectable(prepared: Prepared, plan: SizePlan, varied: Variation) -> list[Detectable]:
    return [
        Detectable(system, baseline, size, power, detectable_gain(deviation, size, power, plan.alpha))
        for system, baseline, deviation in _rows(prepared, varied)
        for size in plan.sizes
        for power in POWERS
    ]


def _needed(prepared: Prepared, plan: SizePlan, varied: Variation, gain: float) -> list[Needed]:
    rows = _rows(prepared, varied)
    rows.insert(1, (f"{100 * MOST_PAIRS:g}% of the pairs", "", varied.quantile(MOST_PAIRS)))
    return [
        Needed(system, baseline, gain, power, needed_segments(deviation, gain, power, plan.alpha))
        for system, baseline, deviation in rows
        for power in POWERS
    ]


# Differences between training runs in the planning of a test set: runs of one system as further variation of a gain.


@dataclass(frozen=True)
class BetweenRuns:
    """How much the gain of one run of `system` over one of `baseline` varies: `deviation` as in `Variation`, from the
    segments alone (the root mean square over the pairs of runs), and `spread`, the standard deviation between runs (of
    one run of each, so the root of the sum of both variances), which more segments do not reduce."""

    system: str
    baseline: str
    runs: tuple[int, int]
    deviation: float
    spread: float

    def effect(self, segments: int) -> float:
        """The design effect between runs: the variance of the gain on this many segments, divided by that for fixed runs."""
        return 1 + segments * (self.spread / self.deviation) ** 2 if self.deviation > 0 else math.nan

    def detectable(self, segments: int, power: float, alpha: float) -> float:
        """The smallest true gain between systems that one run of each finds, differences between runs included."""
        return detectable_gain(self.deviation * math.sqrt(self.effect(segments)), segments, power, alpha)

    def least(self, power: float, alpha: float) -> float:
        """What no number of segments goes below, with one run of each."""
        return detectable_gain(self.spread, 1, power, alpha)

    def as_dict(self, segments: int, power: float, alpha: float) -> Row:
        """One object of JSON for this many segments and this power."""
        return {
            "system": self.system,
            "baseline": self.baseline,
            "runs": list(self.runs),
            "spread": self.spread,
            "segments": segments,
            "power": power,
            "design_effect": self.effect(segments),
            "gain": self.detectable(segments, power, alpha),
            "least": self.least(power, alpha),
        }


def between_runs(run: SizeRun, systems: Mapping[str, Sequence[str]]) -> tuple[BetweenRuns, ...]:
    """Every pair of systems; `systems` has the names of the outputs that are the runs of each.

    The variance between runs is that of their scores on these segments (n - 1). It contains what the choice of segments
    adds to differences between runs of one system, so it is a little too large.

    Raises: Undefined for systems with fewer than two runs each, or outputs that are not loaded.
    """
    names = [item.system for item in run.prepared.measured.systems]
    _check(names, systems)
    places = {system: [names.index(name) for name in own] for system, own in systems.items()}
    whole = scores(run.prepared.measured.systems)
    variances = {system: float(np.var(whole[own], ddof=1)) for system, own in places.items()}
    pairs = [frozenset(pair) for pair in run.varied.pairs.tolist()]
    squares = dict(zip(pairs, (run.varied.deviation**2).tolist(), strict=True))
    out = []
    for one, other in combinations(systems, 2):
        of_runs = [squares[frozenset(pair)] for pair in product(places[one], places[other])]
        deviation = math.sqrt(_mean(of_runs))
        spread = math.sqrt(variances[one] + variances[other])
        out.append(BetweenRuns(one, other, (len(places[one]), len(places[other])), deviation, spread))
    return tuple(out)


def _check(names: Sequence[str], systems: Mapping[str, Sequence[str]]) -> None:
    missing = [name for own in systems.values() for name in own if name not in names]
    if missing:
        raise Undefined(f"{listed(missing)} is not loaded.", "", f"Outputs: {listed(names)}.")
    alone = [system for system, own in systems.items() if len(own) < 2]
    if alone or len(systems) < 2:
        what = f"{listed(alone)}: a single run." if alone else "There is only one system."
        raise Undefined(what, "", "Differences between runs need two systems with two runs or more each.")


def _mean(values: Sequence[float]) -> float:
    """The mean of the defined values; nan without one."""
    defined = [value for value in values if not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan


# The formula of the power checked by simulation: test sets drawn from the segments, and how often a test finds the
# gain.

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
        """The exact 95% interval of the power."""
        low, high = clopper_pearson(self.found, self.draws)
        return float(low), float(high)

    def __str__(self) -> str:
        share, low, high, formula = (
            f"{100 * value:.0f}" for value in (self.found / self.draws, *self.interval, self.expected)
        )
        return (
            f"On {self.draws} test sets of {count(self.segments, 'segment')} drawn from these segments, two-sided approximate "
            f"randomization at alpha {self.alpha:g} found that {self.system} is better than {self.baseline} (true gain "
            f"{format_gain(self.gain, self.decimals)} {self.metric}) in {share}% of them "
            f"[{low}%, {high}%]; the formula says {formula}%.{self._differ}"
        )

    @property
    def _differ(self) -> str:
        low, high = self.interval
        if low <= self.expected <= high:
            return ""
        return " They differ: the formula takes gains as normal, which is inexact with few units. Plan with the simulation."

    def as_dict(self) -> Row:
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
    run: SizeRun, pair: tuple[str, str], segments: int, alpha: float, draws: int = DRAWS, *, runtime: Runtime = LOCAL
) -> Simulated:
    """The power of approximate randomization for this pair on test sets of this many segments, by simulation.

    Every test set is drawn with replacement, unit by unit, and has its own shuffles. `runtime.publish` is called with the
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
        inner = runtime.staged(f"test sets of {count(segments, 'segment')}", done, draws)
        tested = examine(part.of(whole), np.array([[0, 1]]), how, inner)
        done += 1
        found += bool(tested.p_values[0] <= alpha and tested.gains[0] > 0)
        if done % EVERY == 0:
            runtime.show(result())
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
