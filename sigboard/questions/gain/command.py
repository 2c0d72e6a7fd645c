"""The gain and the confidence of every pair, thresholds of their classes, and mixtures of systems."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace

from sigboard.questions.gain.report import Scatter, gain_json, gain_table
from sigboard.render import sentences
from sigboard.terminal.arguments import drawing, files, level, metrics_and_tests, runtime, study_of
from sigboard.terminal.groups import Bases, chosen_bases, grouped, groups, mixtures
from sigboard.terminal.loading import load
from sigboard.terminal.output import give
from sigcore import GainResult, Runtime, Study
from sigcore.formatting import listed
from sigcore.results import gain_rows
from sigcore.studies import gain, matrix, pairs, units


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems with their groups, the metrics and the tests, mixtures, and a gain of one's own."""
    files(command)
    groups(command)
    metrics_and_tests(command, "two_delta_bootstrap", "greater")
    mixtures(command)
    command.add_argument(
        "--my-gain", type=float, metavar="GAIN", help="how many pairs with about this gain were significant"
    )
    level(command)
    drawing(command)


def run(args: argparse.Namespace) -> None:
    """Every pair, ordered so that its gain is not negative."""
    loaded, warnings = load(args)
    outputs, kinds, notes = grouped(args.groups, loaded.outputs)
    warnings += notes
    study, how = replace(study_of(args, loaded), outputs=outputs), runtime(args)
    counted = matrix.run(study, how)
    scatters = []
    for metric in study.named:
        for test in args.test:
            grid = matrix.read(counted, metric, test, study.settings)
            real = gain.read(grid, kinds)
            mixed = _mixed(study, counted, real, args.mixtures, args.base, how) if args.mixtures else None
            scatters.append(Scatter.of(real, mixed, grid.notes, args.alpha, args.my_gain))
    by_system = {o.system: o.group for o in outputs}
    warnings += [*_without_group(by_system), *(note for item in scatters for note in item.notes)]
    warnings += sentences.of_choices(study.named, args.test, "p-values are not corrected, neither over the pairs nor")
    content = gain_json(scatters, by_system, list(dict.fromkeys(warnings)))
    give(
        args,
        content,
        [gain_table(item, args.alpha) for item in scatters],
        rows=lambda: [
            {"metric": item.real.setup.metric, "test": item.real.setup.test, **row}
            for item in scatters
            for row in gain_rows(item.real)
        ],
    )


def _mixed(
    study: Study, counted: matrix.MatrixRun, real: GainResult, each: int, chosen: Bases, how: Runtime
) -> GainResult:
    """The pairs of mixtures under the metric and the test of the real pairs, on the same draws."""
    systems = counted.measured[counted.position(real.setup.metric)].systems
    bases = chosen_bases(chosen, [item.system for item in systems]) or gain.bases(systems)
    made, test = gain.mix(systems, bases, each, study.seed), pairs.How.of(replace(study, tests=[real.setup.test]))
    return gain.read_mixtures(made, units.groups(study.testset, counted.unit), real.setup, test, how)


def _without_group(groups: Mapping[str, str]) -> list[str]:
    missing = [system for system, group in groups.items() if not group]
    if not missing or len(missing) == len(groups):
        return []
    return [f"No group was given for {listed(missing)}, so pairs with these systems have no class."]
