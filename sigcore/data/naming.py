"""Names of what is added to a collection: systems and files of one name, and the groups that a table gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sigcore.formatting import numbered
from sigcore.readers import Intake, Item, Notice
from sigcore.readers.merge import Place, place
from sigcore.readers.names import numbered_file


def apart(items: Sequence[Item]) -> list[Item]:
    """The items, in order; one whose name an earlier item of its place has gets a number."""
    given = set[tuple[Place, str]]()
    result = []
    for item in items:
        name, count = item.name, 1
        while (place(item), name) in given:
            count += 1
            name = numbered(item.name, count)
        given.add((place(item), name))
        result.append(item if name == item.name else replace(item, name=name))
    return result


def grouped(items: Iterable[Item], groups: Mapping[str, str]) -> list[Item]:
    """The items with the groups that a `system group` table gave them."""
    return [replace(item, group=groups[item.name]) if item.name in groups else item for item in items]


def ungrouped(items: Iterable[Item], groups: Mapping[str, str]) -> list[Notice]:
    """A notice for each system that has a group but no file."""
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
    return replace(
        intake,
        items=tuple(replace(one, file=new.get(one.file, one.file)) for one in intake.items),
        notices=tuple(replace(one, file=new.get(one.file, one.file)) for one in intake.notices),
        detected=tuple(replace(one, file=new.get(one.file, one.file)) for one in intake.detected),
        judgments=tuple(replace(one, file=new.get(one.file, one.file)) for one in intake.judgments),
    )
