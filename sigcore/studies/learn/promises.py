"""What an interval promises, how many units a gain needs, runs that are no new questions, and a judge with a habit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.resampling.blocks import swap_masks
from sigcore.resampling.pvalues import clopper_pearson, p_values
from sigcore.results import freeze
from sigcore.studies import pairs
from sigcore.studies.learn.draws import Draw, PairStatistics, engine_gains, gain_of, unit_of, worlds
from sigcore.studies.learn.rates import Rule, p_of
from sigcore.types import Bools, Floats, Progress

EXAMS = 40  # the stream of child seeds; those of the other lessons have 30 to 33
ALPHA = 0.05
ENDS = (0.025, 0.975)
MOST_UNITS, RESAMPLES, REPETITIONS = 200, 200, 1_000


def share(found: Bools | Floats) -> tuple[int, int, tuple[float, float]]:
    """How many of how many, and the exact 95% interval of their share."""
    some, whole = int(np.count_nonzero(found)), len(found)
    low, high = clopper_pearson(some, whole)
    return some, whole, (float(low), float(high))


OWN = 200  # shuffles of one phone in a class room


def own_shuffles(pair: PairStatistics, seed: int) -> tuple[int, int]:
    """How many of OWN shuffles of this seed reach the gain of the pair, and how many there are. Cost: O(R n K)."""
    gain, pseudo = np.array([gain_of(pair)]), engine_gains(pair, Draw("swap"), OWN, seed)
    p = float(p_of(Rule(Draw("swap")), gain, pseudo[None], unit_of(pair))[0])
    return round(p * (OWN + 1)) - 1, OWN


# An interval for each of many test sets that are drawn from the units of a pair, whose own gain is then the true one.


@dataclass(frozen=True, eq=False)
class Intervals:
    """The gains (M,) of M test sets of `units` units, their intervals (M, 2), and the `true` gain of all units."""

    gains: Floats
    ends: Floats
    true: float
    units: int

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def holds(self) -> Bools:
        """Which of the intervals contain the true gain, (M,)."""
        return np.asarray((self.ends[:, 0] <= self.true) & (self.true <= self.ends[:, 1]))


def intervals(pair: PairStatistics, seed: int, progress: Progress | None = None) -> Intervals:
    """The middle 95% of bootstrap gains of each test set. Cost: O(M R n K)."""
    units = min(pair[0].n, MOST_UNITS)
    drawn = worlds(pair, Draw("bootstrap"), units, RESAMPLES, REPETITIONS, seed, False, progress)
    ends = np.nanquantile(drawn.pseudo, ENDS, axis=1).T  # (M, R) -> (M, 2)
    return Intervals(drawn.gains, np.ascontiguousarray(ends), gain_of(pair), units)


# How often the gain of a pair is found on test sets of several sizes.

PLANNED = (25, 50, 100, 200, 400)
SHUFFLES, PLANS = 199, 400


@dataclass(frozen=True, eq=False)
class Plan:
    """p (sizes, M) of M test sets of each of the sizes, drawn from the pair as it is, whose gain is `true`."""

    sizes: tuple[int, ...]
    p: Floats
    true: float

    def __post_init__(self) -> None:
        freeze(self)


def plan(pair: PairStatistics, seed: int, progress: Progress | None = None) -> Plan:
    """Two-sided approximate randomization on test sets of PLANNED sizes. Cost: O(sizes M R n K)."""
    rows = []
    for k, size in enumerate(PLANNED):
        if progress is not None:
            progress("Drawing test sets", k, len(PLANNED))
        drawn = worlds(pair, Draw("swap"), size, SHUFFLES, PLANS, seed, is_null=False)
        rows.append(p_of(Rule(Draw("swap")), drawn.gains, drawn.pseudo, unit_of(pair)))
    return Plan(PLANNED, np.array(rows), gain_of(pair))


# Right or wrong answers: two systems that are equally good, with several runs of every question.

QUESTIONS, RUNS = 50, 5


@dataclass(frozen=True, eq=False)
class Exam:
    """p (M, 2) of M exams without a difference: each answer counted as a unit, and each question."""

    p: Floats
    questions: int
    runs: int

    def __post_init__(self) -> None:
        freeze(self)


def exam(seed: int, questions: int = QUESTIONS, runs: int = RUNS, progress: Progress | None = None) -> Exam:
    """Exams in which both systems draw their chance of a right answer alike, anew for each question.

    The first p is the exact two-sided sign test (McNemar) on all answers, the second shuffles whole questions.
    Cost: O(M R questions).
    """
    rng = pairs.generator(seed, EXAMS, 0)
    rows = np.empty((REPETITIONS, 2))
    for k in range(REPETITIONS):
        if progress is not None and k % 50 == 0:
            progress("Drawing exams", k, REPETITIONS)
        chances = rng.random((2, questions, 1))
        first, second = rng.random((2, questions, runs)) < chances
        only, other = int((first & ~second).sum()), int((second & ~first).sum())
        sums = (first.astype(np.int64) - second).sum(axis=1)
        signs = 1.0 - 2.0 * swap_masks(rng, SHUFFLES, questions)
        count = int((np.abs(signs @ sums) >= abs(sums.sum())).sum())
        rows[k] = sign_test(only, only + other), p_values(count, SHUFFLES, "valid")
    return Exam(rows, questions, runs)


def sign_test(heads: int, tosses: int) -> float:
    """The exact two-sided p of a fair coin that fell on one side so often; 1 without tosses."""
    from scipy.stats import binomtest

    return float(binomtest(heads, tosses).pvalue) if tosses else 1.0


# A judge who agrees with people, but for a habit: in a share of the items the longer answer wins.

LONGER = 0.7  # the share of the items in which the first system's answer is the longer one
HABIT, ITEMS = 20, (100, 400, 1_000)


@dataclass(frozen=True, eq=False)
class Judge:
    """How often a judge with a `habit` (percent of the items) and people find a difference that is not there, (sizes,)."""

    habit: int
    sizes: tuple[int, ...]
    judge: Floats
    people: Floats

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def agreement(self) -> float:
        """The share of the items in which judge and person say the same: the habit agrees with half of the people."""
        return 1.0 - self.habit / 200

    @property
    def wins(self) -> float:
        """The share of the items in which the judge prefers the first system; people prefer it in half."""
        return 0.5 + self.habit / 100 * (LONGER - 0.5)


def judge(habit: int = HABIT, sizes: tuple[int, ...] = ITEMS) -> Judge:
    """The exact chances that a two-sided sign test has p at most ALPHA."""
    made = Judge(habit, sizes, np.zeros(len(sizes)), np.zeros(len(sizes)))
    rates = [[_found(size, chance) for size in sizes] for chance in (made.wins, 0.5)]
    return Judge(habit, sizes, np.array(rates[0]), np.array(rates[1]))


def _found(items: int, chance: float) -> float:
    from scipy.stats import binom

    heads = np.arange(items + 1)
    p = np.minimum(1.0, 2.0 * binom.cdf(np.minimum(heads, items - heads), items, 0.5))
    return float(binom.pmf(heads, items, chance)[p <= ALPHA * (1 + 1e-12)].sum())
