"""The tail lab: one set of draws counted by different rules, and how often each rule errs in the long run."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sigcore import corrections
from sigcore.resampling.pvalues import clopper_pearson, exceedances, p_values, tolerance
from sigcore.results import freeze
from sigcore.studies import pairs, units
from sigcore.studies.learn.draws import (
    MANY,
    ORDER,
    ROUNDS,
    Data,
    Draw,
    PairStatistics,
    Worlds,
    engine_gains,
    gain_of,
    pseudo_gains,
    unit_of,
    world,
    worlds,
)
from sigcore.study import LOCAL, Runtime
from sigcore.sufficient import SufficientStatistics, gains, oriented
from sigcore.types import Bools, Floats, Ints, Progress

OBSERVED = 1_000  # resamples of the data as they are
REPETITIONS = 1_000  # data sets under a true null


BOOTSTRAP = Draw("bootstrap")


@dataclass(frozen=True)
class Rule:
    """How resamples become p. The defaults are sound.

    `strict` counts only what is beyond the observed gain (`>`), not what equals it (`>=`). Without `plus_one`, p is c / R.
    `one_sided` counts only one direction. With `slip`, the absolute value is taken before the mean is subtracted:
    |d| - mean(|d|), as in Riezler & Maxwell 2005; right is |d - mean(d)|. Only the tail on the side of the gain is then
    counted. It concerns the two-sided bootstrap alone.
    """

    draw: Draw = BOOTSTRAP
    strict: bool = False
    plus_one: bool = True
    one_sided: bool = False
    slip: bool = False


@dataclass(frozen=True)
class Size:
    """The data sets in the long run: how many units, and how many resamples of each."""

    units: int
    resamples: int


SIZES = (Size(100, 200), Size(6, 200), Size(100, 20))


@dataclass(frozen=True, eq=False)
class RuleCount:
    """The statistics (R,) that a rule compares, its cut-offs (low, high), which of them count, and p."""

    statistics: Floats
    cutoffs: tuple[float, float]
    counts: Bools
    p: float


@dataclass(frozen=True, eq=False)
class Errors:
    """The p (M,) of data sets under a true null; of the first k, how many are at most alpha, (M,)."""

    p: Floats
    so_far: Floats

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def rate(self) -> float:
        """The share of false alarms."""
        return float(self.so_far[-1] / len(self.p))

    def interval(self, first: int | None = None) -> tuple[float, float]:
        """The exact 95% interval of the error rate, from the first data sets or from all."""
        trials = len(self.p) if first is None else first
        low, high = clopper_pearson(self.so_far[trials - 1], trials)
        return float(low), float(high)


@dataclass(frozen=True, eq=False)
class Drawn:
    """What the lab has drawn under one Draw: the gains of the data as they are, and of data sets under a true null."""

    gain: float
    pseudo: Floats
    unit: float
    nulls: Worlds
    size: Size


@dataclass(frozen=True, eq=False)
class Lab:
    """A rule beside the sound one with the same kind of draw: the data as they are, and the errors of both."""

    rule: Rule
    size: Size
    alpha: float
    drawn: Drawn
    shown: RuleCount
    errors: Errors
    sound: Errors
    sound_p: float


def lab(rule: Rule, drawn: Drawn, sound: Drawn, alpha: float) -> Lab:
    """The lab, read from the draws of the rule and from those of the sound rule."""
    usual = Rule(Draw(rule.draw.kind))
    p = counted(usual, sound).p
    return Lab(
        rule, drawn.size, alpha, drawn, counted(rule, drawn), errors(rule, drawn, alpha), errors(usual, sound, alpha), p
    )


def draw(pair: PairStatistics, how: Draw, size: Size, seed: int, progress: Progress | None = None) -> Drawn:
    """All draws of the lab; a rule with this Draw is read from them at once. Cost: O(M R n K)."""
    nulls = worlds(pair, how, size.units, size.resamples, REPETITIONS, seed, progress=progress)
    return Drawn(gain_of(pair), engine_gains(pair, how, OBSERVED, seed), unit_of(pair), nulls, size)


def statistics(rule: Rule, pseudo: Floats) -> Floats:
    """What the rule compares with the gain, of gains (..., R): as they are after swaps, moved to zero after a bootstrap."""
    if rule.draw.kind == "swap":
        return pseudo
    if rule.slip and not rule.one_sided:
        return np.abs(pseudo) - np.nanmean(np.abs(pseudo), axis=-1, keepdims=True)
    return np.asarray(pseudo - np.nanmean(pseudo, axis=-1, keepdims=True))


def p_of(rule: Rule, gains: Floats, pseudo: Floats, unit: float) -> Floats:
    """p (M,) of gains (M,) with the gains (M, R) of their resamples. An undefined resample counts."""
    own, cut = statistics(rule, pseudo), np.asarray(gains)
    if not rule.one_sided:
        cut = np.abs(cut)
        own = own if rule.slip and rule.draw.kind == "bootstrap" else np.abs(own)
    slack = tolerance(cut, unit)[..., None]
    beyond = ~(own <= cut[..., None] + slack)
    ties = np.abs(own - cut[..., None]) <= slack
    count = exceedances(beyond.sum(axis=-1), ties.sum(axis=-1), "strict" if rule.strict else "counted")
    return p_values(count, pseudo.shape[-1], "valid" if rule.plus_one else "paper")


def counted(rule: Rule, drawn: Drawn) -> RuleCount:
    """The data as they are under the rule."""
    own = statistics(rule, drawn.pseudo)
    is_folded = rule.slip and rule.draw.kind == "bootstrap" and not rule.one_sided
    size = drawn.gain if rule.one_sided else abs(drawn.gain)
    low = -np.inf if rule.one_sided or is_folded else -size
    slack = float(tolerance(size, drawn.unit)) * (-1.0 if rule.strict else 1.0)
    tail = (own >= size - slack) | (own <= low + slack)
    p = p_of(rule, np.array([drawn.gain]), drawn.pseudo[None], drawn.unit)
    return RuleCount(own, (float(low), float(size)), tail, float(p[0]))


def errors(rule: Rule, drawn: Drawn, alpha: float) -> Errors:
    """How often the rule calls a difference significant where there is none."""
    p = p_of(rule, drawn.nulls.gains, drawn.nulls.pseudo, drawn.unit)
    return Errors(p, np.cumsum(p <= alpha).astype(np.float64))


# The null factory: many data sets without a difference, made of the class's own outputs, and the p of each.

MOST_UNITS, RESAMPLES, FACTORY_REPETITIONS = 200, 199, 1_000
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
        """The exact 95% interval of the share of p at most alpha."""
        low, high = clopper_pearson(self.rejected(alpha), len(self.p))
        return float(low), float(high)


def factory(pair: PairStatistics, seed: int, is_null: bool = True, progress: Progress | None = None) -> Factory:
    """Data sets drawn from the units of the pair; two-sided approximate randomization. Cost: O(M R n K)."""
    units = min(pair[0].n, MOST_UNITS)
    drawn = worlds(pair, Draw("swap"), units, RESAMPLES, FACTORY_REPETITIONS, seed, is_null, progress)
    rule = Rule(Draw("swap"))
    return Factory(p_of(rule, drawn.gains, drawn.pseudo, unit_of(pair)), drawn.gains, units, is_null)


# Many pairs, many chances: fifteen artificial systems without any difference, and the p of all 105 pairs, many times
# over.

SYSTEMS = 15
PAIRS = SYSTEMS * (SYSTEMS - 1) // 2
# After Holm, a p must be at most alpha / 105 to be significant: with fewer shuffles, none could be at alpha 0.05.
MANY_RESAMPLES, WORLDS, SHOWN = 4_096, 60, 10  # a partial result every SHOWN worlds
MANY_MOST_UNITS = 100
CORRECTION = "holm"


@dataclass(frozen=True, eq=False)
class Many:
    """p and adjusted p (W, pairs) of W worlds in which no two of the systems differ; `units` units in each."""

    p: Floats
    adjusted: Floats
    units: int

    def __post_init__(self) -> None:
        freeze(self)

    def found(self, alpha: float) -> Ints:
        """How many pairs are significant in each world, uncorrected: all are false alarms, (W,)."""
        return np.asarray((self.p <= alpha).sum(axis=1))

    def kept(self, alpha: float) -> Ints:
        """The same after the correction."""
        return np.asarray((self.adjusted <= alpha).sum(axis=1))


def any_of(found: Ints) -> tuple[int, float, float]:
    """In how many worlds anything was found, and the exact 95% interval of their share."""
    some = int((found > 0).sum())
    low, high = clopper_pearson(some, len(found))
    return some, float(low), float(high)


def cells() -> tuple[Ints, Ints]:
    """The (row, column) of every pair in the grid."""
    rows, columns = np.triu_indices(SYSTEMS, k=1)
    return rows.astype(np.int64), columns.astype(np.int64)


def many(of: Data, seed: int, worlds: int = WORLDS, runtime: Runtime = LOCAL) -> Many:
    """All pairs of all worlds under two-sided approximate randomization. Cost: that of W grids of 15 systems."""
    units = min(of.n, MANY_MOST_UNITS)
    p = np.empty((worlds, PAIRS))
    of_pairs = np.column_stack(cells()).astype(np.intp)
    for k in range(worlds):
        inner = runtime.staged("Drawing worlds", k, worlds)
        rng = pairs.generator(seed, MANY, k)
        drawn = many_world(of, units, rng)
        how = pairs.How(
            "approximate_randomization", "two-sided", resamples=MANY_RESAMPLES, seed=int(rng.integers(2**31))
        )
        p[k] = pairs.examine(drawn, of_pairs, how, inner).p_values
        if (k + 1) % SHOWN == 0 and k + 1 < worlds:
            runtime.show(_corrected(p[: k + 1], units))
    return _corrected(p, units)


def _corrected(p: Floats, units: int) -> Many:
    """The worlds so far, each corrected over its pairs."""
    member = corrections.get(CORRECTION)
    return Many(p.copy(), np.array([member.grid((row, row, row), None, MANY_RESAMPLES)[0] for row in p]), units)


def many_world(of: Data, units: int, rng: np.random.Generator) -> tuple[SufficientStatistics, ...]:
    """SYSTEMS systems on units drawn with replacement: each takes every unit's output from one of the loaded systems, by
    chance, so that none is better than another."""
    systems = of.measured.systems
    rows = rng.integers(0, of.n, units)
    outputs = np.stack([item.values[rows] for item in systems])  # (S, units, K)
    taken = rng.integers(0, len(systems), (SYSTEMS, units))
    return tuple(
        replace(systems[0], system=f"S{k + 1}", values=outputs[taken[k], np.arange(units)]) for k in range(SYSTEMS)
    )


# BLEU is not a mean: the corpus score beside the mean of the scores of the units, and a t-test of the latter.

DRAWN = 1_000
SAME = 1e-9  # relative distance below which the two scores are equal


@dataclass(frozen=True, eq=False)
class Mean:
    """The first 1, 2, ... n units in a random order: the corpus scores (2, n) of the two systems, and the means (2, n) of
    the scores of single units, not oriented; units whose score is undefined are left out of the means.

    `gains` are (corpus, mean) on all units, oriented, `p` of shuffles for the corpus gain, `t_p` of a two-sided paired
    t-test on the scores of the units, `t_p` nan where no unit differs.
    """

    systems: tuple[str, str]
    title: str
    decimals: int
    unit: str
    corpus: Floats
    means: Floats
    gains: tuple[float, float]
    p: float
    t_p: float

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def is_mean(self) -> bool:
        """Whether the metric is the mean of the scores of its units on this data."""
        return bool(np.allclose(self.corpus[:, -1], self.means[:, -1], rtol=SAME, atol=SAME))


def mean(of: Data, seed: int, progress: Progress | None = None) -> Mean:
    """The two systems of the data under both scores. Cost: O(n K + R n K)."""
    pair: PairStatistics = of.measured.systems
    first = pair[0]
    order = pairs.generator(seed, ORDER).permutation(first.n)
    corpus = np.array([item.score(np.cumsum(item.values[order], axis=0)) for item in pair])  # (2, n)
    single = np.array([item.score(item.values[order]) for item in pair])
    single[:, ~np.isfinite(single).all(axis=0)] = np.nan
    known = np.isfinite(single[0])
    means = np.cumsum(np.nan_to_num(single), axis=1) / np.maximum(np.cumsum(known), 1)
    differences = oriented(single[:, known], first.better)
    differences = differences[0] - differences[1]
    gain = gain_of(pair)
    p = p_of(Rule(Draw("swap")), np.array([gain]), engine_gains(pair, Draw("swap"), DRAWN, seed)[None], unit_of(pair))
    return Mean(
        (of.names[0], of.names[1]),
        of.measured.title,
        of.measured.decimals,
        of.unit.noun(2),
        corpus,
        means,
        (gain, float(differences.mean()) if len(differences) else float("nan")),
        float(p[0]),
        _t_test(differences),
    )


def _t_test(differences: Floats) -> float:
    """p of a two-sided paired t-test, nan where the differences do not vary."""
    from scipy.stats import ttest_1samp

    if len(differences) < 2 or not float(np.ptp(differences)) > 0:
        return float("nan")
    return float(ttest_1samp(differences, 0.0).pvalue)


# The game: rounds with a gain on a few units, drawn from the class's own data, some of them without a difference. A player
# says how likely it is that the gain is significant, and is paid for honest chances.

MOST, PREDICT_RESAMPLES = 10, 999
PREDICT_SIZES = (10, 20, 40, 80, 160, 320)
# Rounds that are neither too easy nor hopeless: the gain of the pair is this many standard errors on so large a test set.
EASE = (0.5, 4.0)
# Of the rounds 4, 5 or 6 are significant, so that whoever always says no, or yes, loses; a round of the wanted kind is looked for
# so often, which data without any difference cannot give.
LEAST_FOUND, KINDS, TRIES = 4, 3, 60
STAKE, PENALTY = 25.0, 100.0  # points of a sure and right answer; times the squared error of the chance


@dataclass(frozen=True, eq=False)
class Round:
    """A data set of `n` units: the gain of the system that was better on it, the gains (R,) of its shuffles, and p.

    With `is_null` a coin decided which system gets which output, so no system is better.
    """

    system: str
    baseline: str
    n: int
    gain: float
    null: Floats
    p: float
    is_null: bool

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def tail(self) -> int:
        """How many shuffles count; p is (tail + 1) / (R + 1)."""
        return round(self.p * (len(self.null) + 1)) - 1


def rounds(of: Data, seed: int, alpha: float = 0.05, progress: Progress | None = None) -> tuple[Round, ...]:
    """All rounds of a game; the same data, seed and alpha give the same rounds. Cost: O(S^2 n + R n K)."""
    offered = _offered(of)
    rng = pairs.generator(seed, ROUNDS)
    wanted = rng.permutation(MOST) < LEAST_FOUND + int(rng.integers(KINDS))
    out = []
    for k in range(MOST):
        if progress is not None:
            progress("Drawing rounds", k, MOST)
        out.append(_wanted(of, offered, pairs.generator(seed, ROUNDS, k), bool(wanted[k]), alpha))
    return tuple(out)


def _wanted(of: Data, offered: Ints, rng: np.random.Generator, is_found: bool, alpha: float) -> Round:
    """The first round that is significant, or not, as wanted; the last one that was tried if there is none."""
    for _ in range(TRIES):
        first, second, n = offered[int(rng.integers(len(offered)))].tolist()
        made = _round(of, (first, second), n, bool(rng.random() < 0.5), rng)
        if (made.p <= alpha) == is_found:
            break
    return made


def _round(of: Data, chosen: tuple[int, int], n: int, is_null: bool, rng: np.random.Generator) -> Round:
    pair = world([of.measured.systems[k] for k in chosen], n, is_null, rng)
    if gain_of(pair) < 0:
        pair = (pair[1], pair[0])
    gain, null = gain_of(pair), pseudo_gains(pair, Draw("swap"), PREDICT_RESAMPLES, rng)
    p = float(p_of(Rule(Draw("swap")), np.array([gain]), null[None], unit_of(pair))[0])
    return Round(pair[0].system, pair[1].system, n, gain, null, p, is_null)


def _offered(of: Data) -> Ints:
    """(first, second, units) of every round that is neither too easy nor hopeless; of every possible one if none is."""
    without, gain = units.left_out(of.measured), gains(of.measured.scores, of.measured.systems[0].better)
    every, kept = list[tuple[int, int, int]](), list[tuple[int, int, int]]()
    for a, b in zip(*np.triu_indices(len(of.names), k=1), strict=True):
        error = float(np.sqrt(units.variance(without[a] - without[b])))
        for n in PREDICT_SIZES:
            if n <= max(of.n, PREDICT_SIZES[0]):
                every.append((int(a), int(b), n))
                ratio = abs(gain[a, b]) / error * np.sqrt(n / of.n) if error > 0 else 0.0
                kept += [every[-1]] if EASE[0] <= ratio <= EASE[1] else []
    return np.array(kept or every, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Game:
    """The rounds, the predictions so far (the chance, 0 to 1, of a significant gain) by the number of the round from 0, the
    round that is shown (None: the results), and how numbers are written."""

    rounds: tuple[Round, ...]
    answers: tuple[tuple[int, float], ...]
    at: int | None
    alpha: float
    title: str
    decimals: int
    unit: str

    def answer(self, k: int) -> float | None:
        """The prediction of a round, if there is one."""
        return dict(self.answers).get(k)

    def is_found(self, k: int) -> bool:
        """Whether the gain of a round is significant."""
        return self.rounds[k].p <= self.alpha

    def paid(self, k: int, chance: float) -> float:
        """The points of a chance in a round: 25, less 100 times its squared error, so that 50% is worth nothing, and nothing
        pays more on average than the chance that one believes in.

        Source: the quadratic score of Brier 1950.
        """
        return STAKE - PENALTY * (chance - self.is_found(k)) ** 2

    @property
    def points(self) -> float:
        """The points of all predictions."""
        return sum(self.paid(k, chance) for k, chance in self.answers)

    def always(self, chance: float) -> float:
        """The points of whoever had given this chance in every round that was played."""
        return sum(self.paid(k, chance) for k, _ in self.answers)


def game(
    of: Data, drawn: tuple[Round, ...], answers: tuple[tuple[int, float], ...], at: int | None, alpha: float
) -> Game:
    """The game as it is after these predictions."""
    return Game(drawn, answers, at, alpha, of.measured.title, of.measured.decimals, of.unit.noun(2))
