"""All pairs under every requested metric and test: what is computed once, from shared draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections, formatting, significance
from sigcore.corrections import Correction, JointNull
from sigcore.errors import Undefined
from sigcore.formatting import listed
from sigcore.resampling.quantiles import quantiles
from sigcore.significance import (
    FEW_UNITS,
    INTERVAL_RESAMPLES,
    LEAST_UNITS,
    Draws,
    Jointly,
    Resampling,
    Tally,
    Test,
    Turn,
    coverage,
    measured_units,
    rejection_rate,
)
from sigcore.studies import units
from sigcore.studies.exact import add_exact
from sigcore.studies.statistics import Measured, differing, measure, too_few
from sigcore.studies.units import DesignEffect
from sigcore.study import LOCAL, Runtime, Study, fixed
from sigcore.sufficient import oriented
from sigcore.testset import Outputs, Testset, digest
from sigcore.types import ALL_PAIRS, AUTO, DOCUMENT, SEGMENT, SIDES, Comparisons, Floats, Ints, Side, Unit

# What all pairs have from the same bootstrap scores: the intervals of gains, and the joint null for corrections.

Cells = tuple[NDArray[np.intp], ...]
LEVEL = 0.95
ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
WHOLE = (1.0, 100.0)  # the score of a unit that is right, for scores that are shares
Z = NormalDist().inv_cdf(ENDS[1])
MOST_GAINS = 200_000_000  # bootstrap gains that are sorted for intervals: some seconds
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


def gain_intervals(
    draws: Sequence[Draws], pairs: NDArray[np.intp], differing: Sequence[Ints], n: int, resamples: int
) -> tuple[Floats, ...]:
    """The percentile intervals (P, 2) of the gains of the pairs (P, 2) under each metric.

    They are those of the first INTERVAL_RESAMPLES resamples, nan where n units, or those on which a pair differs
    (`differing`, (S, S) for each metric), are too few; undefined gains are left out. None at all for more pairs than
    MOST_GAINS allows.

    Cost: O(P R) per metric.
    """
    used = min(resamples, INTERVAL_RESAMPLES)
    if len(pairs) * used > MOST_GAINS:
        return ()
    if n < LEAST_UNITS or not len(pairs):
        return tuple(np.full((len(pairs), 2), np.nan) for _ in draws)
    out = tuple(_quantiles_of_gains(each, pairs, used) for each in draws)
    for ends, counts in zip(out, differing, strict=True):
        ends[too_few(counts[pairs[:, 0], pairs[:, 1]])] = np.nan
    return out


def _quantiles_of_gains(draws: Draws, pairs: NDArray[np.intp], used: int) -> Floats:
    """The ends (P, 2) of the intervals; nan for a pair whose gain is undefined on every resample."""
    assert draws.scores is not None
    scores = np.concatenate(list(draws.scores.first(used)), axis=1)  # (S, used)
    out = np.full((len(pairs), 2), np.nan)
    for k, (left, right) in enumerate(pairs):
        gains = scores[left] - scores[right]
        defined = gains[~np.isnan(gains)]
        if len(defined):
            out[k] = np.quantile(defined, ENDS)
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
    return np.unique(np.sort(family.directed(systems), axis=1), axis=0)


def turned(pairs: NDArray[np.intp], cells: Cells, side: Side) -> Turn:
    """How values of these pairs (P, 2) become values of the tests in the cells."""
    row, column = cells
    place = {tuple(pair): k for k, pair in enumerate(pairs.tolist())}
    places = [place[min(a, b), max(a, b)] for a, b in zip(row.tolist(), column.tolist(), strict=True)]
    signs = None if side == "two-sided" else np.where(row < column, 1.0, -1.0) * (-1 if side == "less" else 1)
    return Turn(side, np.array(places, dtype=np.intp), signs)


def jointly(names: Sequence[str]) -> list[Correction]:
    """Those of these corrections that use the joint null; "auto" is the usual one of tests that draw."""
    chosen = [corrections.get(corrections.usual(drawn=True) if name == AUTO else name) for name in dict.fromkeys(names)]
    return [correction for correction in chosen if correction.needs_joint]


def prepare(
    draws: Draws,
    tests: Sequence[Test],
    differing: Ints,
    names: Sequence[str],
    sides: Sequence[Side] = SIDES,
    directed: NDArray[np.intp] | None = None,
) -> Prepared:
    """What each of these corrections that needs it makes of the joint null, for every test that draws and these sides.

    The joint null is that of the pairs that have a p: `differing` (S, S) is the number of units on which two systems
    differ. All resamples reach a pair that differs on none. Shuffles were counted as they were drawn.
    """
    return dict(draws.joint) | {
        (correction.name, test.name, side): _of_all(
            correction, draws, test, side, differing, cells_of(len(differing), side, directed)
        )
        for correction in jointly(names)
        for test in tests
        if test.draws == "bootstrap"
        for side in sides
    }


def _of_all(correction: Correction, draws: Draws, test: Test, side: Side, differing: Ints, cells: Cells) -> Floats:
    """What a correction prepares for the tests that have a p, at the places of all tests; nan for those without."""
    counts = differing[cells]
    tested = counts >= LEAST_UNITS
    out = np.where(counts == 0, float(draws.tallies[test.name].resamples), np.nan)
    if tested.any():
        row, column = (place[tested] for place in cells)
        out[tested] = correction.prepare(_joint(draws, test, side, (row, column)))
    return out


def _joint(draws: Draws, test: Test, side: Side, cells: Cells) -> JointNull:
    """The joint null of the tests in these cells: bootstrap gains moved so that they are centred on zero."""
    tally = draws.tallies[test.name]
    turn = turned(tally.pairs, cells, side)
    return JointNull(turn(tally.gains[:, None])[:, 0], partial(_blocks, draws, tally, turn), tally.resamples)


def _blocks(draws: Draws, tally: Tally, turn: Turn) -> Iterator[Floats]:
    """The centred gains (m, B) of the tests, block by block."""
    left, right = tally.pairs.T
    assert draws.scores is not None
    return (turn(scores[left] - scores[right] - tally.means[:, None]) for scores in draws.scores.first(tally.resamples))


# Notes on the units that are drawn, and on systems that cannot differ.

RANDOMIZATION = (
    "Approximate randomization holds its level at any size where the two outputs of a unit could change places under the "
    "null, independently of other units"
)


INSTEAD = " Use documents as the unit of resampling."


def of_rows(measured: Sequence[Measured], differing: Sequence[Ints], unit: Unit) -> tuple[str, ...]:
    """Notes on systems that cannot differ, and the remarks of the metrics on their rows."""
    notes = []
    for item, counts in zip(measured, differing, strict=True):
        for a, b in zip(*np.nonzero(np.triu(counts == 0, k=1)), strict=True):
            names = f"{item.systems[a].system} and {item.systems[b].system}"
            notes.append(
                f"{names} have the same {item.title} statistics on every {unit.noun(1)}: p = 1 under every test."
            )
        notes += item.remarks()
    return tuple(notes)


def of_few_units(unit: Unit, n: int, tests: Sequence[Test], differing: Sequence[Ints] = ()) -> tuple[str, ...]:
    """Notes on tests that find differences too easily, or never, if there are few units to draw from; `differing` has
    the number of units on which each pair of systems differs, one array (S, S) for each metric."""
    noun, out = unit.noun(n), []
    bootstrap = [test for test in tests if test.draws == "bootstrap"]
    if n < LEAST_UNITS:
        out.append(_too_few(f"With {n} {noun}", bootstrap))
    else:
        out += of_bootstrap(unit, n, bootstrap, differing)
    if LEAST_UNITS <= n < FEW_UNITS:
        out.append(_narrow(unit, n))
    if unit != SEGMENT and 2.0 ** (1 - n) > 0.05 and any(test.draws == "swap" for test in tests):
        out.append(
            f"{n} {noun} can be swapped in only {2**n} ways: a two-sided p of a randomization test hardly falls below "
            f"{min(1.0, 2.0 ** (1 - n)):.2g}."
        )
    return tuple(out)


def of_bootstrap(unit: Unit, n: int, bootstrap: Sequence[Test], differing: Sequence[Ints]) -> list[str]:
    """Notes on bootstrap tests where n units, or those on which pairs differ, are few: the others add nothing."""
    if n < FEW_UNITS:
        return [_measured_rates(n, f"With {n} {unit.noun(n)}", bootstrap)] if bootstrap else []
    counts = np.concatenate(
        [grid[np.triu_indices(len(grid), k=1)] for grid in differing] or [np.zeros(0, dtype=np.int64)]
    )
    none = counts[too_few(counts)]
    few = counts[(counts >= LEAST_UNITS) & (counts < FEW_UNITS)]
    of_all = f"of {n:,} {unit.noun(n)}"
    out = []
    if len(none):
        out.append(_too_few(f"For two systems that differ on only {_range(none)} {of_all}", bootstrap))
    if len(few) and bootstrap:
        where = f"Where two systems differ on only {_range(few)} {of_all}"
        out.append(_measured_rates(int(few.min()), where, bootstrap))
    return out


def _range(counts: Ints) -> str:
    low, high = int(counts.min()), int(counts.max())
    return str(low) if low == high else f"{low} to {high}"


def _too_few(where: str, bootstrap: Sequence[Test]) -> str:
    p = f", and no p-value of {listed(test.title for test in bootstrap)}" if bootstrap else ""
    return (
        f"{where} no interval is given{p}: so few of them resampled cannot show how much the scores vary. "
        f"At least {LEAST_UNITS} are needed. {RANDOMIZATION}."
    )


def _measured_rates(n: int, where: str, bootstrap: Sequence[Test]) -> str:
    """What was measured of these tests on true nulls of n units, or of the next smaller number that was measured."""
    one = len(bootstrap) == 1
    words = []
    for alpha in (0.1, 0.05, 0.01):
        rates = [rate for test in bootstrap if (rate := rejection_rate(test.name, n, alpha)) is not None]
        ends = [f"{100 * rate:.2g}" for rate in sorted({min(rates), max(rates)})] if rates else []
        words += [f"{' to '.join(dict.fromkeys(ends))} % at alpha {alpha:g}"] if ends else []
    what = f"p of {bootstrap[0].title} tends" if one else "bootstrap p-values tend"
    who, rejected = "it" if one else "they", f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
    measured = (
        f": of true nulls of {measured_units(n)} units {who} rejected {rejected} (smaller levels were not measured), at "
        "worst of four kinds of scores"
    )
    return f"{where} {what} to be too small{measured if words else ''}. {RANDOMIZATION}; prefer it here."


def _narrow(unit: Unit, n: int) -> str:
    """That intervals of few units are too narrow, and by how much."""
    held = f"{100 * coverage(n, LEVEL):.0f} %"
    return (
        f"With {n} {unit.noun(n)} the {formatting.format_level(LEVEL)} intervals of scores and gains are too narrow: those of "
        f"the mean of normal gains contain the true gain in {held} of test sets."
    )


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
    gain_intervals: tuple[Floats, ...] = ()  # (P, 2) of the pairs of the family; none where they are too many
    family: Comparisons = ALL_PAIRS

    @property
    def products(self) -> int:
        """The products of a weight and a statistic in one resample."""
        return self.n * sum(system.values.shape[1] for item in self.summed for system in item.systems)

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
    pairs, n, differ = question.pairs, start.n, start.differing

    def report(draws: Sequence[Draws], done: int) -> None:
        # a copy of the counts, and no draws: those keep changing
        counts = tuple(Draws(dict(d.tallies)) for d in draws)
        known = tuple(dict(d.joint) for d in draws)
        runtime.show(replace(_so_far(start, draws, done), draws=counts, prepared=known))

    partial_results = report if runtime.publish is not None else None
    names = study.joint if corrections is None else corrections
    joint = _jointly(start, pairs, names, sides)
    draws = significance.tally(question, runtime.mapper, runtime.report, keep, partial_results, joint)
    add_exact(question, draws)
    prepared = tuple(
        prepare(d, start.tests, c, names, sides, start.directed) for d, c in zip(draws, differ, strict=True)
    )
    between = gain_intervals(draws, pairs, differ, n, question.resamples)
    whole = replace(_so_far(start, draws, question.resamples), prepared=prepared, gain_intervals=between)
    if not keep:
        whole.close()
    return whole


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
    unit, why = units.chosen(testset, study.unit)
    groups = units.groups(testset, unit)
    measured = tuple(measure(testset, outputs, study.metrics, runtime))
    summed = tuple(units.in_units(item, groups) for item in measured)
    differ = tuple(differing(item.systems) for item in summed)
    names = tuple(item.system for item in outputs)
    pairs = pairs_of(study.family, names)
    question = _question(study, tuple(item.systems for item in summed), pairs)
    n, chosen = question.columns.n, question.tests
    start = MatrixRun(
        testset=testset.name,
        systems=names,
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
        seed=study.seed,
        notes=tuple(filter(None, (why,))) + of_rows(measured, differ, unit) + of_few_units(unit, n, chosen, differ),
        differing=differ,
        data=mark(testset, outputs, unit),
        family=study.family,
    )
    return start, question


def _question(study: Study, statistics: Any, pairs: Any) -> Resampling:
    """The question for the tests of the study; for None, for all tests that can be run on this data.

    Raises: Undefined for a named test that cannot be run on it.
    """
    names = study.tests
    chosen = [significance.get(name) for name in dict.fromkeys(significance.members() if names is None else names)]
    question = Resampling(statistics, tuple(chosen), pairs, fixed(study.resamples), study.seed)
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
    if start.unit == SEGMENT:
        intervals = tuple(of_shares(m, ends) for m, ends in zip(start.measured, intervals, strict=True))
    return replace(start, draws=tuple(draws), score_intervals=intervals, resamples=done)


def score_intervals(draws: Draws, measured: Measured, n: int, done: int) -> Floats:
    """The percentile intervals (S, 2) of the scores from the first `done` resamples; nan for too few units."""
    assert draws.scores is not None
    if n < LEAST_UNITS:
        return np.full((len(measured.systems), 2), np.nan)
    spool, used = draws.scores, min(done, INTERVAL_RESAMPLES)
    both = quantiles(lambda: spool.first(used), used, ENDS)
    return np.sort(oriented(both, measured.systems[0].better), axis=1)


def of_shares(measured: Measured, intervals: Floats) -> Floats:
    """The intervals (S, 2), by Wilson's formula for scores that are shares of units that are right: resamples of 40 of 40
    right are all right, and of a few wrong ones too narrow. Source: Wilson 1927; Brown, Cai and DasGupta 2001."""
    out = intervals.copy()
    for k, item in enumerate(measured.systems):
        scores, score = item.score(item.values), float(item.score(item.total))
        full = float(np.max(scores, initial=0.0))
        if (
            full not in WHOLE
            or len(scores) < LEAST_UNITS
            or not np.isin(scores, (0.0, full)).all()
            or not math.isclose(scores.mean(), score, rel_tol=1e-12)
        ):
            continue
        out[k] = full * np.array(wilson(int(np.count_nonzero(scores)), len(scores)))
    return out


def wilson(right: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share of n, `right` of which count."""
    square = Z**2
    middle, half = right + square / 2, Z * math.sqrt(right * (n - right) / n + square / 4)
    low, high = (middle - half) / (n + square), (middle + half) / (n + square)
    return 0.0 if right == 0 else low, 1.0 if right == n else high


def mark(testset: Testset, outputs: Sequence[Outputs], unit: Unit) -> str:
    """Twelve digits that change if any file changes; documents count only if they are drawn."""
    documents = [testset.documents_digest] if unit == DOCUMENT else []
    return digest([testset.digest, *(item.digest for item in outputs), *documents])[:12]
