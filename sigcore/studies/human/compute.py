"""People's conclusions compared with the conclusions of every metric and test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from sigcore.errors import OptionError, Undefined
from sigcore.formatting import listed
from sigcore.results import MatrixResult
from sigcore.studies import matrix
from sigcore.studies.human.gold import LISTED, Decided, Match, People, match, need_two
from sigcore.studies.human.metrics_differ import between
from sigcore.studies.human.result import ALPHAS, HumanResult, _accuracies, _best, _differences, of_human
from sigcore.studies.matrix import MatrixRun
from sigcore.study import LOCAL, Runtime, Settings, Study
from sigcore.testset import Outputs
from sigcore.types import Ints


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


def run(study: Study, people: People, runtime: Runtime = LOCAL) -> MatrixRun:
    """The counts of all tests on all pairs of judged outputs of the study under all its metrics.

    Raises: Undefined if fewer than two outputs were judged, and what `matrix.run` raises.
    """
    return matrix.run(replace(study, outputs=judged_outputs(people, study.outputs)), runtime, corrections=())


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
