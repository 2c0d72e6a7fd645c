"""A mixed model of runs and units: the standard error of a gain that other runs and other units would change.

y(system, run, unit) = mu + unit + system x unit + run(system) + error, with runs, units and what a system is on a unit as
random effects. The mean squares estimate their variances, and Satterthwaite's formula gives the degrees of freedom. What a
system is on a unit has a variance of at least 0. That of runs may be estimated below 0: few runs often are closer to each
other than chance makes them, and a bound at 0 would then count only the other errors, so that the test rejects too seldom
(measured: docs/runs.md). Scores that are no means of units take part with the jackknife's pseudo-values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sigcore.resampling.pvalues import of_student, student
from sigcore.sufficient import gains as gains_of
from sigcore.types import Better, Floats, Side

LEAST_N = 2  # units
# Runs may be equal by chance, in accuracy exactly. No standard error is less than a third of the one over the units alone.
LEAST_SHARE = 1 / 9
NAME, TITLE = "runs_mixed", "Mixed model of runs and units"
SOURCE = "Satterthwaite 1946"


def values_of(left_out: Floats, scores: Floats) -> Floats:
    """The part of each unit in the score of each run, (N, n), from the scores (N,) and those without each unit (N, n): the
    pseudo-values of the jackknife, whose mean is made the score."""
    n = left_out.shape[1]
    return scores[:, None] + (n - 1) * (left_out.mean(axis=1, keepdims=True) - left_out)


def fit(values: Floats, rows: Sequence[NDArray[np.intp]], pairs: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """The standard error of the gain of each pair of systems and its degrees of freedom, (P,) each.

    `values` (N, n) are the parts of n units in the scores of N runs, `rows[s]` the runs of system s, pairs are (P, 2). Systems
    may have different numbers of runs, and share their variances. With one run of each, what runs add is unknown and left
    out. nan for one unit, or where nothing varies.
    """
    errors, freedom = np.full((2, len(pairs)), np.nan)
    if values.shape[1] < LEAST_N:
        return errors, freedom
    for k, (left, right) in enumerate(pairs.tolist()):
        variance, df = _between(values[rows[left]], values[rows[right]])
        if variance > 0:
            errors[k], freedom[k] = math.sqrt(variance), df
    return errors, freedom


def _between(first: Floats, second: Floats) -> tuple[float, float]:
    """The variance of the difference of two means, and its degrees of freedom, from (a, n) and (b, n) values."""
    n, runs = first.shape[1], len(first) + len(second) - 2
    # of the units: it also holds what is left, once for all runs
    units = float((first.mean(axis=0) - second.mean(axis=0)).var(ddof=1)) / n
    if not runs:
        return units, n - 1
    share = (1 / len(first) + 1 / len(second)) / runs
    of_runs = share * sum(float(((own.mean(axis=1) - own.mean()) ** 2).sum()) for own in (first, second))
    # of what is left, which is in both
    rest = share * sum(float((residuals(own) ** 2).sum()) for own in (first, second)) / (n * (n - 1))
    spread = units**2 / (n - 1) + of_runs**2 / runs + rest**2 / (runs * (n - 1))
    return together((units, n - 1.0), (of_runs, float(runs)), rest, spread)


def together(units: tuple[float, float], runs: tuple[float, float], rest: float, spread: float) -> tuple[float, float]:
    """The variance of a gain and its degrees of freedom, from the parts of units and of runs with theirs.

    `rest` is the variance that both have in them, `spread` the sum of the squares of all parts by their degrees of freedom.
    """
    least = LEAST_SHARE * units[0]
    if units[0] <= rest:  # what a system is on a unit adds nothing: this is t of the runs
        return max(runs[0], least), runs[1]
    both = runs[0] + units[0] - rest
    # without the part that is subtracted, a sum has at least the degrees of freedom of the part that has the fewest
    return max(both, least), max(both**2 / spread, min(units[1], runs[1]))


def residuals(values: Floats) -> Floats:
    """What is left of values (runs, n) without the means of their runs and units."""
    return np.asarray(values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean())


def p_of(gains: Floats, errors: Floats, freedom: Floats, side: Side) -> Floats:
    """The p of t with these degrees of freedom, in the shape of the gains; nan where there is no standard error."""
    return of_student(gains / errors, freedom, side)


def intervals(gains: Floats, errors: Floats, freedom: Floats, level: float) -> Floats:
    """The intervals (P, 2) of the gains (P,): a gain is outside exactly where its two-sided p is below 1 - level."""
    out = np.full((len(gains), 2), np.nan)
    known = np.isfinite(errors) & (freedom >= 1)
    reach = student(freedom[known], 1 - level) * errors[known]
    out[known] = np.stack([gains[known] - reach, gains[known] + reach], axis=1)
    return out


def of_runs_alone(scores: Sequence[Floats], better: Better, side: Side) -> tuple[Floats, Floats, Floats]:
    """The t test of the scores of the runs with pooled variance: t, its degrees of freedom and its p for every ordered pair,
    (S, S) each; nan where the scores do not vary. It says nothing about other units."""
    size = len(scores)
    t = np.full((size, size), np.nan)
    runs = np.array([len(own) for own in scores])
    df = np.asarray(runs[:, None] + runs[None, :] - 2, dtype=np.float64)
    np.fill_diagonal(df, np.nan)
    gain = gains_of(np.array([own.mean() for own in scores]), better)
    squares = np.array([((own - own.mean()) ** 2).sum() for own in scores])
    for i, j in zip(*np.nonzero(df > 0), strict=True):
        variance = (squares[i] + squares[j]) / df[i, j] * (1 / runs[i] + 1 / runs[j])
        if variance > 0:
            t[i, j] = gain[i, j] / math.sqrt(variance)
    return t, df, of_student(t, df, side)
