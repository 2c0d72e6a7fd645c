"""The intervals of scores and gains, each by the one method that agrees with the p beside it.

| what | method | source |
| --- | --- | --- |
| gain under randomization | inversion: the gains that the test does not reject | Edgington 1980 |
| the same, where units are right or wrong | Tango: the score interval of paired shares | Tango 1998 |
| gain under a shifted bootstrap | basic: the gain, and to both sides the distance that 5% of resamples reach | Hall 1988 |
| gain under the paired bootstrap | percentile | Efron 1979 |
| score | jackknife t | Tukey 1958 |
| score that is a share of right units | Wilson | Wilson 1927; Brown, Cai and DasGupta 2001 |

Where p and the ends are not made of the same draws, p decides on which side of 0 the interval ends: see `agreeing`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sigcore.errors import OptionError
from sigcore.resampling.inversion import ALPHA, MOST_GAINS, rank_of
from sigcore.resampling.inversion import possible as inverted
from sigcore.resampling.pvalues import beyond_the_gain, student, tolerance
from sigcore.results import Equivalence
from sigcore.significance import INTERVAL_RESAMPLES, LEAST_UNITS, Draws, Minus, Resampling, Test
from sigcore.studies.statistics import Measured, differing, too_few
from sigcore.studies.units import variance
from sigcore.sufficient import SufficientStatistics, right_together
from sigcore.types import Bools, Floats, IntervalMethod, Ints

LEVEL = 1 - ALPHA
ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
WHOLE = (1.0, 100.0)  # the score of a unit that is right, for scores that are shares
SCALE, SCALE_DECIMALS = 100.0, 2  # scores printed with two decimals are from 0 to 100, but for error rates above it
ROUNDING = 1e-9  # of a score from 0 to 100
TOGETHER = 1 << 13  # intervals made at once: few enough to stay in the cache of a processor
HALVINGS = 60  # of the range in which an end is looked for: as fine as a double


def method_of(test: Test, whole: float) -> IntervalMethod:
    """How the interval of a gain is made for a test, where a unit that is right scores `whole` (0: other scores).

    The percentile interval of a test that counts in a way of its own is not of that test, and may contradict its p.
    """
    if test.draws == "swap" and test.null == Minus("nothing") and test.cutoffs is beyond_the_gain:
        return "Tango" if whole else "inversion"
    shifted = isinstance(test.null, Minus) and test.null.what != "nothing"
    return "basic" if test.draws == "bootstrap" and shifted and test.cutoffs is beyond_the_gain else "percentile"


def needs_bootstrap(tests: Sequence[Test]) -> bool:
    """Whether an interval uses bootstrap scores, whatever the tests draw."""
    return any(method_of(test, 0.0) in ("basic", "percentile") for test in tests)


def inverting(whole: Sequence[float], tests: Sequence[Test]) -> list[bool]:
    """For which metrics an interval is made of the shuffles of a test; `whole` as in `method_of`."""
    return [any(method_of(test, full) == "inversion" for test in tests) for full in whole]


def needing_many(differ: Sequence[Ints], whole: Sequence[float], tests: Sequence[Test]) -> list[Ints]:
    """The counts (S, S) of differing units of those metrics whose intervals need many of them: all but Tango's."""
    return [
        counts
        for counts, full in zip(differ, whole, strict=True)
        if any(method_of(test, full) != "Tango" for test in tests)
    ]


def of_gains(
    question: Resampling, metric: int, draws: Draws, differ: Ints, whole: float = 0.0
) -> dict[str, Floats] | None:
    """The intervals (P, 2) of the gains of all pairs by test; None for more pairs than can be sorted in some seconds.

    They are nan where the units are too few: below LEAST_UNITS, or (but for right and wrong units) where a pair differs on
    fewer (`differ` (S, S)). `whole` is the score of a right unit where all units are right or wrong, else 0.
    """
    pairs, out = question.pairs, dict[str, Floats]()
    used = min(question.resamples, INTERVAL_RESAMPLES)
    few = too_few(differ[pairs[:, 0], pairs[:, 1]])
    for test in question.tests:
        how = method_of(test, whole)
        of_draws = how in ("basic", "percentile")
        if len(pairs) * used > MOST_GAINS if of_draws else how == "inversion" and draws.inverted is None:
            return None
        if question.n < LEAST_UNITS or not len(pairs):
            out[test.name] = np.full((len(pairs), 2), np.nan)
        elif how == "Tango":
            out[test.name] = paired_shares(question.statistics[metric], pairs, whole)
        elif how == "inversion":
            assert draws.inverted is not None
            out[test.name] = np.where(few[:, None], np.nan, draws.inverted)
        else:
            found = basic(draws, test, used) if how == "basic" else percentiles(draws, pairs, used)
            out[test.name] = np.where(few[:, None], np.nan, found)
    return out


def _bootstrap_gains(draws: Draws, used: int) -> Floats:
    assert draws.scores is not None
    return np.concatenate(list(draws.scores.first(used)), axis=1)  # (S, used)


def basic(draws: Draws, test: Test, used: int) -> Floats:
    """The gains whose distance from the observed one is reached by more than 5% of the shifted resamples, (P, 2).

    p(delta) = (1 + resamples at least |g - delta| from the centre) / (R + 1), so this is the inverted test itself. A resample
    without a score counts for every gain.
    """
    tally, scores = draws.tallies[test.name], _bootstrap_gains(draws, used)
    rank = rank_of(ALPHA, used)
    out = np.full((len(tally.pairs), 2), np.nan)
    for k, (left, right) in enumerate(tally.pairs if rank else ()):
        assert isinstance(test.null, Minus)
        shift = test.null.shift(tally.means[k : k + 1], tally.gains[k : k + 1])[0]
        distances = np.nan_to_num(np.abs(scores[left] - scores[right] - shift), nan=np.inf)
        half = float(-np.partition(-distances, rank - 1)[rank - 1])
        if math.isfinite(half):
            out[k] = tally.gains[k] - half, tally.gains[k] + half
    return out


def percentiles(draws: Draws, pairs: NDArray[np.intp], used: int) -> Floats:
    """The percentile intervals (P, 2) of bootstrap gains; undefined ones are left out. Cost: O(P R)."""
    scores = _bootstrap_gains(draws, used)
    out = np.full((len(pairs), 2), np.nan)
    for k, (left, right) in enumerate(pairs):
        gains = scores[left] - scores[right]
        defined = gains[~np.isnan(gains)]
        if len(defined):
            out[k] = np.quantile(defined, ENDS)
    return out


def agreeing(ends: Floats, p: Floats, slack: Floats, alpha: float = ALPHA) -> Floats:
    """The intervals (P, 2) with 0 inside where the two-sided p (P,) is above alpha, and outside where it is not.

    p may be exact or of more draws than the ends, and scores with few values put many draws exactly on an end. Then the end
    next to 0 is moved: to 0, or by `slack` (P,) beyond it.
    """
    out, low, high = ends.copy(), ends[:, 0], ends[:, 1]
    held = p > alpha
    out[:, 0] = np.where(held, np.minimum(low, 0.0), low)
    out[:, 1] = np.where(held, np.maximum(high, 0.0), high)
    inside = (p <= alpha) & (low <= 0) & (high >= 0)
    up = inside & (high >= -low)
    out[up, 0], out[inside & ~up, 1] = slack[up], -slack[inside & ~up]
    out[np.isnan(ends)] = np.nan
    return out


# Shares of units that are right.


def whole_of(systems: Sequence[SufficientStatistics]) -> float:
    """The score of a right unit, where the score of every system is the share of its units that are right; else 0."""
    full = 0.0
    for item in systems:  # one at a time: thousands of systems are more memory than their answers
        each = item.score(item.values)
        most = float(np.max(each, initial=0.0))
        other = most not in (0.0, full or most) or not ((each == 0) | (each == most)).all()
        if other or not math.isclose(each.mean(), float(item.score(item.total)), rel_tol=1e-12):
            return 0.0
        full = most or full
    return full if full in WHOLE else 0.0


def discordant(systems: Sequence[SufficientStatistics], pairs: NDArray[np.intp], whole: float) -> tuple[Floats, Floats]:
    """On how many units only the first, and only the second system of each pair is right, (P,) each; `whole` is the score of
    a right unit."""
    right = np.array([item.score(item.values) == whole for item in systems])
    (both, every), (a, b) = right_together(right), pairs.T
    return every[a] - both[a, b], every[b] - both[a, b]


def paired_shares(systems: Sequence[SufficientStatistics], pairs: NDArray[np.intp], whole: float) -> Floats:
    """The intervals (P, 2) of differences of paired shares, by Tango's score test; `whole` is the score of a right unit."""
    sign = 1.0 if systems[0].better == "higher" else -1.0
    return np.sort(sign * whole * tango(*discordant(systems, pairs, whole), systems[0].n), axis=1)


def differences(right: Bools, pairs: NDArray[np.intp], alpha: float = ALPHA) -> Floats:
    """Tango's intervals (P, 2) of the first minus the second share of each pair; `right` (S, n) says who is right where."""
    (both, every), (a, b) = right_together(right), pairs.T
    return tango(every[a] - both[a, b], every[b] - both[a, b], right.shape[1], alpha)


def tango(first: ArrayLike, second: ArrayLike, n: int, alpha: float = ALPHA) -> Floats:
    """The intervals (..., 2) of differences of two paired shares of n, where only the first, or only the second, is right.

    They hold the differences d that the score test does not reject: |first - second - n d| at most z standard errors, where
    the error has the variance under d. Source: Tango 1998.
    """
    ahead, behind = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if ahead.ndim == 1 and len(ahead) > TOGETHER:
        parts = [slice(start, start + TOGETHER) for start in range(0, len(ahead), TOGETHER)]
        return np.concatenate([tango(ahead[part], behind[part], n, alpha) for part in parts])
    z = NormalDist().inv_cdf(1 - alpha / 2)
    ends = []
    for outer in (-1.0, 1.0):
        inside, outside = (ahead - behind) / n, np.full(ahead.shape, outer)
        for _ in range(HALVINGS):
            middle = (inside + outside) / 2
            rejected = np.abs(tango_z(ahead, behind, n, middle)) > z
            inside, outside = np.where(rejected, inside, middle), np.where(rejected, middle, outside)
        ends.append(inside)
    return np.stack(ends, axis=-1)


def tango_z(first: Floats, second: Floats, n: int, difference: Floats) -> Floats:
    """The score statistics of differences of paired shares: positive where the observed one is larger."""
    linear = (2 * n - first + second) * difference - first - second
    root = np.sqrt(np.maximum(linear**2 + 8 * n * second * difference * (1 - difference), 0.0))
    variance = n * ((root - linear) / (2 * n) + difference * (1 - difference))
    far = first - second - n * difference
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(variance > 0, far / np.sqrt(variance), np.where(far == 0, 0.0, np.copysign(np.inf, far)))


def wilson(right: int, n: int, alpha: float = ALPHA) -> tuple[float, float]:
    """The interval of a share of n, `right` of which count."""
    z = NormalDist().inv_cdf(1 - alpha / 2)
    square = z**2
    middle, half = right + square / 2, z * math.sqrt(right * (n - right) / n + square / 4)
    low, high = (middle - half) / (n + square), (middle + half) / (n + square)
    return 0.0 if right == 0 else low, 1.0 if right == n else high


# Scores.


def of_scores(question: Resampling, metric: int, measured: Measured, whole: float) -> Floats:
    """The intervals (S, 2) of the scores from the units of one metric; nan for too few of them.

    The score, and to both sides t with n - 1 degrees of freedom times the jackknife's standard error, within what the
    scores can be: not below 0 where no unit is, and not above 100 for scores of at most 100. Shares of units that are right have Wilson's interval. Cost: O(S n K).
    """
    upward, options = measured.systems[0].better == "higher", measured.options
    most = SCALE if measured.metric.decimals_of(options) == SCALE_DECIMALS else 0.0
    systems, n = measured.systems, question.n
    out = np.full((len(systems), 2), np.nan)
    if n < LEAST_UNITS:
        return out
    t = float(student(np.array([n - 1]), ALPHA)[0])
    for k, (item, (_, without)) in enumerate(zip(systems, question.left_out(metric), strict=True)):
        scores, score = item.score(item.values), item.corpus_score
        if whole:
            out[k] = whole * np.array(wilson(int(np.count_nonzero(scores)), n))
            continue
        half = t * math.sqrt(variance(without))
        least = 0.0 if float(np.nanmin(scores, initial=0.0)) >= 0 else -math.inf
        if most and half < ROUNDING and min(abs(score), abs(most - score)) < ROUNDING:
            out[k] = most * np.array(wilson(n * (score > most / 2), n))  # all units are perfect, or none scores
        else:
            out[k] = max(score - half, least), min(score + half, most if most and upward else math.inf)
    return out


def averaged(scores: Floats, ends: Floats, correlations: Floats) -> tuple[float, float]:
    """The interval of the mean of scores (T,) with these correlations (T, T) from the interval (T, 2) of each, which need not be
    symmetric.

    The distances to the ends are added as standard errors are, so it stays within what the mean can be, and is not of width
    zero where theirs are not. Source: Zou and Donner 2008 (MOVER).
    """
    middle, tasks, apart = float(scores.mean()), len(scores), np.abs(scores[:, None] - ends)
    low, high = (math.sqrt(max(float(side @ correlations @ side), 0.0)) / tasks for side in apart.T)
    return middle - low, middle + high


# Equal enough: two one-sided tests against a margin.


@dataclass(frozen=True, eq=False)
class Possible:
    """What a test says of every true gain of one pair: `gains` (R,) that its draws speak for (sorted, `always` more count for
    every gain), or for right and wrong units the counts of Tango's score test (first, second, n) and the score of a right one."""

    gains: Floats
    always: int = 0
    shares: tuple[float, float, int] | None = None
    whole: float = 1.0

    def _z(self, first: float, second: float, n: int, gain: float) -> float:
        return float(tango_z(np.array(first), np.array(second), n, np.array(gain / self.whole)))

    def at_most(self, gain: float) -> float:
        """p of the hypothesis that the true gain is at most this."""
        if self.shares is not None:
            return NormalDist().cdf(-self._z(*self.shares, gain))
        return (1 + self.always + int(np.searchsorted(self.gains, gain, "right"))) / (len(self.gains) + self.always + 1)

    def at_least(self, gain: float) -> float:
        """p of the hypothesis that the true gain is at least this."""
        if self.shares is not None:
            return NormalDist().cdf(self._z(*self.shares, gain))
        beyond = len(self.gains) - int(np.searchsorted(self.gains, gain, "left"))
        return (1 + self.always + beyond) / (len(self.gains) + self.always + 1)


def equivalence(possible: Possible | None, margin: float) -> Equivalence:
    """The two tests of a pair against a margin, in points of the metric; p is nan where the units are too few.

    Raises: OptionError for a margin that is not above 0.
    """
    if not 0 < margin < math.inf:
        raise OptionError(
            f"margin = {margin:g}.", "", "Give the smallest gain that matters, above 0, in points of the metric."
        )
    if possible is None:
        return Equivalence(margin, math.nan, math.nan)
    worse = possible.at_most(-margin)
    return Equivalence(margin, max(worse, possible.at_least(margin)), worse)


def possible_gains(pair: Sequence[SufficientStatistics], draws: Draws, test: Test, whole: float) -> Possible | None:
    """What a test says of every true gain of two systems whose draws were kept; None for too few units, and for a test that
    counts in a way of its own."""
    how, tally, n = method_of(test, whole), draws.tallies[test.name], pair[0].n
    few = too_few(differing(pair))[0, 1]
    if n < LEAST_UNITS or (few and how != "Tango") or tally.exact is not None:
        return None
    gain = float(tally.gains[0])
    if how == "Tango":
        first, second = (item.score(item.values) == whole for item in pair)
        counts = float((first & ~second).sum()), float((second & ~first).sum())
        return Possible(np.empty(0), 0, (*(counts if pair[0].better == "higher" else counts[::-1]), n), whole)
    if how == "inversion":
        assert draws.gains is not None
        assert draws.signs is not None
        signs = draws.signs[0]
        pseudo = np.concatenate([block[0] for block in draws.gains.first(len(signs))])
        found = inverted(pseudo, signs, gain, float(tolerance(gain, tally.units[0])))
    else:
        left, right = _bootstrap_gains(draws, min(tally.resamples, INTERVAL_RESAMPLES))
        found = left - right
        if isinstance(test.null, Minus) and how == "basic":
            # reflected: a resample above its centre speaks for a smaller gain
            found = gain - (found - test.null.shift(tally.means[:1], tally.gains[:1])[0])
    defined = np.sort(found[~np.isnan(found)])
    return Possible(defined, len(found) - len(defined))
