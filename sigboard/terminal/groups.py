"""The table of groups and the mixtures, which the commands of gains, sizes and domains share."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigboard.terminal.arguments import whole
from sigcore import Outputs, SigError, data, readers
from sigcore.formatting import listed
from sigcore.studies import gain

Bases = Sequence[Sequence[str]]  # pairs of systems to mix, by name


def groups(command: argparse.ArgumentParser) -> None:
    """The table of groups."""
    help = (
        "a table with the columns system, group and, if you like, kind (system or combination); without it all pairs "
        "are one class"
    )
    command.add_argument("--groups", metavar="FILE", help=help)


def mixtures(command: argparse.ArgumentParser) -> None:
    """The synthetic systems."""
    help = (
        "also compare N synthetic systems for each of some pairs of systems; their segments come from one or the other"
    )
    command.add_argument("--mixtures", type=whole, default=0, metavar="N", help=help)
    help = "a pair of systems to mix; repeatable (default: up to three pairs, chosen by score)"
    command.add_argument("--base", nargs=2, action="append", default=[], metavar=("A", "B"), help=help)


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
