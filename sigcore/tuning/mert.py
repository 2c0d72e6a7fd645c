"""MERT: the weights whose best hypotheses have the best metric, by exact line searches and restarts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError
from sigcore.kbest.instances import Instances, Objective
from sigcore.kbest.sparse import Sparse
from sigcore.proof import Learned, Proof
from sigcore.registry import number_of
from sigcore.tuning.contract import Method, Options, Step, StepReport, Tuned, options_of, whole
from sigcore.types import Floats, Ints

# The best point on a line through the space of weights, exactly: the upper envelope of every list, and a sweep over them.
# On the line weights + x * direction the score of a hypothesis is intercept + x * slope, so the best one of a list changes
# only where two such lines cross (Och 2003).

OUTSIDE = 1.0  # how far beyond the first and the last crossing the outermost points are
NARROW = 1e-10  # intervals relatively narrower than this are skipped: rounding would decide there


@dataclass(frozen=True, eq=False)
class Crossings:
    """Where the best hypothesis of a list changes: `first` (m,) are the best columns for x to minus infinity; then list
    `lists[b]` changes from column `left[b]` to `right[b]` at `x[b]`, in the order of x."""

    first: NDArray[np.intp]
    x: Floats
    lists: Ints
    left: NDArray[np.intp]
    right: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Sweep:
    """Every interval of a line: a point in each, (B + 1,), its oriented metric, and whether it is wide enough."""

    points: Floats
    values: Floats
    wide: NDArray[np.bool_]

    def best(self) -> tuple[float, float]:
        """(metric, point) of the best interval; of equally good ones the one that is nearest to 0."""
        values = np.where(self.wide & np.isfinite(self.values), self.values, -np.inf)
        top = np.flatnonzero(values == values.max())
        place = top[np.abs(self.points[top]).argmin()]
        return float(values[place]), float(self.points[place])


def crossings(intercepts: Floats, slopes: Floats) -> Crossings:
    """The upper envelopes of lists (m, k): all lists advance together, one crossing at a time.

    Cost: O(m k) for each crossing of the list that has most of them.
    """
    lists = np.arange(len(slopes))
    lowest = slopes == slopes.min(axis=1, keepdims=True)
    current = np.where(lowest, intercepts, -np.inf).argmax(axis=1)
    first, parts = current, []
    while len(lists):
        rise = slopes - slopes[np.arange(len(lists)), current][:, None]
        fall = intercepts[np.arange(len(lists)), current][:, None] - intercepts
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            meets = np.where(rise > 0, fall / rise, np.inf)
        x = meets.min(axis=1)
        going = np.isfinite(x)
        lists, current, x = lists[going], current[going], x[going]
        intercepts, slopes, meets = intercepts[going], slopes[going], meets[going]
        # of lines that meet in one point the steepest wins
        following = np.where(meets == x[:, None], slopes, -np.inf).argmax(axis=1)
        parts.append((x, lists, current, following))
        current = following
    x, owners, left, right = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(x, kind="stable")
    return Crossings(first, x[order], owners[order], left[order], right[order])


def sweep(found: Crossings, statistics: Floats, rows: Ints, objective: Objective) -> Sweep:
    """The metric on every interval: statistics (H, K) of hypotheses at `rows` (m, k), summed and updated at crossings."""
    start = statistics[rows[np.arange(len(rows)), found.first]].sum(axis=0)
    changes = statistics[rows[found.lists, found.right]] - statistics[rows[found.lists, found.left]]
    sums = start + np.concatenate([np.zeros((1, len(start))), np.cumsum(changes, axis=0)])  # (B + 1, K)
    if not len(found.x):
        return Sweep(np.zeros(1), objective(sums), np.ones(1, dtype=bool))
    middle = (found.x[1:] + found.x[:-1]) / 2
    points = np.concatenate([[found.x[0] - OUTSIDE], middle, [found.x[-1] + OUTSIDE]])
    wide = np.diff(found.x) > NARROW * (1 + np.abs(middle))
    return Sweep(points, objective(sums), np.concatenate([[True], wide, [True]]))


MOST_ROUNDS = 1000  # far more than any start needs: every round must gain


def best_on_line(instances: Instances, intercepts: Floats, slopes: Floats) -> tuple[float, float]:
    """(metric, x) of the best point on a line, for the scores (m, k) at x = 0 and their slopes."""
    found = crossings(intercepts, slopes)
    return sweep(found, instances.statistics, instances.padded, instances.objective).best()


def ascend(
    instances: Instances,
    start: Floats,
    random_lines: int,
    least: float,
    rng: np.random.Generator,
    after_round: Callable[[float], None] = lambda value: None,
) -> tuple[float, Floats]:
    """(metric, weights) where no axis, and none of some random lines, improves the metric by more than `least`.

    Of all lines in a round the best one is followed. `after_round` gets the metric after each round. Cost: a round is
    F + `random_lines` line searches.
    """
    assert not isinstance(instances.features, Sparse)
    # (F, m, k): the slopes along the axes
    axes = np.ascontiguousarray(np.moveaxis(instances.features[instances.padded], -1, 0))
    value, weights = instances.value(instances.best(start)), start.astype(np.float64)
    for _ in range(MOST_ROUNDS):
        scores = np.tensordot(weights, axes, 1)
        lines = [np.eye(len(weights))[k] for k in range(len(weights))]
        lines += list(rng.normal(size=(random_lines, len(weights))))
        best, following = value, weights
        for k, line in enumerate(lines):
            slopes = axes[k] if k < len(weights) else np.tensordot(line, axes, 1)
            reached, x = best_on_line(instances, scores, slopes)
            if reached > best:
                best, following = reached, weights + x * line
        after_round(best)
        if best - value <= least:
            break
        # what the sweep found holds at the exact point; nearly equal scores may fall otherwise after rounding
        value, weights = best, following
    return value, weights


def tune(instances: Instances, start: Floats, options: Options, rng: np.random.Generator, report: StepReport) -> Tuned:
    """The best weights of all starts: `start`, and random ones, uniform in [-1, 1]; a step is a round of any start.

    Raises: OptionError for sparse features.
    """
    if isinstance(instances.features, Sparse):
        fix = "Choose another method, or tune fewer features."
        raise OptionError(f"MERT searches a line along each of {len(start):,} sparse features.", "", fix)
    best, most, course = start, -np.inf, list[Step]()

    def after_round(value: float) -> None:
        course.append(Step(len(course) + 1, np.nan, max(most, value)))
        report(course[-1])

    settings = whole(options, "random_lines"), number_of(options, "least_gain"), rng
    for k in range(1 + whole(options, "restarts")):
        begin = start if k == 0 else rng.uniform(-1, 1, len(start))
        value, weights = ascend(instances, begin, *settings, after_round)
        if value > most:
            best, most = weights, value
    return Tuned(best, tuple(course))


EXAMPLE = Learned(
    (
        (((3.0, 0.0), 0.2), ((0.0, 2.0), 0.9), ((1.0, 1.0), 0.4)),
        (((2.0, 0.0), 0.7), ((0.0, 1.0), 0.3)),
        (((0.0, 3.0), 0.1), ((5.0, 0.0), 0.8)),
    ),
    "(0.9 + 0.7 + 0.8) / 3",
    "by hand: the second, first and second hypotheses win for weights (x, y) with 1.5 x < y < 5 x / 3 and y < 2 x",
)

METHOD = Method(
    name="mert",
    title="MERT",
    tune=tune,
    options=options_of("mert"),
    help="Maximises the metric itself by line searches; for at most about 30 features.",
    source="Och 2003; Koehn 2009",
    most=30,
    proof=Proof((EXAMPLE,)),
)
