"""The threshold of a class of pairs: the gain below which most borderline pairs are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sigcore.errors import MismatchError
from sigcore.formatting import count
from sigcore.results import GainResult
from sigcore.significance import LEAST_UNITS
from sigcore.studies.pairs import INTERVALS, generator
from sigcore.types import Floats

P_LOW, P_HIGH = 0.04, 0.06  # a pair is borderline with p in [.04, .06]
PERCENTILE = 95
SPREAD = (5, 95)  # the spread of the borderline gains is from this percentile to that one
LEAST_PAIRS = 10
LEVEL = 0.95
DRAWS = 10_000  # bootstrap draws of the borderline pairs
ALL = "all"  # the class of every pair where nobody gave groups


@dataclass(frozen=True)
class Threshold:
    """The threshold of one class, from the `n` of its `tested` pairs (those with a p) that have p in [.04, .06], and its
    percentile bootstrap interval.

    `spread` is the difference between the 95th and the 5th percentile of their gains. All are nan with fewer than
    LEAST_PAIRS pairs, and `reason` says so. The interval draws the pairs as if they were independent; pairs that share a
    system are not, so it is too narrow.
    """

    pair_class: str
    threshold: float
    n: int
    low: float
    high: float
    spread: float
    tested: int
    synthetic: bool = False

    @property
    def reason(self) -> str:
        """Why there is no threshold; "" if there is one."""
        if not math.isnan(self.threshold):
            return ""
        if not self.tested:
            return f"no pair has a p; a bootstrap needs at least {LEAST_UNITS} units on which two systems differ"
        return (
            f"{count(self.n, 'pair')} with p from {P_LOW:g} to {P_HIGH:g}; a threshold needs at least {LEAST_PAIRS}, "
            "or its percentile is only the largest gain"
        )

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON."""
        return {
            "class": self.pair_class,
            "threshold": self.threshold,
            "n": self.n,
            "low": self.low,
            "high": self.high,
            "spread": self.spread,
            "tested": self.tested,
            "synthetic": self.synthetic,
            "reason": self.reason,
        }


def threshold(gains: Floats, p_values: Floats, pair_class: str, seed: int, synthetic: bool = False) -> Threshold:
    """The threshold of pairs with these gains (P,) and p (P,).

    Source: Berg-Kirkpatrick et al. 2012, Section 3.1.1: "by taking, say, the 95th percentile of these metric gains". The
    interval and the refusal are ours.
    """
    tested = int((~np.isnan(p_values)).sum())
    near = gains[(p_values >= P_LOW) & (p_values <= P_HIGH)]
    if len(near) < LEAST_PAIRS:
        return Threshold(pair_class, math.nan, len(near), math.nan, math.nan, math.nan, tested, synthetic)
    near = np.sort(near)  # the draws must not depend on the order of the pairs
    drawn = generator(seed, INTERVALS).integers(0, len(near), (DRAWS, len(near)))
    ends = np.quantile(np.percentile(near[drawn], PERCENTILE, axis=1), ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    value, (least, most) = float(np.percentile(near, PERCENTILE)), np.percentile(near, SPREAD)
    return Threshold(
        pair_class, value, len(near), float(ends[0]), float(ends[1]), float(most - least), tested, synthetic
    )


def classes(pair_class: Sequence[str]) -> tuple[str, ...]:
    """The class of every pair; ALL for each where none has one."""
    return tuple(pair_class) if any(pair_class) else (ALL,) * len(pair_class)


def thresholds(result: GainResult) -> tuple[Threshold, ...]:
    """The threshold of each class of the result, by name; pairs without a class beside others that have one are left out."""
    named = np.array(classes(result.pair_class))
    if len(named) != len(result.gains):
        raise MismatchError(f"{len(named)} classes for {len(result.gains)} pairs.")
    return tuple(
        threshold(
            result.gains[named == name], result.p_values[named == name], name, result.setup.seed, result.synthetic
        )
        for name in sorted(set(named.tolist()) - {""})
    )
