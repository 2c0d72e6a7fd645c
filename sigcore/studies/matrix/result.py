"""A grid read from the counts: p, its interval and the correction; nothing is resampled again."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections, significance
from sigcore.corrections import JointNull
from sigcore.errors import OptionError, Undefined
from sigcore.registry import Value
from sigcore.resampling.blocks import BLOCK
from sigcore.resampling.pvalues import clopper_pearson, doubled, exceedances, p_values, tolerance
from sigcore.results import MatrixResult
from sigcore.significance import Draws, Tally, Test
from sigcore.studies.matrix import notes
from sigcore.studies.matrix.compute import LEVEL, MatrixRun
from sigcore.studies.statistics import same_statistics
from sigcore.sufficient import gains
from sigcore.types import ESTIMATORS, SEGMENT, SIDES, TIE_RULES, Bools, Estimator, Floats, Setup, Side, TieRule
from sigcore.version import __version__

Cells = tuple[NDArray[np.intp], ...]
# p of every test, and the ends of its Monte Carlo interval
Grid = tuple[Floats, Floats, Floats]
OTHER: Mapping[Side, Side] = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


@dataclass(frozen=True)
class Settings:
    """How results are read from the counts; changing any of these needs no new draws."""

    side: Side = "two-sided"
    estimator: Estimator = "valid"
    ties: TieRule = "counted"
    correction: str = "holm"

    def __post_init__(self) -> None:
        known: Mapping[str, tuple[str, ...]] = {"side": SIDES, "estimator": ESTIMATORS, "ties": TIE_RULES}
        for name, choices in known.items():
            if getattr(self, name) not in choices:
                raise OptionError(f"{name} = {getattr(self, name)!r}.", "", f"Choose from: {', '.join(choices)}.")


def read(run: MatrixRun, metric: str, test: str, settings: Settings | None = None) -> MatrixResult:
    """The grid of one metric and test under the given side, estimator, tie rule and correction.

    Cost: O(S^2), and O(R S^2) for a correction that needs the joint null; nothing is resampled again.

    Raises: Undefined for a metric or a test that was not computed, and for a correction that needs the joint null
    if there is none.
    """
    settings = settings or Settings()
    position = run.position(metric)
    measured, draws = run.measured[position], run.draws[position]
    if test not in draws.tallies:
        raise Undefined(f"{test} was not computed.", run.testset, f"Computed: {', '.join(draws.tallies)}.")
    member, tally = significance.get(test), draws.tallies[test]
    grid = p_grid(tally, member, same_statistics(run.summed[position]), settings)
    cells = _cells(len(run.systems), settings.side)
    adjust = partial(_adjusted, cells, settings, _joint(run, draws, member, settings, cells))
    adjusted, low, high = (adjust(part) for part in grid)
    design = run.drawn_design(position)
    effects = () if design is None else design.of_pairs.tolist()
    return MatrixResult(
        setup=setup(run, position, member, settings),
        systems=run.systems,
        groups=run.groups,
        scores=measured.scores,
        score_intervals=run.score_intervals[position],
        gains=gains(measured.scores, measured.systems[0].better),
        p_values=grid[0],
        p_low=grid[1],
        p_high=grid[2],
        adjusted=adjusted,
        notes=run.notes
        + notes.of_resolution(len(cells[0]), member, settings, tally.resamples)
        + notes.of_both_sides(settings)
        + notes.of_undefined([tally], measured.title)
        + notes.of_design(run, position, effects),
        adjusted_low=low,
        adjusted_high=high,
        design_effect=None if design is None else design.gains,
        score_design_effect=None if design is None else design.scores,
    )


def setup(run: MatrixRun, position: int, test: Test, settings: Settings) -> Setup:
    """How the result of one metric and test was made."""
    measured = run.measured[position]
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
        resamples=run.draws[position].tallies[test.name].resamples,
        seed=run.seed,
        estimator=settings.estimator,
        ties=settings.ties,
        correction=settings.correction,
        correction_title=corrections.get(settings.correction).title,
        level=LEVEL,
        decimals=measured.decimals,
        signature=signature(run, position, test, settings),
    )


def p_grid(tally: Tally, test: Test, same: Bools, settings: Settings) -> Grid:
    """p and its Monte Carlo interval for every ordered pair, each (S, S); the diagonal is 1."""
    p, low, high = (np.ones(same.shape) for _ in range(3))
    forward = p_of_pairs(tally, test, settings)
    backward = p_of_pairs(tally, test, settings, turned=True)
    left, right = tally.pairs.T
    for grid, ahead, back in zip((p, low, high), forward, backward, strict=True):
        grid[left, right], grid[right, left] = ahead, back
        grid[same] = 1.0
    return p, low, high


def p_of_pairs(tally: Tally, test: Test, settings: Settings, turned: bool = False) -> Grid:
    """p, low, high (P,) of the pairs as tallied, or reversed (the second system against the first)."""
    side = settings.side
    if side == "two-sided" and test.doubled:
        one, other = _one_side(tally, "greater", settings), _one_side(tally, "less", settings)
        p = doubled(one[0], other[0])
        nearer = one[0] <= other[0]
        low, high = (np.minimum(1.0, 2 * np.where(nearer, one[k], other[k])) for k in (1, 2))
    else:
        p, low, high = _one_side(tally, OTHER[side] if turned else side, settings)
    if side == "two-sided":
        # no gain: every resample is at least as large
        none = np.abs(tally.gains) <= tolerance(0.0, tally.units)
        p, low, high = (np.where(none, 1.0, grid) for grid in (p, low, high))
    return p, low, high


def _one_side(tally: Tally, side: Side, settings: Settings) -> Grid:
    if tally.exact is not None:
        p = tally.exact[SIDES.index(side)]
        return p, np.full_like(p, np.nan), np.full_like(p, np.nan)
    beyond, ties = tally.counts[SIDES.index(side)]
    count = exceedances(beyond, ties, settings.ties)
    low, high = clopper_pearson(count, tally.resamples)
    return p_values(count, tally.resamples, settings.estimator), low, high


def _cells(systems: int, side: Side) -> Cells:
    """The cells of the grid that are tests: two-sided, one per pair; one-sided, one per direction."""
    return np.triu_indices(systems, k=1) if side == "two-sided" else np.nonzero(~np.eye(systems, dtype=bool))


def _adjusted(cells: Cells, settings: Settings, joint: JointNull | None, p: Floats) -> Floats:
    """The grid (S, S) of adjusted p."""
    adjusted = np.ones_like(p)
    if len(cells[0]):
        adjusted[cells] = corrections.get(settings.correction).adjust(p[cells], joint)
    return np.minimum(adjusted, adjusted.T) if settings.side == "two-sided" else adjusted


def _joint(run: MatrixRun, draws: Draws, test: Test, settings: Settings, cells: Cells) -> JointNull | None:
    """The joint null of the tests in these cells, for a correction that needs it.

    Raises: Undefined if the test has none, or if the draws were not kept.
    """
    correction = corrections.get(settings.correction)
    if not correction.needs_joint:
        return None
    if test.draws != "bootstrap":
        fix = "Choose a bootstrap test, or another correction."
        raise Undefined(f"{correction.title} needs the joint null, and {test.title} has none.", run.testset, fix)
    if draws.scores is None:
        raise Undefined(f"{correction.title} needs the draws, which were not kept.", run.testset, "Run with keep=True.")
    tally = draws.tallies[test.name]
    return JointNull(
        observed=_turned(tally, cells, settings.side, tally.gains[:, None])[:, 0],
        blocks=partial(_joint_blocks, draws, test, settings.side, cells),
        resamples=tally.resamples,
    )


def _joint_blocks(draws: Draws, test: Test, side: Side, cells: Cells) -> Iterator[Floats]:
    """The pseudo-statistics (m, B) of the tests in these cells, block by block."""
    tally = draws.tallies[test.name]
    left, right = tally.pairs.T
    assert draws.scores is not None
    for scores in draws.scores.first(tally.resamples):
        null = test.statistics(scores[left] - scores[right], tally.means[:, None], tally.gains[:, None])
        yield _turned(tally, cells, side, null)


def _turned(tally: Tally, cells: Cells, side: Side, values: Floats) -> Floats:
    """Values (P, B) of the pairs as values (m, B) of the tests in these cells, larger = more extreme on that side."""
    row, column = cells
    place = {tuple(pair): k for k, pair in enumerate(tally.pairs.tolist())}
    pairs = [place[min(a, b), max(a, b)] for a, b in zip(row.tolist(), column.tolist(), strict=True)]
    if side == "two-sided":
        return np.asarray(np.abs(values[pairs]))
    sign = np.where(row < column, 1.0, -1.0) * (1 if side == "greater" else -1)
    return np.asarray(values[pairs] * sign[:, None])


def signature(run: MatrixRun, position: int, test: Test, settings: Settings) -> str:
    """Everything that is needed to reproduce one result, in one string."""
    parts: Mapping[str, Value] = {
        "metric": run.measured[position].systems[0].signature,
        "test": test.name,
        "sides": settings.side,
        "estimator": settings.estimator,
        "ties": settings.ties,
        "resamples": run.draws[position].tallies[test.name].resamples,
        "seed": run.seed,
        "n": run.n,
        "unit": str(run.unit),
        **({"segments": run.segments} if run.unit != SEGMENT else {}),
        "correction": settings.correction,
        "systems": len(run.systems),
        "data": run.data,
        "block": BLOCK,
        "sigcore": __version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())
