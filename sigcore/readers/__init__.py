"""Readers: whatever was dropped on the page, to named streams of segments and all that is wrong with it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from sigcore.errors import ReadError, SigError
from sigcore.formatting import unique
from sigcore.readers import archives, lines, names, summaries
from sigcore.readers.contract import (
    FALLBACK,
    KINDS,
    ROLES,
    Content,
    Found,
    Intake,
    Item,
    Limits,
    Notice,
    Reader,
    Taken,
)
from sigcore.readers.known import known_sets, load_known
from sigcore.readers.names import clean
from sigcore.readers.samples import load_files, sample_names
from sigcore.readers.tables.numbers import is_missing, is_number
from sigcore.readers.tables.score_matrix import read_matrix
from sigcore.registry import Value, member
from sigcore.registry import members as _members

__all__ = [
    "KINDS",
    "ROLES",
    "Intake",
    "Item",
    "Limits",
    "Notice",
    "Reader",
    "Taken",
    "clean",
    "files_apart",
    "get",
    "grouped",
    "is_missing",
    "is_number",
    "known_sets",
    "load_known",
    "load_sample",
    "members",
    "read",
    "read_matrix",
    "read_ratings",
    "refiled",
    "sample_names",
    "ungrouped",
]

# Formats that would pass as text but are none: one segment per line would be a silent wrong reading.
NOT_READ = {
    **dict.fromkeys(("xml", "sgm", "sgml", "html", "htm"), "marked-up text without segments in a form that is known"),
}
SHARED = ("documents", "domains")
Choice = tuple[str, Mapping[str, object]]


def members() -> dict[str, Reader]:
    """All readers by name."""
    return _members("sigcore.readers.formats", "READER")


def get(name: str) -> Reader:
    """The reader of that name.

    Raises: UnknownMember, with the nearest names.
    """
    reader: Reader = member("sigcore.readers.formats", "READER", "reader", name)
    return reader


def read(
    files: Iterable[tuple[str, bytes]],
    keep_bom: bool = False,
    limits: Limits | None = None,
    chosen: Mapping[str, Choice] | None = None,
) -> Intake:
    """Everything in the files, given as (name, bytes): any format there is a reader for, .gz of one, .zip of many.

    Problems are collected, never raised: a bad file does not keep the others from being read.
    `keep_bom` leaves a byte order mark in the first segment; `limits` bounds what archives unpack to; `chosen` says for
    a file (as the intake names it, "" = for all) which reader takes it with which options, instead of the surest one.
    """
    budget, found, plain = archives.Budget(limits or Limits()), Found(), list[tuple[str, bytes]]()
    for name, data in files:
        unpacked = archives.unpack(name, bytes(data), budget)
        found.notices += unpacked.notices
        found.problems += unpacked.problems
        plain += unpacked.files
    if not chosen:
        plain = _summaries(found, plain, keep_bom)
    chosen = chosen or {}
    # a browser gives files of two folders without the folders
    apart = zip(plain, files_apart(file for file, _ in plain), strict=True)
    taken = [
        _take(found, _content(label, data, keep_bom), chosen.get(file, chosen.get(""))) for (file, data), label in apart
    ]
    items = _named_apart(_once(found.items), found.notices)
    items = grouped(items, found.groups)
    found.notices += ungrouped(items, found.groups)
    rest = (tuple(found.notices), tuple(found.problems), tuple(taken), tuple(found.judgments))
    return Intake(tuple(items), *rest, groups=found.groups)


def read_ratings(files: Iterable[tuple[str, bytes]]) -> Intake:
    """What `read` gives; but a file that may hold ratings of people as well as scores of a metric is taken for ratings."""
    there = [(name, bytes(data)) for name, data in files]
    first = read(there)
    silent = {taken.file for taken in first.taken} - {part.file for part in first.judgments}
    silent -= {getattr(problem, "file", "") for problem in first.problems}
    return read(there, chosen={file: ("ratings", {}) for file in silent}) if silent else first


def _summaries(found: Found, files: list[tuple[str, bytes]], keep_bom: bool) -> list[tuple[str, bytes]]:
    """Adds summaries kept one file per document to `found`; the files that are something else."""
    streams, rest = summaries.gather(files)
    if not streams:
        return files
    used = {file for stream in streams.values() for file in stream.values()}
    contents = {file: _content(file, data, keep_bom) for file, data in files if file in used}
    try:
        found.add(summaries.read(streams, contents))
    except SigError as problem:
        found.problems.append(problem)
    return rest


def _content(file: str, data: bytes, keep_bom: bool) -> Content:
    return Content(file, data, partial(lines.decode, keep_bom=keep_bom), lines.split)


def _take(found: Found, content: Content, choice: Choice | None) -> Taken:
    """Adds what one plain file holds to `found`; what it was taken for."""
    name, options = "", dict[str, Value]()
    try:
        reader = get(choice[0]) if choice else surest(content)
        name, options = reader.name, reader.chosen(choice[1] if choice else None)
        part = reader.read(content, options)
        part.items = [_placed(item, name) for item in part.items]
        part.notices[:0] = content.notices
        found.add(part)
    except SigError as problem:
        found.problems.append(problem)
    return Taken(content.file, name, options, zlib.compress(content.data, 1))


def _placed(item: Item, reader: str) -> Item:
    """The item with its reader, its test set, and a name without the test set's."""
    testset = item.testset or names.guess_testset(item.file)
    short = item.name.removeprefix(f"{testset}.") if testset else item.name
    return replace(item, reader=reader, testset=testset, name=short or item.name)


def surest(content: Content) -> Reader:
    """The reader that is surest of the file; among equals the first by name.

    Raises: ReadError for bytes that are no text, and for formats known by their suffix that have no reader.
    """
    content.text  # noqa: B018  (bytes that are no text end here, before any reader is asked)
    sure = {reader.name: reader.looks(content) for reader in members().values()}
    best = get(max(sure, key=lambda name: sure[name]))
    if sure[best.name] <= FALLBACK and content.suffix in NOT_READ:
        what = f"{content.file} is {NOT_READ[content.suffix]}."
        raise ReadError(what, content.file, fix="Save it as plain text with one segment per line, or as TSV.")
    return best


def load_sample(name: str, root: str | Path | None = None) -> Intake:
    """The sample of that name, read as if it had been dropped on the page; `root` is the folder of samples.

    Raises: UnknownMember, with the nearest names.
    """
    return read(load_files(name, root))


def _once(items: list[Item]) -> list[Item]:
    """The items, without the documents and domains that several files of a test set repeat."""
    seen = set[tuple[str, str, tuple[str, ...]]]()
    kept = []
    for item in items:
        mark = (item.testset, item.role, item.segments)
        if item.role in SHARED:
            if mark in seen:
                continue
            seen.add(mark)
        kept.append(item)
    return kept


def _named_apart(items: list[Item], notices: list[Notice]) -> list[Item]:
    """The items with names that differ within each test set, kind and measure; text and scores of one system share
    its name, and so do its outputs in several test sets. Nobody asks for documents and domains by name."""
    result = list(items)
    shelves: dict[tuple[str, str, str], list[int]] = {}
    for i, item in enumerate(items):
        if item.role in ("documents", "domains"):
            continue
        shelves.setdefault((item.testset, item.kind, item.measure), []).append(i)
    for places in shelves.values():
        for i, name in zip(places, unique(items[i].name for i in places), strict=True):
            if name == items[i].name:
                continue
            result[i] = replace(items[i], name=name)
            if items[i].role == "system":
                told = f"Another file gave the name {items[i].name!r}; this one is called {name!r}."
                notices.append(Notice(items[i].file, told))
    return result


def grouped(items: Iterable[Item], groups: Mapping[str, str]) -> list[Item]:
    """The items with the groups that a `system group` table gave them."""
    return [replace(item, group=groups[item.name]) if item.name in groups else item for item in items]


def ungrouped(items: Iterable[Item], groups: Mapping[str, str]) -> list[Notice]:
    """A notice for each system that has a group but no file."""
    known = {item.name for item in items}
    missing = [system for system in groups if system not in known]
    return [Notice("", f"A group is given for {system!r}, but no file has that name.") for system in missing]


def files_apart(files: Iterable[str]) -> list[str]:
    """The names of files, each once: a name that comes again gets a number before its suffix."""
    return unique(files, names.numbered_file)


def refiled(intake: Intake, there: Iterable[str], clashing: Iterable[str]) -> Intake:
    """The intake with other names for the files that clash with those that are there, so that each has its own."""
    given = {*there, *(item.file for item in intake.items)}
    new = dict[str, str]()
    for file in clashing:
        k = 2
        while (name := names.numbered_file(file, k)) in given:
            k += 1
        new[file] = name
        given.add(name)
    parts = (intake.items, intake.notices, intake.taken, intake.judgments)
    moved = (tuple(replace(p, file=new.get(p.file, p.file)) for p in part) for part in parts)
    items, notices, taken, judgments = moved
    return replace(intake, items=items, notices=notices, taken=taken, judgments=judgments)  # type: ignore[arg-type]
