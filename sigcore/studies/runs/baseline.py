"""The runs of a system against one output of a baseline: the average gain, its p, and what the runs add to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections, executors, significance
from sigcore.resampling.quantiles import quantiles
from sigcore.results import freeze
from sigcore.significance import INTERVAL_RESAMPLES, LEAST_UNITS, Draws, Question, Test
from sigcore.studies.matrix import Settings, p_of_pairs
from sigcore.studies.matrix.joint import ENDS
from sigcore.studies.runs.compute import s_sel, together
from sigcore.studies.statistics import differing, too_few
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.types import Floats, Ints

Progress = Callable[[str, int, int], None]


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
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
) -> tuple[RunsTest, ...]:
    """Every system, with all its runs, against the baseline.

    `settings` are the side, the estimator and the tie rule; the correction is always Holm's.

    Raises: UnknownMember for a test that does not exist.
    """
    member, mapper = significance.get(test), executor or executors.local()

    def draws(statistics: Sequence[SufficientStatistics], pairs: Sequence[tuple[int, int]]) -> Draws:
        question = Question((tuple(statistics),), (member,), np.array(pairs, dtype=np.intp), resamples, seed)
        return significance.tally(question, mapper, progress)[0]

    single = [baseline, *(run for runs in systems.values() for run in runs)]
    each = draws(single, [(k, 0) for k in range(1, len(single))])
    # all runs of a system as one system, beside as many copies of the baseline
    pooled = [part for runs in systems.values() for part in (together(runs), together([baseline] * len(runs)))]
    at_once = draws(pooled, [(2 * k, 2 * k + 1) for k in range(len(systems))])
    differ = _differing(zip(pooled[::2], pooled[1::2], strict=True))
    differ_of_each = _differing((run, baseline) for run in single[1:])
    p_of_all = _p_values(at_once, member, settings or Settings(), differ)
    p_of_each = _p_values(each, member, settings or Settings(), differ_of_each)[0]
    adjusted = _holm(p_of_all[0])
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


def _holm(p: Floats) -> Floats:
    adjust = corrections.get("holm").adjust
    assert adjust is not None
    adjusted, defined = np.full_like(p, np.nan), np.isfinite(p)
    adjusted[defined] = adjust(p[defined])
    return adjusted


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
            lambda: (block[places].mean(axis=0, keepdims=True) - block[:1] for block in spool.first(used)),
            used,
            ENDS,
        )[0]
        low, high = float(ends[0]), float(ends[1])
    return _Moments(scores, gains, s_sel(spool, places), (low, high))


def _t(gains: Floats) -> tuple[float, float]:
    """t and two-sided p of the mean of the gains against 0; nan where they do not vary."""
    from scipy.stats import t as student

    if len(gains) < 2 or gains.std() == 0:
        return math.nan, math.nan
    t = float(gains.mean() / (gains.std(ddof=1) / math.sqrt(len(gains))))
    return t, float(2 * student.sf(abs(t), len(gains) - 1))
