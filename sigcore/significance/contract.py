"""The contract of significance tests: a test, the question it answers, and its counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import cycle
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from sigcore.corrections.contract import Correction, JointTests
from sigcore.errors import MismatchError, SigError
from sigcore.proof import NONE, Proof
from sigcore.resampling.columns import Columns, gather, sums_of
from sigcore.resampling.pvalues import TOLERANCE, beyond_the_gain, tolerance
from sigcore.resampling.spool import Spool
from sigcore.sufficient import SufficientStatistics, oriented, right_together
from sigcore.types import SIDES, Bools, Floats, Ints, Progress, Side

# What the engine can draw: segments with replacement, or which segments are swapped.
DrawKind = Literal["bootstrap", "swap"]

# What the null of a bootstrap test is centred on: the expectation of the gain, or the mean of the drawn gains.
Centring = Literal["expected", "drawn"]

# What a test may subtract from pseudo-gains.
Subtracted = Literal["nothing", "the gain", "the centre"]

# Times the tolerance this is 5e-14 of a score: some rounding steps of a double, far above those of any metric here.
ROUNDING = 5e-3

IN_CACHE = 2**16  # numbers that stay in the processor's cache


class Mapper(Protocol):
    """Anything with a `map` that keeps the order."""

    def map(self, work: Callable[[Any], Any], items: Any) -> Iterator[Any]:
        """The results in order."""
        ...


@dataclass(frozen=True)
class Minus:
    """The null of a test that only subtracts from every pseudo-gain; a compiled loop can count it."""

    what: Subtracted

    def __call__(self, pseudo: Floats, mean: Floats, gain: Floats) -> Floats:
        """The pseudo-statistics (P, B) of pseudo-gains (P, B); `mean` and `gain` are (P, 1)."""
        return pseudo if self.what == "nothing" else pseudo - (gain if self.what == "the gain" else mean)

    def shift(self, mean: Floats, gain: Floats) -> Floats:
        """What is subtracted, (P,), from a mean and a gain (P,)."""
        return np.zeros_like(gain) if self.what == "nothing" else gain if self.what == "the gain" else mean


@dataclass(frozen=True, kw_only=True)
class Test:
    """One test of a pair. It works in one of two ways.

    - It post-processes gains that the engine draws: `draws` says how. `null(pseudo, mean, gain)` turns pseudo-gains
      (P, B) into the pseudo-statistics that are compared with the cut-offs (`mean` and `gain` are (P, 1)); a `Minus` is
      counted fastest.
      `shifts` says that the null uses `mean`, `centring` what that is: the expectation of
      the gain, or the mean of the drawn gains. `cutoffs(gain, side)` gives (low, high): a pseudo-statistic at or beyond one of them counts. `doubled` says that
      the two-sided p is twice the smaller one-sided p instead.
    - It counts for itself: `tally(question, mapper)` gives one Tally for each metric of the question; of an exact
      test, `exact_tally`. `mapper.map` may run parts of the work side by side.

    `title` is the printed name, `counted` names what is counted, for sentences ("shuffles"). `unfit(question)` says why
    the test cannot be run on it, "" if it can. `proof` is the second route to its p; a test without one is refused.

    A p that is computed without draws is the share of all ways to swap the two outputs of units that reach the observed
    gain, so at most a share p of them gives p or less. `approximate` says that this holds only nearly.

    Raises: SigError for a test that does neither, or both.
    """

    name: str
    title: str
    source: str
    help: str
    counted: str = "resamples"
    draws: DrawKind | None = None
    null: Callable[[Floats, Floats, Floats], Floats] | None = None
    cutoffs: Callable[[Floats, Side], tuple[Floats, Floats]] = beyond_the_gain
    doubled: bool = False
    centring: Centring = "expected"
    shifts: bool = False
    tally: Callable[[Resampling, Mapper], Sequence[Tally]] | None = None
    unfit: Callable[[Resampling], str] = field(default=lambda question: "")
    approximate: bool = False
    proof: Proof = field(default=NONE, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (self.tally is None) == (self.draws is None) or (self.draws is None) != (self.null is None):
            fix = "Give it `draws` and `null`, or `tally` alone."
            raise SigError(f"The test {self.name!r} must either use drawn gains or count for itself.", "", fix)

    @property
    def uses_centre(self) -> bool:
        """Whether the expectation of the gain decides what counts."""
        return self.shifts and self.centring == "expected"

    def statistics(self, pseudo: Floats, mean: Floats, gain: Floats) -> Floats:
        """The pseudo-statistics (P, B) of pseudo-gains (P, B), for a test that uses them."""
        assert self.null is not None
        return self.null(pseudo, mean, gain)


@dataclass(frozen=True, eq=False)
class Tally:
    """The counts of one test on P pairs: `counts[side, 0 or 1, pair]`, beyond the cut-off and exactly on it.

    Sides as in SIDES; pairs (P, 2) are (row, column), the gain is row minus column. `units` (P,) are the sizes of
    segment differences that distinguish a tie from rounding. `undefined` (P,) says on how many resamples a score does not
    exist; those are among the ones beyond every cut-off. `exact` (sides, P) are the p-values of a test that computes
    them without drawing; its counts and `resamples` are 0. `means` (P,) is what the null is centred on, and `error` (P,)
    how far that may be wrong: pseudo-statistics so near the cut-off are ties, and the interval of p knows it. `swaps`
    (sides, P) are the exact p-values of a test that draws swaps, where they cost little (see sigcore.studies.exact). `drawn`
    (P,) says how many resamples each pair has, where undecided pairs went on; then `resamples` is the most.
    """

    pairs: NDArray[np.intp]
    gains: Floats
    units: Floats
    means: Floats
    counts: Ints
    undefined: Ints
    resamples: int
    exact: Floats | None = None
    error: Floats | None = None
    swaps: Floats | None = None
    drawn: Ints | None = None

    @property
    def each(self) -> Ints:
        """The number of resamples of each pair, (P,)."""
        return np.full(len(self.pairs), self.resamples) if self.drawn is None else self.drawn


def exact_tally(question: Resampling, metric: int, p_values: Floats) -> Tally:
    """The tally of an exact test on one metric of the question, from its p-values (sides, P), sides as in SIDES."""
    pairs, none = len(question.pairs), np.zeros((len(SIDES), 2, len(question.pairs)), dtype=np.int64)
    if p_values.shape != (len(SIDES), pairs):
        raise MismatchError(f"p-values of shape {p_values.shape} for {len(SIDES)} sides and {pairs} pairs.")
    gains = question.gains(metric)
    return Tally(question.pairs, gains, question.units(metric), gains, none, none[0, 0], 0, p_values)


@dataclass(eq=False)
class Draws:
    """The results of the passes for one metric: tallies by test, and the numbers they were counted from.

    `scores` are the oriented bootstrap scores (S rows; None where no bootstrap was drawn), `gains` the pseudo-gains of
    shuffles (P rows; None unless they were requested), `inverted` the intervals (P, 2) of the gains that the shuffles do not
    reject (None without shuffles, or for too many pairs), `signs` (P, R') the mean signs of the first shuffles, where their
    pseudo-gains were requested. `joint` is what a correction counted over the shuffles, (m,), by (correction, test, side).
    """

    tallies: dict[str, Tally]
    scores: Spool | None = None
    gains: Spool | None = None
    inverted: Floats | None = None
    signs: Floats | None = None
    joint: dict[tuple[str, str, Side], Floats] = field(default_factory=dict)

    def close(self) -> None:
        """Release the numbers; the tallies remain."""
        for spool in (self.scores, self.gains):
            if spool is not None:
                spool.close()
        self.scores = self.gains = None


@dataclass(frozen=True, eq=False)
class Resampling:
    """One run: the statistics of S systems under each metric, the tests, the pairs, R and the seed.

    `sizes` (n,) are those of the units where the statistics do not hold them (None: equal ones); see `shares`.
    """

    statistics: tuple[tuple[SufficientStatistics, ...], ...]
    tests: tuple[Test, ...]
    pairs: NDArray[np.intp]
    resamples: int
    seed: int
    sizes: Floats | None = None
    known: dict[int, Floats] = field(init=False, default_factory=dict, repr=False)  # `units` by metric

    def __post_init__(self) -> None:
        sizes = {item.n for systems in self.statistics for item in systems}
        if len(sizes) != 1:
            raise MismatchError(f"Statistics of different lengths: {sorted(sizes)}.")
        if 0 in sizes:
            raise MismatchError("There are no segments to resample.")

    @property
    def n(self) -> int:
        """The number of units."""
        return self.statistics[0][0].n

    @cached_property
    def columns(self) -> Columns:
        """What draws are multiplied with, made on first use: of thousands of systems it is a copy of all statistics."""
        values = [[item.values for item in systems] for systems in self.statistics]
        swaps = any(test.draws == "swap" for test in self.tests)
        return gather(values + [self.shares(m) for m in range(len(values)) if swaps])

    def totals(self, metric: int) -> Floats:
        """Sums over all units, (S, K), as those of `columns`."""
        if "columns" in vars(self):
            return self.columns.totals(metric)
        return np.array([sums_of(item.values) for item in self.statistics[metric]])

    def shares(self, metric: int) -> list[Floats]:
        """The size (n, 1) of every unit for each system: its part of a gain that all units have alike.

        Where the statistics do not hold it, a unit is as large as `sizes` says. Only the shares of the sizes matter.
        """
        found = []
        for item in self.statistics[metric]:
            here = item.values.any(axis=1) if item.values.any() else np.ones(item.n)  # a slice has no others
            equal = np.where(here, 1.0 if self.sizes is None else self.sizes, 0.0)
            found.append(np.asarray(equal if item.size is None else item.size)[:, None])
        return found

    def signs(self, sums: Floats, metric: int, pairs: NDArray[np.intp]) -> Floats:
        """The mean sign of the units on every draw, (P, rows), weighted by their sizes, from the swapped sums (C, rows)."""
        whole = len(self.statistics) + metric
        swapped, total = self.columns.pick(sums, whole)[0], self.columns.totals(whole)[:, 0]
        left, right = pairs.T
        return np.asarray(1.0 - 2.0 * (swapped[left] + swapped[right]) / (total[left] + total[right])[:, None])

    def oriented_scores(self, metric: int, sums: Floats) -> Floats:
        """Scores, higher = better, of sums (..., S, K) or of any sums (..., K)."""
        first = self.statistics[metric][0]
        return oriented(first.score(sums), first.better)

    def prepare_pairs(self, report: Progress | None) -> None:
        """Load the loops that score swapped pairs where it is worth that."""
        swaps = any(test.draws == "swap" for test in self.tests)
        for systems in self.statistics if swaps else ():
            if prepare := getattr(systems[0].score, "prepare", None):
                prepare(self.resamples * len(self.pairs), report)

    def swapped_scores(
        self, metric: int, total: Floats, moved: Floats, pairs: NDArray[np.intp]
    ) -> tuple[Floats, Floats] | None:
        """Oriented scores (P, B) of both systems after swaps by the metric's quicker way; None where it has none."""
        first = self.statistics[metric][0]
        quicker = getattr(first.score, "swapped", None)
        scores = quicker(total, moved, *np.ascontiguousarray(pairs.T)) if quicker else None
        return None if scores is None else (oriented(scores[0], first.better), oriented(scores[1], first.better))

    def gains(self, metric: int) -> Floats:
        """The observed gain of every pair, (P,)."""
        scores = self.oriented_scores(metric, self.totals(metric))
        return np.asarray(scores[self.pairs[:, 0]] - scores[self.pairs[:, 1]])

    def units(self, metric: int) -> Floats:
        """The size by which ties of each pair are recognised, (P,): the largest difference of a segment's scores.

        It is at least a share of the scores themselves, since their rounding must not break a tie.
        """
        if metric in self.known:
            return self.known[metric]
        ends = np.array([(row.min(), row.max()) for row in self._of_units(metric)])  # (S, 2)
        low, high, largest = ends.min(), ends.max(), np.maximum(ends[:, 1], -ends[:, 0])
        if (right := self._right(metric, low, high)) is not None:
            (both, every), (a, b) = right_together(right), self.pairs.T
            same = (both[a, b] == every[a]) & (every[a] == every[b])
            differences = np.where(same, 0.0, high - low)
        else:
            scores = np.array(list(self._of_units(metric)))  # (S, n)
            differences = self._of_pairs(scores, lambda apart: np.abs(apart, out=apart).max(axis=1))
        self.known[metric] = np.maximum(differences, ROUNDING * largest[self.pairs].max(axis=1, initial=0.0))
        return self.known[metric]

    def _of_units(self, metric: int) -> Iterator[Floats]:
        """The score of every unit, (n,), of one system after the other; 0 where it is undefined."""
        for item in self.statistics[metric]:
            row = item.score(item.values)
            yield np.where(np.isfinite(row), row, 0.0)

    def _right(self, metric: int, low: float, high: float) -> Bools | None:
        """Where units have the higher of two scores, (S, n), as right and wrong answers of many systems; None for other
        scores. A byte for each: the scores of thousands of systems are more memory than their statistics."""
        out = np.empty((len(self.statistics[metric]), self.n), dtype=bool)
        for right, row in zip(out, self._of_units(metric), strict=True):
            right[:] = row == high
            if not (right | (row == low)).all():
                return None
        return out

    def _of_pairs(self, rows: Floats, make: Callable[[Floats], Floats]) -> Floats:
        """What `make` makes (k,) of the differences (k, n) of the rows of each pair, (P,); few at a time, in the cache."""
        size, out = max(1, IN_CACHE // rows.shape[1]), np.empty(len(self.pairs))
        for part in (slice(start, start + size) for start in range(0, len(out), size)):
            left, right = self.pairs[part].T
            out[part] = make(rows[left] - rows[right])
        return out

    def left_out(self, metric: int) -> Iterator[tuple[float, Floats]]:
        """The score of every system, and its scores without each unit, (n,)."""
        for item in self.statistics[metric]:
            score = float(self.oriented_scores(metric, item.total))
            left_out = self.oriented_scores(metric, item.total - item.values) if item.n > 1 else np.array([score])
            yield score, left_out

    def swap_spread(self, metric: int) -> Floats:
        """The standard deviation of every pair's gain under swaps of its units, (P,), to first order; from the data alone.

        A swap of unit u changes the sign of its part of the gain. The part is the difference of the scores of the unit for a
        metric that is a mean, and that of the jackknife's influences for others. Cost: O(S n K + P n).
        """
        n = self.n
        parts = np.array([score / n + (score - without) * (n - 1) / n for score, without in self.left_out(metric)])
        spread = self._of_pairs(parts, lambda apart: np.sqrt(np.nansum(np.square(apart, out=apart), axis=1)))
        # where leaving out shows nothing, though the pair differs, any size will do
        return np.maximum(spread, TOLERANCE * self.units(metric))


@dataclass(frozen=True, eq=False)
class Turn:
    """Values (P, B) of pairs as values (m, B) of tests, larger = more extreme on the side: `places` (m,) of their pairs,
    and `signs` (m,), None for absolute values."""

    side: Side
    places: NDArray[np.intp]
    signs: Floats | None

    def __call__(self, values: Floats, order: NDArray[np.intp] | slice = slice(None)) -> Floats:
        chosen = values[self.places[order]]
        return np.abs(chosen, out=chosen) if self.signs is None else chosen * self.signs[order, None]


@dataclass(frozen=True, eq=False)
class Jointly:
    """A correction that uses the joint null, and the tests that it corrects together on one side."""

    correction: Correction
    turn: Turn

    def of_swaps(self, question: Resampling, metric: int) -> JointTests:
        """The tests of one metric under swaps; a null gain within the tolerance of the observed one reaches it."""
        gains = question.gains(metric)
        slack = tolerance(gains, question.units(metric))[self.turn.places]
        observed = self.turn(gains[:, None])[:, 0] - slack
        return JointTests(self.correction, observed, question.swap_spread(metric)[self.turn.places])

    def count(self, of: JointTests, null: Floats) -> Ints:
        """How many draws reach each of its tests, (m,), from the null gains (P, B) of pairs."""
        turn = self.turn
        quick = of.quick_count(null, turn.places, turn.signs) if isinstance(turn, Turn) else None
        return of.count(turn(null, of.order)) if quick is None else quick


class Together:
    """What corrections count over the shuffles: `tests` of each metric, and the counts by metric, test and correction."""

    def __init__(self, question: Resampling, tests: Sequence[Test], joint: Sequence[Jointly]) -> None:
        self.tests = [[one.of_swaps(question, metric) for one in joint] for metric in range(len(question.statistics))]
        self._keys = [(one.correction.name, test.name, one.turn.side) for test in tests for one in joint]
        self._counts = [np.zeros(len(of.observed), dtype=np.int64) for own in self.tests for _ in tests for of in own]

    def add(self, counts: Sequence[Ints]) -> None:
        """Take in the counts of one block, in the same order."""
        for total, new in zip(self._counts, counts, strict=True):
            total += new

    def file(self, out: Sequence[Draws], resamples: int) -> None:
        """Give each metric what its corrections make of so many resamples."""
        counts = iter(self._counts)
        for draws, own in zip(out, self.tests, strict=True):
            for key, of in zip(self._keys, cycle(own), strict=False):
                draws.joint[key] = of.reached(next(counts), resamples)
