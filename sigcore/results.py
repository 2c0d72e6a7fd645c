"""The results of tests and studies: frozen, and with everything that is needed to reproduce them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from sigcore import families, notebook, rows, verdicts
from sigcore.errors import Undefined
from sigcore.formatting import format_p
from sigcore.types import Bools, Floats, Ints, Setup, Side


def freeze(record: Any) -> None:
    """Make every array of a frozen dataclass read-only (called from __post_init__)."""
    for item in fields(record):
        value = getattr(record, item.name)
        if isinstance(value, np.ndarray):
            array = np.ascontiguousarray(value)
            array.setflags(write=False)
            object.__setattr__(record, item.name, array)


def _frame(of: Any) -> Any:
    """Rows as a pandas DataFrame."""
    import pandas as pd  # imported only when a frame is requested

    return pd.DataFrame(of)


@dataclass(frozen=True, eq=False)
class Histogram:
    """A null in bins: `edges` (bins + 1,) and `counts` (bins,); every resample is in one bin."""

    edges: Floats
    counts: Ints

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, eq=False)
class TestResult:
    """One test on one pair, on one side; `str()` of it is the verdict sentence at alpha 0.05.

    `gain` = score of `system` minus score of `baseline`, positive = `system` is better.
    `p_interval` is the Clopper-Pearson interval of the Monte Carlo p (nan, nan where p is `exact`).
    `interval` is the percentile interval of the gain. `cutoffs` = (low, high): resamples at or beyond them count (-inf,
    inf where a side does not count); `tail` is their number, `ties` the number exactly on a cut-off.
    `counted` is a phrase for the resamples; `doubled` means that a two-sided p is twice the share of the tail.
    `counted_p` is p with all ties counted and (c + 1) / (R + 1), for a result that is `setup.as_printed` elsewhere.
    """

    setup: Setup
    system: str
    baseline: str
    scores: tuple[float, float]
    gain: float
    p_value: float
    p_interval: tuple[float, float]
    interval: tuple[float, float]
    histogram: Histogram = field(repr=False)
    cutoffs: tuple[float, float]
    tail: int
    ties: int
    null: Floats | None = field(default=None, repr=False)
    counted: str = "resamples"
    doubled: bool = False
    exact: bool = False
    counted_p: float = math.nan

    def __post_init__(self) -> None:
        freeze(self)

    def __str__(self) -> str:
        return verdicts.verdict(self)

    def significant(self, alpha: float) -> bool:
        """Whether the null is rejected at this level; never from a p as it is printed elsewhere."""
        return self.p_value <= alpha and not self.setup.as_printed

    def undecided(self, alpha: float) -> bool:
        """Whether the Monte Carlo interval of p includes alpha: more resamples could change the verdict."""
        return self.p_interval[0] <= alpha < self.p_interval[1] and not self.setup.as_printed


@dataclass(frozen=True, eq=False)
class MatrixResult:
    """All pairs of S systems under one metric, test and side; row minus column throughout.

    `gains`, `p_values`, `p_low`, `p_high`, `adjusted` are (S, S); the diagonal is 0 for gains and 1 for p.
    `score_intervals` (S, 2) and `gain_intervals` (S, S, 2; None if the run has none) are percentile intervals. `doubled`
    means that p is twice the smaller of two one-sided p. `adjusted_low`, `adjusted_high` (S, S) are `p_low`
    and `p_high` after the correction (None for a result built without them). `design_effect` (S, S; nan on the diagonal)
    and `score_design_effect` (S,) are ratios of variances, over units to over segments, of gains and of scores (None if
    the unit is the segment).
    """

    setup: Setup
    systems: tuple[str, ...]
    groups: tuple[str, ...]
    scores: Floats = field(repr=False)
    score_intervals: Floats = field(repr=False)
    gains: Floats = field(repr=False)
    p_values: Floats = field(repr=False)
    p_low: Floats = field(repr=False)
    p_high: Floats = field(repr=False)
    adjusted: Floats = field(repr=False)
    notes: tuple[str, ...] = ()
    adjusted_low: Floats | None = field(default=None, repr=False)
    adjusted_high: Floats | None = field(default=None, repr=False)
    design_effect: Floats | None = field(default=None, repr=False)
    score_design_effect: Floats | None = field(default=None, repr=False)
    gain_intervals: Floats | None = field(default=None, repr=False)
    doubled: bool = False

    def __post_init__(self) -> None:
        freeze(self)

    def __str__(self) -> str:
        return verdicts.matrix_summary(self)

    def _repr_html_(self) -> str:
        return notebook.grid(self)

    def to_frame(self, alpha: float = verdicts.ALPHA) -> Any:
        """A pandas DataFrame with a row per pair, from best to worst system; one-sided, a row per direction."""
        return _frame(rows.matrix_rows(self, alpha))

    @property
    def design_effects(self) -> tuple[float, ...]:
        """The design effect of each pair once, where it is defined; () if the unit is the segment."""
        if self.design_effect is None:
            return ()
        of_pairs = self.design_effect[np.triu_indices(len(self.systems), k=1)]
        return tuple(float(x) for x in of_pairs[np.isfinite(of_pairs)])

    @property
    def order(self) -> list[int]:
        """System positions from best to worst score; equal scores keep their order."""
        best_first = self.scores if self.setup.better == "lower" else -self.scores
        return [int(i) for i in np.argsort(best_first, kind="stable")]

    def written_p(self, row: int, column: int, adjusted: bool = True) -> str:
        """The p of row against column, after the correction or before it, as it is written everywhere."""
        p, high = (self.adjusted, self.adjusted_high) if adjusted else (self.p_values, self.p_high)
        upper = np.nan if high is None else float(high[row, column])
        return format_p(float(p[row, column]), self.setup.resamples, upper)

    def levels(self, alpha: float = 0.05) -> Ints:
        """(S, S) verdicts: positive where the row is significantly better at alpha, negative where it is worse, 0
        where neither. The size is 1, and one more at p <= .01, and again at p <= .001; undefined p gives 0. A p as it is
        printed elsewhere gives no verdicts, only zeros."""
        return np.zeros_like(self.gains, dtype=np.int64) if self.setup.as_printed else self.levels_of_p(alpha)

    def levels_of_p(self, alpha: float) -> Ints:
        """`levels` of p under any rule: for conclusions that a paper drew from such a p."""
        reached = np.where(self.adjusted <= alpha, 1 + (self.adjusted <= 0.01) + (self.adjusted <= 0.001), 0)
        np.fill_diagonal(reached, 0)
        if self.setup.side == "two-sided":
            return np.asarray(np.sign(self.gains).astype(np.int64) * reached)
        row_better = reached if self.setup.side == "greater" else reached.T
        return np.asarray(row_better - row_better.T, dtype=np.int64)

    def undecided(self, alpha: float) -> Bools:
        """(S, S): pairs whose verdict more resamples could change: the Monte Carlo interval of p, corrected as p is,
        includes alpha."""
        low = self.p_low if self.adjusted_low is None else self.adjusted_low
        high = self.p_high if self.adjusted_high is None else self.adjusted_high
        within = (low <= alpha) & (alpha < high) & ~np.eye(len(self.systems), dtype=bool)
        return np.asarray(within & (not self.setup.as_printed))


@dataclass(frozen=True, eq=False)
class CompareResult:
    """One pair under several tests: the scores, the interval of the gain, and one TestResult per test and side.

    `design_effect` (of the gain) and `score_design_effect` (of both scores) as in MatrixResult. `str()` of it is the
    verdict sentence of `chief` as a single planned comparison.
    """

    setup: Setup
    system: str
    baseline: str
    scores: tuple[float, float]
    score_intervals: tuple[tuple[float, float], tuple[float, float]]
    gain: float
    interval: tuple[float, float]
    results: tuple[TestResult, ...] = field(repr=False)
    notes: tuple[str, ...] = ()
    design_effect: float | None = None
    score_design_effect: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        freeze(self)

    def __str__(self) -> str:
        return verdicts.verdict(self.chief, family=families.PLANNED)

    def to_frame(self, alpha: float = verdicts.ALPHA) -> Any:
        """A pandas DataFrame with a row per test and side."""
        return _frame(rows.compare_rows(self, alpha))

    @property
    def chief(self) -> TestResult:
        """The main result: the setup's test on the setup's side, or else the first one."""
        for item in self.results:
            if (item.setup.test, item.setup.side) == (self.setup.test, self.setup.side):
                return item
        return self.results[0]

    @property
    def design_effects(self) -> tuple[float, ...]:
        """The design effect of the pair, () if it is not defined or the unit is the segment."""
        effect = self.design_effect
        return () if effect is None or not np.isfinite(effect) else (float(effect),)

    def result(self, test: str, side: Side) -> TestResult:
        """The result of that test on that side.

        Raises: Undefined if it was not run.
        """
        for item in self.results:
            if (item.setup.test, item.setup.side) == (test, side):
                return item
        computed = ", ".join(dict.fromkeys(item.setup.test_title for item in self.results)) or "none"
        what = f"{test} ({side}) was not computed for {self.system} and {self.baseline}."
        raise Undefined(what, "", f"It may not fit these data. Computed: {computed}.")


@dataclass(frozen=True, eq=False)
class GainResult:
    """All pairs as points, each oriented so that its gain is not negative: `systems[k]` beats `baselines[k]`.

    `gains`, `p_values`, `confidence` = 1 - p are (P,); `p_low` and `p_high` (P,) are the Monte Carlo interval of p (None
    for a result built without it); `pair_class` names the class of each pair, "" where a group was not given.
    `pair_design_effect` (P,) as `design_effect`, and `doubled`, in MatrixResult. `synthetic`: the systems were made of
    the outputs of others.
    """

    setup: Setup
    systems: tuple[str, ...] = field(repr=False)
    baselines: tuple[str, ...] = field(repr=False)
    pair_class: tuple[str, ...] = field(repr=False)
    gains: Floats = field(repr=False)
    p_values: Floats = field(repr=False)
    confidence: Floats = field(repr=False)
    p_low: Floats | None = field(default=None, repr=False)
    p_high: Floats | None = field(default=None, repr=False)
    pair_design_effect: Floats | None = field(default=None, repr=False)
    doubled: bool = False
    synthetic: bool = False

    def __post_init__(self) -> None:
        freeze(self)

    def __str__(self) -> str:
        return verdicts.gain_summary(self)

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row per pair."""
        return _frame(rows.gain_rows(self))

    def significant(self, alpha: float) -> Bools:
        """(P,): whether the null of each pair is rejected, uncorrected; never from a p as it is printed elsewhere."""
        return np.asarray((self.p_values <= alpha) & (not self.setup.as_printed))

    def not_significant(self, alpha: float) -> Bools:
        """(P,): whether the null of each pair is not rejected although it could be: p is defined, and R is enough."""
        return np.asarray((self.p_values > alpha) & (not self.setup.no_verdict(alpha)))

    def written_p(self, k: int) -> str:
        """The p of pair k as it is written everywhere."""
        upper = np.nan if self.p_high is None else float(self.p_high[k])
        return format_p(float(self.p_values[k]), self.setup.resamples, upper)

    @property
    def design_effects(self) -> tuple[float, ...]:
        """The design effect of each pair, where it is defined; () if the unit is the segment."""
        effects = self.pair_design_effect
        return () if effects is None else tuple(float(x) for x in effects[np.isfinite(effects)])
