"""The best point on a line through the space of weights, exactly: the upper envelope of every list, and a sweep over them.

On the line weights + x * direction the score of a hypothesis is intercept + x * slope, so the best one of a list changes
only where two such lines cross. Source: Och 2003.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigcore.kbest.instances import Objective
from sigcore.types import Floats, Ints

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
