"""People's conclusions compared with those of every metric and test; nothing is resampled again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from sigcore.errors import OptionError, Undefined
from sigcore.formatting import listed
from sigcore.results import MatrixResult
from sigcore.studies import matrix
from sigcore.studies.human import agreement
from sigcore.studies.human.agreement import Accuracy, Difference, McNemar
from sigcore.studies.human.gold import Decided, People, need_two
from sigcore.studies.human.matching import LISTED, Match, match
from sigcore.studies.human.metrics_differ import MetricDifference, SystemLevel, between
from sigcore.studies.human.notes import of_human, too_few
from sigcore.studies.matrix import MatrixRun, Settings
from sigcore.testset import Outputs, Testset
from sigcore.types import Bools, Floats, Ints

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

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known about this comparison, and what is not counted in it."""
        return tuple(dict.fromkeys([*self.noted, *too_few(self)]))

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

    def _in_order(self, metric: str, test: str, cells: Any) -> Any:
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


def judged_outputs(people: People, outputs: Sequence[Outputs]) -> list[Outputs]:
    """The outputs that people judged, in people's order.

    Raises: Undefined if there are fewer than two.
    """
    by_name = {item.system: item for item in outputs}
    both = [by_name[system] for system in people.systems if system in by_name]
    if len(both) < 2:
        judged, loaded = listed(people.systems, LISTED), listed(by_name, LISTED)
        message = f"{'Only one system has' if both else 'No system has'} both judgments and an output."
        raise Undefined(message, f"judged: {judged}; outputs: {loaded}", "Give the systems the same names in both.")
    return both


def run(
    testset: Testset, outputs: Sequence[Outputs], people: People, asked: Any, tests: Sequence[str], **more: Any
) -> MatrixRun:
    """The counts of all tests on all pairs of judged outputs under all metrics; `more` as for `matrix.run`.

    Raises: Undefined if fewer than two outputs were judged, and what `matrix.run` raises.
    """
    return matrix.run(testset, judged_outputs(people, outputs), asked, tests, **more)


def read(
    people: People,
    computed: MatrixRun,
    alphas: Sequence[float] = ALPHAS,
    settings: Settings | None = None,
    matched: Match | None = None,
) -> HumanResult:
    """People's conclusions compared with those of every metric and test at each alpha; nothing is resampled again.

    A metric's conclusion (better, worse or neither) is that of its one-sided test in each direction at the same alpha,
    uncorrected; it is correct if it is also people's. A pair without a conclusion (p is undefined, or R resamples cannot
    show a difference at alpha) is not counted. `settings` has the estimator and the rule for ties.

    Raises: OptionError for an alpha outside (0, 0.5); Undefined if people judged no pair.
    Source: Graham, Mathur & Baldwin 2014, section 5, Tables 1 and 2.
    """
    need_two(people.systems, people.name)
    alphas = _checked(alphas)
    one_sided = replace(settings or Settings(), side="greater", correction="none")
    systems = tuple(system for system in people.systems if system in computed.systems)
    places = [people.systems.index(system) for system in systems]
    gold = tuple(_part(people.decided(alpha), places) for alpha in alphas)
    result = HumanResult(
        people=people,
        systems=systems,
        matched=matched or match(people.systems, computed.systems),
        pairs=_pairs(gold[0], people.name),
        alphas=alphas,
        gold=gold,
        grids=_grids(computed, one_sided),
        accuracies=(),
        differences=(),
        noted=(),
        signature="",
    )
    levels, metric_differences = between(result, computed)
    return replace(
        result,
        system_level=levels,
        metric_differences=metric_differences,
        accuracies=tuple(_best(_accuracies(result))),
        differences=tuple(_differences(result)),
        noted=of_human(result, computed),
        signature=f"{people.signature} || {' || '.join(grid.setup.signature for grid in result.grids.values())}",
    )


def _checked(alphas: Sequence[float]) -> tuple[float, ...]:
    """The alphas, each once (OptionError for one outside (0, 0.5))."""
    once = tuple(dict.fromkeys(alphas))
    if not once or any(not 0 < alpha < 0.5 for alpha in once):
        raise OptionError(f"alpha = {', '.join(f'{a:g}' for a in once)}.", "", "It must be between 0 and 0.5.")
    return once


def _pairs(gold: Decided, name: str) -> Ints:
    """The pairs (P, 2) of systems that people judged (Undefined if there are none)."""
    systems = range(len(gold.conclusions))
    pairs = [pair for pair in combinations(systems, 2) if gold.known[pair]]
    if not pairs:
        raise Undefined(
            "No pair of these systems was judged by people.", name, "Check that both were rated for the same dimension."
        )
    return np.array(pairs)


def _grids(computed: MatrixRun, settings: Settings) -> dict[tuple[str, str], MatrixResult]:
    """The grid of every metric and test."""
    return {
        (item.metric.name, test.name): matrix.read(computed, item.metric.name, test.name, settings)
        for item in computed.measured
        for test in computed.tests
    }


def _part(whole: Decided, places: Sequence[int]) -> Decided:
    """The conclusions on some of the systems, in the given order."""
    at = np.ix_(places, places)
    return Decided(whole.alpha, whole.conclusions[at], whole.by[at], whole.p_values[at], whole.known[at])


def _accuracies(result: HumanResult) -> list[Accuracy]:
    cells = []
    for alpha in result.alphas:
        for (metric, test), grid in result.grids.items():
            right, counted = result.right(metric, test, alpha), result.counted(metric, test, alpha)
            correct, pairs = int(right.sum()), int(counted.sum())
            by_system = agreement.leave_one_out(right[counted], result.pairs[counted])
            limits = (*agreement.percent(correct, pairs), *by_system)
            titles = (metric, grid.setup.metric_title, test, grid.setup.test_title)
            cells.append(Accuracy(*titles, alpha, correct, pairs, *limits))
    return cells


def _best(cells: Sequence[Accuracy]) -> list[Accuracy]:
    """The cells with the largest share at their alpha marked; without a conclusion there is none."""
    counted = [cell for cell in cells if cell.pairs]
    most = {c.alpha: max(other.percent for other in counted if other.alpha == c.alpha) for c in counted}
    return [replace(cell, best=bool(cell.pairs) and cell.percent == most[cell.alpha]) for cell in cells]


def _differences(result: HumanResult) -> list[Difference]:
    differences = []
    for alpha in result.alphas:
        if len(result.metrics) > 1:
            for test, title in result.tests.items():
                columns = {metric: _column(result, metric, test, alpha) for metric in result.metrics}
                differences.append(_difference("metrics", test, title, alpha, columns))
        if len(result.tests) > 1:
            for metric, title in result.metrics.items():
                columns = {test: _column(result, metric, test, alpha) for test in result.tests}
                differences.append(_difference("tests", metric, title, alpha, columns))
    return differences


def _column(result: HumanResult, metric: str, test: str, alpha: float) -> Column:
    return result.right(metric, test, alpha), result.counted(metric, test, alpha)


def _difference(between: str, held: str, title: str, alpha: float, columns: Mapping[str, Column]) -> Difference:
    """The tests of columns (which pairs are correct, which are counted) on the pairs that are counted in all of them."""
    common = np.all([counted for _, counted in columns.values()], axis=0)
    right = {name: correct[common] for name, (correct, _) in columns.items()}
    table = np.array(list(right.values()))
    chi, df, chi_p = agreement.chi_square(table.sum(axis=1), table.shape[1])
    q, _, q_p = agreement.cochran_q(table)
    pairs = tuple(McNemar(a, b, *agreement.mcnemar(right[a], right[b])) for a, b in combinations(right, 2))
    return Difference(between, held, title, alpha, tuple(right), chi, df, chi_p, q, q_p, pairs, int(common.sum()))
