"""Additions to a collection: files that are already loaded, files with the same name, and groups from a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sigcore.readers import Intake, Item, Notice
from sigcore.readers.names import numbered_file


def ungrouped(items: Iterable[Item], groups: Mapping[str, str]) -> list[Notice]:
    """One notice for each system that has a group but no file."""
    known = {item.name for item in items}
    missing = [system for system in groups if system not in known]
    return [Notice("", f"A group is given for {system!r}, but no file has that name.") for system in missing]


def refiled(intake: Intake, known: Iterable[str], clashing: Iterable[str]) -> Intake:
    """The intake with other names for the files that clash with known ones, so that each has its own."""
    given = {*known, *(item.file for item in intake.items)}
    new = dict[str, str]()
    for file in clashing:
        k = 2
        while (name := numbered_file(file, k)) in given:
            k += 1
        new[file] = name
        given.add(name)
    parts = ("items", "notices", "detected", "judgments", "preferences", "claims")
    named = {
        part: tuple(replace(one, file=new.get(one.file, one.file)) for one in getattr(intake, part)) for part in parts
    }
    return replace(intake, **named)  # type: ignore[arg-type]


def without_known(intake: Intake, items: Sequence[Item]) -> Intake:
    """The intake without files that are already loaded, and with new names for different files of a known name."""
    known = {(item.file, item.segments) for item in items}
    new = tuple(item for item in intake.items if (item.file, item.segments) not in known)
    files = {item.file for item in items}
    clashing = dict.fromkeys(item.file for item in new if item.file in files)
    return refiled(replace(intake, items=new), files, clashing)
