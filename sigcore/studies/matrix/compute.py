"""All pairs under every requested metric and test: what is computed once, from shared draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sigcore import executors, significance
from sigcore.errors import OptionError, Undefined
from sigcore.registry import SEED
from sigcore.resampling.quantiles import quantiles
from sigcore.significance import INTERVAL_RESAMPLES, LEAST_UNITS, Draws, Question, Test
from sigcore.studies import units
from sigcore.studies.matrix import joint, notes
from sigcore.studies.matrix.joint import ENDS, Prepared
from sigcore.studies.statistics import Asked, Cache, Measured, Progress, differing, measure
from sigcore.studies.units import DesignEffect
from sigcore.sufficient import oriented
from sigcore.testset import Outputs, Testset, digest
from sigcore.types import AUTO, DOCUMENT, SEGMENT, SIDES, Floats, Ints, Side, Unit

MOST_RESAMPLES = 100_000_000


@dataclass(frozen=True, eq=False)
class MatrixRun:
    """What was computed: the scores, their intervals, and the counts of every test on every pair.

    `measured` has a row per segment, `summed` one for each of the n units that were drawn. `design` is the design
    effect of each metric: of the unit, of documents if segments were drawn from a test set with documents, or None.
    """

    testset: str
    systems: tuple[str, ...]
    groups: tuple[str, ...]
    measured: tuple[Measured, ...]
    summed: tuple[Measured, ...]
    design: tuple[DesignEffect | None, ...]
    tests: tuple[Test, ...]
    draws: tuple[Draws, ...]
    score_intervals: tuple[Floats, ...]
    unit: Unit
    n: int
    segments: int
    resamples: int
    seed: int
    notes: tuple[str, ...]
    differing: tuple[Ints, ...]  # (S, S) for each metric: on how many units two systems differ
    data: str  # a mark of the contents of all files
    prepared: tuple[Prepared, ...] = ()
    gain_intervals: tuple[Floats, ...] = ()  # (P, 2) of the pairs of systems; none where they are too many

    @property
    def products(self) -> int:
        """The products of a weight and a statistic in one resample."""
        return self.n * sum(system.values.shape[1] for item in self.summed for system in item.systems)

    def position(self, metric: str) -> int:
        """The position of a metric (Undefined if it was not requested)."""
        names = [item.metric.name for item in self.measured]
        if metric not in names:
            raise Undefined(f"{metric} was not computed.", self.testset, f"Computed: {', '.join(names)}.")
        return names.index(metric)

    def drawn_design(self, position: int) -> DesignEffect | None:
        """The design effect of the drawn unit; None if it is the segment."""
        return self.design[position] if self.unit != SEGMENT else None

    def close(self) -> None:
        """Release the draws; the counts remain."""
        for draws in self.draws:
            draws.close()


def run(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked = (("bleu", {}),),
    tests: Sequence[str] | None = ("approximate_randomization",),
    *,
    unit: str | Unit = AUTO,
    resamples: int = 10_000,
    seed: int = 12345,
    executor: executors.Executor | None = None,
    cache: Cache | None = None,
    progress: Progress | None = None,
    keep: bool = False,
    corrections: Sequence[str] = (),
    sides: Sequence[Side] = SIDES,
    partial_result: Callable[[MatrixRun], None] | None = None,
) -> MatrixRun:
    """The counts of all tests on all pairs of systems under all metrics.

    `tests` None requests all tests that can be run on this data. `unit` is what is drawn or swapped: "segment",
    "document" (as in the test set), "block:N" (N consecutive segments) or "auto" (documents where there are enough of
    them); statistics are always computed, and stored in
    `cache`, per segment. `keep` retains the draws: the histograms of one pair use them. `corrections` names those that
    are to be prepared from the joint null, for these `sides`. `partial_result` is called regularly with a complete run of the first
    resamples. The result depends only on the files, the metrics, the unit, R and the seed: not on the executor, nor on
    which other systems or metrics are requested at the same time.

    Raises: Undefined without systems, and for a test that cannot be run on this data; OptionError, MismatchError,
    UnknownMember; Cancelled from `progress`.
    """
    check_numbers(resamples, seed)
    start, question = begin(testset, outputs, asked, tests, unit, resamples, seed, cache, progress)
    pairs, n, differ = question.pairs, start.n, start.differing

    def report(draws: Sequence[Draws], done: int) -> None:
        if partial_result is not None:
            # a copy of the counts, and no draws: those keep changing
            counts = tuple(Draws(dict(d.tallies)) for d in draws)
            partial_result(replace(_so_far(start, draws, done), draws=counts))

    mapper = executor or executors.local()
    draws = significance.tally(question, mapper, progress, keep, report if partial_result is not None else None)
    prepared = tuple(joint.prepare(d, start.tests, c, corrections, sides) for d, c in zip(draws, differ, strict=True))
    between = joint.gain_intervals(draws, pairs, differ, n, resamples)
    whole = replace(_so_far(start, draws, resamples), prepared=prepared, gain_intervals=between)
    if not keep:
        whole.close()
    return whole


def begin(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    tests: Sequence[str] | None,
    unit: str | Unit,
    resamples: int,
    seed: int,
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> tuple[MatrixRun, Question]:
    """The run before anything is drawn, and what is to be drawn; parameters and errors as of `run`."""
    unit, why = units.chosen(testset, unit)
    groups = units.groups(testset, unit)
    measured = tuple(measure(testset, outputs, asked, cache, progress))
    summed = tuple(units.in_units(item, groups) for item in measured)
    differ = tuple(differing(item.systems) for item in summed)
    pairs = np.column_stack(np.triu_indices(len(outputs), k=1))
    question = _question(tuple(item.systems for item in summed), tests, pairs, resamples, seed)
    n, chosen = question.columns.n, question.tests
    start = MatrixRun(
        testset=testset.name,
        systems=tuple(item.system for item in outputs),
        groups=tuple(item.group for item in outputs),
        measured=measured,
        summed=summed,
        design=tuple(units.design_of(testset, item, unit, groups) for item in measured),
        tests=chosen,
        draws=(),
        score_intervals=(),
        unit=unit,
        n=n,
        segments=testset.n,
        resamples=0,
        seed=seed,
        notes=tuple(filter(None, (why,)))
        + notes.of_rows(measured, differ, unit)
        + notes.of_few_units(unit, n, chosen, differ),
        differing=differ,
        data=mark(testset, outputs, unit),
    )
    return start, question


def _question(statistics: Any, names: Sequence[str] | None, pairs: Any, resamples: int, seed: int) -> Question:
    """The question for these tests; for None, for all tests that can be run on this data.

    Raises: Undefined for a named test that cannot be run on it.
    """
    chosen = [significance.get(name) for name in dict.fromkeys(significance.members() if names is None else names)]
    question = Question(statistics, tuple(chosen), pairs, resamples, seed)
    reasons = {test: reason for test in chosen if (reason := test.unfit(question))}
    if not reasons:
        return question
    if names is not None:
        test, reason = next(iter(reasons.items()))
        raise Undefined(f"{test.title} cannot be run: {reason}", "", "Choose another test.")
    return replace(question, tests=tuple(test for test in chosen if test not in reasons))


def _so_far(start: MatrixRun, draws: Sequence[Draws], done: int) -> MatrixRun:
    """The run with what the first `done` resamples gave."""
    intervals = tuple(score_intervals(d, m, start.n, done) for d, m in zip(draws, start.measured, strict=True))
    return replace(start, draws=tuple(draws), score_intervals=intervals, resamples=done)


def check_numbers(resamples: int, seed: int) -> None:
    """Refuse numbers that no computation can use (OptionError)."""
    if not 1 <= resamples <= MOST_RESAMPLES:
        raise OptionError(f"resamples = {resamples}.", "", f"It must be in [1, {MOST_RESAMPLES}].")
    SEED.read(seed)


def score_intervals(draws: Draws, measured: Measured, n: int, done: int) -> Floats:
    """The percentile intervals (S, 2) of the scores from the first `done` resamples; nan for too few units."""
    assert draws.scores is not None
    if n < LEAST_UNITS:
        return np.full((len(measured.systems), 2), np.nan)
    spool, used = draws.scores, min(done, INTERVAL_RESAMPLES)
    both = quantiles(lambda: spool.first(used), used, ENDS)
    return np.sort(oriented(both, measured.systems[0].better), axis=1)


def mark(testset: Testset, outputs: Sequence[Outputs], unit: Unit) -> str:
    """Twelve digits that change if any file changes; documents count only if they are drawn."""
    documents = [testset.documents_digest] if unit == DOCUMENT else []
    return digest([testset.digest, *(item.digest for item in outputs), *documents])[:12]
