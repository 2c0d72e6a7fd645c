"""The pair with which a lesson begins: neither clearly different nor clearly the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sigcore.studies import units
from sigcore.studies.statistics import Asked, Cache, Progress, measure
from sigcore.sufficient import gains
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, Unit

BORDERLINE = 2.0  # standard errors


def usual_pair(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    unit: str | Unit = AUTO,
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> tuple[str, str]:
    """The pair whose gain is nearest to two of its standard errors, the better system first; the first pair if none
    differs.

    The standard errors are those of the jackknife over units. Raises: as `statistics.measure`. Cost: O(S^2 n).
    """
    drawn, _ = units.chosen(testset, unit)
    (measured,) = measure(testset, outputs, asked[:1], cache, progress)
    whole = units.in_units(measured, units.groups(testset, drawn))
    without, gain = units.left_out(whole), gains(whole.scores, whole.systems[0].better)
    rows, columns = np.triu_indices(len(outputs), k=1)
    error = np.sqrt(units.variance(without[rows] - without[columns]))
    distance = np.full(len(rows), np.inf)
    known = np.isfinite(error) & (error > 0)
    distance[known] = np.abs(np.abs(gain[rows, columns][known]) / error[known] - BORDERLINE)
    best = int(distance.argmin())
    first, second = int(rows[best]), int(columns[best])
    ordered = (first, second) if gain[first, second] >= 0 else (second, first)
    return outputs[ordered[0]].system, outputs[ordered[1]].system
