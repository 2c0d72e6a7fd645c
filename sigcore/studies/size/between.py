"""Differences between training runs in the planning of a test set: runs of one system as further variation of a gain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from sigcore.errors import Undefined
from sigcore.formatting import listed
from sigcore.studies.pairs import scores
from sigcore.studies.size.compute import SizeRun
from sigcore.studies.size.detectable import detectable_gain


@dataclass(frozen=True)
class BetweenRuns:
    """How much the gain of one run of `system` over one of `baseline` varies: `deviation` as in `Variation`, from the
    segments alone (the root mean square over the pairs of runs), and `spread`, the standard deviation between runs (of
    one run of each, so the root of the sum of both variances), which more segments do not reduce."""

    system: str
    baseline: str
    runs: tuple[int, int]
    deviation: float
    spread: float

    def effect(self, segments: int) -> float:
        """The design effect between runs: the variance of the gain on this many segments, divided by that for fixed runs."""
        return 1 + segments * (self.spread / self.deviation) ** 2 if self.deviation > 0 else math.nan

    def detectable(self, segments: int, power: float, alpha: float) -> float:
        """The smallest true gain between systems that one run of each finds, differences between runs included."""
        return detectable_gain(self.deviation * math.sqrt(self.effect(segments)), segments, power, alpha)

    def least(self, power: float, alpha: float) -> float:
        """What no number of segments goes below, with one run of each."""
        return detectable_gain(self.spread, 1, power, alpha)

    def as_dict(self, segments: int, power: float, alpha: float) -> dict[str, Any]:
        """One object of JSON for this many segments and this power."""
        return {
            "system": self.system,
            "baseline": self.baseline,
            "runs": list(self.runs),
            "spread": self.spread,
            "segments": segments,
            "power": power,
            "design_effect": self.effect(segments),
            "gain": self.detectable(segments, power, alpha),
            "least": self.least(power, alpha),
        }


def between_runs(run: SizeRun, systems: Mapping[str, Sequence[str]]) -> tuple[BetweenRuns, ...]:
    """Every pair of systems; `systems` has the names of the outputs that are the runs of each.

    The variance between runs is that of their scores on these segments (n - 1). It contains what the choice of segments
    adds to differences between runs of one system, so it is a little too large.

    Raises: Undefined for systems with fewer than two runs each, or outputs that are not loaded.
    """
    names = [item.system for item in run.prepared.measured.systems]
    _check(names, systems)
    places = {system: [names.index(name) for name in own] for system, own in systems.items()}
    whole = scores(run.prepared.measured.systems)
    variances = {system: float(np.var(whole[own], ddof=1)) for system, own in places.items()}
    pairs = [frozenset(pair) for pair in run.varied.pairs.tolist()]
    squares = dict(zip(pairs, (run.varied.deviation**2).tolist(), strict=True))
    out = []
    for one, other in combinations(systems, 2):
        of_runs = [squares[frozenset(pair)] for pair in product(places[one], places[other])]
        deviation = math.sqrt(_mean(of_runs))
        spread = math.sqrt(variances[one] + variances[other])
        out.append(BetweenRuns(one, other, (len(places[one]), len(places[other])), deviation, spread))
    return tuple(out)


def _check(names: Sequence[str], systems: Mapping[str, Sequence[str]]) -> None:
    missing = [name for own in systems.values() for name in own if name not in names]
    if missing:
        raise Undefined(f"{listed(missing)} is not loaded.", "", f"Outputs: {listed(names)}.")
    alone = [system for system, own in systems.items() if len(own) < 2]
    if alone or len(systems) < 2:
        what = f"{listed(alone)}: a single run." if alone else "There is only one system."
        raise Undefined(what, "", "Differences between runs need two systems with two runs or more each.")


def _mean(values: Sequence[float]) -> float:
    """The mean of the defined values; nan without one."""
    defined = [value for value in values if not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan
