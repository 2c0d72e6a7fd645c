"""The rows of the lab, and every row against every other: in each test set, and on the average of all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

import numpy as np

from sigcore import corrections, significance
from sigcore.errors import Undefined, UnknownMember
from sigcore.formatting import count, listed, p_text
from sigcore.kbest.lists import KBest
from sigcore.results import freeze
from sigcore.significance import INTERVAL_RESAMPLES, Resampling
from sigcore.studies import units
from sigcore.studies.matrix import LEVEL
from sigcore.studies.runs import mixed
from sigcore.studies.tuning.result import Replicate, TuningPlan
from sigcore.studies.tuning.statistics import Rows, Target
from sigcore.study import Runtime
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.testset import Outputs, Testset
from sigcore.types import Better, Floats, Ints, Setup, Value

FIRST, START, AVERAGE = "first of list", "start weights", "average"
SHORT = {"first": FIRST, "start": START}
DRAWS = "bootstrap_shift"  # what s_sel is drawn for: any bootstrap has the same draws


@dataclass(frozen=True, eq=False)
class ListSet:
    """k-best lists under a name, with their references."""

    name: str
    lists: KBest
    testset: Testset


@dataclass(frozen=True)
class FeatureSet:
    """The features whose names fit one of the `patterns` (`*` and `?`; `!pattern` leaves out), all without patterns.

    `methods` names those of the plan that are tuned on them, all by default; `start` is an earlier row, as
    "extended:pro", with whose weights tuning begins, replicate by replicate.
    """

    name: str
    patterns: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    start: str = ""

    def chosen(self, names: Sequence[str]) -> tuple[str, ...]:
        """Those of the names that belong to the set (Undefined if there are none)."""
        wanted = [pattern for pattern in self.patterns if not pattern.startswith("!")] or ["*"]
        without = [pattern[1:] for pattern in self.patterns if pattern.startswith("!")]

        def fits(name: str, patterns: Sequence[str]) -> bool:
            return any(fnmatchcase(name, pattern) for pattern in patterns)

        kept = tuple(name for name in names if fits(name, wanted) and not fits(name, without))
        if not kept:
            what = f"No feature fits the set {self.name} ({', '.join(self.patterns)})."
            raise Undefined(what, "", f"The features are {listed(names)}.")
        return kept


@dataclass(frozen=True, eq=False)
class LabPlan:
    """What is tuned on which features, and the row that others are compared with ("first of list" by default).

    Of `tuning` the methods, replicates, `resample`, `sizes`, seed and unit count. `start` (by name) are the weights that
    tuning begins with; by default those that reproduce the scores of the lists, if there are such. `sparse`: a feature
    that lists do not have is 0.
    """

    tuning: TuningPlan = field(default_factory=TuningPlan)
    sets: tuple[FeatureSet, ...] = (FeatureSet("all"),)
    baseline: str = ""
    start: Mapping[str, float] = field(default_factory=dict)
    sparse: bool = False


@dataclass(frozen=True, eq=False)
class LabRow:
    """One row of the table: a method on a set of features with its m runs, or a choice without tuning (one run, `untuned`).

    `dev` (m,) are the scores on the lists tuned on, `scores` (m, P) those of each place: the test sets and, of several,
    their average. `s_sel` and `s_opt` (P,) are the standard deviation of a run's score over drawn segments, averaged over
    the runs, and that of the scores of the runs (nan for one). `outputs` are those of every run of every test set.
    """

    label: str
    title: str
    features: str
    untuned: bool
    dev: Floats = field(repr=False)
    scores: Floats = field(repr=False)
    s_sel: Floats = field(repr=False)
    s_opt: Floats = field(repr=False)
    replicates: tuple[Replicate, ...] = field(repr=False)
    outputs: tuple[tuple[Outputs, ...], ...] = field(repr=False)

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def averages(self) -> Floats:
        """The mean score of the runs in each place, (P,)."""
        return np.asarray(self.scores.mean(axis=0))


@dataclass(frozen=True)
class Comparison:
    """Two rows in one place: the gain of `system` over `baseline` (positive = better), its interval, p of the mixed model of
    runs and units, and p after correction for all comparisons of the lab."""

    system: str
    baseline: str
    place: str
    gain: float
    interval: tuple[float, float]
    p_value: float
    adjusted: float

    def significant(self, alpha: float) -> bool:
        """Whether the rows differ at alpha after the correction: every verdict of the lab asks this."""
        return self.adjusted <= alpha


@dataclass(frozen=True, eq=False)
class LabResult:
    """Rows by places (the test sets, and of several their average), and every row against every other in each place.

    `setup` tells how p was made; its n are the units of all test sets. `features` has the names in each set, `names` all of
    them, and `sizes` the segments of the development lists and of each test set.
    """

    setup: Setup
    plan: LabPlan
    baseline: str
    places: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]
    features: Mapping[str, tuple[str, ...]] = field(repr=False)
    names: tuple[str, ...] = field(repr=False)
    rows: tuple[LabRow, ...] = field(repr=False)
    comparisons: tuple[Comparison, ...] = field(repr=False)
    chosen: tuple[str, ...]
    options: tuple[tuple[str, Mapping[str, Value]], ...]
    testsets: tuple[Testset, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    def row(self, label: str) -> LabRow:
        """The row of that label."""
        return next(row for row in self.rows if row.label == label)

    def names_of(self, row: LabRow) -> tuple[str, ...]:
        """The names of the features that the weights of a row belong to."""
        return self.features.get(row.features, self.names)

    def against(self, system: str, baseline: str, place: str) -> Comparison:
        """The comparison of two rows, the gain that of the first."""
        for one in self.comparisons:
            if one.place == place and {one.system, one.baseline} == {system, baseline}:
                return one if one.system == system else turned(one)
        raise UnknownMember("row", system, [row.label for row in self.rows])

    def others(self) -> list[Comparison]:
        """Every other row against the baseline in the last place, in the order of the rows."""
        return [
            self.against(row.label, self.baseline, self.places[-1]) for row in self.rows if row.label != self.baseline
        ]

    def headline(self, alpha: float) -> str:
        """The largest gain over the baseline, and whether the corrected p calls it significant: at most 20 words."""
        top = max(self.others(), key=lambda one: one.gain)
        where = " on average" if len(self.places) > 1 else ""
        known = "significant" if top.significant(alpha) else "not significant"
        return (
            f"{self.row(top.system).title} gains {top.gain:+.{self.setup.decimals}f} {self.setup.metric_title} over "
            f"{self.row(self.baseline).title}{where}: {known}, corrected {p_text(top.adjusted, 0)}."
        )

    def verdict(self, alpha: float) -> str:
        """The largest gain over the baseline, which rows are significantly better or worse, and how p was corrected."""
        place, setup, others = self.places[-1], self.setup, self.others()
        top = max(others, key=lambda one: one.gain)
        where = f"on the average of {len(self.places) - 1} test sets" if len(self.places) > 1 else f"on {place}"
        better, worse = (
            [self.row(one.system).title for one in others if one.significant(alpha) and sign * one.gain > 0]
            for sign in (1, -1)
        )
        known = [
            f"{listed(names)} {'is' if len(names) == 1 else 'are'} {word}"
            for names, word in ((better, "better"), (worse, "worse"))
            if names
        ]
        said = f"Significantly different: {', '.join(known)}." if known else "No row differs significantly from it."
        return (
            f"{self.row(top.system).title} gains {top.gain:+.{setup.decimals}f} {setup.metric_title} over "
            f"{self.row(self.baseline).title} {where}, the most of {count(len(others), 'row')}. {said} "
            f"p is from the mixed model, corrected by Holm for all {len(self.comparisons)} comparisons."
        )


def turned(one: Comparison) -> Comparison:
    """The same comparison, seen from the other row."""
    low, high = one.interval
    return replace(one, system=one.baseline, baseline=one.system, gain=-one.gain, interval=(-high, -low))


@dataclass(frozen=True, eq=False)
class Place:
    """One test set: its lists with all development features, and the statistics of its hypotheses."""

    name: str
    lists: KBest
    rows: Rows
    statistics: Floats
    unit_of: Ints | None


# Every row against every other: the mixed model of runs and units, in each test set and on the average of all.


def between(
    first: Sequence[Floats], second: Sequence[Floats], drawn: tuple[bool, bool] = (True, True)
) -> tuple[float, float]:
    """The standard error of the difference of two averages over test sets, and its degrees of freedom; nan where nothing varies.

    `first` and `second` have the values (a, n) and (b, n) of their runs in each test set. For one test set this is
    `mixed.fit`. Of several, the units of each vary for themselves, and a run is the average of its scores. A row that is
    not `drawn` has no other runs, so its one run adds nothing but the variance of its units. Source: Satterthwaite 1946.
    """
    share, freedom = _shares((len(first[0]), len(second[0])), drawn)
    sets = len(first)
    apart = [
        float((a.mean(axis=0) - b.mean(axis=0)).var(ddof=1)) / a.shape[1] / sets**2
        for a, b in zip(first, second, strict=True)
    ]
    sizes = [one.shape[1] for one in first]
    of_units = sum(apart)
    units_freedom = (
        of_units**2 / sum(one**2 / (n - 1) for one, n in zip(apart, sizes, strict=True)) if of_units else math.nan
    )
    if not freedom:
        return (math.sqrt(of_units), units_freedom) if of_units else (math.nan, math.nan)
    of_runs, rest = 0.0, np.zeros(sets)
    for own, part in zip((first, second), share, strict=True):
        means = np.mean([one.mean(axis=1) for one in own], axis=0)  # (runs,)
        of_runs += part * float(((means - means.mean()) ** 2).sum())
        rest += part * np.array(
            [
                float((mixed.residuals(one) ** 2).sum()) / (n * (n - 1)) / sets**2
                for one, n in zip(own, sizes, strict=True)
            ]
        )
    spread = sum(one**2 / (n - 1) for one, n in zip(apart, sizes, strict=True)) + of_runs**2 / freedom
    spread += sum(one**2 / (freedom * (n - 1)) for one, n in zip(rest.tolist(), sizes, strict=True))
    both = mixed.together((of_units, units_freedom), (of_runs, float(freedom)), float(rest.sum()), spread)
    return (math.sqrt(both[0]), both[1]) if both[0] > 0 else (math.nan, math.nan)


def _shares(runs: tuple[int, int], drawn: tuple[bool, bool]) -> tuple[tuple[float, float], int]:
    """What the squares of the runs of each row count, and their degrees of freedom: rows whose runs are drawn share a variance."""
    freedom = sum(number - 1 for number, own in zip(runs, drawn, strict=True) if own)
    if not freedom:
        return (0.0, 0.0), 0
    share = sum(1 / number for number, own in zip(runs, drawn, strict=True) if own) / freedom
    return (share * drawn[0], share * drawn[1]), freedom


def compared(
    finished: Sequence[LabRow],
    values: Sequence[list[list[Floats]]],
    places: Sequence[Place],
    target: Target,
    plan: LabPlan,
    runtime: Runtime,
) -> tuple[tuple[LabRow, ...], tuple[Comparison, ...]]:
    """The rows with their spreads, and all comparisons."""
    parts = [list[Floats]() for _ in finished]
    deviations = [list[Floats]() for _ in finished]
    for t, place in enumerate(places):
        statistics = [
            [_in_units(place, row.label, run, i) for i, run in enumerate(own[t])]
            for row, own in zip(finished, values, strict=True)
        ]
        for k, (runs, spread) in enumerate(zip(statistics, _deviations(statistics, plan, runtime), strict=True)):
            parts[k].append(_values(runs))
            deviations[k].append(spread)
    rows = [replace(row, s_sel=_s_sel(deviations[k]), s_opt=_s_opt(row)) for k, row in enumerate(finished)]
    return tuple(rows), _corrected(rows, parts, places, target.better)


def _values(runs: Sequence[SufficientStatistics]) -> Floats:
    """The part of each unit in the score of each run, (m, n)."""
    left_out = np.array([one.score(one.total - one.values) for one in runs])
    return mixed.values_of(left_out, np.array([one.corpus_score for one in runs]))


def _in_units(place: Place, label: str, values: Floats, run: int) -> SufficientStatistics:
    item = place.rows.of_values(label, str(run + 1), values)
    return item if place.unit_of is None else units.summed(item, place.unit_of)


def _corrected(
    rows: Sequence[LabRow], parts: Sequence[Sequence[Floats]], places: Sequence[Place], better: Better
) -> tuple[Comparison, ...]:
    """p of every row against every other in every place, and p after Holm's correction for all of them."""
    names = [*(place.name for place in places), *([AVERAGE] if len(places) > 1 else [])]
    chosen = [*(slice(k, k + 1) for k in range(len(places))), slice(None)]
    every = [(a, b, k) for a in range(len(rows)) for b in range(a) for k in range(len(names))]
    gains = np.array([float(oriented(rows[a].averages[k] - rows[b].averages[k], better)) for a, b, k in every])
    found = [
        between(parts[a][chosen[k]], parts[b][chosen[k]], (not rows[a].untuned, not rows[b].untuned))
        for a, b, k in every
    ]
    errors, freedom = np.array(found).T
    p = mixed.p_of(gains, errors, freedom, "two-sided")
    p[np.isnan(p) & (gains == 0)] = 1.0  # no gain, and nothing varies
    low, high = mixed.intervals(gains, errors, freedom, LEVEL).T
    adjusted = corrections.adjusted("holm", p)
    numbers = zip(*(part.tolist() for part in (gains, low, high, p, adjusted)), strict=True)
    return tuple(
        Comparison(rows[a].label, rows[b].label, names[k], gain, (start, end), own, corrected)
        for (a, b, k), (gain, start, end, own, corrected) in zip(every, numbers, strict=True)
    )


def _deviations(rows: Sequence[Sequence[SufficientStatistics]], plan: LabPlan, runtime: Runtime) -> list[Floats]:
    """The standard deviation of the score of every run over drawn test sets, (m,) for each row."""
    flat = tuple(one for own in rows for one in own)
    used = min(plan.tuning.resamples, INTERVAL_RESAMPLES)
    question = Resampling((flat,), (significance.get(DRAWS),), np.array([[1, 0]]), used, plan.tuning.seed)
    (draws,) = significance.tally(question, runtime.mapper, runtime.report, bootstrap_too=True)
    assert draws.scores is not None
    drawn = np.concatenate(list(draws.scores.first(used)), axis=1)  # (runs, R)
    draws.close()
    spread = np.nanstd(drawn, axis=1, ddof=1) if used > 1 else np.full(len(flat), np.nan)
    return np.split(spread, np.cumsum([len(own) for own in rows])[:-1])


def _s_sel(deviations: Sequence[Floats]) -> Floats:
    """The standard deviations over drawn segments averaged over the runs; test sets are drawn independently."""
    own = [float(one.mean()) for one in deviations]
    of_all = np.sqrt(np.square(deviations).sum(axis=0)) / len(deviations)
    return np.array([*own, *([float(of_all.mean())] if len(own) > 1 else [])])


def _s_opt(row: LabRow) -> Floats:
    return row.scores.std(axis=0, ddof=1) if len(row.scores) > 1 else np.full(row.scores.shape[1], np.nan)
