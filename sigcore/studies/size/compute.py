"""The study of sizes: the curve of every class, and what the jackknife says of planned tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sigcore import executors
from sigcore.studies.pairs import How, by_gain
from sigcore.studies.prepared import Prepared, check_pairs, prepare
from sigcore.studies.size.curve import Subsets, check, curve, lines
from sigcore.studies.size.detectable import POWERS, Variation, detectable_gain, median, needed_segments, variation
from sigcore.studies.size.result import MEDIAN, Detectable, Needed, Size, SizeResult
from sigcore.studies.size.sentences import HINDSIGHT, of_curve, of_needed
from sigcore.studies.statistics import Asked, Cache, Progress
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, Unit

MOST_PAIRS = 0.95  # the share of the pairs for which a number of segments is enough


@dataclass(frozen=True)
class Plan:
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
    plan: Plan
    varied: Variation
    found: tuple[Size, ...]


def draw(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    plan: Plan,
    how: How | None = None,
    *,
    unit: str | Unit = AUTO,
    kinds: Mapping[str, str] | None = None,
    executor: executors.Executor | None = None,
    cache: Cache | None = None,
    progress: Progress | None = None,
    partial_result: Callable[[SizeRun], None] | None = None,
) -> SizeRun:
    """All pairs under the first metric of `asked` tested on parts of the test set, and how much their gains vary.

    `partial_result` is called before the first size, and after each, with what is known so far. The run depends only on the files, the metric,
    the plan and `how`: not on the executor. Neither `alpha` nor `gain` of the plan changes it.

    Raises: as `prepare`; OptionError and Undefined for a plan that cannot be used; Cancelled from `progress`.
    """
    how = how or How()
    check_pairs(testset, outputs, plan.alpha)
    prepared = prepare(testset, outputs, asked, how, unit=unit, kinds=kinds, cache=cache, progress=progress)
    check(prepared, plan.sizes, plan.subsets, plan.draws)
    varied = variation(prepared.measured, prepared.unit_of, by_gain(prepared.measured.systems))
    compared = [prepared.real]
    if plan.mixtures:
        compared.append(prepared.mixed(plan.mixtures, plan.bases))
    found = list[Size]()
    if partial_result is not None:
        partial_result(SizeRun(prepared, plan, varied, ()))
    for size in plan.sizes:
        for each in compared:
            found += curve(prepared, each, size, plan.subsets, plan.draws, how, executor, progress)
        if partial_result is not None:
            partial_result(SizeRun(prepared, plan, varied, tuple(found)))
    return SizeRun(prepared, plan, varied, tuple(found))


def run(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    plan: Plan,
    how: How | None = None,
    *,
    partial_result: Callable[[SizeResult], None] | None = None,
    **drawing: Any,
) -> SizeResult:
    """The curve and the detectable gains: `draw`, and what is read from it; `partial_result` as there."""
    show = None if partial_result is None else lambda found: partial_result(read(found))
    return read(draw(testset, outputs, asked, plan, how, partial_result=show, **drawing))


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


def _detectable(prepared: Prepared, plan: Plan, varied: Variation) -> list[Detectable]:
    return [
        Detectable(system, baseline, size, power, detectable_gain(deviation, size, power, plan.alpha))
        for system, baseline, deviation in _rows(prepared, varied)
        for size in plan.sizes
        for power in POWERS
    ]


def _needed(prepared: Prepared, plan: Plan, varied: Variation, gain: float) -> list[Needed]:
    rows = _rows(prepared, varied)
    rows.insert(1, (f"{100 * MOST_PAIRS:g} % of the pairs", "", varied.quantile(MOST_PAIRS)))
    return [
        Needed(system, baseline, gain, power, needed_segments(deviation, gain, power, plan.alpha))
        for system, baseline, deviation in rows
        for power in POWERS
    ]
