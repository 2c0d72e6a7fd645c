"""Readers: files to named streams of segments, with everything that is wrong with them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from sigcore.errors import ReadError, SigError
from sigcore.readers import archives, lines, merge, names, summaries
from sigcore.readers.contract import (
    FALLBACK,
    KINDS,
    ROLES,
    SHARED,
    Content,
    Detected,
    Found,
    Intake,
    Item,
    Limits,
    Notice,
    Reader,
)
from sigcore.readers.known import known_sets, load_known
from sigcore.readers.names import clean, files_apart
from sigcore.readers.roles import Given, with_roles
from sigcore.readers.samples import load_files, sample_names
from sigcore.readers.tables.numbers import is_missing, is_number
from sigcore.readers.tables.score_matrix import read_matrix
from sigcore.registry import Value, member
from sigcore.registry import members as _members

__all__ = [
    "KINDS",
    "ROLES",
    "SHARED",
    "Choice",
    "Detected",
    "Given",
    "Intake",
    "Item",
    "Limits",
    "Notice",
    "Reader",
    "clean",
    "files_apart",
    "get",
    "is_missing",
    "is_number",
    "known_sets",
    "load_known",
    "load_sample",
    "members",
    "read",
    "read_matrix",
    "read_ratings",
    "sample_names",
]

# Formats that would pass as text but are not: one segment per line would be a silent wrong reading.
NOT_READ = {
    **dict.fromkeys(("xml", "sgm", "sgml", "html", "htm"), "marked-up text without segments in a form that is known"),
}
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
    roles: Given = (),
) -> Intake:
    """Everything in the files, given as (name, bytes): any format there is a reader for, .gz of one, .zip of many.

    Problems are collected, never raised: a bad file does not keep the others from being read.
    `keep_bom` leaves a byte order mark in the first segment; `limits` bounds what archives unpack to; `chosen` says for
    a file (as the intake names it, "" = for all) which reader reads it with which options, instead of the surest one;
    `roles` are those that a person gave to files, folders or archives.
    """
    found = Found()
    plain = _unpacked(found, files, limits or Limits())
    if not chosen:
        plain = _summaries(found, plain, keep_bom)
    chosen = chosen or {}
    # a browser gives files of two folders without the folders
    labels = files_apart(file for file, _ in plain)
    detected = tuple(
        _read_one(found, _content(label, data, keep_bom), chosen.get(file, chosen.get("")))
        for (file, data), label in zip(plain, labels, strict=True)
    )
    items, problems = with_roles(found.items, roles, [getattr(problem, "file", "") for problem in found.problems])
    items, notices = merge.named_apart(merge.once(items))
    return Intake(
        tuple(items),
        (*found.notices, *notices),
        (*found.problems, *problems),
        detected,
        tuple(found.judgments),
        found.groups,
    )


def _unpacked(found: Found, files: Iterable[tuple[str, bytes]], limits: Limits) -> list[tuple[str, bytes]]:
    """The plain files in those that were given; what was noticed and what went wrong is added to `found`."""
    budget, plain = archives.Budget(limits), list[tuple[str, bytes]]()
    for name, data in files:
        unpacked = archives.unpack(name, bytes(data), budget)
        found.notices += unpacked.notices
        found.problems += unpacked.problems
        plain += unpacked.files
    return plain


def read_ratings(files: Iterable[tuple[str, bytes]]) -> Intake:
    """What `read` gives; but a file that may hold ratings of people as well as scores of a metric is read as ratings."""
    given = [(name, bytes(data)) for name, data in files]
    first = read(given)
    without = {one.file for one in first.detected} - {part.file for part in first.judgments}
    without -= {getattr(problem, "file", "") for problem in first.problems}
    return read(given, chosen={file: ("ratings", {}) for file in without}) if without else first


def _summaries(found: Found, files: list[tuple[str, bytes]], keep_bom: bool) -> list[tuple[str, bytes]]:
    """The files that are not summaries kept one file per document; those that are, are read and added to `found`."""
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


def _read_one(found: Found, content: Content, choice: Choice | None) -> Detected:
    """What one plain file was detected as; what it holds is added to `found`."""
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
    return Detected(content.file, name, options, zlib.compress(content.data, 1))


def _placed(item: Item, reader: str) -> Item:
    """The item with its reader, its test set, and a name without the test set's."""
    testset = item.testset or names.guess_testset(item.file)
    short = item.name.removeprefix(f"{testset}.") if testset else item.name
    return replace(item, reader=reader, testset=testset, name=short or item.name)


def surest(content: Content) -> Reader:
    """The reader that is surest of the file; among equals the first by name.

    Raises: ReadError for bytes that are not text, and for formats known by their suffix that have no reader.
    """
    content.text  # noqa: B018  (bytes that are not text end here, before any reader is asked)
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
