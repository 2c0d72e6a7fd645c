"""Do the metrics differ in how well they agree with people? Every pair of metrics, by tests that account for
systems shared between pairs of systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from sigcore import corrections
from sigcore.studies.human.pairs_of_systems import mean_over_pairs
from sigcore.studies.human.swaps import SWAPPED, Swapped, swap_tests
from sigcore.studies.human.system_level import PERCENT, Measure, Target, agreement, tie_calibrated
from sigcore.studies.matrix import MatrixRun
from sigcore.studies.statistics import Measured
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.types import Floats

if TYPE_CHECKING:
    from sigcore.studies.human.result import HumanResult

Method = Literal["jackknife_t", "perm_systems", "perm_inputs", "perm_both"]
METHODS: dict[Method, str] = {
    "jackknife_t": "t over systems",
    "perm_systems": "swaps of systems",
    "perm_inputs": "swaps of inputs",
    "perm_both": "swaps of single scores",
}
OF_SWAPPED: dict[Swapped, Method] = {"systems": "perm_systems", "inputs": "perm_inputs", "both": "perm_both"}
CORRECTION = "holm"


@dataclass(frozen=True)
class MetricDifference:
    """Two metrics under one measure: how much better the first agrees with people, and whether that may be due to chance.

    `difference`, `low` and `high` are percentage points for accuracies, otherwise differences of correlations; low and high
    are nan for swap tests, which give no interval. `test` is "" and `alpha` nan for measures that have none. `adjusted`
    is corrected over all pairs of metrics under this measure, test, alpha and method.
    """

    metric_a: str
    metric_b: str
    measure: Measure
    test: str
    alpha: float
    difference: float
    low: float
    high: float
    p_value: float
    adjusted: float
    method: Method


@dataclass(frozen=True)
class SystemLevel:
    """How well the system scores of one metric agree with people's on `pairs` pairs of `systems` systems.

    `pairwise` is in percent. `tie_calibrated` has (alpha, accuracy in percent, epsilon) for each alpha, epsilon being
    the gap of scores up to which the metric calls two systems equal.
    """

    metric: str
    metric_title: str
    systems: int
    pairs: int
    pairwise: float
    kendall: float
    pearson: float
    tie_calibrated: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, eq=False)
class SystemScores:
    """The system scores of the metrics and of people: `scores` (metrics, S), more is better, in the metric's own
    units; `shares` (metrics, S, n), whose mean over the n units is the score, None where one is undefined."""

    target: Target
    scores: Floats
    shares: Floats | None


def three_way(result: HumanResult) -> Iterator[MetricDifference]:
    """Every pair of metrics in the accuracy of their conclusions, under each test at each alpha."""
    for alpha in result.alphas:
        for test in result.tests:
            yield from _adjusted(
                [_of_conclusions(a, b, result, test, alpha) for a, b in combinations(result.metrics, 2)]
            )


def _of_conclusions(a: str, b: str, result: HumanResult, test: str, alpha: float) -> MetricDifference:
    """The difference of two metrics on the pairs on which both have a conclusion."""
    both = result.counted(a, test, alpha) & result.counted(b, test, alpha)
    gaps = result.right(a, test, alpha)[both].astype(np.float64) - result.right(b, test, alpha)[both]
    mean = mean_over_pairs(gaps, result.pairs[both])
    difference, low, high = (100 * value for value in (mean.value, max(-1.0, mean.low), min(1.0, mean.high)))
    limits = (math.nan, math.nan) if math.isnan(mean.low) else (low, high)
    return MetricDifference(a, b, "three_way", test, alpha, difference, *limits, mean.p_value, math.nan, "jackknife_t")


def _adjusted(family: Sequence[MetricDifference]) -> list[MetricDifference]:
    """The differences of one family with Holm's p over those that have a p."""
    p = np.array([item.p_value for item in family])
    defined = ~np.isnan(p)
    adjusted = np.full(len(p), np.nan)
    if defined.any():
        adjusted[defined] = corrections.get(CORRECTION).grid((p[defined],) * 3, None, 0)[0]
    return [replace(item, adjusted=float(value)) for item, value in zip(family, adjusted, strict=True)]


# ---- scores of systems


def system_scores(result: HumanResult, computed: MatrixRun) -> SystemScores | None:
    """The scores of the systems that have a score from every metric, and from people in the first dimension; None if fewer
    than three do."""
    rated = result.people.rated[0].scores
    theirs = np.array([rated[result.people.systems.index(system)] for system in result.systems])
    items = [_in_order(measured, result.systems) for measured in computed.summed]
    scores = np.array([[oriented(np.array(s.corpus_score), s.better) for s in item] for item in items])
    defined = np.isfinite(theirs) & np.isfinite(scores).all(axis=0)
    if defined.sum() < 3:
        return None
    places = np.cumsum(defined) - 1
    inside = defined[result.pairs].all(axis=1)
    if not inside.any():
        return None
    left, other = result.pairs[inside].T
    conclusions = {alpha: result.decided(alpha).conclusions[left, other] for alpha in result.alphas}
    target = Target(theirs[defined], places[result.pairs[inside]], conclusions)
    shares = np.array([[_shares(s) for s, kept in zip(item, defined, strict=True) if kept] for item in items])
    return SystemScores(target, scores[:, defined], shares if np.isfinite(shares).all() else None)


def _in_order(measured: Measured, systems: Sequence[str]) -> list[SufficientStatistics]:
    by_name = {item.system: item for item in measured.systems}
    return [by_name[system] for system in systems]


def _shares(item: SufficientStatistics) -> Floats:
    """What each unit adds to the score, (n,), more is better: their mean is the corpus score.

    By leaving out one unit at a time (the influence of the unit); for a metric that is a mean, the unit's own score.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        without = oriented(item.score(item.total - item.values), item.better)
        whole = oriented(np.array(item.corpus_score), item.better)
        return np.asarray(whole + (item.n - 1) * (without.mean() - without))


def levels(result: HumanResult, scored: SystemScores) -> tuple[SystemLevel, ...]:
    """Every measure of system scores for every metric."""
    pairs = scored.target.pairs
    out = []
    for (metric, title), scores in zip(result.metrics.items(), scored.scores, strict=True):
        pairwise, kendall, pearson, *_ = agreement(scores, scored.target).tolist()
        gaps = scores[pairs[:, 0]] - scores[pairs[:, 1]]
        calibrated = zip(scored.target.conclusions, tie_calibrated(gaps, scored.target.conclusions), strict=True)
        ties = tuple((alpha, 100 * float(accuracy), float(epsilon)) for alpha, (accuracy, epsilon) in calibrated)
        out.append(SystemLevel(metric, title, len(scores), len(pairs), 100 * pairwise, kendall, pearson, ties))
    return tuple(out)


def of_scores(result: HumanResult, scored: SystemScores, seed: int) -> Iterator[MetricDifference]:
    """Every pair of metrics in every measure of system scores, by all swap tests that the data allow."""
    observed = np.array([agreement(scores, scored.target) for scores in scored.scores])  # (metrics, measures)
    for swapped in SWAPPED:
        scores = scored.scores[..., None] if swapped == "systems" else scored.shares
        if scores is None or (swapped != "systems" and scores.shape[-1] < 2):
            continue
        p = swap_tests(scores, scored.target, swapped, seed)
        for m, (measure, alpha) in enumerate(scored.target.asked):
            scale = 100.0 if measure in PERCENT else 1.0
            family = [
                MetricDifference(
                    metric_a=a,
                    metric_b=b,
                    measure=measure,
                    test="",
                    alpha=math.nan if alpha is None else alpha,
                    difference=float(scale * (observed[i, m] - observed[j, m])),
                    low=math.nan,
                    high=math.nan,
                    p_value=float(p[m, k]),
                    adjusted=math.nan,
                    method=OF_SWAPPED[swapped],
                )
                for k, ((i, a), (j, b)) in enumerate(combinations(enumerate(result.metrics), 2))
            ]
            yield from _adjusted(family)


def between(result: HumanResult, computed: MatrixRun) -> tuple[tuple[SystemLevel, ...], tuple[MetricDifference, ...]]:
    """The measures of system scores, and all differences between metrics: of conclusions first, then of scores."""
    scored = system_scores(result, computed)
    if scored is None:
        return (), tuple(three_way(result))
    scores = of_scores(result, scored, computed.seed) if len(result.metrics) > 1 else ()
    return levels(result, scored), (*three_way(result), *scores)
