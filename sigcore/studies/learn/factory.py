"""The null factory: many data sets without a difference, made of the class's own outputs, and the p of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.resampling.pvalues import clopper_pearson
from sigcore.results import freeze
from sigcore.studies.learn.draws import Draw, Pair, unit_of, worlds
from sigcore.studies.learn.tail import Rule, p_of
from sigcore.studies.statistics import Progress
from sigcore.types import Floats

MOST_UNITS, RESAMPLES, REPETITIONS = 200, 199, 1_000
BINS = 20


@dataclass(frozen=True, eq=False)
class Factory:
    """The p (M,) and gains (M,) of M data sets of `units` units; `is_null` says that the systems do not differ."""

    p: Floats
    gains: Floats
    units: int
    is_null: bool

    def __post_init__(self) -> None:
        freeze(self)

    def counts(self, first: int) -> Floats:
        """How many of the first p are in each of BINS equal parts of (0, 1]; a p on an edge is in the part below it."""
        places = np.ceil(np.round(self.p[:first] * BINS, 9)).astype(np.int64) - 1
        return np.bincount(np.clip(places, 0, BINS - 1), minlength=BINS).astype(np.float64)

    def rejected(self, alpha: float, first: int | None = None) -> int:
        """How many of the first p are at most alpha."""
        return int((self.p[:first] <= alpha).sum())

    def interval(self, alpha: float) -> tuple[float, float]:
        """The exact 95 % interval of the share of p at most alpha."""
        low, high = clopper_pearson(self.rejected(alpha), len(self.p))
        return float(low), float(high)


def factory(pair: Pair, seed: int, is_null: bool = True, progress: Progress | None = None) -> Factory:
    """Data sets drawn from the units of the pair; two-sided approximate randomization. Cost: O(M R n K)."""
    units = min(pair[0].n, MOST_UNITS)
    drawn = worlds(pair, Draw("swap"), units, RESAMPLES, REPETITIONS, seed, is_null, progress)
    rule = Rule(Draw("swap"))
    return Factory(p_of(rule, drawn.gains, drawn.pseudo, unit_of(pair)), drawn.gains, units, is_null)
