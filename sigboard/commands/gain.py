"""The gain and the confidence of every pair."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigboard.commands.arguments import common, drawing, files, metrics_and_tests
from sigboard.commands.loading import load
from sigboard.commands.output import give
from sigboard.reports.gain import gain_json, gain_table
from sigcore import GainResult, Outputs, Settings, SigError, data, readers
from sigcore.formatting import listed
from sigcore.studies import gain, matrix


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems with their groups, the metrics and the tests."""
    files(command)
    command.add_argument("--groups", metavar="FILE", help="a table with the columns system and group")
    metrics_and_tests(command)
    drawing(command)


def run(args: argparse.Namespace) -> None:
    """Every pair, ordered so that its gain is not negative."""
    loaded, warnings = load(args)
    assert loaded.testset is not None
    outputs = loaded.outputs
    if args.groups:
        outputs, notes = _grouped(outputs, _read_groups(args.groups))
        warnings += notes
    counted = matrix.run(loaded.testset, outputs, **common(args, loaded))
    settings = Settings(args.alternative, args.estimator, args.ties, "none")
    grids = [matrix.read(counted, m, t, settings) for m in args.metric for t in args.test]
    groups = {o.system: o.group for o in outputs}
    results = [_classed(gain.read(grid), groups) for grid in grids]
    own_notes = [grid.notes for grid in grids]
    warnings += [*_without_group(groups), *(note for notes in own_notes for note in notes)]
    content = gain_json(results, groups, own_notes, list(dict.fromkeys(warnings)))
    give(args, content, [gain_table(r, notes) for r, notes in zip(results, own_notes, strict=True)])


def _read_groups(path: str) -> dict[str, str]:
    """The group of each system in the table.

    Raises: SigError if the file is not such a table.
    """
    intake = readers.read([(path, data.read_bytes(path))])
    if intake.problems:
        raise intake.problems[0]
    if not intake.groups:
        fix = "Give a table with the columns system and group, for example one line per system: Online-A<tab>online."
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


def _classed(result: GainResult, groups: Mapping[str, str]) -> GainResult:
    """The result with a class only for pairs whose groups were given: names do not show which systems are related."""
    pairs = zip(result.systems, result.baselines, result.pair_class, strict=True)
    return replace(result, pair_class=tuple(word if groups[a] and groups[b] else "" for a, b, word in pairs))


def _without_group(groups: Mapping[str, str]) -> list[str]:
    missing = [system for system, group in groups.items() if not group]
    if not missing or len(missing) == len(groups):
        return []
    return [f"No group was given for {listed(missing)}, so pairs with these systems have no class."]
