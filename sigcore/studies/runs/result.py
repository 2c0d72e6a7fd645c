"""Systems with several runs as a grid: p of the shuffle of runs, and what the runs add to it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sigcore import corrections, significance
from sigcore.errors import Undefined
from sigcore.registry import Value
from sigcore.results import MatrixResult, freeze
from sigcore.significance import LEAST_UNITS, Tally, Test
from sigcore.studies.matrix import LEVEL, Settings, adjust, cells_of, in_both_directions, p_grid
from sigcore.studies.runs import notes
from sigcore.studies.runs.compute import TOGETHER, Counted, RunsRun
from sigcore.studies.runs.nested import NESTED
from sigcore.studies.runs.shuffles import SHUFFLES
from sigcore.studies.signature import signature
from sigcore.studies.statistics import too_few
from sigcore.sufficient import gains
from sigcore.types import AUTO, SEGMENT, Floats, Setup, Side


@dataclass(frozen=True, eq=False)
class RunsResult:
    """S systems with several runs each, under one metric; row minus column throughout, as in MatrixResult.

    `grid` has the average scores of the runs and their gains; its p is that of the shuffle of runs (`grid.setup.test`),
    whose statistic is the gain in the score of all runs as one output (`together`, (S,)); its intervals are those of the
    hierarchical bootstrap. `scores` are the runs', `s_sel` (S,) the standard deviation of a run's score over drawn units,
    averaged over the runs, `s_opt` (S,) that of the scores of the runs (nan for one run). `over_segments` and
    `over_documents` (S,) are such averages of jackknife standard errors, nan without documents.

    Uncorrected, (S, S): `swapped_p` is the p of randomization that swaps all runs' outputs of a unit as one, `nested_p`
    that of the hierarchical bootstrap. `run_t`, `run_df` and `run_p` are the t test of two systems' run scores with
    pooled variance: nan where they do not vary. `alike` (S, S; nan on the diagonal) says how many times as much a gain
    varies over units as the exact shuffle assumes: above 1 the runs of a system are alike, and p is too small. Source: Clark
    et al. 2011.
    """

    grid: MatrixResult
    scores: tuple[Floats, ...] = field(repr=False)
    s_sel: Floats
    s_opt: Floats
    over_segments: Floats
    over_documents: Floats
    together: Floats = field(repr=False)
    swapped_p: Floats = field(repr=False)
    nested_p: Floats = field(repr=False)
    run_t: Floats = field(repr=False)
    run_df: Floats = field(repr=False)
    run_p: Floats = field(repr=False)
    alike: Floats = field(repr=False)

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return self.grid.systems

    @property
    def average(self) -> Floats:
        """The mean score of the runs of every system, (S,)."""
        return self.grid.scores

    @property
    def setup(self) -> Setup:
        """How the grid was made."""
        return self.grid.setup

    @property
    def unstable(self) -> tuple[str, ...]:
        """The systems whose runs differ so much that p promises too much: s_opt > s_sel / 2."""
        return notes.unstable(self.systems, self.s_sel, self.s_opt)


def read(run: RunsRun, metric: str, settings: Settings | None = None) -> RunsResult:
    """The result of one metric under the given side, estimator, tie rule and correction; nothing is drawn again.

    Raises: Undefined for a metric that was not computed, and for a correction that needs the joint null.
    """
    counted, settings = run.of(metric), _settled(run, settings or Settings())
    place = run.place
    both = np.ix_(place, place)
    same = counted.differing == 0
    grids = {
        test.name: tuple(part[both] for part in p_grid(tally, test, same, settings))
        for tally, test in (
            (counted.shuffled, SHUFFLES[run.shuffle]),
            (counted.swapped, significance.get(TOGETHER)),
            (counted.nested, NESTED),
        )
    }
    nested = grids[NESTED.name][0]
    nested[_few(run, counted)[both]] = np.nan
    scores = tuple(counted.scores[k] for k in place)
    t, df, p = _t(scores, counted, settings.side)
    spread = {
        "s_sel": counted.s_sel[place],
        "s_opt": np.array([own.std(ddof=1) if len(own) > 1 else math.nan for own in scores]),
    }
    grid = _grid(run, counted, settings, grids[SHUFFLES[run.shuffle].name], scores, spread)
    return RunsResult(
        grid=grid,
        scores=scores,
        **spread,
        over_segments=counted.over_segments[place],
        over_documents=counted.over_documents[place],
        together=counted.together[place],
        swapped_p=grids[TOGETHER][0],
        nested_p=nested,
        run_t=t,
        run_df=df,
        run_p=p,
        alike=_square(counted.alike, counted)[both],
    )


def _settled(run: RunsRun, settings: Settings) -> Settings:
    """The settings with the correction that is used: none for a single test, Holm for "auto"."""
    name = corrections.usual(bootstrap=False) if settings.correction == AUTO else settings.correction
    if corrections.get(name).needs_joint:
        fix = "Choose another correction."
        title = corrections.get(name).title
        raise Undefined(f"{title} needs the joint null, and a shuffle of runs has none.", run.testset, fix)
    alone = len(cells_of(len(run.systems), settings.side)[0]) == 1
    return Settings(settings.side, settings.estimator, settings.ties, "none" if alone else name)


def _few(run: RunsRun, counted: Counted) -> np.ndarray:
    """Where the hierarchical bootstrap gives no p: too few units, or too few on which two systems differ."""
    few = too_few(counted.differing)
    return few | ((run.n < LEAST_UNITS) & ~np.eye(len(few), dtype=bool) & (counted.differing > 0))


def _grid(
    run: RunsRun,
    counted: Counted,
    settings: Settings,
    p: tuple[Floats, ...],
    scores: tuple[Floats, ...],
    spread: Mapping[str, Floats],
) -> MatrixResult:
    place, both = run.place, np.ix_(run.place, run.place)
    average = np.array([own.mean() for own in scores])
    better = counted.measured.systems[0].better
    cells = cells_of(len(run.systems), settings.side)
    tally = counted.shuffled
    adjusted, low, high = adjust((p[0], p[1], p[2]), cells, settings, None, tally.resamples)
    design = counted.design if run.unit != SEGMENT else None
    return MatrixResult(
        setup=_setup(run, counted, settings, spread),
        systems=run.systems,
        groups=run.groups,
        scores=average,
        score_intervals=counted.score_intervals[place],
        gains=gains(average, better),
        p_values=p[0],
        p_low=p[1],
        p_high=p[2],
        adjusted=adjusted,
        notes=notes.of_result(run, counted, settings, scores, spread),
        adjusted_low=low,
        adjusted_high=high,
        design_effect=None if design is None else design.gains[both],
        score_design_effect=None if design is None else design.scores[place],
        gain_intervals=_gain_intervals(run, counted),
    )


def _square(values: Floats, counted: Counted) -> Floats:
    """Numbers (P,) of the pairs as a grid (S, S), the same in both directions."""
    left, right = counted.shuffled.pairs.T
    out = np.full(counted.differing.shape, np.nan)
    out[left, right] = out[right, left] = values
    return out


def _gain_intervals(run: RunsRun, counted: Counted) -> Floats | None:
    if counted.gain_intervals is None:
        return None
    return in_both_directions(counted.gain_intervals, len(run.systems))[np.ix_(run.place, run.place)]


def _setup(run: RunsRun, counted: Counted, settings: Settings, spread: Mapping[str, Floats]) -> Setup:
    measured, test, tally = counted.measured, SHUFFLES[run.shuffle], counted.shuffled
    correction = corrections.get(settings.correction)
    factor = correction.factor(len(cells_of(len(run.systems), settings.side)[0]))
    least = factor / (tally.resamples + 1) if settings.estimator == "valid" else 0.0
    return Setup(
        metric=measured.metric.name,
        metric_title=measured.title,
        better=measured.systems[0].better,
        test=test.name,
        test_title=test.title,
        side=settings.side,
        unit=run.unit,
        n=run.n,
        segments=run.segments,
        resamples=tally.resamples,
        seed=run.seed,
        estimator=settings.estimator,
        ties=settings.ties,
        correction=settings.correction,
        correction_title=correction.title,
        level=LEVEL,
        least_p=min(1.0, least),
        least_by_units=min(1.0, factor * _least_by_units(run, counted, settings.side)),
        decimals=measured.decimals,
        caveat=notes.caveat(run, counted, spread),
        signature=_signature(run, counted, test, tally, settings),
    )


def _least_by_units(run: RunsRun, counted: Counted, side: Side) -> float:
    """A bound below every p that shuffles can give: 1 of the C(a + b, a)^n divisions of n units among the pair with the most
    runs. Two-sided the reverse of a division is one, too, where both systems have as many runs."""
    sizes = run.sizes
    ways = max(math.comb(a + b, a) for k, a in enumerate(sizes) for b in sizes[k + 1 :])
    # runs may differ where their sums do not, so all units count where there are several runs
    units = run.n if max(sizes) > 1 else int(counted.differing.max(initial=0))
    mirrored = side == "two-sided" and len(set(sizes)) == 1
    return min(1.0, (2 if mirrored else 1) * float(ways) ** -min(units, 1000))


def _signature(run: RunsRun, counted: Counted, test: Test, tally: Tally, settings: Settings) -> str:
    parts: Mapping[str, Value] = {
        "metric": counted.measured.systems[0].signature,
        "test": test.name,
        "sides": settings.side,
        "estimator": settings.estimator,
        "ties": settings.ties,
        "resamples": tally.resamples,
        "seed": run.seed,
        "n": run.n,
        "unit": str(run.unit),
        **({"segments": run.segments} if run.unit != SEGMENT else {}),
        "correction": settings.correction,
        "runs": "+".join(map(str, run.sizes)),
        "data": run.data,
    }
    return signature(parts)


def _t(scores: tuple[Floats, ...], counted: Counted, side: Side) -> tuple[Floats, Floats, Floats]:
    """t, its degrees of freedom and its p for every ordered pair, (S, S); nan where the scores do not vary."""
    from scipy.stats import t as student

    better, size = counted.measured.systems[0].better, len(scores)
    t, p = np.full((size, size), np.nan), np.full((size, size), np.nan)
    runs = np.array([len(own) for own in scores])
    df = np.asarray(runs[:, None] + runs[None, :] - 2, dtype=np.float64)
    np.fill_diagonal(df, np.nan)
    gain = gains(np.array([own.mean() for own in scores]), better)
    squares = np.array([((own - own.mean()) ** 2).sum() for own in scores])
    for i, j in zip(*np.nonzero(df > 0), strict=True):
        variance = (squares[i] + squares[j]) / df[i, j] * (1 / runs[i] + 1 / runs[j])
        if variance > 0:
            t[i, j] = gain[i, j] / math.sqrt(variance)
    if side == "two-sided":
        p = 2 * student.sf(np.abs(t), df)
    else:
        p = student.sf(t, df) if side == "greater" else student.cdf(t, df)
    return t, df, np.asarray(p)
