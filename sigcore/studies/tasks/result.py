"""Scores and gains per task and on average, with intervals, p and corrected p."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sigcore import corrections
from sigcore.data import assumed
from sigcore.formatting import count, format_p, listed
from sigcore.resampling.inversion import Inversion
from sigcore.resampling.pvalues import of_student, p_values, student, tolerance
from sigcore.results import Field, from_toml
from sigcore.significance import LEAST_UNITS
from sigcore.studies import intervals
from sigcore.studies.signature import signature as signed
from sigcore.studies.tasks.compute import Task, TasksRun, sums_of
from sigcore.studies.tasks.fragile import Hanging
from sigcore.studies.tasks.shared import Shared, correlations, deviations, of_part, satterthwaite, shared
from sigcore.studies.units import variance
from sigcore.types import Floats, Ints

MACRO = "macro average"


@dataclass(frozen=True)
class Score:
    """The mean score of a system on a task: its standard error by formula (clustered where units have several rows) and by
    resampling, and its interval (jackknife t, or Wilson's for shares)."""

    task: str
    system: str
    score: float
    error: float
    drawn_error: float
    interval: tuple[float, float]


TASK_NAME = Field("task", "text", "Name of the task.", "name", "task", text=lambda one: one.task or "(no name)")
INTERVAL = (
    Field("interval_low", "number?", "Low end of the interval.", of="interval[0]"),
    Field("interval_high", "number?", "High end.", of="interval[1]"),
    Field("interval", "number[]", "Both ends.", "fours", "interval", data=False),
    Field("error_resampled", "number?", "Standard error from the draws.", "four", "error (resampled)", "drawn_error"),
)
SCORES = from_toml(__file__, "scores", TASK_NAME, *INTERVAL)


@dataclass(frozen=True)
class Gain:
    """The gain of the better of two systems on a task: its paired standard error by formula and by resampling, the
    interval of the test (nan for fewer units than an interval needs), p by formula (t with so many degrees of freedom) and by
    randomization (`resamples` is 0 where it is exact), and the latter after the correction."""

    task: str
    system: str
    baseline: str
    gain: float
    error: float
    drawn_error: float
    interval: tuple[float, float]
    p_formula: float
    p_value: float
    adjusted: float
    resamples: int
    freedom: float = math.inf

    def margin(self, level: float) -> float:
        """Half of the interval by formula at this level."""
        from scipy.special import stdtrit

        return float(stdtrit(self.freedom, 0.5 + level / 2)) * self.error


GAINS = from_toml(__file__, "gains", TASK_NAME, *INTERVAL)


@dataclass(frozen=True, eq=False)
class TasksResult:
    """Everything at alpha: scores and gains of each task, and of the macro average last, if there are several tasks; and how few
    questions carry the first verdict of each task, where that was asked for."""

    run: TasksRun
    alpha: float
    correction: str
    scores: tuple[Score, ...]
    gains: tuple[Gain, ...]
    hanging: tuple[Hanging, ...] = ()

    def of(self, task: str) -> tuple[Gain, ...]:
        """The gains on a task, or of the macro average."""
        return tuple(gain for gain in self.gains if gain.task == task)

    @property
    def signature(self) -> str:
        """All settings, to be printed in a paper."""
        settings = {
            "test": "approximate_randomization",
            "tasks": len(self.run.tasks),
            "better": "+".join(f"{task.better}:{task.why}" for task in self.run.tasks),
            "n": "+".join(str(task.units) for task in self.run.tasks),
            "unit": self.run.tasks[0].noun,
            "correction": self.correction,
            "resamples": self.run.resamples,
            "seed": self.run.seed,
        }
        return signed(settings)

    def notes(self) -> tuple[str, ...]:
        """What should be known about these numbers."""
        return tuple(_notes(self))


def read(run: TasksRun, alpha: float = 0.05, correction: str = "holm") -> TasksResult:
    """The result at alpha. The p of all tasks and pairs are corrected together, those of the macro average over pairs.

    Raises: OptionError for a correction that needs a joint null; UnknownMember for one that does not exist.
    """
    adjust = corrections.adjust_of(correction)
    p = np.where(np.isnan(run.exact), p_values(run.counts, run.resamples, "valid"), run.exact)
    adjusted = np.empty_like(p)
    adjusted[:-1] = adjust(p[:-1].ravel()).reshape(p[:-1].shape)
    adjusted[-1] = adjust(p[-1])
    several = len(run.tasks) > 1
    names = [task.name for task in run.tasks] + [MACRO] * several
    scores = tuple(score for k, name in enumerate(names) for score in _scores(run, k, name, alpha))
    gains = tuple(gain for k, name in enumerate(names) for gain in _gains(run, k, name, alpha, p[k], adjusted[k]))
    return TasksResult(run, alpha, correction, scores, gains)


def t_p(gains: Floats, errors: Floats, freedom: Floats) -> Floats:
    """The two-sided p of t = gain / error with these degrees of freedom; nan where the error is 0 or undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(errors > 0, of_student(gains / errors, freedom), np.nan))


def _enough(run: TasksRun, k: int) -> bool:
    """Whether there are enough units for an interval: on the task, or on each for the macro average."""
    units = [task.units for task in run.tasks]
    return (units[k] if k < len(units) else min(units)) >= LEAST_UNITS


def _score_intervals(run: TasksRun, k: int, alpha: float) -> Floats:
    """The intervals (S, 2) of the scores on task k, within what the scores can be: Wilson's for shares of right units, else
    the score and t times the jackknife's error over units to both sides. That of the macro average is made of those of the
    tasks if one of them is a share, or nothing varies; else it is t with Satterthwaite's degrees of freedom."""
    if not _enough(run, k):
        return np.full((len(run.systems), 2), np.nan)
    tasks, scores = run.tasks[k : k + 1] or run.tasks, run.scores[k]
    most = float(np.mean([_most(task) or math.inf for task in tasks]))
    out = _by_error(run, tasks, scores, alpha)
    out[:, 1] = np.minimum(out[:, 1], most)
    if not math.isfinite(most):
        return out
    if len(tasks) > 1:
        each = np.array([_score_intervals(run, place, alpha) for place in range(len(tasks))])
        made = np.flatnonzero(any(map(_whole, tasks)) | (out[:, 0] == out[:, 1]))
        of_tasks = correlations([deviations(task, task.values[:, made]) for task in tasks], run.shared)
        for s, of_system in zip(made, of_tasks, strict=True):
            out[s] = intervals.averaged(run.scores[:-1, s], each[:, s], of_system)
    else:
        means, whole = _of_units(tasks[0]), _whole(tasks[0])
        for s in np.flatnonzero((whole > 0) | (out[:, 0] == out[:, 1]) & np.isin(scores, (0.0, most))):
            out[s] = (whole or most) * np.array(intervals.wilson(int((means[:, s] > 0).sum()), len(means), alpha))
    return out


def _by_error(run: TasksRun, tasks: Sequence[Task], scores: Floats, alpha: float) -> Floats:
    """The scores, and t times the jackknife's error to both sides, (S, 2); not below 0 where no score is."""
    squares, freedom = _jackknife(tasks, _common(run, tasks))
    half, some = np.zeros(len(run.systems)), squares.any(axis=0)
    t = student(satterthwaite(squares[:, some], freedom[:, some]), alpha)
    half[some] = t * np.sqrt(squares[:, some].sum(axis=0)) / len(tasks)
    # scores that are never below 0 have no mean below it
    positive = np.array([task.values.min(axis=0, initial=0.0) for task in tasks]).min(axis=0) >= 0
    return np.column_stack([np.where(positive, np.maximum(scores - half, 0.0), scores - half), scores + half])


def _common(run: TasksRun, tasks: Sequence[Task]) -> Shared:
    """Which units these tasks have in common: all of them, or one alone."""
    return run.shared if len(tasks) == len(run.tasks) else shared(tasks)


def _jackknife(tasks: Sequence[Task], common: Shared) -> tuple[Floats, Floats]:
    """The squared errors (K, S) of the sum of the scores on the tasks of each part, and their degrees of freedom (K, S): a unit is left
    out of all tasks of the part that have it."""
    squares, freedom = [], []
    for part in common.parts:
        places, units = common.within(part)
        each = [without_each(tasks[k]) for k in part]
        left_out = np.zeros((units, each[0].shape[1]))
        for place, k, one in zip(places, part, each, strict=True):
            whole = np.repeat(tasks[k].values.mean(axis=0)[None], units, axis=0)
            whole[place] = one
            left_out += whole
        own = np.array([variance(one.T) for one in each])
        squares.append(variance(left_out.T))
        freedom.append(of_part(own, [tasks[k].units - 1.0 for k in part], units))
    return np.array(squares), np.array(freedom)


def without_each(task: Task) -> Floats:
    """The mean score of every system without each unit of a task, (U, S)."""
    sums, rows = sums_of(task)
    return np.asarray((sums.sum(axis=0) - sums) / (rows.sum() - rows)[:, None])


def _of_units(task: Task) -> Floats:
    """The mean score of every system on each unit, (U, S)."""
    sums, rows = sums_of(task)
    return np.asarray(sums / rows[:, None])


def _most(task: Task) -> float:
    """The score of a right answer where all answers are right or wrong; else 0."""
    full = float(task.values.max(initial=0.0))
    return full if full in intervals.WHOLE and np.isin(task.values, (0.0, full)).all() else 0.0


def _whole(task: Task) -> float:
    """The score of a right unit where every unit is right or wrong, and all have as many answers; else 0."""
    full, (_, rows) = _most(task), sums_of(task)
    return full if full and (rows == rows[0]).all() and np.isin(_of_units(task), (0.0, full)).all() else 0.0


def _gain_intervals(run: TasksRun, k: int, alpha: float, p: Floats) -> Floats:
    """The intervals (P, 2) of the gains on task k: those of compare for this task, with units drawn by the same swaps."""
    gains, tasks = run.gains[k], run.tasks[k : k + 1] or run.tasks
    none = np.full((len(gains), 2), np.nan)
    if not _enough(run, k):
        return none
    slack = tolerance(gains, np.array([np.abs(task.values).max(initial=0.0) for task in tasks]).max())
    if len(tasks) == 1 and (whole := _whole(tasks[0])):
        right = np.isin(_of_units(tasks[0]).T, whole)
        ends = np.sort(_sign(run) * whole * intervals.differences(right, run.pairs, alpha), axis=1)
    elif run.swapped.shape[2]:
        one = Inversion(gains, slack, run.swapped.shape[2], alpha)
        one.add(run.swapped[k], run.signs[k])
        ends = np.where((_differing(run, k) < LEAST_UNITS)[:, None], np.nan, one.ends())
        most = float(np.mean([_most(task) or math.inf for task in tasks]))
        ends = np.clip(ends, -most, most)
        # one is always right and the other always wrong: draws do not vary, and show no other gain
        for at in np.flatnonzero((ends[:, 0] == ends[:, 1]) & (np.abs(gains) == most)):
            each = np.array([intervals.tango(task.units, 0, task.units, alpha) for task in tasks])
            low, high = intervals.averaged(np.ones(len(tasks)), each, _common(run, tasks).connected)
            ends[at] = np.sort(np.sign(gains[at]) * most * np.array([low, high]))
    else:
        return none
    return intervals.agreeing(ends, p, slack, alpha)


def _differing(run: TasksRun, k: int) -> Ints:
    """On how many units of task k, or of all tasks, the two systems of each pair differ, (P,); LEAST_UNITS where on none."""
    parts = [sums_of(task)[0] for task in run.tasks[k : k + 1] or run.tasks]
    differ = [(sums[:, run.pairs[:, 0]] != sums[:, run.pairs[:, 1]]).astype(np.float64) for sums in parts]
    counts = (run.shared.summed(differ) if k == len(run.tasks) else differ[0]).astype(bool).sum(axis=0)
    return np.where(counts == 0, LEAST_UNITS, counts)


def _sign(run: TasksRun) -> float:
    return 1.0 if run.tasks[0].better == "higher" else -1.0


def _scores(run: TasksRun, k: int, name: str, alpha: float) -> Iterator[Score]:
    ends = _score_intervals(run, k, alpha)
    for s in np.argsort(-_sign(run) * run.scores[k], kind="stable"):
        drawn = run.drawn[k, :, s]
        yield Score(
            task=name,
            system=run.systems[s],
            score=float(run.scores[k, s]),
            error=float(run.errors[k, s]),
            drawn_error=float(drawn.std(ddof=1)) if len(drawn) > 1 else float("nan"),
            interval=(float(ends[s, 0]), float(ends[s, 1])),
        )


def _gains(run: TasksRun, k: int, name: str, alpha: float, p: Floats, adjusted: Floats) -> Iterator[Gain]:
    freedom = run.freedom[k]
    formula = t_p(run.gains[k], run.gain_errors[k], freedom)
    ends = _gain_intervals(run, k, alpha, p)
    for at, (i, j) in enumerate(run.pairs):
        gain = float(run.gains[k, at])
        first, second = (i, j) if gain >= 0 else (j, i)
        low, high = ends[at] if gain >= 0 else -ends[at, ::-1]
        drawn = _sign(run) * (run.drawn[k, :, first] - run.drawn[k, :, second])
        yield Gain(
            task=name,
            system=run.systems[first],
            baseline=run.systems[second],
            gain=abs(gain),
            error=float(run.gain_errors[k, at]),
            drawn_error=float(drawn.std(ddof=1)) if len(drawn) > 1 else float("nan"),
            interval=(float(low), float(high)),
            p_formula=float(formula[at]),
            freedom=float(freedom[at]),
            p_value=float(p[at]),
            adjusted=float(adjusted[at]),
            resamples=run.resamples if math.isnan(run.exact[k, at]) else 0,
        )


def _notes(result: TasksResult) -> Iterator[str]:
    tasks = result.run.tasks
    clustered = [task.name or "the task" for task in tasks if task.clustered]
    if clustered:
        yield (
            f"Units with several rows (samples of a question, or a cluster of questions) are resampled as one, and the errors by "
            f"formula are clustered: {', '.join(clustered)}."
        )
    yield from dict.fromkeys(assumed(task.measure) for task in tasks if task.why == "assumed")
    measures = dict.fromkeys(task.measure for task in tasks)
    if len(measures) > 1:
        yield f"The tasks have different measures ({', '.join(measures)}); the macro average adds them as they are."
    if len(tasks) > 1:
        yield (
            "The macro average weighs all tasks alike and treats them as given: its interval is about other questions of these "
            "tasks, not about other tasks."
        )
        yield from _in_common(result.run)
    yield from _out_of_reach(result)
    few = [task.name or "the task" for task in tasks if task.units < 30]
    if few:
        yield f"Fewer than 30 units, so only large gains can be found: {', '.join(few)}."


def _out_of_reach(result: TasksResult) -> Iterator[str]:
    """Where so few resamples were drawn that no p of them can be significant after the correction."""
    drawn, gains = result.run.resamples, len(result.run.tasks) * len(result.run.pairs)
    counted = any(gain.resamples for gain in result.gains if gain.task != MACRO)
    least = corrections.adjust_of(result.correction)(np.full(gains, 1 / (drawn + 1)))
    if counted and least.min(initial=1.0) > result.alpha:
        yield (
            f"With {count(drawn, 'resample')} p cannot fall below {format_p(1 / (drawn + 1), drawn)}. After the correction for "
            f"{count(gains, 'gain')} no counted p can be significant. Draw at least {math.ceil(gains / result.alpha):,}."
        )


def _in_common(run: TasksRun) -> Iterator[str]:
    """Which tasks have the same questions, and what is done about it; what is assumed of the others."""
    for part in run.shared.several:
        names = listed(run.tasks[k].name for k in part)
        yield (
            f"Questions with the same id, or number, in {names} are swapped and drawn together. That holds for the p of the macro "
            "average whether or not they are the same."
        )
    if len(run.shared.parts) > 1:
        of = "Other tasks have" if run.shared.several else "The tasks have"
        yield (
            f"{of} different questions, by their ids or by how many they are. If they share some, the p and the errors of the macro "
            "average do not hold."
        )
