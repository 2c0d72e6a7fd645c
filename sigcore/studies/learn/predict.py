"""Predict, then reveal: rounds with a gain on a few units, drawn from the class's own data, some of them without a difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.results import freeze
from sigcore.studies import pairs, units
from sigcore.studies.learn.data import Data
from sigcore.studies.learn.draws import ROUNDS, Draw, gain_of, pseudo_gains, unit_of, world
from sigcore.studies.learn.tail import Rule, p_of
from sigcore.studies.statistics import Progress
from sigcore.sufficient import gains
from sigcore.types import Floats, Ints

MOST, RESAMPLES = 10, 999
SIZES = (10, 20, 40, 80, 160, 320)
# Rounds that are neither too easy nor hopeless: the gain of the pair is this many standard errors on so large a test set.
EASE = (0.5, 4.0)


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


def rounds(of: Data, seed: int, progress: Progress | None = None) -> tuple[Round, ...]:
    """All rounds of a game; the same data and seed give the same rounds. Cost: O(S^2 n + R n K)."""
    offered = _offered(of)
    out = []
    for k in range(MOST):
        if progress is not None:
            progress("Drawing rounds", k, MOST)
        rng = pairs.generator(seed, ROUNDS, k)
        first, second, n = offered[int(rng.integers(len(offered)))].tolist()
        out.append(_round(of, (first, second), n, bool(rng.random() < 0.5), rng))
    return tuple(out)


def _round(of: Data, chosen: tuple[int, int], n: int, is_null: bool, rng: np.random.Generator) -> Round:
    pair = world([of.measured.systems[k] for k in chosen], n, is_null, rng)
    if gain_of(pair) < 0:
        pair = (pair[1], pair[0])
    gain, null = gain_of(pair), pseudo_gains(pair, Draw("swap"), RESAMPLES, rng)
    p = float(p_of(Rule(Draw("swap")), np.array([gain]), null[None], unit_of(pair))[0])
    return Round(pair[0].system, pair[1].system, n, gain, null, p, is_null)


def _offered(of: Data) -> Ints:
    """(first, second, units) of every round that is neither too easy nor hopeless; of every possible one if none is."""
    without, gain = units.left_out(of.measured), gains(of.measured.scores, of.measured.systems[0].better)
    every, kept = list[tuple[int, int, int]](), list[tuple[int, int, int]]()
    for a, b in zip(*np.triu_indices(len(of.names), k=1), strict=True):
        error = float(np.sqrt(units.variance(without[a] - without[b])))
        for n in SIZES:
            if n <= max(of.n, SIZES[0]):
                every.append((int(a), int(b), n))
                ratio = abs(gain[a, b]) / error * np.sqrt(n / of.n) if error > 0 else 0.0
                kept += [every[-1]] if EASE[0] <= ratio <= EASE[1] else []
    return np.array(kept or every, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Game:
    """The rounds, the predictions so far (True: significant) by the number of the round from 0, the round that is shown
    (None: the results), and how numbers are written."""

    rounds: tuple[Round, ...]
    answers: tuple[tuple[int, bool], ...]
    at: int | None
    alpha: float
    title: str
    decimals: int
    unit: str

    def answer(self, k: int) -> bool | None:
        """The prediction of a round, if there is one."""
        return dict(self.answers).get(k)

    def is_right(self, k: int) -> bool:
        """Whether the prediction of a round is what the test says."""
        return self.answer(k) == (self.rounds[k].p <= self.alpha)

    @property
    def right(self) -> int:
        """The number of right predictions."""
        return sum(self.is_right(k) for k, _ in self.answers)


def game(
    of: Data, drawn: tuple[Round, ...], answers: tuple[tuple[int, bool], ...], at: int | None, alpha: float
) -> Game:
    """The game as it is after these predictions."""
    return Game(drawn, answers, at, alpha, of.measured.title, of.measured.decimals, of.unit.noun(2))
