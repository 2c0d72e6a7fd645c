"""The smallest gain that a test of a given size detects, and the segments that a gain needs, from the jackknife."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError
from sigcore.studies import units
from sigcore.studies.statistics import Measured, too_few
from sigcore.types import Floats, Side

POWERS = (0.8, 0.95)


@dataclass(frozen=True, eq=False)
class Variation:
    """How much the gains of the P pairs (P, 2) vary: `deviation` (P,) is the standard deviation of a gain on n segments
    times the root of n; nan where two systems differ on too few units, 0 where on none.

    `design_effect` (P,) is how much of its square is due to the unit: the variance over units divided by that over
    segments.
    """

    pairs: NDArray[np.intp]
    deviation: Floats = field(repr=False)
    design_effect: Floats = field(repr=False)

    def quantile(self, share: float) -> float:
        """The deviation that this share of the pairs do not exceed; nan without a pair that differs."""
        defined = self.deviation[self.deviation > 0]
        return float(np.quantile(defined, share)) if len(defined) else math.nan


def variation(measured: Measured, unit_of: units.Groups | None, pairs: NDArray[np.intp]) -> Variation:
    """The variation of the gains of these pairs, by the delete-one jackknife over the units.

    The squared deviation is n (m - 1) / m times the sum of the squared deviations of the m leave-one-out gains: for m = n
    the variance of the influence values u = (n - 1) (mean - leave-one-out). Cost: O(S m K + P m).

    Source: Efron & Tibshirani 1993, Chapter 11 (the jackknife, and influence values); Kish 1965 (the design effect).
    """
    fine = units.left_out(measured)
    summed = units.in_units(measured, unit_of)
    coarse = fine if unit_of is None else units.left_out(summed)
    n = fine.shape[1]
    variances = np.array([units.variance(coarse[a] - coarse[b]) for a, b in pairs.tolist()])
    of_segments = np.array([units.variance(fine[a] - fine[b]) for a, b in pairs.tolist()])
    apart = np.array(
        [
            np.count_nonzero((summed.systems[a].values != summed.systems[b].values).any(axis=1))
            for a, b in pairs.tolist()
        ],
        dtype=np.int64,
    )
    deviation = np.where(too_few(apart), np.nan, np.where(apart == 0, 0.0, np.sqrt(n * variances)))
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where(deviation > 0, variances / of_segments, np.nan)
    return Variation(pairs, deviation, effect)


def detectable_gain(
    deviation: float, segments: int, power: float, alpha: float = 0.05, side: Side = "two-sided"
) -> float:
    """The smallest true gain that a test at alpha on this many segments finds with this probability.

    Source: (z of 1 - alpha / 2, plus z of the power) times the standard error; any textbook, for example Cohen 1988.
    """
    return _distance(power, alpha, side) * deviation / math.sqrt(segments)


def needed_segments(
    deviation: float, gain: float, power: float, alpha: float = 0.05, side: Side = "two-sided"
) -> float:
    """The segments on which a test at alpha finds this true gain with this probability; nan if the deviation is.

    Raises: OptionError for a gain that is not above 0.
    """
    if not gain > 0:
        raise OptionError(f"gain = {gain:g}.", "", "It must be above 0.")
    return float(np.ceil((_distance(power, alpha, side) * deviation / gain) ** 2))


def power(deviation: float, segments: int, gain: float, alpha: float = 0.05, side: Side = "two-sided") -> float:
    """The probability that a test at alpha on this many segments finds this true gain, in its direction."""
    from scipy.stats import norm

    error = deviation / math.sqrt(segments)
    return float(norm.cdf(gain / error - norm.ppf(1 - alpha / (2 if side == "two-sided" else 1))))


@lru_cache(maxsize=256)
def _distance(power: float, alpha: float, side: Side) -> float:
    """How many standard errors a true gain must be above 0."""
    from scipy.stats import norm

    if not 0 < power < 1:
        raise OptionError(f"power = {power:g}.", "", "It must be between 0 and 1; 0.8 is usual.")
    return float(norm.ppf(1 - alpha / (2 if side == "two-sided" else 1)) + norm.ppf(power))


def median(values: Sequence[float]) -> float:
    """The median of the defined values; nan without one."""
    defined = [value for value in values if not math.isnan(value)]
    return float(np.median(defined)) if defined else math.nan
