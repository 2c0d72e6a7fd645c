"""The gain and the confidence of every pair."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigboard.commands.arguments import common, drawing, files, level, metrics_and_tests
from sigboard.commands.loading import load
from sigboard.commands.output import give
from sigboard.reports import families
from sigboard.reports.gain import gain_json, gain_table
from sigcore import Outputs, Settings, SigError, data, readers
from sigcore.formatting import listed
from sigcore.studies import enough, gain, matrix


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems with their groups, the metrics and the tests."""
    files(command)
    command.add_argument(
        "--groups", metavar="FILE", help="a table with the columns system and group; without it pairs have no class"
    )
    metrics_and_tests(command)
    level(command)
    drawing(command)


def run(args: argparse.Namespace) -> None:
    """Every pair, ordered so that its gain is not negative."""
    loaded, warnings = load(args)
    assert loaded.testset is not None
    outputs = loaded.outputs
    if args.groups:
        outputs, notes = _grouped(outputs, _read_groups(args.groups))
        warnings += notes
    how = common(args, loaded.measure)
    counted = matrix.run(loaded.testset, outputs, resamples=enough.fixed(args.resamples), **how)
    settings = Settings(args.alternative, args.estimator, args.ties, "none")
    grids = [matrix.read(counted, m, t, settings) for m in args.metric for t in args.test]
    groups = {o.system: o.group for o in outputs}
    results = [gain.read(grid) for grid in grids]
    own_notes = [grid.notes for grid in grids]
    warnings += [*_without_group(groups), *(note for notes in own_notes for note in notes)]
    warnings += families.of_choices(args.metric, args.test, "p-values are not corrected, neither over the pairs nor")
    content = gain_json(results, groups, own_notes, list(dict.fromkeys(warnings)))
    give(args, content, [gain_table(r, notes, args.alpha) for r, notes in zip(results, own_notes, strict=True)])


def _read_groups(path: str) -> dict[str, str]:
    """The group of each system in the table.

    Raises: SigError if the file is not such a table.
    """
    intake = readers.read([(path, data.read_bytes(path))])
    if intake.problems:
        raise intake.problems[0]
    if not intake.groups:
        fix = "Give a table with the columns system and group, one line per system, for example Albatross-1<tab>Albatross family."
        raise SigError(f"{path} does not assign a group to any system.", path, fix)
    return dict(intake.groups)


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
