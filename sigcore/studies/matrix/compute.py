"""All pairs under every requested metric and test: what is computed once, from shared draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections, formatting, significance
from sigcore.corrections import Correction
from sigcore.errors import Undefined
from sigcore.significance import LEAST_UNITS, Draws, Jointly, Resampling, Tally, Test, Turn
from sigcore.studies import intervals, units
from sigcore.studies.enough import PRODUCTS_OF_SCORE
from sigcore.studies.exact import add_exact, without_draws
from sigcore.studies.matrix.notes import INSTEAD, of_bootstrap, of_few_units, of_rows
from sigcore.studies.statistics import Measured, differing, measure
from sigcore.studies.units import DesignEffect
from sigcore.study import LOCAL, Runtime, Settings, Study, fixed
from sigcore.testset import Outputs, Testset, digest
from sigcore.types import (
    ALL_PAIRS,
    AUTO,
    DOCUMENT,
    SEGMENT,
    SIDES,
    TIES_AS_PRINTED,
    Comparisons,
    Floats,
    Ints,
    Side,
    TieRule,
    Unit,
)

# What all pairs have from the same draws: the intervals of gains, and the joint null for corrections.

SWAPS = "approximate_randomization"  # its draws are the joint null of all tests that draw

Cells = tuple[NDArray[np.intp], ...]
# (correction, test, side) -> what the correction prepared
Prepared = dict[tuple[str, str, Side], Floats]


def in_both_directions(ends: Floats, systems: int, pairs: NDArray[np.intp] | None = None) -> Floats:
    """The intervals (P, 2) of the gains of these pairs (None: all, in order) of S systems as a grid (S, S, 2), row minus
    column; nan for other pairs, 0 on the diagonal."""
    left, right = np.triu_indices(systems, k=1) if pairs is None else pairs.T
    out = np.full((systems, systems, 2), np.nan)
    out[np.diag_indices(systems)] = 0.0
    out[left, right] = ends
    out[right, left] = -ends[:, ::-1]
    return out


def cells_of(systems: int, side: Side, directed: NDArray[np.intp] | None = None) -> Cells:
    """The cells of the grid that are tests; `directed` (P, 2) are the tests of a family, None all pairs.

    Two-sided, each pair is one. One-sided, all pairs are tested in each direction, those of another family in theirs.
    """
    if directed is None:
        return np.triu_indices(systems, k=1) if side == "two-sided" else np.nonzero(~np.eye(systems, dtype=bool))
    row, column = directed.T
    return (np.minimum(row, column), np.maximum(row, column)) if side == "two-sided" else (row, column)


def pairs_of(family: Comparisons, systems: Sequence[str]) -> NDArray[np.intp]:
    """The pairs (P, 2) of a family, the earlier system first, in the order of all pairs."""
    pairs = family.directed(systems)
    # all pairs are in order: to sort millions of them takes seconds, and as much memory as the result
    return pairs if family.kind in ("all pairs", "one planned pair") else np.unique(np.sort(pairs, axis=1), axis=0)


def turned(pairs: NDArray[np.intp], cells: Cells, side: Side) -> Turn:
    """How values of these pairs (P, 2) become values of the tests in the cells."""
    row, column = cells
    size = int(pairs.max(initial=0)) + 1  # a number for each pair, in the order of `pairs_of`
    places = np.searchsorted(pairs @ (size, 1), np.minimum(row, column) * size + np.maximum(row, column))
    signs = None if side == "two-sided" else np.where(row < column, 1.0, -1.0) * (-1 if side == "less" else 1)
    return Turn(side, np.asarray(places, dtype=np.intp), signs)


def jointly(names: Sequence[str]) -> list[Correction]:
    """Those of these corrections that use the joint null; "auto" is the usual one of tests that draw."""
    chosen = [corrections.get(corrections.usual(drawn=True) if name == AUTO else name) for name in dict.fromkeys(names)]
    return [correction for correction in chosen if correction.needs_joint]


def with_swaps(question: Resampling, joint: Sequence[Jointly]) -> Resampling:
    """The question with randomization among its tests, where a correction of bootstrap tests uses the joint null."""
    bootstrap = any(test.draws == "bootstrap" for test in question.tests)
    if not (joint and bootstrap) or any(test.name == SWAPS for test in question.tests):
        return question
    return replace(question, tests=(*question.tests, significance.get(SWAPS)))


def prepare(joint: Prepared, tests: Sequence[Test]) -> Prepared:
    """What corrections counted together, for bootstrap tests too: they have the joint null of swapped units.

    The largest of many bootstrap gains has a tail that few units cannot show: with 30 systems and 100 units max-T over them
    found a difference among equals in 9% of test sets, not 5%. Swaps need no number of units for this.
    """
    own = {test.name for test in tests}
    swapped = [(key, reached) for key, reached in joint.items() if key[1] == SWAPS]
    named = {key: reached for key, reached in joint.items() if key[1] in own}
    return named | {
        (correction, test.name, side): reached
        for (correction, _, side), reached in swapped
        for test in tests
        if test.draws == "bootstrap"
    }


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
    gain_intervals: tuple[dict[str, Floats], ...] = ()  # by test (P, 2) of the family; none where pairs are too many
    whole: tuple[float, ...] = ()  # for each metric the score of a right unit where units are right or wrong, else 0
    family: Comparisons = ALL_PAIRS
    why: str = ""  # why "auto" took segments although there are documents
    first: MatrixRun | None = None  # the run of all pairs that undecided ones went on from
    alpha: float = 0.0  # at which they were undecided

    @property
    def drawn(self) -> Ints:
        """How many resamples each pair has, (P,): the same number under all tests that draw, 0 where none does."""
        tallies = (tally for draws in self.draws for tally in draws.tallies.values() if tally.resamples)
        return next((tally.each for tally in tallies), np.zeros(len(self.pairs), dtype=np.int64))

    def drawn_of(self, system: str, baseline: str) -> int:
        """How many resamples the pair of these two systems has; 0 where no test draws, or it is not one of the pairs."""
        wanted = sorted((self.systems.index(system), self.systems.index(baseline)))
        return int(self.drawn[(self.pairs == wanted).all(axis=1)].sum())

    @property
    def products(self) -> int:
        """The work of one resample of all pairs, in products of a weight and a statistic."""
        columns = sum(len(system.columns) for item in self.summed for system in item.systems)
        return self.n * columns + PRODUCTS_OF_SCORE * len(self.pairs) * len(self.summed)

    @property
    def pairs(self) -> NDArray[np.intp]:
        """The pairs (P, 2) that were drawn."""
        return pairs_of(self.family, self.systems)

    @property
    def directed(self) -> NDArray[np.intp] | None:
        """The tests (P, 2) of the family; None for all pairs."""
        return None if self.family.whole else self.family.directed(self.systems)

    def position(self, metric: str) -> int:
        """The position of a metric (Undefined if it was not requested)."""
        names = [item.metric.name for item in self.measured]
        if metric not in names:
            raise Undefined(f"{metric} was not computed.", self.testset, f"Computed: {', '.join(names)}.")
        return names.index(metric)

    def prepared_for(self, study: Study) -> bool:
        """Whether the corrections of the study that need the joint null were counted."""
        names = [test.name for test in self.tests if test.draws is not None]
        keys = [(correction, test, study.settings.side) for correction in study.joint for test in names]
        return not keys or (bool(self.prepared) and all(key in known for known in self.prepared for key in keys))

    def drawn_design(self, position: int) -> DesignEffect | None:
        """The design effect of the drawn unit; None if it is the segment."""
        return self.design[position] if self.unit != SEGMENT else None

    def close(self) -> None:
        """Release the draws; the counts remain."""
        for draws in self.draws:
            draws.close()


# Notes for the reader of a grid: few units, ties, resolution, design effects.

AS_PRINTED: dict[TieRule, str] = {
    "strict": "Two systems that differ in one segment then get the smallest p there is under randomization.",
    "half": "p can then be half of what it is with all ties counted.",
}


def of_design(run: MatrixRun, position: int, effects: Sequence[float]) -> tuple[str, ...]:
    """The design effect of the unit; or, if segments are drawn that are clearly alike within documents, what this
    ignores."""
    design = run.design[position]
    if design is None or not len(design.of_pairs):
        return ()
    if design.unit == run.unit:
        return (formatting.design_effect_sentence(run.unit, effects),) if effects else ()
    ignored = ignored_documents(run, position)
    return (ignored + (INSTEAD if design.n >= LEAST_UNITS else ""),) if ignored else ()


def caveat(run: MatrixRun, position: int, test: Test) -> str:
    """What makes the p of a test too small, as far as it is known: ignored documents, few units; "" otherwise."""
    few = list[str]()
    if test.draws == "bootstrap" and run.n >= LEAST_UNITS:
        few = of_bootstrap(run.unit, run.n, [test], run.differing[position : position + 1])
    return " ".join(filter(None, (ignored_documents(run, position), *few)))


def left_aside(design: DesignEffect | None, unit: Unit) -> tuple[float, ...]:
    """The design effect of documents that are not the unit, and its 95% interval; () where there is none."""
    if design is None or design.unit == unit or not len(design.of_pairs):
        return ()
    return design.interval


def instead(run: MatrixRun, position: int) -> str:
    """Why segments were drawn although there are documents, with the design effect of documents; "" if that was asked for."""
    effect = left_aside(run.design[position], run.unit)
    if not run.why or not effect or ignored_documents(run, position):
        return run.why  # documents that are clearly alike have a caveat of their own
    middle, low, high = effect
    pairs = 0 if (design := run.design[position]) is None else len(design.of_pairs)
    of = f" (the median of {pairs:,} pairs)" if pairs > 1 else ""
    words = f"The design effect of documents is {middle:.2f} [{low:.2f}, {high:.2f}]{of}"
    return f"{run.why} {words}, so these data cannot tell whether p is too small."


def ignored_documents(run: MatrixRun, position: int) -> str:
    """What resampling segments ignores where they are clearly alike within documents; "" otherwise."""
    design = run.design[position]
    if design is None or design.unit == run.unit or not len(design.of_pairs) or not design.clear:
        return ""
    return formatting.ignored_documents(design.n, design.of_pairs.tolist())


def as_printed(settings: Settings) -> tuple[str, ...]:
    """Warnings that p follows a paper or another tool, and is not a verdict."""
    out = []
    if settings.ties in TIES_AS_PRINTED:
        words = TIES_AS_PRINTED[settings.ties]
        out.append(
            f"{words[0].upper()}{words[1:]} ({settings.ties}), as in some papers and tools. {AS_PRINTED[settings.ties]} "
            "So such a p is not a verdict. Count all ties for one."
        )
    if settings.estimator == "paper":
        out.append(
            "p is c / R, as in some papers. Where no resample counts it is 0, below any alpha and any correction however "
            "few resamples were drawn, so such a p is not a verdict. Use (c + 1) / (R + 1) for one."
        )
    return tuple(out)


def of_both_sides(settings: Settings) -> tuple[str, ...]:
    """A note if one-sided tests are read in both directions without a correction."""
    if settings.side == "two-sided" or settings.correction != "none":
        return ()
    return (
        "Every pair is tested one-sided in both directions: the chance that two equal systems are called different is "
        "twice alpha, unless the direction was fixed before the scores were seen.",
    )


def of_undefined(tallies: Iterable[Tally], title: str) -> tuple[str, ...]:
    """A note if the score of a system does not exist on some resamples."""
    worst = max(tallies, key=lambda tally: int(tally.undefined.max(initial=0)), default=None)
    count = 0 if worst is None else int(worst.undefined.max(initial=0))
    if worst is None or not count:
        return ()
    return (
        f"{title} is not defined for a system on up to {count} of {formatting.count(worst.resamples, 'resample')}. They count against every "
        "gain, so no p is too small for it; intervals leave them out.",
    )


# What is computed once.


def run(
    study: Study,
    runtime: Runtime = LOCAL,
    *,
    keep: bool = False,
    corrections: Sequence[str] | None = None,
    sides: Sequence[Side] = SIDES,
) -> MatrixRun:
    """The counts of all tests on all pairs of systems under all metrics.

    Statistics are computed, and stored in the cache of `runtime`, per segment. `keep` retains the draws: the histograms of
    one pair use them. `corrections` names those that are to be prepared from the joint null (None: that of the study), for
    these `sides`. `runtime.publish` is called regularly with a complete run of the first resamples. The result depends only
    on what is in `study.draws`: not on which other systems or metrics are requested at the same time.

    Raises: Undefined without systems, and for a test that cannot be run on this data; OptionError, MismatchError,
    UnknownMember; Cancelled from `runtime`.
    """
    start, question = begin(study, runtime)
    pairs, differ = question.pairs, start.differing
    names = study.joint if corrections is None else corrections
    joint = _jointly(start, pairs, names, sides)
    undrawn = without_draws(question) if study.undrawn and not (joint or keep) else None
    draws = undrawn or _drawn(question, start, joint, runtime, keep)
    prepared = tuple(prepare(d.joint, start.tests) for d in draws)
    between = [intervals.of_gains(question, m, d, differ[m], start.whole[m]) for m, d in enumerate(draws)]
    found = tuple(one for one in between if one is not None)
    whole = replace(
        _so_far(start, draws, 0 if undrawn else question.resamples),
        prepared=prepared,
        gain_intervals=found if len(found) == len(draws) else (),
    )
    if not keep:
        whole.close()
    return whole


def _drawn(
    question: Resampling, start: MatrixRun, joint: Sequence[Jointly], runtime: Runtime, keep: bool
) -> list[Draws]:
    """The tallies of the tests from draws, and the exact p-values beside them; partial results are shown."""

    def show(draws: Sequence[Draws], done: int) -> None:
        # a copy of the counts, and no draws: those keep changing
        counts = tuple(Draws(_own(d.tallies, start.tests)) for d in draws)
        known = tuple(prepare(d.joint, start.tests) for d in draws)
        runtime.show(replace(_so_far(start, draws, done), draws=counts, prepared=known))

    report = show if runtime.publish is not None else None
    asked, too = with_swaps(question, joint), intervals.needs_bootstrap(question.tests)
    inverted = intervals.inverting(start.whole, question.tests)
    draws = significance.tally(asked, runtime.mapper, runtime.report, keep, report, joint, too, inverted)
    for one in draws:
        one.tallies = _own(one.tallies, start.tests)
    add_exact(question, draws)
    return draws


def _own(tallies: Mapping[str, Tally], tests: Sequence[Test]) -> dict[str, Tally]:
    """The tallies of these tests: a joint null of swaps is no test that was asked for."""
    return {test.name: tallies[test.name] for test in tests if test.name in tallies}


def _jointly(start: MatrixRun, pairs: NDArray[np.intp], names: Sequence[str], sides: Sequence[Side]) -> list[Jointly]:
    """What is counted together over the shuffles, where a test is corrected together with others."""
    return [
        Jointly(correction, turned(pairs, cells, side))
        for correction in jointly(names)
        for side in sides
        if len((cells := cells_of(len(start.systems), side, start.directed))[0]) > 1
    ]


def begin(study: Study, runtime: Runtime = LOCAL) -> tuple[MatrixRun, Resampling]:
    """The run before anything is drawn, and what is to be drawn; errors as of `run`."""
    testset, outputs = study.testset, study.outputs
    unit, why = study.drawn
    groups = units.groups(testset, unit)
    measured = tuple(measure(testset, outputs, study.metrics, runtime))
    summed = tuple(units.in_units(item, groups) for item in measured)
    differ = tuple(differing(item.systems) for item in summed)
    names = tuple(item.system for item in outputs)
    pairs = pairs_of(study.family, names)
    sizes = None if groups is None else np.bincount(groups).astype(np.float64)
    question = _question(study, tuple(item.systems for item in summed), pairs, sizes)
    n, chosen = question.n, question.tests
    whole = tuple(intervals.whole_of(item.systems) for item in summed)
    start = MatrixRun(
        testset=testset.name,
        systems=names,
        groups=tuple(item.group for item in outputs),
        measured=measured,
        summed=summed,
        design=tuple(units.design_of(testset, item, unit, groups) for item in measured),
        tests=chosen,
        draws=(),
        score_intervals=tuple(intervals.of_scores(question, m, item, whole[m]) for m, item in enumerate(summed)),
        unit=unit,
        n=n,
        segments=testset.n,
        resamples=0,
        seed=study.seed,
        notes=of_rows(measured, differ, unit)
        + of_few_units(unit, n, chosen, intervals.needing_many(differ, whole, chosen)),
        differing=differ,
        data=mark(testset, outputs, unit),
        family=study.family,
        whole=whole,
        why=why,
    )
    return start, question


def _question(study: Study, statistics: Any, pairs: Any, sizes: Floats | None) -> Resampling:
    """The question for the tests of the study; for None, for all tests that can be run on this data.

    Raises: Undefined for a named test that cannot be run on it.
    """
    names = study.tests
    chosen = [significance.get(name) for name in dict.fromkeys(significance.members() if names is None else names)]
    question = Resampling(statistics, tuple(chosen), pairs, fixed(study.resamples), study.seed, sizes)
    reasons = {test: reason for test in chosen if (reason := test.unfit(question))}
    if not reasons:
        return question
    if names is not None:
        test, reason = next(iter(reasons.items()))
        raise Undefined(f"{test.title} cannot be run: {reason}", "", "Choose another test.")
    return replace(question, tests=tuple(test for test in chosen if test not in reasons))


def _so_far(start: MatrixRun, draws: Sequence[Draws], done: int) -> MatrixRun:
    """The run with what the first `done` resamples gave."""
    return replace(start, draws=tuple(draws), resamples=done)


def mark(testset: Testset, outputs: Sequence[Outputs], unit: Unit) -> str:
    """Twelve digits that change if any file changes; documents count only if they are drawn."""
    documents = [testset.documents_digest] if unit == DOCUMENT else []
    return digest([testset.digest, *(item.digest for item in outputs), *documents])[:12]
