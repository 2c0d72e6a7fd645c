"""Records of JSON (one per line, or a list of them) to a table: a record is a row, its names are headings."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.contract import Content, Notice
from sigcore.readers.tables import cells
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table

Record = dict[str, object]
DEEPEST = 20
SUFFIXES = ("json", "jsonl", "ndjson")


@dataclass
class Flat:
    """The lists met while flattening: ratings that were averaged, texts with their greatest length, and others."""

    averaged: dict[str, None] = field(default_factory=dict)
    numbered: dict[str, int] = field(default_factory=dict)
    unused: dict[str, None] = field(default_factory=dict)


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
    records = _inside(value) if isinstance(value, dict) else [value]
    return list(records[0]) if isinstance(records[0], dict) else []


def read(content: Content) -> tuple[Table, list[Notice]]:
    """The records of a file as the rows of a table, and notices on the lists in them.

    Raises: ReadError for text that is not JSON, is not a record, or has too many names.
    """
    file, records, flat = content.file, _records(content), Flat()
    rows = [_flat(file, number, record, flat) for number, record in records]
    headings = list(dict.fromkeys(name for row in rows for name in row))
    if not headings:
        raise ReadError("Its records are empty.", file, fix="Give every record a text or a score.")
    cells.refuse_wide(file, len(headings))
    filled = [[row.get(name, "") for name in headings] for row in rows]
    table = Table(file, [_without_number(name, flat) for name in headings], filled, [number for number, _ in records])
    return table, [Notice(file, message) for message in _messages(flat)]


def _without_number(name: str, flat: Flat) -> str:
    """The heading of a column; a list that never holds more than one text needs no number."""
    stem = name.removesuffix(" 1")
    return stem if flat.numbered.get(stem) == 1 else name


def _messages(flat: Flat) -> Iterator[str]:
    if flat.averaged:
        yield f"Lists of ratings were averaged in each record: {', '.join(flat.averaged)}."
    if flat.unused:
        yield f"Lists that are neither texts nor ratings were not used: {', '.join(flat.unused)}."


def _records(content: Content) -> list[tuple[int, Record]]:
    """The records with the line (or, in one list, the place) of each.

    Raises: ReadError for text that is not JSON, or not a record.
    """
    start = content.text.lstrip()[:1]
    numbered = _whole(content) if start == "[" or content.suffix == "json" else list(_by_line(content))
    for number, record in numbered:
        if not isinstance(record, dict):
            message = f"record {number} is not an object with names and values."
            raise ReadError(message, content.file, number, 'Write {"name": value, ...} for every segment.')
    if not numbered:
        raise ReadError("There are no records.", content.file, fix="Load the complete file.")
    return [(number, record) for number, record in numbered if isinstance(record, dict)]


def _whole(content: Content) -> list[tuple[int, object]]:
    try:
        value = json.loads(content.text)
    except (ValueError, RecursionError) as error:
        if "\n{" in content.text.strip():
            return list(_by_line(content))
        line = getattr(error, "lineno", None)
        raise ReadError(f"It is not JSON ({error}).", content.file, line, "Fix it or create it again.") from None
    records = value if isinstance(value, list) else _inside(value) if isinstance(value, dict) else [value]
    return list(enumerate(records, 1))


def _inside(value: Record) -> Sequence[object]:
    """The records in an object: itself; those in {"data": [...]}; or, by file name, those of one system each."""
    lists = {name: part for name, part in value.items() if isinstance(part, list) and _all_records(part)}
    if not value or len(lists) < len(value):
        return [value]
    if len(lists) == 1 and not any(mark in name for name in lists for mark in "./\\"):
        return next(iter(lists.values()))
    return [
        {"system": system, "segment": i, **record}
        for system, records in zip(_systems(lists), lists.values(), strict=True)
        for i, record in enumerate(records)
    ]


def _systems(files: Iterable[str]) -> list[str]:
    """The names of the systems of these files; the outputs of several runs may have the same name."""
    files = list(files)
    shown = list(map(names.display_name, files))
    return shown if len(set(shown)) == len(shown) else files


def _all_records(values: Sequence[object]) -> bool:
    return bool(values) and all(isinstance(value, dict) for value in values)


def _by_line(content: Content) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(content.lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            message = f"line {number} is not JSON ({error})."
            raise ReadError(message, content.file, number, "Write one complete record per line.") from None


def _flat(file: str, number: int, record: Record, flat: Flat, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The record as cells: nested records get names with a dot, lists of texts a number, lists of ratings their mean."""
    out: dict[str, str] = {}
    if depth > DEEPEST:
        raise ReadError(f"record {number} is nested more than {DEEPEST} deep.", file, number, "Flatten it.")
    for name, value in record.items():
        heading = f"{prefix}{name}"
        if isinstance(value, dict):
            out |= _flat(file, number, value, flat, f"{heading}.", depth + 1)
        elif isinstance(value, list):
            out |= _flat_list(heading, value, flat)
        else:
            out[heading] = _cell(value)
    return out


def _flat_list(heading: str, values: Sequence[object], flat: Flat) -> dict[str, str]:
    """A list of texts as one cell each (the sentences of an output as one cell), a list of ratings as their mean."""
    if all(isinstance(value, str) for value in values):
        return _texts(heading, list(map(str, values)), flat)
    ratings = _ratings(heading, values)
    if ratings is None:
        flat.unused[heading] = None
        return {}
    flat.averaged |= dict.fromkeys(ratings)
    return {name: _mean(numbers) for name, numbers in ratings.items()}


def _texts(heading: str, texts: Sequence[str], flat: Flat) -> dict[str, str]:
    """A list of texts, possibly empty, as cells."""
    if not texts:
        return {}
    if words.meaning(heading.rpartition(".")[2]) == "text":
        return {heading: "\n".join(texts)}
    flat.numbered[heading] = max(flat.numbered.get(heading, 0), len(texts))
    return {f"{heading} {k}": text for k, text in enumerate(texts, 1)}


def _ratings(heading: str, values: Sequence[object]) -> dict[str, list[object]] | None:
    """The numbers in a list of ratings, or of records of ratings, by heading; None for a list of something else."""
    if all(map(_is_rating, values)):
        return {heading: list(values)}
    records = [value for value in values if isinstance(value, dict) and all(map(_is_rating, value.values()))]
    if len(records) < len(values):
        return None
    parts = dict.fromkeys(name for record in records for name in record)
    return {f"{heading}.{name}": [record[name] for record in records if name in record] for name in parts}


def _is_rating(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _mean(values: Sequence[object]) -> str:
    try:
        return repr(math.fsum(map(float, values)) / len(values))  # type: ignore[arg-type]
    except OverflowError:  # reported later as not a finite number, with its place
        return "inf"


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
