"""What a test and a study give back: frozen, complete, able to say how to run it again."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.types import Floats, Ints

ALTERNATIVES = ("two-sided", "greater", "less")


def freeze(record: Any) -> None:
    """Make every array of a frozen dataclass read-only (called from __post_init__)."""
    for item in fields(record):
        value = getattr(record, item.name)
        if isinstance(value, np.ndarray):
            array = np.ascontiguousarray(value)
            array.setflags(write=False)
            object.__setattr__(record, item.name, array)


def complete(record: Any) -> None:
    """Freeze a result; where it does not say of how many segments its n units are made, they are the segments."""
    if record.segments is None:
        object.__setattr__(record, "segments", record.n)
    freeze(record)


@dataclass(frozen=True, eq=False)
class Histogram:
    """A null in bins: `edges` (bins + 1,) and `counts` (bins,); every resample lies in one bin."""

    edges: Floats
    counts: Ints

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, eq=False)
class TestResult:
    """One test on one pair, on one side.

    `gain` = score of `system` minus score of `baseline`, positive = `system` is better.
    `p_interval` is the Clopper-Pearson interval of the Monte Carlo p (nan, nan where `exact`).
    `interval` is the percentile interval of the gain at `level`. `cutoffs` = (low, high): resamples at or
    beyond them count (-inf, inf where a side does not count); `tail` of them did, `ties` lay on the cut-off.
    `counted` says what the resamples are in a sentence; `doubled`, that a two-sided p is twice the share of the tail;
    `tie_rule`, whether ties are in the tail (counted), out of it (strict) or in with half their number (half).
    `n` `unit`s ("segment", "document", "block:50") were resampled, made of that many `segments`.
    """

    test: str
    title: str
    metric: str
    system: str
    baseline: str
    scores: tuple[float, float]
    gain: float
    p_value: float
    p_interval: tuple[float, float]
    alternative: str
    interval: tuple[float, float]
    level: float
    histogram: Histogram
    cutoffs: tuple[float, float]
    tail: int
    ties: int
    resamples: int
    seed: int
    n: int
    estimator: str
    signature: str
    null: Floats | None = None
    exact: bool = False
    counted: str = "resamples"
    doubled: bool = False
    tie_rule: str = "counted"
    unit: str = "segment"
    segments: int | None = None

    def __post_init__(self) -> None:
        complete(self)

    def significant(self, alpha: float) -> bool:
        """Whether the null is rejected at this level."""
        return self.p_value <= alpha

    def undecided(self, alpha: float) -> bool:
        """Whether the Monte Carlo interval of p straddles alpha: more resamples could turn the verdict."""
        return self.p_interval[0] <= alpha < self.p_interval[1]


@dataclass(frozen=True, eq=False)
class MatrixResult:
    """All pairs of S systems under one metric, test and side; row minus column throughout.

    `gains`, `p_values`, `p_low`, `p_high`, `adjusted` are (S, S); the diagonal is 0 for gains and 1 for p.
    `score_intervals` (S, 2) are percentile intervals at `level`. `adjusted_low`, `adjusted_high` (S, S) are what the
    correction makes of `p_low` and `p_high` (None: of a result put together without them). `n` `unit`s of so many
    `segments` were resampled; `design_effect` (S, S; nan on the diagonal) and `score_design_effect` (S,) say how many
    times as much the gains and the scores vary over them as over segments (None where the unit is the segment).
    `decimals` is how many of them the metric's scores and gains are printed with.
    """

    systems: tuple[str, ...]
    groups: tuple[str, ...]
    metric: str
    metric_title: str
    better: str
    test: str
    test_title: str
    alternative: str
    scores: Floats
    score_intervals: Floats
    level: float
    gains: Floats
    p_values: Floats
    p_low: Floats
    p_high: Floats
    adjusted: Floats
    correction: str
    estimator: str
    n: int
    resamples: int
    seed: int
    signature: str
    notes: tuple[str, ...] = ()
    adjusted_low: Floats | None = None
    adjusted_high: Floats | None = None
    unit: str = "segment"
    segments: int | None = None
    design_effect: Floats | None = None
    score_design_effect: Floats | None = None
    decimals: int = 2

    def __post_init__(self) -> None:
        complete(self)

    @property
    def design_effects(self) -> tuple[float, ...]:
        """The design effect of each pair once, where it is defined; () where the unit is the segment."""
        if self.design_effect is None:
            return ()
        found = self.design_effect[np.triu_indices(len(self.systems), k=1)]
        return tuple(float(x) for x in found[np.isfinite(found)])

    @property
    def order(self) -> list[int]:
        """System positions from best to worst score; equal scores keep their order."""
        best_first = self.scores if self.better == "lower" else -self.scores
        return [int(i) for i in np.argsort(best_first, kind="stable")]

    def levels(self, alpha: float = 0.05) -> Ints:
        """(S, S) verdicts: positive where the row is significantly better at alpha, negative where it is worse, 0
        where neither. The size is 1, and one more at p <= .01, and again at p <= .001; undefined p gives 0."""
        reached = np.where(self.adjusted <= alpha, 1 + (self.adjusted <= 0.01) + (self.adjusted <= 0.001), 0)
        np.fill_diagonal(reached, 0)
        if self.alternative == "two-sided":
            return np.asarray(np.sign(self.gains).astype(np.int64) * reached)
        row_better = reached if self.alternative == "greater" else reached.T
        return np.asarray(row_better - row_better.T, dtype=np.int64)

    def undecided(self, alpha: float) -> NDArray[np.bool_]:
        """(S, S): pairs whose verdict more resamples could turn: the Monte Carlo interval of p, corrected as p is,
        straddles alpha."""
        low = self.p_low if self.adjusted_low is None else self.adjusted_low
        high = self.p_high if self.adjusted_high is None else self.adjusted_high
        return np.asarray((low <= alpha) & (alpha < high) & ~np.eye(len(self.systems), dtype=bool))


@dataclass(frozen=True, eq=False)
class CompareResult:
    """One pair under several tests: the scores, the interval of the gain, and one TestResult per test x side.

    `unit`, `segments`, `design_effect` (of the gain), `score_design_effect` (of both scores) and `decimals` as in
    MatrixResult.
    """

    system: str
    baseline: str
    metric: str
    metric_title: str
    better: str
    scores: tuple[float, float]
    score_intervals: tuple[tuple[float, float], tuple[float, float]]
    gain: float
    interval: tuple[float, float]
    level: float
    n: int
    resamples: int
    seed: int
    results: tuple[TestResult, ...]
    notes: tuple[str, ...] = ()
    unit: str = "segment"
    segments: int | None = None
    design_effect: float | None = None
    score_design_effect: tuple[float, float] | None = None
    decimals: int = 2

    def __post_init__(self) -> None:
        complete(self)

    @property
    def design_effects(self) -> tuple[float, ...]:
        """The design effect of the pair, () where it is not defined or the unit is the segment."""
        known = self.design_effect is not None and np.isfinite(self.design_effect)
        return (float(self.design_effect),) if known and self.design_effect is not None else ()

    def result(self, test: str, alternative: str) -> TestResult:
        """The result of that test on that side (KeyError where it was not run)."""
        for item in self.results:
            if (item.test, item.alternative) == (test, alternative):
                return item
        raise KeyError((test, alternative))


@dataclass(frozen=True, eq=False)
class GainResult:
    """All pairs as points, each turned so that its gain is not negative: `systems[k]` beats `baselines[k]`.

    `gains`, `p_values`, `confidence` = 1 - p are (P,); `pair_class` names the class of each pair. `unit`,
    `segments`, `pair_design_effect` (P,) and `decimals` as in MatrixResult.
    """

    metric: str
    metric_title: str
    test: str
    test_title: str
    alternative: str
    systems: tuple[str, ...]
    baselines: tuple[str, ...]
    pair_class: tuple[str, ...]
    gains: Floats
    p_values: Floats
    confidence: Floats
    n: int
    resamples: int
    seed: int
    signature: str
    unit: str = "segment"
    segments: int | None = None
    pair_design_effect: Floats | None = None
    decimals: int = 2

    def __post_init__(self) -> None:
        complete(self)

    @property
    def design_effects(self) -> tuple[float, ...]:
        """The design effect of each pair, where it is defined; () where the unit is the segment."""
        known = self.pair_design_effect
        return () if known is None else tuple(float(x) for x in known[np.isfinite(known)])
