"""People's conclusions compared with those of every metric and test; nothing is resampled again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from sigcore.formatting import count, counted, format_p
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.results import MatrixResult
from sigcore.studies.human.gold import Decided, Match, People
from sigcore.studies.human.one_judge import WithoutJudge
from sigcore.studies.matrix import MatrixRun
from sigcore.types import Bools, Floats, Ints, Setup

Cell = TypeVar("Cell", bound=np.generic)

# How often conclusions agree with people's, with exact intervals, and whether metrics or tests differ in this.


@dataclass(frozen=True)
class Accuracy:
    """Correct conclusions of one metric and test at alpha: `percent` with its exact interval (`low`, `high`).

    `pairs` are those on which there is a conclusion; all shares are nan if there are none.
    (`system_low`, `system_high`) is the interval from leaving out one system at a time, nan if it does not exist.
    `best`: no other metric and test at this alpha has a larger share.
    """

    metric: str
    metric_title: str
    test: str
    test_title: str
    alpha: float
    correct: int
    pairs: int
    percent: float
    low: float
    high: float
    system_low: float
    system_high: float
    best: bool = False


@dataclass(frozen=True)
class McNemar:
    """Two columns of one table: pairs that only the first, only the second gets right, and the exact p of a difference."""

    first: str
    second: str
    first_title: str
    second_title: str
    only_first: int
    only_second: int
    p_value: float


@dataclass(frozen=True)
class Difference:
    """Do the metrics under one test (or the tests under one metric) differ in their accuracy at alpha?

    `between` is "metrics" or "tests", `held` the test or metric that is fixed. Chi-square treats the columns as
    independent; Cochran's Q and McNemar's test account for the shared pairs. nan where a statistic is 0 / 0. `pairs` is
    the number of pairs on which all columns have a conclusion: all of these tests are on them.
    """

    between: str
    held: str
    held_title: str
    alpha: float
    names: tuple[str, ...]
    chi_square: float
    df: int
    chi_p: float
    q: float
    q_p: float
    mcnemar: tuple[McNemar, ...]
    pairs: int

    @property
    def smallest(self) -> McNemar:
        """The pair of columns with the smallest McNemar p that is defined."""
        return min(self.mcnemar, key=lambda pair: math.inf if math.isnan(pair.p_value) else pair.p_value)


def percent(correct: int, pairs: int, level: float = 0.95) -> tuple[float, float, float]:
    """Accuracy in percent with the limits of its exact (Clopper-Pearson) interval; nan without pairs.

    Source: Graham, Mathur & Baldwin 2014, Tables 1 and 2; all 72 cells are reproduced to the printed digit.
    """
    if not pairs:
        return math.nan, math.nan, math.nan
    low, high = clopper_pearson(correct, pairs, level)
    return 100 * correct / pairs, 100 * float(low), 100 * float(high)


def leave_one_out(right: Bools, pairs: Ints, level: float = 0.95) -> tuple[float, float]:
    """Interval of the accuracy (percent) from leaving out one system with all its pairs at a time.

    `right` (P,) says which pairs are correct, `pairs` (P, 2) which systems they consist of. The jackknife variance with a
    t quantile of S - 1 degrees, cut at 0 and 100. nan where fewer than three systems or no spread is left.
    """
    from scipy.special import stdtrit  # scipy.stats takes half a second to import

    systems = np.unique(pairs)
    without = [right[(pairs != s).all(axis=1)] for s in systems]
    if len(systems) < 3 or not all(len(rest) for rest in without):
        return math.nan, math.nan
    shares = np.array([rest.mean() for rest in without])
    count = len(systems)
    error = math.sqrt((count - 1) / count * float(((shares - shares.mean()) ** 2).sum()))
    if error < 1e-12:
        return math.nan, math.nan
    half = float(stdtrit(count - 1, 1 - (1 - level) / 2)) * error
    middle = float(right.mean())
    return 100 * max(0.0, middle - half), 100 * min(1.0, middle + half)


def chi_square(correct: Ints, pairs: int) -> tuple[float, int, float]:
    """Pearson's chi-square (no continuity correction) of k counts of correct pairs, each out of `pairs`: X2, df, p.

    nan, df, nan if all or none are correct in every column: then nothing can differ.
    """
    from scipy.special import chdtrc

    correct = np.asarray(correct, dtype=np.float64)
    expected, df = correct.mean(), len(correct) - 1
    if df < 1 or not 0 < expected < pairs:
        return math.nan, max(df, 0), math.nan
    spread = float(((correct - expected) ** 2).sum())
    value = float(spread / expected + spread / (pairs - expected))
    return value, df, float(chdtrc(df, value))


def cochran_q(right: Bools) -> tuple[float, int, float]:
    """Cochran's Q of k columns on the same P pairs, `right` (k, P): Q, df, p; nan, df, nan if no pair distinguishes them.

    Source: Cochran 1950, The comparison of percentages in matched samples.
    """
    from scipy.special import chdtrc

    k = len(right)
    columns, rows = right.sum(axis=1).astype(np.float64), right.sum(axis=0).astype(np.float64)
    below = float((rows * (k - rows)).sum())
    if k < 2 or below == 0:
        return math.nan, max(k - 1, 0), math.nan
    value = k * (k - 1) * float(((columns - columns.mean()) ** 2).sum()) / below
    return value, k - 1, float(chdtrc(k - 1, value))


def mcnemar(first: Bools, second: Bools) -> tuple[int, int, float]:
    """Pairs that only the first gets right, that only the second does, and the exact two-sided p of a difference (nan
    without pairs)."""
    from scipy.special import betainc

    if not len(first):
        return 0, 0, math.nan
    one, other = int((first & ~second).sum()), int((second & ~first).sum())
    if one + other == 0:
        return 0, 0, 1.0
    # the binomial distribution function of the smaller count
    return one, other, min(1.0, 2 * float(betainc(max(one, other), min(one, other) + 1, 0.5)))


Measure = Literal["three_way", "pairwise", "kendall", "pearson", "tie_calibrated"]


Method = Literal["jackknife_t", "perm_systems", "perm_inputs", "perm_both"]


@dataclass(frozen=True)
class MetricDifference:
    """Two metrics under one measure: how much better the first agrees with people, and whether that may be due to chance.

    `difference`, `low` and `high` are percentage points for accuracies, otherwise differences of correlations; low and high
    are nan for swap tests, which give no interval. `test` is "" and `alpha` nan for measures that have none. `adjusted`
    is corrected over all pairs of metrics under this measure, test, alpha and method.
    """

    metric_a: str
    metric_b: str
    measure: Measure
    test: str
    alpha: float
    difference: float
    low: float
    high: float
    p_value: float
    adjusted: float
    method: Method


@dataclass(frozen=True)
class SystemLevel:
    """How well the system scores of one metric agree with people's on `pairs` pairs of `systems` systems.

    `pairwise` is in percent. `tie_calibrated` has (alpha, accuracy in percent, epsilon) for each alpha, epsilon being
    the gap of scores up to which the metric calls two systems equal.
    """

    metric: str
    metric_title: str
    systems: int
    pairs: int
    pairwise: float
    kendall: float
    pearson: float
    tie_calibrated: tuple[tuple[float, float, float], ...]


MOST_NAMED = 3  # pairs with a conclusion against their means that are named

# Notes on people and metrics compared: what is not counted in the accuracy, and why.


def of_human(result: HumanResult, computed: MatrixRun) -> tuple[str, ...]:
    """Those of the names, of people and of the metrics, and what is not counted in the accuracy at any alpha, and why."""
    notes = [*result.matched.notes, *result.people.notes, *computed.notes]
    missing = len(result.systems) * (len(result.systems) - 1) // 2 - len(result.pairs)
    if missing:
        notes.append(
            f"{counted(missing, 'pair', 'is', 'are')} not counted in the accuracy: no dimension has ratings of both systems."
        )
    printed = {rule for grid in result.grids.values() if (rule := grid.setup.as_printed)}
    notes += [
        f"As in some papers and tools, {rule}: these conclusions of metrics are only for comparison with such a source."
        for rule in sorted(printed)
    ]
    return tuple(dict.fromkeys([*notes, *ranks_against_means(result.people, max(result.alphas)), *_without_p(result)]))


def ranks_against_means(people: People, alpha: float) -> Iterator[str]:
    """Where people's conclusion at alpha has the opposite order of the mean scores in the dimension that decided."""
    decided, found = people.decided(alpha), list[str]()
    for row, column in zip(*np.nonzero(decided.conclusions > 0), strict=True):
        rated = people.rated[decided.by[row, column]]
        if rated.scores[row] < rated.scores[column]:
            found.append(f"{people.systems[row]} over {people.systems[column]}")
    if found:
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        yield (
            f"The rank test decides for the system with the lower mean: {', '.join(found[:MOST_NAMED])}{more}. It counts how often "
            "one segment is rated above another, the mean by how much."
        )


def _without_p(result: HumanResult) -> Iterator[str]:
    """Which pairs are not counted because a test gives no p for them."""
    left, other = result.pairs.T
    missing: dict[tuple[str, int], list[str]] = {}
    for (metric, test), grid in result.grids.items():
        number = int((~result.defined(metric, test)[left, other]).sum())
        if number:
            missing.setdefault((grid.setup.test_title, number), []).append(grid.setup.metric_title)
    for (title, number), metrics in missing.items():
        yield (
            f"Not counted in the accuracy: {number} of {count(len(result.pairs), 'pair')} under {', '.join(metrics)}, because "
            f"{title} gives no p-value and so no conclusion."
        )
    if missing:
        yield (
            "Accuracies over different pairs cannot be compared directly: differences are tested on the pairs on which "
            "all that are compared have a conclusion."
        )


def too_few(result: HumanResult) -> Iterator[str]:
    """At which alphas no test has a conclusion because R cannot show a difference."""
    unreachable: dict[tuple[int, float], list[str]] = {}
    for alpha in result.alphas:
        for setup in (grid.setup for grid in result.grids.values() if not grid.setup.reaches(alpha)):
            names = unreachable.setdefault((setup.resamples, setup.least_p), [])
            names += [f"{alpha:g}"] * (f"{alpha:g}" not in names)
    for (resamples, least), alphas in unreachable.items():
        yield (
            f"With {count(resamples, 'resample')} the smallest p is {format_p(least, resamples)}: at alpha "
            f"{', '.join(alphas)} no metric has a conclusion, and there is no accuracy. Use more resamples."
        )


# The levels in the paper, and the defaults.
ALPHAS = (0.05, 0.01, 0.001)
METRICS = ("bleu", "nist", "meteor", "ter", "chrf")
TESTS = ("paired_bootstrap", "bootstrap_shift", "approximate_randomization")

Column = tuple[Bools, Bools]  # (P,) each: the pairs that are correct, and those that are counted


@dataclass(frozen=True, eq=False)
class HumanResult:
    """People and metrics side by side on the S systems that both cover, best first by people.

    `pairs` (P, 2) are places in `systems`, of the pairs that people judged; `gold` holds people's conclusions for each
    alpha, (S, S) in the order of `systems`. `grids[metric, test]` are the one-sided results of the metrics (greater: the
    row is better), uncorrected, in the order of the outputs; `conclusions` brings them into the order of `systems`.
    `differences` are the tests of the paper, `metric_differences` those that account for systems shared between pairs.
    `without` has people's conclusions without each judge, at the first alpha, where that was asked for.
    """

    people: People
    systems: tuple[str, ...]
    matched: Match
    pairs: Ints
    alphas: tuple[float, ...]
    gold: tuple[Decided, ...]
    grids: dict[tuple[str, str], MatrixResult]
    accuracies: tuple[Accuracy, ...]
    differences: tuple[Difference, ...]
    noted: tuple[str, ...]  # what does not depend on alpha; `notes` has all
    signature: str
    system_level: tuple[SystemLevel, ...] = ()
    metric_differences: tuple[MetricDifference, ...] = ()
    without: tuple[WithoutJudge, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known about this comparison, and what is not counted in it."""
        return tuple(dict.fromkeys([*self.noted, *too_few(self)]))

    @property
    def setup(self) -> Setup:
        """What the grids of all metrics share."""
        return next(iter(self.grids.values())).setup

    def at(self, alphas: Sequence[float]) -> HumanResult:
        """The same comparison at some of its alphas; nothing is computed again.

        Raises: KeyError for an alpha that was not requested.
        """
        chosen = {alpha: self.decided(alpha) for alpha in alphas}
        levels = [
            replace(item, tie_calibrated=tuple(part for part in item.tie_calibrated if part[0] in chosen))
            for item in self.system_level
        ]
        return replace(
            self,
            alphas=tuple(chosen),
            gold=tuple(chosen.values()),
            accuracies=tuple(item for item in self.accuracies if item.alpha in chosen),
            differences=tuple(item for item in self.differences if item.alpha in chosen),
            system_level=tuple(levels),
            metric_differences=tuple(d for d in self.metric_differences if math.isnan(d.alpha) or d.alpha in chosen),
        )

    @property
    def metrics(self) -> dict[str, str]:
        """Name and title of every metric, in the requested order."""
        return {metric: grid.setup.metric_title for (metric, _), grid in self.grids.items()}

    @property
    def tests(self) -> dict[str, str]:
        """Name and title of every test, in the requested order."""
        return {test: grid.setup.test_title for (_, test), grid in self.grids.items()}

    def decided(self, alpha: float) -> Decided:
        """People's conclusions at one of the alphas (KeyError if it was not requested)."""
        for one in self.gold:
            if one.alpha == alpha:
                return one
        raise KeyError(alpha)

    def conclusions(self, metric: str, test: str, alpha: float) -> Ints:
        """(S, S) in the order of `systems`: 1 where the metric's test finds the row better, -1 worse, 0 neither, also where
        there is no conclusion (see `known`)."""
        return np.sign(self._in_order(metric, test, self.grids[metric, test].levels_of_p(alpha)))

    def known(self, metric: str, test: str, alpha: float) -> Bools:
        """(S, S) in the order of `systems`: whether the metric's test has a conclusion. It has none where p is undefined,
        or where R resamples cannot show a difference at alpha: that is not the conclusion "neither"."""
        return self.defined(metric, test) & self.grids[metric, test].setup.reaches(alpha)

    def defined(self, metric: str, test: str) -> Bools:
        """(S, S) in the order of `systems`: whether p is defined in both directions."""
        p = self.grids[metric, test].adjusted
        return np.asarray(self._in_order(metric, test, ~np.isnan(p + p.T)))

    def levels(self, metric: str, test: str, alpha: float) -> Floats:
        """(S, S) in the order of `systems`: the levels of the metric's test as in a grid, nan without a conclusion and on
        the diagonal."""
        levels = self._in_order(metric, test, self.grids[metric, test].levels_of_p(alpha))
        drawn = self.known(metric, test, alpha) & ~np.eye(len(self.systems), dtype=bool)
        return np.where(drawn, levels, np.nan)

    def _in_order(self, metric: str, test: str, cells: NDArray[Cell]) -> NDArray[Cell]:
        """Cells (S, S) of a grid in the order of `systems`."""
        order = [self.grids[metric, test].systems.index(system) for system in self.systems]
        return cells[np.ix_(order, order)]

    def counted(self, metric: str, test: str, alpha: float) -> Bools:
        """(P,): the pairs on which the metric's test has a conclusion."""
        left, other = self.pairs.T
        return np.asarray(self.known(metric, test, alpha)[left, other])

    def right(self, metric: str, test: str, alpha: float) -> Bools:
        """(P,): the pairs on which the metric's test has a conclusion, and it is that of people."""
        left, other = self.pairs.T
        same = self.conclusions(metric, test, alpha)[left, other] == self.decided(alpha).conclusions[left, other]
        return np.asarray(same & self.counted(metric, test, alpha))

    def accuracy(self, metric: str, test: str, alpha: float) -> Accuracy:
        """That cell of the accuracy table (KeyError if it was not requested)."""
        for cell in self.accuracies:
            if (cell.metric, cell.test, cell.alpha) == (metric, test, alpha):
                return cell
        raise KeyError((metric, test, alpha))


def _accuracies(result: HumanResult) -> list[Accuracy]:
    cells = []
    for alpha in result.alphas:
        for (metric, test), grid in result.grids.items():
            right, counted = result.right(metric, test, alpha), result.counted(metric, test, alpha)
            correct, pairs = int(right.sum()), int(counted.sum())
            by_system = leave_one_out(right[counted], result.pairs[counted])
            limits = (*percent(correct, pairs), *by_system)
            titles = (metric, grid.setup.metric_title, test, grid.setup.test_title)
            cells.append(Accuracy(*titles, alpha, correct, pairs, *limits))
    return cells


def _best(cells: Sequence[Accuracy]) -> list[Accuracy]:
    """The cells with the largest share at their alpha marked; without a conclusion there is none."""
    counted = [cell for cell in cells if cell.pairs]
    most = {c.alpha: max(other.percent for other in counted if other.alpha == c.alpha) for c in counted}
    return [replace(cell, best=bool(cell.pairs) and cell.percent == most[cell.alpha]) for cell in cells]


def _differences(result: HumanResult) -> list[Difference]:
    differences, titles = [], result.metrics | result.tests
    for alpha in result.alphas:
        if len(result.metrics) > 1:
            for test in result.tests:
                columns = {metric: _column(result, metric, test, alpha) for metric in result.metrics}
                differences.append(_difference("metrics", test, titles, alpha, columns))
        if len(result.tests) > 1:
            for metric in result.metrics:
                columns = {test: _column(result, metric, test, alpha) for test in result.tests}
                differences.append(_difference("tests", metric, titles, alpha, columns))
    return differences


def _column(result: HumanResult, metric: str, test: str, alpha: float) -> Column:
    return result.right(metric, test, alpha), result.counted(metric, test, alpha)


def _difference(
    between: str, held: str, titles: Mapping[str, str], alpha: float, columns: Mapping[str, Column]
) -> Difference:
    """The tests of columns (which pairs are correct, which are counted) on the pairs that are counted in all of them."""
    common = np.all([counted for _, counted in columns.values()], axis=0)
    right = {name: correct[common] for name, (correct, _) in columns.items()}
    table = np.array(list(right.values()))
    chi, df, chi_p = chi_square(table.sum(axis=1), table.shape[1])
    q, _, q_p = cochran_q(table)
    pairs = tuple(McNemar(a, b, titles[a], titles[b], *mcnemar(right[a], right[b])) for a, b in combinations(right, 2))
    return Difference(
        between, held, titles[held], alpha, tuple(right), chi, df, chi_p, q, q_p, pairs, int(common.sum())
    )
