"""The engine: every test counted on every pair under every metric, from shared draws."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sigcore.corrections.contract import JointTests
from sigcore.resampling.blocks import BLOCK, Block, blocks, generator, joined, number_of_blocks, steps, swap_bits
from sigcore.resampling.inversion import INVERTED, Kept
from sigcore.resampling.pair_counts import compiled
from sigcore.resampling.pair_counts import prepare as prepare_counts
from sigcore.resampling.pvalues import RAW, TOLERANCE, Thresholds, thresholds, tolerance
from sigcore.resampling.scatter import prepare as prepare_draws
from sigcore.resampling.spool import Spool
from sigcore.significance.contract import Draws, Jointly, Mapper, Minus, Resampling, Tally, Test, Together
from sigcore.types import SIDES, Floats, Ints, Progress

# Where bootstrap gains are centred: their expectation, from the data alone where that is sure, else from the draws.

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


def expected_scores(question: Resampling, metric: int) -> Floats:
    """The expected bootstrap score of every system, (S,), by the delete-one jackknife; nan where it is undefined.

    For a metric that is a mean over the units it is the score itself, exactly; for others its error is of the order of
    1 / n^2. Cost: O(S n K). Source: Efron & Tibshirani 1993, Chapter 10.
    """
    n, found = question.columns.n, question.left_out(metric)
    return np.array([score + (n - 1) * (float(without.mean()) - score) for score, without in found])


def centre(question: Resampling, metric: int, expected: Floats, moments: Moments) -> Centre:
    """The centre of every pair: the jackknife's where the draws agree with it, else the mean of the draws."""
    left, right = question.pairs.T
    gains, units = question.gains(metric), question.units(metric)
    jackknife = expected[left] - expected[right]
    jackknife = np.where(np.abs(jackknife - gains) <= ROUNDING * units, gains, jackknife)
    drawn = moments.means[left] - moments.means[right]
    error = moments.errors(left, right)
    agree = np.abs(drawn - jackknife) <= AGREE * error + ROUNDING * units  # False where it is undefined
    return Centre(np.where(agree, jackknife, drawn), np.where(agree, 0.0, SURE * error), drawn)


# Counting: what counts for every pair, and how many pseudo-gains do.

# Pairs whose pseudo-gains numpy counts together: few enough to stay in the processor's cache.
COUNTED_AT_ONCE = 256

ALL = slice(None)


def portions(pairs: int, size: int) -> Iterator[slice]:
    """Slices of the pairs, so that a block of all pairs is never in memory at once."""
    return (slice(start, min(start + size, pairs)) for start in range(0, pairs, size))


@dataclass(frozen=True, eq=False)
class Observed:
    """What the counting of one metric needs to know of every pair, each (P,): gain, size of differences; and for every
    test the centre of its null, how far that may be wrong, and its thresholds."""

    gains: Floats
    units: Floats
    means: tuple[Floats, ...]
    errors: tuple[Floats, ...]
    thresholds: tuple[Thresholds, ...]

    def count(
        self, tests: Sequence[Test], ahead: Floats, behind: Floats, pairs: NDArray[np.intp], places: slice = ALL
    ) -> Ints:
        """The raw counts (tests, RAW, P) of the pseudo-gains of the pairs at these places: a score of `ahead` minus one of
        `behind`, each (rows, B), whose rows `pairs` (P, 2) names."""
        counts = np.zeros((len(tests), RAW, len(pairs)), dtype=np.int64)
        loop, left, right = compiled(), *np.ascontiguousarray(pairs.T)
        ahead, behind = np.ascontiguousarray(ahead), np.ascontiguousarray(behind)
        others = list[int]()
        for t, test in enumerate(tests):
            if loop is None or not isinstance(test.null, Minus):
                others.append(t)
                continue
            cuts = self.thresholds[t].part(places)
            shift = test.null.shift(self.means[t][places], self.gains[places])
            start, end = np.ascontiguousarray(cuts.start), np.ascontiguousarray(cuts.end)
            loop(ahead, behind, left, right, shift, start, end, cuts.one, counts[t])
        if others:
            first = places.start or 0
            for part in portions(len(pairs), COUNTED_AT_ONCE):
                pseudo = ahead[left[part]] - behind[right[part]]  # (P, B)
                whole = slice(first + part.start, first + part.stop)
                for t in others:
                    counts[t, :, part] = self._count(t, tests[t], pseudo, whole)
        return counts

    def _count(self, number: int, test: Test, pseudo: Floats, places: slice) -> Ints:
        """The raw counts (RAW, P) of one test by numpy alone."""
        null = test.statistics(pseudo, self.means[number][places, None], self.gains[places, None])
        return self.thresholds[number].part(places).count(null, not np.isnan(pseudo.sum()))


def observe(question: Resampling, tests: Sequence[Test], centres: Sequence[Centre]) -> list[Observed]:
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


Partial = Callable[[list[Draws], int], None]

# Pseudo-gains of one block in memory, and the fewest draws that are scored together.
IN_MEMORY, LEAST_DRAWS = 2**22, 32
TOGETHER = 2  # counting a joint null by numpy's way costs as much as so many tests
AT_ONCE = 320  # pairs scored together, times their statistics: few enough for the processor's cache

# Intervals use at most this many resamples (whole blocks): the Monte Carlo error of an end is then below a
# hundredth of the standard error of the gain, if gains are roughly normal.
INTERVAL_RESAMPLES = 196 * BLOCK

# Partial results: bootstrap tests report first after about FIRST_STAGE resamples, randomization every REPORT_EVERY seconds.
FIRST_STAGE, REPORT_EVERY = 8_192, 2.0


def tally(
    question: Resampling,
    mapper: Mapper,
    progress: Progress | None = None,
    keep_gains: bool = False,
    partial_results: Partial | None = None,
    joint: Sequence[Jointly] = (),
    bootstrap_too: bool = False,
    intervals: Sequence[bool] | None = None,
    begun: int = 0,
) -> list[Draws]:
    """The counts of every test on every pair, for each metric: one pass for each kind of draw, shared by all tests that
    use it; then the tests that count for themselves.

    With `bootstrap_too` the bootstrap is drawn even if no test needs it, for percentile intervals (INTERVAL_RESAMPLES of
    them are enough for that). `intervals` says for which metrics the shuffles make intervals (None: for all). `joint` is counted over shuffles as they are
    drawn; over bootstrap resamples it is counted from their scores, afterwards. `partial_results` is called from time to time with the results of the first resamples.
    The first `begun` shuffles are left out of the counts, for pairs that go on; a bootstrap, whose centre is that of all of its
    draws, is counted from the beginning.
    Cost: O(R n C) for a pass with C different columns, O(R P) for each test.
    """
    bootstrap = [test for test in question.tests if test.draws == "bootstrap"]
    swap = [test for test in question.tests if test.draws == "swap"]
    drawn = question.resamples if bootstrap else min(question.resamples, INTERVAL_RESAMPLES) * bootstrap_too
    # partial results are those of the shuffles, if there are any: then the bootstrap is counted once
    prepare_draws(drawn * question.columns.n, question.resamples * question.columns.whole.size * bool(swap), progress)
    together = TOGETHER * len(joint) * len(swap)
    counted = question.resamples * len(question.pairs) * len(question.statistics)
    prepare_counts(counted * (len(bootstrap + swap) + together), progress)
    question.prepare_pairs(progress)
    stages = _stages(drawn) if bootstrap and partial_results and not swap else [drawn]
    shuffled = number_of_blocks(question.resamples, begun) if swap else 0
    step = steps(progress, "resampling", _work(stages, bool(bootstrap)) + shuffled)
    out = [Draws({}) for _ in question.statistics]
    if drawn:
        _bootstrap(question, bootstrap, stages, mapper, step, out, None if swap else partial_results)
    if swap:
        _swap(question, swap, mapper, step, out, keep_gains, partial_results, joint, intervals, begun)
    _own_counts(question, mapper, out)
    return out


def _work(stages: Sequence[int], counted: bool) -> int:
    """The number of blocks that the bootstrap draws (none for 0 resamples) and, where tests count them, counts."""
    return number_of_blocks(stages[-1]) + (sum(map(number_of_blocks, stages)) if counted else 0)


def _own_counts(question: Resampling, mapper: Mapper, out: list[Draws]) -> None:
    for test in question.tests:
        if test.tally is not None:
            for draws, tallied in zip(out, test.tally(question, mapper), strict=True):
                draws.tallies[test.name] = tallied


def _stages(resamples: int) -> list[int]:
    """The numbers of resamples after which partial results are reported: each four times the last, so that counting
    again each time adds a third to the counting, and nothing to the drawing."""
    out = [resamples]
    while out[0] > 4 * FIRST_STAGE:
        out.insert(0, (number_of_blocks(out[0] // 4) - 1) * BLOCK)
    return out


def _bootstrap(
    question: Resampling,
    tests: Sequence[Test],
    stages: Sequence[int],
    mapper: Mapper,
    step: Callable[[], None],
    out: list[Draws],
    report: Partial | None,
) -> None:
    """Draw and score stage by stage; after each, count for every test over all resamples so far."""
    systems = len(question.statistics[0])
    spools = [Spool(systems, stages[-1]) for _ in question.statistics]
    metrics = range(len(question.statistics))
    moments = [Moments(question.oriented_scores(m, question.columns.totals(m))) for m in metrics]
    expected = [expected_scores(question, m) for m in metrics] if tests else []
    for draws, spool in zip(out, spools, strict=True):
        draws.scores = spool
    begun = 0
    for stage in stages:
        for block, scores in mapper.map(partial(bootstrap_block, question), blocks(stage)[begun:]):
            for metric, values in enumerate(scores):
                spools[metric].put(block.index, values)
                moments[metric].add(values)
            step()
        begun = number_of_blocks(stage)
        if tests:
            centres = [centre(question, m, expected[m], moments[m]) for m in metrics]
            _count_bootstrap(question, tests, stage, centres, mapper, step, out)
            if report and stage < stages[-1]:
                report(out, stage)


def _count_bootstrap(
    question: Resampling,
    tests: Sequence[Test],
    resamples: int,
    centres: list[Centre],
    mapper: Mapper,
    step: Callable[[], None],
    out: list[Draws],
) -> None:
    observed = observe(question, tests, centres)
    totals = _empty(question, tests)
    spools = [draws.scores for draws in out if draws.scores is not None]
    nearby = getattr(mapper, "near", mapper)  # the spools are on this machine, wherever the draws were made
    for counted in nearby.map(partial(_count_spooled, question, tests, spools, observed), blocks(resamples)):
        totals += counted
        step()
    _file(question, tests, totals, observed, out, resamples)


def bootstrap_block(question: Resampling, block: Block) -> tuple[Block, list[Floats]]:
    """The oriented scores (S, size) of every system on one block of bootstrap resamples, for each metric."""
    sums, of, metrics = _block_sums(question, "bootstrap", block), question.columns, range(len(question.statistics))
    return block, [question.oriented_scores(m, _columns_last(of.pick(sums, m))) for m in metrics]


def _block_sums(question: Resampling, draws: str, block: Block) -> Floats:
    """The sums of every column on every resample of one block, (C, size)."""
    rng, columns = generator(question.seed, draws, block.index), question.columns
    if draws == "swap" and columns.small is not None:  # the same sums by a loop, once that is loaded
        return columns.chosen(swap_bits(rng, block.size, columns.n), columns.small)
    parts = [columns.sums(weights) for weights in joined(rng, draws, block.size, columns.n)]
    return np.concatenate(parts, axis=1) if len(parts) > 1 else parts[0]


def _count_spooled(
    question: Resampling, tests: Sequence[Test], spools: list[Spool], observed: list[Observed], block: Block
) -> Ints:
    counts = _empty(question, tests)
    for metric, spool in enumerate(spools):
        scores = spool.get(block.index)
        counts[:, metric] = observed[metric].count(tests, scores, scores, question.pairs)
    return counts


def _swap(
    question: Resampling,
    tests: Sequence[Test],
    mapper: Mapper,
    step: Callable[[], None],
    out: list[Draws],
    keep: bool,
    report: Partial | None,
    joint: Sequence[Jointly],
    intervals: Sequence[bool] | None,
    begun: int,
) -> None:
    none = np.zeros(len(question.pairs))
    observed = observe(question, tests, [Centre(none, none, none) for _ in out])
    ties = [tolerance(seen.gains, seen.units) for seen in observed]
    kept = Kept([seen.gains for seen in observed], ties, question.resamples, keep, intervals)
    totals = _empty(question, tests)
    together = Together(question, tests, joint)

    def file(done: int) -> None:
        _file(question, tests, totals, observed, out, done)
        together.file(out, done)
        for draws, spool, ends, signs in zip(out, kept.spools, kept.ends(), kept.signs(), strict=True):
            draws.gains, draws.inverted, draws.signs = spool, ends, signs

    work = partial(swap_block, question, tests, observed, kept.returned, joint, together.tests)
    reported = time.monotonic()
    for block, counts, pseudo, signs, reached in mapper.map(work, blocks(question.resamples, begun)):
        totals += counts
        kept.add(block, pseudo, signs)
        together.add(reached)
        step()
        done = block.start + block.size
        if report and time.monotonic() - reported > REPORT_EVERY and done < question.resamples:
            file(done)
            report(out, done)
            reported = time.monotonic()
    file(question.resamples)


def swap_block(
    question: Resampling,
    tests: Sequence[Test],
    observed: list[Observed],
    returned: int,
    joint: Sequence[Jointly],
    together: list[list[JointTests]],
    block: Block,
) -> tuple[Block, Ints, list[Floats], list[Floats], list[Ints]]:
    """Counts of one block of shuffles; for the first `returned` of all shuffles the pseudo-gains (P, size) of each metric,
    and (where intervals use them) the mean signs; and what the corrections `joint` count, by metric, test and correction.

    With G the sums over swapped segments and T all sums, the pair (x, y) becomes T_x - G_x + G_y and
    T_y - G_y + G_x: one product serves every pair.
    """
    swapped = _block_sums(question, "swap", block)[:, block.skip :]
    counts = _empty(question, tests)
    keep = block.start < returned
    kept, signs, reached = list[Floats](), list[Floats](), list[Ints]()
    for metric, seen in enumerate(observed):
        whole = np.empty((len(seen.gains), swapped.shape[1])) if keep else None
        tests_of = together[metric] if joint else []
        counts[:, metric], gained = _count_swapped(question, metric, tests, seen, swapped, whole, joint, tests_of)
        reached += gained
        if whole is not None:
            kept.append(whole)
            if block.start < INVERTED:
                signs.append(question.signs(swapped, metric, question.pairs))
    return block, counts, kept, signs, reached


def _count_swapped(
    question: Resampling,
    metric: int,
    tests: Sequence[Test],
    seen: Observed,
    swapped: Floats,
    whole: Floats | None,
    joint: Sequence[Jointly],
    tests_of: Sequence[JointTests],
) -> tuple[Ints, list[Ints]]:
    """The counts (tests, RAW, P) of one metric on one block of shuffles, from the swapped sums (C, B), and what corrections
    count on it; the pseudo-gains go into `whole` (P, B) if it is given.

    Of many pairs, few draws at a time are in memory.
    """
    counts = _empty(question, tests)[:, metric]
    gained = [np.zeros(len(of.observed), dtype=np.int64) for _ in tests for of in tests_of]
    total = np.ascontiguousarray(question.columns.totals(metric).T)  # (K, S)
    moved = question.columns.pick(swapped, metric)  # (K, S, B)
    pairs, size, together = len(seen.gains), swapped.shape[1], max(1, AT_ONCE // len(total))
    width = min(size, max(LEAST_DRAWS, IN_MEMORY // max(pairs, 1)))
    for drawn in portions(size, width):
        here = np.ascontiguousarray(moved[:, :, drawn])  # once for all portions of pairs
        pseudo = whole[:, drawn] if whole is not None else np.empty((pairs, drawn.stop - drawn.start))
        for part in portions(pairs, together * size // width):
            ahead, behind = _swapped_scores(question, metric, total, here, question.pairs[part])
            own = np.arange(len(ahead))
            counts[:, :, part] += seen.count(tests, ahead, behind, np.column_stack((own, own)), part)
            if whole is not None or joint:
                np.subtract(ahead, behind, out=pseudo[part])
        for k, new in enumerate(_jointly(tests, seen, pseudo, joint, tests_of)):
            gained[k] += new
    return counts, gained


def _jointly(
    tests: Sequence[Test], seen: Observed, pseudo: Floats, joint: Sequence[Jointly], tests_of: Sequence[JointTests]
) -> Iterator[Ints]:
    """What the corrections count on some draws, from their pseudo-gains (P, B), by test and correction."""
    for t, test in enumerate(tests if joint else ()):
        null = test.statistics(pseudo, seen.means[t][:, None], seen.gains[:, None])
        yield from (one.count(of, null) for one, of in zip(joint, tests_of, strict=True))


def _swapped_scores(
    question: Resampling, metric: int, total: Floats, moved: Floats, pairs: NDArray[np.intp]
) -> tuple[Floats, Floats]:
    """The scores (P, B) of the first and the second system of the pairs after the swaps, from all sums (K, S) and the
    swapped ones (K, S, B)."""
    if (quick := question.swapped_scores(metric, total, moved, pairs)) is not None:
        return quick
    left, right = pairs.T
    first = np.empty((len(total), len(pairs), moved.shape[2]))
    for system, start, stop in _runs(left):
        others = right[start:stop]
        # the others are usually consecutive, and need not be copied
        in_order = slice(others[0], others[-1] + 1) if (np.diff(others) == 1).all() else others
        stayed = total[:, system, None] - moved[:, system]
        np.add(stayed[:, None], moved[:, in_order], out=first[:, start:stop])
    second = (total[:, left] + total[:, right])[:, :, None] - first
    ahead, behind = (question.oriented_scores(metric, _columns_last(sums)) for sums in (first, second))
    return ahead, behind


def _runs(values: NDArray[np.intp]) -> Iterator[tuple[int, int, int]]:
    """(value, start, stop) of every run of equal neighbours."""
    ends = [*(np.nonzero(np.diff(values))[0] + 1), len(values)]
    for start, stop in zip([0, *ends], ends, strict=False):
        yield int(values[start]), int(start), int(stop)


def _columns_last(sums: Floats) -> Floats:
    """Sums (K, ...) in the shape that a score expects, (..., K), without copying."""
    return np.moveaxis(sums, 0, -1)


def _empty(question: Resampling, tests: Sequence[Test]) -> Ints:
    """Raw counts (tests, metrics, RAW, P), all 0."""
    return np.zeros((len(tests), len(question.statistics), RAW, len(question.pairs)), dtype=np.int64)


def _file(
    question: Resampling,
    tests: Sequence[Test],
    totals: Ints,
    observed: list[Observed],
    out: list[Draws],
    resamples: int,
) -> None:
    for t, test in enumerate(tests):
        for metric, draws in enumerate(out):
            seen = observed[metric]
            draws.tallies[test.name] = Tally(
                question.pairs,
                seen.gains,
                seen.units,
                seen.means[t],
                seen.thresholds[t].sides(totals[t, metric]),
                totals[t, metric, -1],
                resamples,
                error=seen.errors[t],
            )
