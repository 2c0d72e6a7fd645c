"""Readers: whatever was dropped on the page, to named streams of segments and all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from sigcore.errors import ReadError, SigError
from sigcore.readers import archives, lines, names, scores, tables
from sigcore.readers.contract import KINDS, ROLES, Intake, Item, Limits, Notice
from sigcore.readers.names import clean
from sigcore.readers.samples import load_files, sample_names
from sigcore.readers.scores import first_non_number, is_number

__all__ = [
    "KINDS",
    "ROLES",
    "Intake",
    "Item",
    "Limits",
    "Notice",
    "clean",
    "first_non_number",
    "is_number",
    "load_sample",
    "read",
    "sample_names",
]

# Formats that would pass as text but are none: one segment per line would be a silent wrong reading.
NOT_READ = {
    **dict.fromkeys(("xml", "sgm", "sgml", "html", "htm"), "marked-up text"),
    **dict.fromkeys(("json", "jsonl"), "JSON"),
    **dict.fromkeys(("conll", "conllu", "conllx"), "dependency trees"),
    "csv": "comma-separated",
}


def read(files: Iterable[tuple[str, bytes]], keep_bom: bool = False, limits: Limits | None = None) -> Intake:
    """Everything in the files, given as (name, bytes): text, TSV, scores, .gz of one and .zip of many.

    Problems are collected, never raised: a bad file does not keep the others from being read.
    `keep_bom` leaves a byte order mark in the first segment; `limits` bounds what archives unpack to.
    """
    budget, found = archives.Budget(limits or Limits()), tables.Table()
    for name, data in files:
        unpacked = archives.unpack(name, bytes(data), budget)
        found.notices += unpacked.notices
        found.problems += unpacked.problems
        for file, content in unpacked.files:
            try:
                _add(found, _read_one(file, content, keep_bom))
            except SigError as problem:
                found.problems.append(problem)
    items = _named_apart(found.items, found.notices)
    items = _grouped(items, found.groups, found.notices)
    return Intake(tuple(items), tuple(found.notices), tuple(found.problems))


def load_sample(name: str, root: str | Path | None = None) -> Intake:
    """The sample of that name, read as if it had been dropped on the page; `root` is the folder of samples.

    Raises: UnknownMember, with the nearest names.
    """
    return read(load_files(name, root))


def _add(found: tables.Table, more: tables.Table) -> None:
    found.items += more.items
    found.groups |= more.groups
    found.notices += more.notices
    found.problems += more.problems


def _read_one(file: str, data: bytes, keep_bom: bool) -> tables.Table:
    """What one plain file holds: a table, or one stream of text or scores."""
    _refuse_by_suffix(file, data)
    text, notices = lines.decode(file, data, keep_bom)
    segments, more = lines.split(file, text)
    if names.guess_role(file) != "ignored" and tables.is_table(file, segments):
        result = tables.read_table(file, segments)
    else:
        result = _read_stream(file, segments)
    result.notices[:0] = notices + more
    return result


def _refuse_by_suffix(file: str, data: bytes) -> None:
    suffix = names.base_name(file).rpartition(".")[2].lower()
    if suffix in NOT_READ and data:
        what = f"{file} is {NOT_READ[suffix]} (.{suffix}), which is not read."
        raise ReadError(what, file, mend="Save it as plain text with one segment per line, or as TSV.")


def _read_stream(file: str, segments: tuple[str, ...]) -> tables.Table:
    role = names.guess_role(file)
    kind = "scores" if role in ("system", "reference") and scores.are_scores(file, segments) else "text"
    count = "1 segment" if len(segments) == 1 else f"{len(segments)} segments"
    note = f"{kind}, {count}" + ("; no data by its name" if role == "ignored" else "")
    item = Item(names.display_name(file), role, kind, segments, file, note)
    told = lines.empty_notice(file, segments) if role != "ignored" else []
    return tables.Table(items=[item], notices=told)


def _named_apart(items: list[Item], notices: list[Notice]) -> list[Item]:
    """The items with names that differ within each kind; text and scores of one system share its name."""
    result = list(items)
    for kind in KINDS:
        places = [i for i, item in enumerate(items) if item.kind == kind]
        for i, name in zip(places, names.unique(items[i].name for i in places), strict=True):
            if name != items[i].name:
                told = f"Another file gave the name {items[i].name!r}; this one is called {name!r}."
                notices.append(Notice(items[i].file, told))
                result[i] = replace(items[i], name=name)
    return result


def _grouped(items: list[Item], groups: dict[str, str], notices: list[Notice]) -> list[Item]:
    """The items with the groups that a `system group` table gave them."""
    known = {item.name for item in items}
    for system in groups:
        if system not in known:
            notices.append(Notice("", f"A group is given for {system!r}, but no file has that name."))
    return [replace(item, group=groups.get(item.name, item.group)) for item in items]
