"""The tail lab: one set of draws counted by different rules, and how often each rule errs in the long run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.resampling.pvalues import clopper_pearson, exceedances, p_values, tolerance
from sigcore.results import freeze
from sigcore.studies.learn.draws import Draw, Pair, Worlds, engine_gains, gain_of, unit_of, worlds
from sigcore.studies.statistics import Progress
from sigcore.types import Bools, Floats

OBSERVED = 1_000  # resamples of the data as they are
REPETITIONS = 1_000  # data sets under a true null


BOOTSTRAP = Draw("bootstrap")


@dataclass(frozen=True)
class Rule:
    """How resamples become p. The defaults are sound.

    `strict` counts only what is beyond the observed gain (`>`), not what equals it (`>=`). Without `plus_one`, p is c / R.
    `one_sided` counts only one direction. With `slip`, the absolute value is taken before the mean is subtracted:
    |d| - mean(|d|), as in Riezler & Maxwell 2005; right is |d - mean(d)|. It concerns the two-sided bootstrap alone.
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
class Counted:
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
        """The exact 95 % interval of the error rate, from the first data sets or from all."""
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
    shown: Counted
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


def draw(pair: Pair, how: Draw, size: Size, seed: int, progress: Progress | None = None) -> Drawn:
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


def counted(rule: Rule, drawn: Drawn) -> Counted:
    """The data as they are under the rule."""
    own = statistics(rule, drawn.pseudo)
    is_folded = rule.slip and rule.draw.kind == "bootstrap" and not rule.one_sided
    size = drawn.gain if rule.one_sided else abs(drawn.gain)
    low = -np.inf if rule.one_sided or is_folded else -size
    slack = float(tolerance(size, drawn.unit)) * (-1.0 if rule.strict else 1.0)
    tail = (own >= size - slack) | (own <= low + slack)
    p = p_of(rule, np.array([drawn.gain]), drawn.pseudo[None], drawn.unit)
    return Counted(own, (float(low), float(size)), tail, float(p[0]))


def errors(rule: Rule, drawn: Drawn, alpha: float) -> Errors:
    """How often the rule calls a difference significant where there is none."""
    p = p_of(rule, drawn.nulls.gains, drawn.nulls.pseudo, drawn.unit)
    return Errors(p, np.cumsum(p <= alpha).astype(np.float64))
