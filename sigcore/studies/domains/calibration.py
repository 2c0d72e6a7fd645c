"""The calibration experiment: test sets drawn from one population, and how often a borderline p has the right sign."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from sigcore import executors
from sigcore.formatting import count
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies.gain import P_HIGH, P_LOW
from sigcore.studies.pairs import TEST_SETS, How, scores, staged
from sigcore.studies.prepared import Compared, Prepared, drawn_sets, points
from sigcore.studies.statistics import Progress
from sigcore.types import Bools, Floats

# p of the bins, from each number to below the next: those of the paper's Table 1, and beyond them to 0.5.
EDGES = (0.0, 0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.5)


@dataclass(frozen=True)
class Bin:
    """Of `pairs` tests with p from `low` to below `high` on a drawn test set, how many `agree` with the population."""

    low: float
    high: float
    pairs: int
    agree: int

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON; the share in percent is nan, and its exact interval 0 to 100, without a test."""
        percent, low, high = share(self.agree, self.pairs)
        return {**vars(self), "percent": percent, "low_ci": low, "high_ci": high}


@dataclass(frozen=True)
class Calibration:
    """Of `pairs` pairs with p in [p_low, p_high] on a drawn test set, how many `agree` with the sign on the population.

    `percent` with its exact interval `low`, `high` in percent, as if the pairs were independent; nan without a pair.
    `draws` test sets of about `segments` segments were drawn, which gave `tested` p-values. Pairs without a gain on
    the population are left out. `bins` has the same counts for all p.
    """

    p_low: float
    p_high: float
    pairs: int
    agree: int
    draws: int
    segments: int
    tested: int
    bins: tuple[Bin, ...] = ()

    @property
    def percent(self) -> float:
        """The share that agrees, in percent."""
        return share(self.agree, self.pairs)[0]

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON."""
        percent, low, high = share(self.agree, self.pairs)
        bins = [item.as_dict() for item in self.bins]
        return {**vars(self), "percent": percent, "low": low, "high": high, "bins": bins}

    def __str__(self) -> str:
        if not self.pairs:
            return f"None of the {count(self.tested, 'test')} on drawn test sets had p from {self.p_low:g} to {self.p_high:g}."
        percent, low, high = share(self.agree, self.pairs)
        return (
            f"Of {self.pairs:,} tests with p from {self.p_low:g} to {self.p_high:g} on test sets drawn from these segments, "
            f"{percent:.1f} % found the system that is better on all of them (95 % interval [{low:.1f} %, {high:.1f} %] if "
            "tests were independent, which tests on one test set are not)."
        )


def share(part: int, whole: int) -> tuple[float, float, float]:
    """A share in percent and the ends of its exact 95 % interval; nan, 0 and 100 of nothing."""
    low, high = clopper_pearson(part, whole)
    return (100 * part / whole if whole else math.nan), 100 * float(low), 100 * float(high)


def calibration(
    prepared: Prepared,
    compared: Compared,
    size: int,
    draws: int,
    how: How,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """The experiment with the pairs of `compared`: the whole test set is the population, the sign of a gain on it the truth.

    Source: Berg-Kirkpatrick et al. 2012, Section 4.2: of 942 tests with p from .04 to .06 on test sets of 1,600 segments
    drawn from Brown, 869 (92 %) agreed.
    """
    upward = scores(compared.systems)
    p, right = list[Floats](), list[Bools]()
    tested = 0
    for number, part in enumerate(drawn_sets(prepared, size, draws, how.seed, TEST_SETS)):
        inner = staged(progress, f"test sets of {size:,} segments", number, draws)
        found = points(compared, part, how, executor, inner)
        truth = np.sign(upward[found.pairs[:, 0]] - upward[found.pairs[:, 1]])
        used = truth != 0
        p.append(found.p_values[used])
        right.append((truth == np.sign(found.gains))[used])
        tested += int((~np.isnan(found.p_values)).sum())
    return _counted(np.concatenate(p), np.concatenate(right), draws, size, tested)


def _counted(p: Floats, right: Bools, draws: int, size: int, tested: int) -> Calibration:
    """The counts of tests with these p (T,) that found the right system or not (T,)."""
    borderline = (p >= P_LOW) & (p <= P_HIGH)
    bins = list[Bin]()
    for low, high in pairwise(EDGES):
        inside = (p >= low) & (p < high)
        bins.append(Bin(low, high, int(inside.sum()), int(right[inside].sum())))
    near, agree = int(borderline.sum()), int(right[borderline].sum())
    return Calibration(P_LOW, P_HIGH, near, agree, draws, size, tested, tuple(bins))
