"""The pair with which a lesson begins: neither clearly different nor clearly the same."""

from __future__ import annotations

import numpy as np

from sigcore.studies import units
from sigcore.studies.learn.data import Data
from sigcore.sufficient import gains

BORDERLINE = 2.0  # standard errors


def usual_pair(of: Data) -> tuple[str, str]:
    """The pair whose gain is nearest to two of its standard errors, the better system first; the first pair if none
    differs.

    The standard errors are those of the jackknife over units. Cost: O(S^2 n).
    """
    whole = of.measured
    without, gain = units.left_out(whole), gains(whole.scores, whole.systems[0].better)
    rows, columns = np.triu_indices(len(of.names), k=1)
    error = np.sqrt(units.variance(without[rows] - without[columns]))
    distance = np.full(len(rows), np.inf)
    known = np.isfinite(error) & (error > 0)
    distance[known] = np.abs(np.abs(gain[rows, columns][known]) / error[known] - BORDERLINE)
    best = int(distance.argmin())
    first, second = int(rows[best]), int(columns[best])
    ordered = (first, second) if gain[first, second] >= 0 else (second, first)
    return of.names[ordered[0]], of.names[ordered[1]]
