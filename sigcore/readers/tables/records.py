"""Records of JSON (one per line, or a list of them) to a table: a record is a row, its names are headings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.contract import Content, Notice
from sigcore.readers.tables import cells, shapes
from sigcore.readers.tables.flatten import Flat, cell, flat
from sigcore.readers.tables.shapes import Record, Shaped
from sigcore.readers.tables.table import Table

SUFFIXES = ("json", "jsonl", "ndjson", "parquet")  # a Parquet file is unpacked to records
ONE_VALUE = "Give every name one value."


def are_records(content: Content) -> bool:
    """Whether the name or the first characters of a file show that it contains records."""
    return content.suffix in SUFFIXES or looks_like_records(content)


def looks_like_records(content: Content) -> bool:
    """Whether a text begins with a record, or with a complete list of them."""
    head = [line.strip() for line in content.lines[:2]]
    if not head[0].startswith(("{", "[")) or not content.text.rstrip().endswith(("}", "]")):
        return False
    if isinstance(_parsed(head[0]), dict):
        return True
    opened = head[0] in ("{", "[", "[{") and len(head) > 1 and head[1].startswith(('"', "{"))
    return opened and _parsed(content.text) is not None


def _parsed(text: str) -> object:
    """The value of a text in JSON; None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def first_headings(content: Content) -> list[str]:
    """The names in the first record of a file; [] if it does not start with one."""
    text = content.text.lstrip().removeprefix("[").lstrip()
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return []
    if isinstance(value, dict):
        try:
            records = shapes.shaped(content.file, value).records
        except ReadError:
            records = [value]
        value = records[0]
    return list(value) if isinstance(value, dict) else []


def read(content: Content) -> tuple[Table, list[Notice]]:
    """The records of a file as the rows of a table, and notices on the lists in them.

    Raises: ReadError for text that is not JSON, is not a record, or has too many names.
    """
    file, (shaped, lists) = content.file, (_shaped(content), Flat())
    if shaped.bare:
        return _bare(file, shaped), []
    records = _records(file, shaped)
    rows = [flat(file, number, record, lists) for number, record in records]
    headings = list(dict.fromkeys(name for row in rows for name in row))
    if not headings:
        raise ReadError("Its records are empty.", file, fix="Give every record a text or a score.")
    cells.refuse_wide(file, len(headings), len(rows))
    filled = [[row.get(name, "") for name in headings] for row in rows]
    header = flat(file, 1, dict(shaped.header), Flat())
    shown = [_without_number(name, lists) for name in headings]
    table = Table(file, shown, filled, [number for number, _ in records], header=header)
    return table, [Notice(file, message) for message in _messages(lists)]


def _bare(file: str, shaped: Shaped) -> Table:
    """The table of a list with one text or number per segment, in one column without a heading."""
    rows = [[cell(value)] for value in shaped.records]
    return Table(file, [names.display_name(file)], rows, range(1, len(rows) + 1), role=names.guess_role(file))


def _without_number(name: str, flat: Flat) -> str:
    """The heading of a column; a list that never holds more than one text needs no number."""
    stem = name.removesuffix(" 1")
    return stem if flat.numbered.get(stem) == 1 else name


def _messages(flat: Flat) -> Iterator[str]:
    if flat.averaged:
        yield f"Lists of ratings were averaged in each record: {', '.join(flat.averaged)}."
    if flat.unused:
        yield f"Lists that are neither texts nor ratings were not used: {', '.join(flat.unused)}."


def _shaped(content: Content) -> Shaped:
    """The records of a file, from one value or from one value per line."""
    whole = content.text.lstrip()[:1] == "[" or content.suffix == "json"
    return _whole(content) if whole else _lines(content)


def _records(file: str, shaped: Shaped) -> list[tuple[int, Record]]:
    """The records with the line (or, in one list, the place) of each.

    Raises: ReadError for a value that is not a record.
    """
    numbered = list(zip(shaped.lines or range(1, len(shaped.records) + 1), shaped.records, strict=True))
    for number, record in numbered:
        if not isinstance(record, dict):
            message = f"record {number} is not an object with names and values."
            raise ReadError(message, file, number, 'Write {"name": value, ...} for every segment.')
    if not numbered:
        raise ReadError("There are no records.", file, fix="Load the complete file.")
    return [(number, record) for number, record in numbered if isinstance(record, dict)]


class _Twice(ValueError):
    """An object has a name twice: json would keep the last of its values without a word."""


def _once(pairs: list[tuple[str, object]]) -> Record:
    """The record with these names and values (_Twice if two have the same name)."""
    record = dict(pairs)
    if len(record) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise _Twice(f"an object has the name {twice[:40]!r} twice")
    return record


def _whole(content: Content) -> Shaped:
    try:
        value = json.loads(content.text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        if isinstance(error, _Twice):
            raise ReadError(f"Here {error}.", content.file, fix=ONE_VALUE) from None
        if "\n{" in content.text.strip():
            return _lines(content)
        line = getattr(error, "lineno", None)
        raise ReadError(f"It is not JSON ({error}).", content.file, line, "Fix it or create it again.") from None
    return shapes.shaped(content.file, value)


def _lines(content: Content) -> Shaped:
    """The records of a file with one per line; a single one may hold all of them."""
    numbered = list(_by_line(content))
    if len(numbered) == 1 and isinstance(numbered[0][1], dict):
        return shapes.single(content.file, numbered[0][1])
    return Shaped([record for _, record in numbered], lines=[number for number, _ in numbered])


def _by_line(content: Content) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(content.lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line, object_pairs_hook=_once)
        except _Twice as error:
            raise ReadError(f"line {number}: {error}.", content.file, number, ONE_VALUE) from None
        except (ValueError, RecursionError) as error:
            message = f"line {number} is not JSON ({error})."
            raise ReadError(message, content.file, number, "Write one complete record per line.") from None
