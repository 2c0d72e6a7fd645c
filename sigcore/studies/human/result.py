"""People's conclusions beside those of every metric and test; nothing is drawn again."""

from __future__ import annotations

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
from sigcore.studies.matrix import MatrixRun, Settings
from sigcore.testset import Outputs, Testset
from sigcore.types import Bools, Ints

# What the paper looks at, and what is looked at where nobody says.
ALPHAS = (0.05, 0.01, 0.001)
METRICS = ("bleu", "nist", "meteor", "ter", "chrf")
TESTS = ("paired_bootstrap", "bootstrap_shift", "approximate_randomization")


@dataclass(frozen=True, eq=False)
class HumanResult:
    """People and metrics side by side on the S systems that both speak of, best first by people.

    `pairs` (P, 2) are places in `systems`, of the pairs that people speak of; `gold` holds people's conclusions for each
    alpha, (S, S) in the order of `systems`. `grids[metric, test]` are the one-sided results of the metrics (greater: the
    row is better), uncorrected, in the order of the outputs; `conclusions` brings them into the order of `systems`.
    `differences` are the paper's tests, `metric_differences` those that know that pairs share systems.
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
    notes: tuple[str, ...]
    signature: str
    system_level: tuple[SystemLevel, ...] = ()
    metric_differences: tuple[MetricDifference, ...] = ()

    @property
    def metrics(self) -> dict[str, str]:
        """Name and title of every metric, in the order asked for."""
        return {metric: grid.setup.metric_title for (metric, _), grid in self.grids.items()}

    @property
    def tests(self) -> dict[str, str]:
        """Name and title of every test, in the order asked for."""
        return {test: grid.setup.test_title for (_, test), grid in self.grids.items()}

    def decided(self, alpha: float) -> Decided:
        """People's conclusions at one of the alphas (KeyError where it was not asked for)."""
        for found in self.gold:
            if found.alpha == alpha:
                return found
        raise KeyError(alpha)

    def conclusions(self, metric: str, test: str, alpha: float) -> Ints:
        """(S, S) in the order of `systems`: 1 where the metric's test holds the row to be better, -1 worse, 0 neither."""
        grid = self.grids[metric, test]
        order = [grid.systems.index(system) for system in self.systems]
        return np.sign(grid.levels(alpha))[np.ix_(order, order)]

    def right(self, metric: str, test: str, alpha: float) -> Bools:
        """(P,): the pairs of which the metric's test says what people say."""
        left, other = self.pairs.T
        theirs = self.decided(alpha).conclusions[left, other]
        return np.asarray(self.conclusions(metric, test, alpha)[left, other] == theirs)

    def accuracy(self, metric: str, test: str, alpha: float) -> Accuracy:
        """That cell of the accuracy table (KeyError where it was not asked for)."""
        for cell in self.accuracies:
            if (cell.metric, cell.test, cell.alpha) == (metric, test, alpha):
                return cell
        raise KeyError((metric, test, alpha))


def judged_outputs(found: People, outputs: Sequence[Outputs]) -> list[Outputs]:
    """The outputs that people judged, in people's order.

    Raises: Undefined where there are fewer than two.
    """
    by_name = {item.system: item for item in outputs}
    both = [by_name[system] for system in found.systems if system in by_name]
    if len(both) < 2:
        judged, loaded = listed(found.systems, LISTED), listed(by_name, LISTED)
        what = f"{'Only one system has' if both else 'No system has'} both judgments and an output."
        raise Undefined(what, f"judged: {judged}; outputs: {loaded}", "Give the systems the same names in both.")
    return both


def run(
    testset: Testset, outputs: Sequence[Outputs], found: People, asked: Any, tests: Sequence[str], **more: Any
) -> MatrixRun:
    """The counts of all tests on all pairs of judged outputs under all metrics; `more` as for `matrix.run`.

    Raises: Undefined where fewer than two outputs were judged, and what `matrix.run` raises.
    """
    return matrix.run(testset, judged_outputs(found, outputs), asked, tests, **more)


def read(
    found: People,
    computed: MatrixRun,
    alphas: Sequence[float] = ALPHAS,
    settings: Settings | None = None,
    matched: Match | None = None,
) -> HumanResult:
    """People's conclusions beside those of every metric and test, at each alpha; nothing is drawn again.

    A metric's conclusion is that of its one-sided test in each direction at the same alpha, uncorrected; it is correct
    where it is the same of better, worse and neither as people's. `settings` gives the estimator and the rule for ties.

    Raises: OptionError for an alpha outside (0, 0.5); Undefined where people speak of no pair.
    Source: Graham, Mathur & Baldwin 2014, section 5, Tables 1 and 2.
    """
    need_two(found.systems, found.name)
    alphas = _checked(alphas)
    one_sided = replace(settings or Settings(), side="greater", correction="none")
    systems = tuple(system for system in found.systems if system in computed.systems)
    places = [found.systems.index(system) for system in systems]
    gold = tuple(_part(found.decided(alpha), places) for alpha in alphas)
    result = HumanResult(
        people=found,
        systems=systems,
        matched=matched or match(found.systems, computed.systems),
        pairs=_pairs(gold[0], found.name),
        alphas=alphas,
        gold=gold,
        grids=_grids(computed, one_sided),
        accuracies=(),
        differences=(),
        notes=(),
        signature="",
    )
    levels, metric_differences = between(result, computed)
    return replace(
        result,
        system_level=levels,
        metric_differences=metric_differences,
        accuracies=tuple(_best(_accuracies(result))),
        differences=tuple(_differences(result)),
        notes=_notes(result, computed, one_sided),
        signature=f"{found.signature} || {' || '.join(grid.setup.signature for grid in result.grids.values())}",
    )


def _checked(alphas: Sequence[float]) -> tuple[float, ...]:
    """The alphas, each once (OptionError for one outside (0, 0.5))."""
    once = tuple(dict.fromkeys(alphas))
    if not once or any(not 0 < alpha < 0.5 for alpha in once):
        raise OptionError(f"alpha = {', '.join(f'{a:g}' for a in once)}.", "", "It must be between 0 and 0.5.")
    return once


def _pairs(gold: Decided, name: str) -> Ints:
    """The pairs (P, 2) of systems that people speak of (Undefined where there are none)."""
    systems = range(len(gold.conclusions))
    pairs = [pair for pair in combinations(systems, 2) if gold.known[pair]]
    if not pairs:
        raise Undefined("People speak of no pair of these systems.", name, "Were they rated for one dimension?")
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
            right = result.right(metric, test, alpha)
            correct, pairs = int(right.sum()), len(right)
            limits = (*agreement.percent(correct, pairs), *agreement.leave_one_out(right, result.pairs))
            titles = (metric, grid.setup.metric_title, test, grid.setup.test_title)
            cells.append(Accuracy(*titles, alpha, correct, pairs, *limits))
    return cells


def _best(cells: Sequence[Accuracy]) -> list[Accuracy]:
    most = {alpha: max(c.correct for c in cells if c.alpha == alpha) for alpha in {c.alpha for c in cells}}
    return [replace(cell, best=cell.correct == most[cell.alpha]) for cell in cells]


def _differences(result: HumanResult) -> list[Difference]:
    found = []
    for alpha in result.alphas:
        if len(result.metrics) > 1:
            for test, title in result.tests.items():
                right = {metric: result.right(metric, test, alpha) for metric in result.metrics}
                found.append(_difference("metrics", test, title, alpha, right))
        if len(result.tests) > 1:
            for metric, title in result.metrics.items():
                right = {test: result.right(metric, test, alpha) for test in result.tests}
                found.append(_difference("tests", metric, title, alpha, right))
    return found


def _difference(between: str, held: str, title: str, alpha: float, right: Mapping[str, Bools]) -> Difference:
    columns = np.array(list(right.values()))
    chi, df, chi_p = agreement.chi_square(columns.sum(axis=1), columns.shape[1])
    q, _, q_p = agreement.cochran_q(columns)
    pairs = tuple(McNemar(a, b, *agreement.mcnemar(right[a], right[b])) for a, b in combinations(right, 2))
    return Difference(between, held, title, alpha, tuple(right), chi, df, chi_p, q, q_p, pairs)


def _notes(result: HumanResult, computed: MatrixRun, settings: Settings) -> tuple[str, ...]:
    notes = [*result.matched.notes, *result.people.notes, *computed.notes]
    missing = len(result.systems) * (len(result.systems) - 1) // 2 - len(result.pairs)
    if missing:
        notes.append(f"{missing} pairs are left out of the accuracy: nobody rated both systems for one dimension.")
    least = 1 / (computed.resamples + 1)
    if settings.estimator == "valid" and least > min(result.alphas):
        unreachable = ", ".join(f"{alpha:g}" for alpha in result.alphas if least > alpha)
        notes.append(
            f"With {computed.resamples} resamples the smallest p is {least:.2g}: at alpha {unreachable} every metric "
            "calls every pair a tie. Ask for more resamples."
        )
    return tuple(dict.fromkeys(notes))
