"""The gain and the confidence of every pair, thresholds of their classes, and mixtures of systems."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigboard.questions.gain.report import Scatter, gain_json, gain_table
from sigboard.render import sentences
from sigboard.render.tables import gain_rows
from sigboard.terminal.arguments import drawing, files, level, metrics_and_tests, runtime, study_of, whole
from sigboard.terminal.loading import load
from sigboard.terminal.output import give
from sigcore import GainResult, Outputs, Runtime, SigError, Study, data, readers
from sigcore.formatting import listed
from sigcore.studies import gain, matrix, pairs, units

Bases = Sequence[Sequence[str]]  # pairs of systems to mix, by name


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


def groups(command: argparse.ArgumentParser) -> None:
    """The table of groups."""
    command.add_argument(
        "--groups",
        metavar="FILE",
        help="a table with the columns system, group and, if you like, kind (system or combination); without it all pairs "
        "are one class",
    )


def mixtures(command: argparse.ArgumentParser) -> None:
    """The synthetic systems."""
    command.add_argument(
        "--mixtures",
        type=whole,
        default=0,
        metavar="N",
        help="also compare N synthetic systems for each of some pairs of systems; their segments come from one or the other",
    )
    command.add_argument(
        "--base",
        nargs=2,
        action="append",
        default=[],
        metavar=("A", "B"),
        help="a pair of systems to mix; repeatable (default: up to three pairs, chosen by score)",
    )


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


def chosen_bases(chosen: Bases, systems: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """The pairs of systems that the user chose to mix, by position.

    Raises: SigError for a name that is not loaded, or the same name twice.
    """
    for name in (name for pair in chosen for name in pair):
        if name not in systems:
            raise SigError(f"{name} is not loaded.", "--base", f"Use the names of the systems: {listed(systems)}.")
    same = next((a for a, b in chosen if a == b), None)
    if same is not None:
        raise SigError(f"{same} is to be mixed with itself.", "--base", "Name two different systems.")
    return tuple((systems.index(a), systems.index(b)) for a, b in chosen)


def grouped(table: str | None, outputs: Sequence[Outputs]) -> tuple[tuple[Outputs, ...], Mapping[str, str], list[str]]:
    """The outputs with the groups of the table that the user gave, the kinds of systems in it, and notes."""
    if not table:
        return tuple(outputs), {}, []
    of_system, kinds = _read_groups(table)
    with_groups, notes = _grouped(outputs, of_system)
    return with_groups, kinds, notes


def _read_groups(path: str) -> tuple[dict[str, str], dict[str, str]]:
    """The group of each system in the table, and its kind where there is such a column.

    Raises: SigError if the file is not such a table.
    """
    intake = readers.read([(path, data.read_bytes(path))])
    if intake.problems:
        raise intake.problems[0]
    if not intake.groups:
        fix = "Give a table with the columns system and group, one line per system, for example Albatross-1<tab>Albatross family."
        raise SigError(f"{path} does not assign a group to any system.", path, fix)
    gain.check_kinds(intake.kinds, path)
    return dict(intake.groups), dict(intake.kinds)


def _grouped(outputs: Sequence[Outputs], groups: Mapping[str, str]) -> tuple[tuple[Outputs, ...], list[str]]:
    """The outputs with the groups of the table, and a note on the systems of the table that are not loaded.

    Raises: SigError if none of them is loaded.
    """
    systems = {o.system for o in outputs}
    unknown = [system for system in groups if system not in systems]
    if len(unknown) == len(groups):
        what = f"The table assigns groups to {listed(unknown)}, but none of these systems is loaded."
        raise SigError(what, "", f"Use the names of the systems: {listed(systems)}.")
    notes = [f"The table assigns a group to {listed(unknown)}, but no such system is loaded."] if unknown else []
    return tuple(replace(o, group=groups.get(o.system, o.group)) for o in outputs), notes


def _without_group(groups: Mapping[str, str]) -> list[str]:
    missing = [system for system, group in groups.items() if not group]
    if not missing or len(missing) == len(groups):
        return []
    return [f"No group was given for {listed(missing)}, so pairs with these systems have no class."]
