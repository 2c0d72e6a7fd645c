"""Where bootstrap gains are centred: their expectation, from the data alone where that is sure, else from the draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.resampling.counting import thresholds
from sigcore.resampling.pvalues import TOLERANCE
from sigcore.significance.contract import Observed, Question, Test
from sigcore.types import SIDES, Floats

# A bias below this share of the largest difference of a unit's scores is rounding: the expectation is the gain itself.
ROUNDING = 1e-9
# The two expectations agree if they differ by at most this many standard errors of the one from the draws.
AGREE = 4.0
# Standard errors by which the centre from the draws may be wrong: ties are looked for so far around the cut-off.
SURE = 2.0


@dataclass(frozen=True, eq=False)
class Centre:
    """Of P pairs, each (P,): the expectation of the bootstrap gain, how far it may be wrong (0 where it is not from the
    draws), and the mean of the drawn gains."""

    expected: Floats
    error: Floats
    drawn: Floats


class Moments:
    """Mean and covariance of the bootstrap scores of S systems, taken block by block; undefined scores are left out."""

    def __init__(self, scores: Floats) -> None:
        self._origin = scores[:, None]
        self._count = 0
        self._sums, self._missing = np.zeros(len(scores)), np.zeros(len(scores))
        self._products = np.zeros((len(scores), len(scores)))

    def add(self, values: Floats) -> None:
        """Take in the scores (S, B) of one block."""
        self._count += values.shape[1]
        total = values.sum(axis=1)
        from_origin = values - self._origin
        if np.isnan(total).any():  # a score may be undefined on some resample
            total, self._missing = np.nansum(values, axis=1), self._missing + np.isnan(values).sum(axis=1)
            from_origin = np.nan_to_num(from_origin)
        self._sums += total
        self._products += from_origin @ from_origin.T

    @property
    def means(self) -> Floats:
        """The mean score of each system, (S,)."""
        return self._sums / np.maximum(self._count - self._missing, 1)

    def errors(self, left: Floats, right: Floats) -> Floats:
        """The standard error of the mean gain of each pair, (P,)."""
        shift = self.means - self._origin[:, 0]
        covariance = self._products / max(self._count, 1) - shift[:, None] * shift
        variance = covariance[left, left] + covariance[right, right] - 2 * covariance[left, right]
        return np.sqrt(np.maximum(variance, 0) / max(self._count, 1))


def expected_scores(question: Question, metric: int) -> Floats:
    """The expected bootstrap score of every system, (S,), by the delete-one jackknife; nan where it is undefined.

    For a metric that is a mean over the units it is the score itself, exactly; for others its error is of the order of
    1 / n^2. Cost: O(S n K). Source: Efron & Tibshirani 1993, Chapter 10.
    """
    out = []
    for item in question.statistics[metric]:
        score = float(question.oriented_scores(metric, item.total))
        left_out = question.oriented_scores(metric, item.total - item.values) if item.n > 1 else np.array([score])
        out.append(score + (item.n - 1) * (float(left_out.mean()) - score))
    return np.array(out)


def centre(question: Question, metric: int, expected: Floats, moments: Moments) -> Centre:
    """The centre of every pair: the jackknife's where the draws agree with it, else the mean of the draws."""
    left, right = question.pairs.T
    gains, units = question.gains(metric), question.units(metric)
    jackknife = expected[left] - expected[right]
    jackknife = np.where(np.abs(jackknife - gains) <= ROUNDING * units, gains, jackknife)
    drawn = moments.means[left] - moments.means[right]
    error = moments.errors(left, right)
    agree = np.abs(drawn - jackknife) <= AGREE * error + ROUNDING * units  # False where it is undefined
    return Centre(np.where(agree, jackknife, drawn), np.where(agree, 0.0, SURE * error), drawn)


def observe(question: Question, tests: Sequence[Test], centres: Sequence[Centre]) -> list[Observed]:
    """What counting needs, for each metric, where the pseudo-gains of its pairs have these centres."""
    out = []
    for metric, at in enumerate(centres):
        gain, unit = question.gains(metric), question.units(metric)
        means = tuple(at.expected if test.centring == "expected" else at.drawn for test in tests)
        errors = tuple(at.error if test.uses_centre else np.zeros_like(gain) for test in tests)
        cuts = [[test.cutoffs(gain, side) for side in SIDES] for test in tests]
        # a tie is within the error of the centre, and never nearer than rounding can bring a pseudo-statistic
        units = [np.maximum(unit, error / TOLERANCE) for error in errors]
        found = tuple(thresholds(sides, size) for sides, size in zip(cuts, units, strict=True))
        out.append(Observed(gain, unit, means, errors, found))
    return out
