"""Automatic numbers of resamples: pairs whose verdict is open go on alone, counted from where they stopped.

The draws of a block do not depend on which pairs are there, so the counts of a pair are those of a run of as many resamples
over all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sigcore import significance
from sigcore.results import MatrixResult
from sigcore.significance import Draws, Resampling, Tally, Test
from sigcore.studies import enough, intervals
from sigcore.studies.matrix.compute import MatrixRun, run
from sigcore.study import LOCAL, Runtime, Study
from sigcore.types import AUTO, Floats, Ints

# Pairs that no resample reached need a number that is not a round one: it is rounded up to the next of these.
STEP = 1_000

Read = Callable[[MatrixRun], Iterable[MatrixResult]]


@dataclass(frozen=True, eq=False)
class Step:
    """The pairs (k, 2) that go on, the resamples that each has, and those that each will have."""

    pairs: NDArray[np.intp]
    begun: int
    resamples: int


def settled(study: Study, runtime: Runtime, read: Read) -> MatrixRun:
    """The run of the study. For "auto" resamples each pair has as many as its verdicts in the results `read` from the run
    need, at the study's alpha; under a correction that uses the joint null of all pairs, all have as many as one needs.

    The numbers depend on the data and the settings only.
    """

    def work(one: Study) -> MatrixRun:
        return run(one, runtime, sides=[one.settings.side])

    if study.resamples != AUTO or study.joint:
        return enough.draw(study, work, read)
    done = work(replace(study, resamples=enough.START))
    while done.resamples and (step := next_step(done, read(done), study.alpha)):
        done = go_on(done, step, study.alpha, runtime)
    return done


def next_step(run: MatrixRun, results: Iterable[MatrixResult], alpha: float, most: int = enough.MOST) -> Step | None:
    """Which pairs go on, and how far; None where every verdict of the results is settled at alpha, or as many as `most`
    resamples, or as much work as is done unasked, leave it open.

    Of the open pairs those with the fewest resamples go on first: all of them whose gain some resample reached, or before
    them all others, which need a number that is known.
    """
    left, right = run.pairs.T
    wanted, reached, least = np.zeros(len(run.pairs)), np.zeros(len(run.pairs), dtype=bool), 0
    for result in results:
        least = max(least, math.ceil(result.setup.least_p * (result.setup.resamples + 1) / alpha) - 1)
        need = enough.needs(result, alpha)
        own = np.maximum(need[left, right], need[right, left])
        low = result.p_low if result.adjusted_low is None else result.adjusted_low
        wanted = np.maximum(wanted, own)
        reached |= (own > 0) & (np.maximum(low[left, right], low[right, left]) > 0)
    drawn = run.drawn
    for begun in np.unique(drawn[(wanted > drawn) & (drawn < most)]).tolist():
        here = (wanted > drawn) & (drawn == begun)
        group = here & ~reached if (here & ~reached).any() else here
        target = enough.rounded(max(enough.GROWTH * begun, least))  # fewer could not show a difference
        if not reached[group].any():
            target = math.ceil(wanted[group].max() / STEP) * STEP
        pairs = run.pairs[group]
        target = min(target, most, max(enough.START, enough.PRODUCTS // cost(run, pairs)))
        if target > begun:
            return Step(pairs, begun, target)
    return None


def cost(run: MatrixRun, pairs: NDArray[np.intp]) -> int:
    """The work of one resample of these pairs, in products of a weight and a statistic."""
    columns = sum(len(item.systems[k].columns) for item in run.summed for k in np.unique(pairs).tolist())
    return max(run.n * columns + enough.PRODUCTS_OF_SCORE * len(pairs) * len(run.summed), 1)


def go_on(done: MatrixRun, step: Step, alpha: float, runtime: Runtime = LOCAL) -> MatrixRun:
    """The run in which the pairs of the step have as many resamples as it says, because their verdicts at alpha were open.

    Shuffles go on from where they stopped; a bootstrap is counted again, as its centre is that of all of its draws.
    Intervals of gains stay those of the first run under randomization, and are made again under bootstraps.

    Raises: Cancelled from `runtime`.
    """
    used, places = np.unique(step.pairs, return_inverse=True)
    systems = tuple(tuple(item.systems[k] for k in used.tolist()) for item in done.summed)
    tests = tuple(test for test in done.tests if test.draws is not None)
    question = Resampling(systems, tests, places.reshape(-1, 2), step.resamples, done.seed)
    none = [False] * len(systems)
    found = significance.tally(question, runtime.mapper, runtime.report, intervals=none, begun=step.begun)
    # a number for each pair: grids of hundreds of systems have too many pairs to compare each with each
    every, own = (pairs @ (len(done.systems), 1) for pairs in (done.pairs, step.pairs))
    at = np.flatnonzero(np.isin(every, own))
    draws = [_merged(before, new, tests, at) for before, new in zip(done.draws, found, strict=True)]
    between = [_intervals(done, m, question, new, used, at) for m, new in enumerate(found)]
    for one in found:
        one.close()
    return replace(
        done,
        draws=tuple(draws),
        gain_intervals=tuple(between) if done.gain_intervals else (),
        resamples=max(done.resamples, step.resamples),
        first=done.first or done,
        alpha=alpha,
    )


def _merged(before: Draws, new: Draws, tests: tuple[Test, ...], at: Ints) -> Draws:
    """The tallies of all pairs, those at these places gone on."""
    gone_on = {test.name: _gone_on(before.tallies[test.name], new.tallies[test.name], test, at) for test in tests}
    return Draws(before.tallies | gone_on)


def _gone_on(before: Tally, new: Tally, test: Test, at: Ints) -> Tally:
    counts, undefined, drawn = before.counts.copy(), before.undefined.copy(), before.each.copy()
    means, error = before.means.copy(), None if before.error is None else before.error.copy()
    added = 1 if test.draws == "swap" else 0
    counts[:, :, at] = added * counts[:, :, at] + new.counts
    undefined[at] = added * undefined[at] + new.undefined
    means[at], drawn[at] = new.means, new.resamples
    if error is not None and new.error is not None:
        error[at] = new.error
    most = max(before.resamples, new.resamples)
    return replace(before, counts=counts, undefined=undefined, means=means, drawn=drawn, error=error, resamples=most)


def _intervals(
    done: MatrixRun, metric: int, question: Resampling, new: Draws, used: Ints, at: Ints
) -> dict[str, Floats]:
    """The intervals of the gains of all pairs by test: those at these places made again where they are of bootstrap scores."""
    if not done.gain_intervals:
        return {}
    out = dict(done.gain_intervals[metric])
    again = tuple(test for test in question.tests if test.draws == "bootstrap")
    differ = done.differing[metric][np.ix_(used, used)]
    made = (
        intervals.of_gains(replace(question, tests=again), metric, new, differ, done.whole[metric]) if again else None
    )
    for name, ends in (made or {}).items():
        out[name] = out[name].copy()
        out[name][at] = ends
    return out
