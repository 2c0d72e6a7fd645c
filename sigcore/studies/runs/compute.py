"""Systems with several runs each: what is computed once for all pairs of them, from shared draws."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections, significance
from sigcore.errors import OptionError, Undefined
from sigcore.resampling.blocks import blocks, steps
from sigcore.resampling.inversion import MOST_GAINS
from sigcore.resampling.pvalues import of_student
from sigcore.resampling.quantiles import quantiles
from sigcore.resampling.spool import Spool
from sigcore.results import freeze
from sigcore.significance import INTERVAL_RESAMPLES, LEAST_UNITS, Draws, Resampling, Tally, Test
from sigcore.studies import units
from sigcore.studies.intervals import ENDS, percentiles
from sigcore.studies.matrix import mark, p_of_pairs
from sigcore.studies.runs import mixed
from sigcore.studies.runs.draws import SHUFFLES, nested_scores, tally_nested, tally_shuffles
from sigcore.studies.statistics import Measured, differing, measure, too_few
from sigcore.studies.units import DesignEffect
from sigcore.study import LOCAL, Runtime, Settings, Study, chosen_unit, fixed
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.testset import Outputs, Testset
from sigcore.types import Floats, Ints, Unit

TOGETHER = "approximate_randomization"


@dataclass(frozen=True, eq=False)
class CountedRuns:
    """What was counted under one metric, for the S systems in order of their contents.

    `scores` are those of the runs, as they were given. `s_sel` (S,) is the standard deviation of a run's score over drawn
    units, averaged over the runs; `over_segments` and `over_documents` (S,) are such averages of jackknife standard
    errors (nan without documents). `together` (S,) is the score of all runs as one output. The tallies are those of the
    shuffle of runs, of all runs swapped as one, and of the hierarchical bootstrap, whose percentile intervals of the
    averages (S, 2) and of their gains (P, 2) follow. `differing` (S, S): on how many units the sums over the runs differ.
    `alike` (P,): how many times as much gains vary over units as the exact shuffle assumes (see `alike`). `model` has the
    standard errors of the gains in a mixed model and their degrees of freedom, (P,) each (see `mixed.fit`).
    """

    measured: Measured
    scores: tuple[Floats, ...]
    s_sel: Floats
    over_segments: Floats
    over_documents: Floats
    together: Floats
    shuffled: Tally
    swapped: Tally
    nested: Tally
    score_intervals: Floats
    gain_intervals: Floats | None
    differing: Ints
    design: DesignEffect | None
    alike: Floats
    model: tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class RunsRun:
    """What was computed for S systems; `place[k]` is where the k-th given system is in the order of their contents."""

    testset: str
    systems: tuple[str, ...]
    groups: tuple[str, ...]
    place: NDArray[np.intp]
    counted: tuple[CountedRuns, ...]
    shuffle: str
    unit: Unit
    n: int
    segments: int
    resamples: int
    seed: int
    notes: tuple[str, ...]
    data: str

    @property
    def products(self) -> int:
        """The products of a weight and a statistic in one resample."""
        columns = sum(item.values.shape[1] for one in self.counted for item in one.measured.systems)
        return 2 * self.n * columns

    @property
    def by_model(self) -> bool:
        """Whether p is that of the mixed model: some system has a second run."""
        return max(self.sizes) > 1

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of runs of each system, as given."""
        return tuple(len(self.counted[0].scores[k]) for k in self.place)

    def of(self, metric: str) -> CountedRuns:
        """What was counted under a metric (Undefined if it was not requested)."""
        names = [one.measured.metric.name for one in self.counted]
        if metric not in names:
            raise Undefined(f"{metric} was not computed.", self.testset, f"Computed: {', '.join(names)}.")
        return self.counted[names.index(metric)]


@dataclass(frozen=True, eq=False)
class _Plan:
    """The systems in the order of their contents: where each was given, the places of its runs among all runs, and the
    numbers that its draws depend on."""

    order: NDArray[np.intp]
    rows: tuple[NDArray[np.intp], ...]
    given: tuple[NDArray[np.intp], ...]  # of each of these runs, its place among the given runs of its system
    keys: tuple[tuple[int, ...], ...]
    flat: tuple[Outputs, ...]

    def kinds(self, pairs: NDArray[np.intp]) -> int:
        """The pairs of numbers of runs that the pairs of systems have: each is drawn separately."""
        return len({(len(self.rows[a]), len(self.rows[b])) for a, b in pairs})


@dataclass(frozen=True, eq=False)
class RunsPlan:
    """The runs of every system, and how they are shuffled: "exact" or "multeval"."""

    systems: Mapping[str, Sequence[Outputs]]
    shuffle: str = "exact"


def run(study: Study, asked: RunsPlan, runtime: Runtime = LOCAL) -> RunsRun:
    """The counts of all pairs of systems, each with its runs; the outputs are those of the plan, and the test its shuffle.

    The result depends on the contents of the files, the metrics, the unit, R and the seed: not on the order of systems or
    runs, on their names, or on other systems.

    Raises: Undefined for fewer than two systems or a system without runs; OptionError for an unknown shuffle, and for
    MultEval's with different numbers of runs; MismatchError; Cancelled from `runtime`.
    """
    testset, systems, shuffle = study.testset, asked.systems, asked.shuffle
    resamples, seed = fixed(study.resamples), study.seed
    _check(testset, systems, shuffle)
    unit, why = chosen_unit(testset, study.unit)
    groups = units.groups(testset, unit)
    plan = _plan(systems)
    measured = measure(testset, plan.flat, study.metrics, runtime)
    summed = [units.in_units(item, groups) for item in measured]
    pooled = [_pooled(item, plan) for item in summed]
    pairs = np.column_stack(np.triu_indices(len(plan.rows), k=1))
    mapper = runtime.mapper
    every = tuple((*item.systems, *all_runs.systems) for item, all_runs in zip(summed, pooled, strict=True))
    tests = (significance.get(TOGETHER),)
    question = Resampling(every, tests, pairs + len(plan.flat), resamples, seed)
    draws = significance.tally(question, mapper, runtime.report, bootstrap_too=True)
    by_system = [[[item.systems[k] for k in rows] for rows in plan.rows] for item in summed]
    step = steps(runtime.report, "shuffling runs", plan.kinds(pairs) * len(blocks(resamples)))
    shuffled = tally_shuffles(by_system, pairs, shuffle, resamples, seed, mapper, step)
    design = [units.design_of(testset, _pooled(item, plan), unit, groups) for item in measured]
    counted = tuple(
        _count(testset, plan, measured[m], summed[m], pooled[m], draws[m], shuffled[m], design[m], seed)
        for m in range(len(measured))
    )
    return RunsRun(
        testset=testset.name,
        systems=tuple(systems),
        groups=tuple(runs[0].group for runs in systems.values()),
        place=np.argsort(plan.order),
        counted=counted,
        shuffle=shuffle,
        unit=unit,
        n=question.n,
        segments=testset.n,
        resamples=resamples,
        seed=seed,
        notes=tuple(filter(None, (why,))) + tuple(note for item in measured for note in item.remarks()),
        data=mark(testset, plan.flat, unit),
    )


def _check(testset: Testset, systems: Mapping[str, Sequence[Outputs]], shuffle: str) -> None:
    if len(systems) < 2:
        raise Undefined("There is only one system.", testset.name, "Give the runs of at least two systems.")
    empty = [name for name, runs in systems.items() if not runs]
    if empty:
        raise Undefined(f"{empty[0]} has no runs.", testset.name, "Give at least one file for each system.")
    if shuffle not in SHUFFLES:
        raise OptionError(f"shuffle = {shuffle!r}.", "", f"Choose from: {', '.join(SHUFFLES)}.")


def _plan(systems: Mapping[str, Sequence[Outputs]]) -> _Plan:
    """Systems and runs in the order of their contents, so that neither order nor names change a draw."""
    names, inside = list(systems), []
    for runs in systems.values():
        inside.append(sorted(range(len(runs)), key=lambda k, runs=runs: runs[k].digest))  # type: ignore[misc]
    marks = [
        hashlib.sha256("\n".join(systems[name][k].digest for k in order).encode()).hexdigest()
        for name, order in zip(names, inside, strict=True)
    ]
    order = sorted(range(len(names)), key=lambda s: marks[s])
    flat, rows = list[Outputs](), []
    for s in order:
        rows.append(np.arange(len(flat), len(flat) + len(inside[s])))
        flat += [replace(systems[names[s]][k], system=names[s], run=f"run {k + 1}") for k in inside[s]]
    keys = tuple(tuple(int(marks[s][i : i + 8], 16) for i in range(0, 32, 8)) for s in order)
    given = tuple(np.array(inside[s]) for s in order)
    return _Plan(np.array(order), tuple(rows), given, keys, tuple(flat))


def _pooled(item: Measured, plan: _Plan) -> Measured:
    """Every system with the sums of its runs' statistics."""
    return replace(item, systems=tuple(together([item.systems[k] for k in rows]) for rows in plan.rows))


def together(runs: Sequence[SufficientStatistics]) -> SufficientStatistics:
    """All runs as one system: a segment is the sum of its statistics in all of them."""
    return replace(runs[0], values=np.sum([run.values for run in runs], axis=0), run="")


def s_sel(spool: Spool, places: NDArray[np.intp]) -> float:
    """The standard deviation over the first resamples of the scores in these rows, averaged over the rows."""
    used = min(spool.resamples, INTERVAL_RESAMPLES)
    drawn = np.concatenate([block[places] for block in spool.first(used)], axis=1)  # (m, R)
    return float(np.nanstd(drawn, axis=1, ddof=1).mean()) if drawn.shape[1] > 1 else math.nan


def alike(left_out: Floats, rows: Sequence[NDArray[np.intp]], pairs: NDArray[np.intp]) -> Floats:
    """How many times as much the gain of each pair varies over units as where all outputs of a unit could change places,
    (P,): a ratio of variances, about 1 for exchangeable outputs; nan where nothing varies.

    `left_out` (N, n) are the scores of all runs without each unit, `rows[s]` the runs of system s. For a unit with the
    values z of a + b outputs, the shuffle gives the difference of two means the variance S^2 (1 / a + 1 / b).
    """
    values = left_out - left_out.mean(axis=1, keepdims=True)
    out = np.full(len(pairs), np.nan)
    for k, (left, right) in enumerate(pairs.tolist()):
        first, second = values[rows[left]], values[rows[right]]
        every = np.concatenate([first, second])
        assumed = float(every.var(axis=0, ddof=1).sum()) * (1 / len(first) + 1 / len(second))
        found = float(((first.mean(axis=0) - second.mean(axis=0)) ** 2).sum())
        # rounding alone makes no variance
        out[k] = found / assumed if assumed > units.ROUNDING**2 * float((left_out**2).sum()) else math.nan
    return out


def _count(
    testset: Testset,
    plan: _Plan,
    measured: Measured,
    summed: Measured,
    pooled: Measured,
    draws: Draws,
    shuffled: Tally,
    design: DesignEffect | None,
    seed: int,
) -> CountedRuns:
    assert draws.scores is not None
    better = measured.systems[0].better
    averages = np.array([measured.scores[rows].mean() for rows in plan.rows])
    pairs = shuffled.pairs
    left, right = pairs.T
    upward = oriented(averages, better)
    spool = nested_scores(draws.scores, plan.rows, plan.keys, seed)
    differ, n, used = differing(pooled.systems), pooled.systems[0].n, spool.resamples
    drawn = Draws({}, spool)
    between = _gain_intervals(drawn, pairs, differ, n, used)
    without = units.left_out(summed)
    documents = units.documents_of(testset)
    of_documents = None if documents is None else units.standard_errors(units.in_units(measured, documents))
    of_segments = units.standard_errors(measured)
    out = CountedRuns(
        measured=measured,
        scores=tuple(
            measured.scores[rows][np.argsort(given)] for rows, given in zip(plan.rows, plan.given, strict=True)
        ),
        s_sel=np.array([s_sel(draws.scores, rows) for rows in plan.rows]),
        over_segments=np.array([of_segments[rows].mean() for rows in plan.rows]),
        over_documents=np.array(
            [math.nan if of_documents is None else of_documents[rows].mean() for rows in plan.rows]
        ),
        together=pooled.scores,
        shuffled=shuffled,
        swapped=replace(draws.tallies[TOGETHER], pairs=pairs),
        nested=tally_nested(spool, upward[left] - upward[right], shuffled.units, pairs),
        score_intervals=_score_intervals(drawn, pooled, n, used),
        gain_intervals=between,
        differing=differ,
        design=design,
        alike=alike(without, plan.rows, pairs),
        model=mixed.fit(mixed.values_of(without, measured.scores), plan.rows, pairs),
    )
    drawn.close()
    draws.close()
    return out


def _gain_intervals(draws: Draws, pairs: NDArray[np.intp], differ: Ints, n: int, used: int) -> Floats | None:
    """The percentile intervals (P, 2) of the gains on the hierarchical resamples, nan where units are too few; None for too
    many pairs."""
    used = min(used, INTERVAL_RESAMPLES)
    if len(pairs) * used > MOST_GAINS:
        return None
    if n < LEAST_UNITS or not len(pairs):
        return np.full((len(pairs), 2), np.nan)
    few = too_few(differ[pairs[:, 0], pairs[:, 1]])
    return np.where(few[:, None], np.nan, percentiles(draws, pairs, used))


def _score_intervals(draws: Draws, measured: Measured, n: int, used: int) -> Floats:
    """The percentile intervals (S, 2) of the scores on the hierarchical resamples; nan for too few units."""
    assert draws.scores is not None
    if n < LEAST_UNITS:
        return np.full((len(measured.systems), 2), np.nan)
    spool, used = draws.scores, min(used, INTERVAL_RESAMPLES)
    both = quantiles(lambda: spool.first(used), used, ENDS)
    return np.sort(oriented(both, measured.systems[0].better), axis=1)


# The runs of a system against one output of a baseline: the average gain, its p, and what the runs add to it.


@dataclass(frozen=True, eq=False)
class RunsTest:
    """m runs of one system against one baseline output on n segments.

    `scores` (m,) of the runs, `gain` = their average minus the baseline, positive = better. `p_value` belongs to the
    test of the setup on all runs together: their outputs of one segment are swapped, or drawn, as one. It takes the runs
    as given. `adjusted` is it after Holm's correction for the systems of the result. `p_interval` is its Monte Carlo
    interval, `interval` the percentile interval of the gain. `gains` and `p_values` (m,) are those of single runs.

    `s_sel` is the standard deviation of a run's score over drawn segments, averaged over the runs, `s_opt` that of the
    scores of the runs. `run_t`, `run_df`, `run_p`: the t test of the runs' gains against 0, nan for fewer than two
    different runs. Source: Clark et al. 2011.
    """

    system: str
    title: str
    scores: Floats
    gain: float
    interval: tuple[float, float]
    p_value: float
    p_interval: tuple[float, float]
    adjusted: float
    s_sel: float
    s_opt: float
    run_t: float
    run_df: int
    run_p: float
    gains: Floats = field(repr=False)
    p_values: Floats = field(repr=False)

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def average(self) -> float:
        """The mean score of the runs."""
        return float(self.scores.mean())

    @property
    def unstable(self) -> bool:
        """Whether the runs differ so much that p, which takes them as given, promises too much: s_opt > s_sel / 2."""
        return bool(self.s_opt > self.s_sel / 2)


def against(
    baseline: SufficientStatistics,
    systems: Mapping[str, Sequence[SufficientStatistics]],
    titles: Mapping[str, str],
    test: str,
    resamples: int,
    seed: int,
    settings: Settings | None = None,
    runtime: Runtime = LOCAL,
) -> tuple[RunsTest, ...]:
    """Every system, with all its runs, against the baseline.

    `settings` are the side, the estimator and the tie rule; the correction is always Holm's.

    Raises: UnknownMember for a test that does not exist.
    """
    member, mapper = significance.get(test), runtime.mapper

    def draws(statistics: Sequence[SufficientStatistics], pairs: Sequence[tuple[int, int]]) -> Draws:
        question = Resampling((tuple(statistics),), (member,), np.array(pairs, dtype=np.intp), resamples, seed)
        return significance.tally(question, mapper, runtime.report, bootstrap_too=True)[0]

    single = [baseline, *(run for runs in systems.values() for run in runs)]
    each = draws(single, [(k, 0) for k in range(1, len(single))])
    # all runs of a system as one system, beside as many copies of the baseline
    pooled = [part for runs in systems.values() for part in (together(runs), together([baseline] * len(runs)))]
    at_once = draws(pooled, [(2 * k, 2 * k + 1) for k in range(len(systems))])
    differ = _differing(zip(pooled[::2], pooled[1::2], strict=True))
    differ_of_each = _differing((run, baseline) for run in single[1:])
    p_of_all = _p_values(at_once, member, settings or Settings(), differ)
    p_of_each = _p_values(each, member, settings or Settings(), differ_of_each)[0]
    adjusted = corrections.adjusted("holm", p_of_all[0])
    out, first = [], 1
    for k, (name, runs) in enumerate(systems.items()):
        places = np.arange(first, first + len(runs))
        first += len(runs)
        p, low, high = (float(part[k]) for part in p_of_all)
        moments = _moments(baseline, runs, each, places, bool(too_few(differ[k])))
        out.append(_record(name, titles[name], moments, (p, low, high, float(adjusted[k])), p_of_each[places - 1]))
    each.close()
    at_once.close()
    return tuple(out)


def _record(
    name: str, title: str, moments: _Moments, p: tuple[float, float, float, float], p_values: Floats
) -> RunsTest:
    """The result of one system; `p` is the p of all runs with its Monte Carlo interval, and corrected."""
    t, p_of_t = _t(moments.gains)
    runs = len(moments.scores)
    return RunsTest(
        system=name,
        title=title,
        scores=moments.scores,
        gain=float(moments.gains.mean()),
        interval=moments.interval,
        p_value=p[0],
        p_interval=(p[1], p[2]),
        adjusted=p[3],
        s_sel=moments.s_sel,
        s_opt=float(moments.scores.std(ddof=1)) if runs > 1 else math.nan,
        run_t=t,
        run_df=runs - 1,
        run_p=p_of_t,
        gains=moments.gains,
        p_values=p_values,
    )


def _p_values(draws: Draws, test: Test, settings: Settings, differ: Ints) -> tuple[Floats, Floats, Floats]:
    """p of every pair and its Monte Carlo interval; nan for a bootstrap of pairs that `differ` (P,) on too few units."""
    parts = p_of_pairs(draws.tallies[test.name], test, settings)
    if test.draws != "bootstrap":
        return parts
    p, low, high = (np.where(too_few(differ), np.nan, part) for part in parts)
    return p, low, high


def _differing(pairs: Iterable[tuple[SufficientStatistics, SufficientStatistics]]) -> Ints:
    """On how many units the two of each pair differ, (P,)."""
    return np.array([differing(pair)[0, 1] for pair in pairs], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Moments:
    """The scores and gains (m,) of the runs of a system, their spread over drawn segments, and the interval of the
    average gain."""

    scores: Floats
    gains: Floats
    s_sel: float
    interval: tuple[float, float]


def _moments(
    baseline: SufficientStatistics,
    runs: Sequence[SufficientStatistics],
    draws: Draws,
    places: NDArray[np.intp],
    few: bool,
) -> _Moments:
    """The moments of the runs in these rows of the draws; no interval where they differ from the baseline on too `few` units."""
    assert draws.scores is not None
    spool = draws.scores
    scores = np.array([run.corpus_score for run in runs])
    gains = oriented(scores, baseline.better) - oriented(np.array(baseline.corpus_score), baseline.better)
    used = min(spool.resamples, INTERVAL_RESAMPLES)
    low, high = math.nan, math.nan
    if baseline.n >= LEAST_UNITS and not few:
        ends = quantiles(
            lambda: (block[places].mean(axis=0, keepdims=True) - block[:1] for block in spool.first(used)), used, ENDS
        )[0]
        low, high = float(ends[0]), float(ends[1])
    return _Moments(scores, gains, s_sel(spool, places), (low, high))


def _t(gains: Floats) -> tuple[float, float]:
    """t and two-sided p of the mean of the gains against 0; nan where they do not vary."""
    if len(gains) < 2 or gains.std() == 0:
        return math.nan, math.nan
    t = float(gains.mean() / (gains.std(ddof=1) / math.sqrt(len(gains))))
    return t, float(of_student(np.array(t), np.array(len(gains) - 1)))
