"""JSON: one record per line, or a list of records; a record is a row of a table."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.contract import BY_NAME, CERTAIN, NO, Content, Found, Notice, Options, Reader
from sigcore.readers.tables import headings
from sigcore.readers.tables import wide as tables

Record = dict[str, object]
DEEPEST = 20


@dataclass
class Flat:
    """What flattening met on its way: lists of ratings that were averaged, of texts with their longest, of neither."""

    averaged: dict[str, None] = field(default_factory=dict)
    numbered: dict[str, int] = field(default_factory=dict)
    unused: dict[str, None] = field(default_factory=dict)


def _looks(content: Content) -> int:
    if content.suffix in ("json", "jsonl", "ndjson"):
        return CERTAIN
    head = [line.strip() for line in content.lines[:2]]
    if not head[0].startswith(("{", "[")) or not content.text.rstrip().endswith(("}", "]")):
        return NO
    if isinstance(_parsed(head[0]), dict):
        return BY_NAME
    opened = head[0] in ("{", "[", "[{") and len(head) > 1 and head[1].startswith(('"', "{"))
    return BY_NAME if opened and _parsed(content.text) is not None else NO


def _parsed(text: str) -> object:
    """What the text says in JSON; None where it says nothing, or is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read(content: Content, options: Options) -> Found:
    file, records, flat = content.file, _records(content), Flat()
    rows = [_flat(file, number, record, flat) for number, record in records]
    found_in = list(dict.fromkeys(name for row in rows for name in row))
    if not found_in:
        raise ReadError("Its records hold nothing.", file, fix="Give every record a text or a score.")
    tables.refuse_wide(file, len(found_in))
    named = [_without_number(name, flat) for name in found_in]
    cells = [[row.get(name, "") for name in found_in] for row in rows]
    found = tables.read_table(file, cells, [number for number, _ in records], named)
    found.notices[:0] = [Notice(file, told) for told in _told(flat)]
    return found


def _without_number(name: str, flat: Flat) -> str:
    """The heading of a column; a list that never holds more than one text needs no number."""
    stem = name.removesuffix(" 1")
    return stem if flat.numbered.get(stem) == 1 else name


def _told(flat: Flat) -> Iterator[str]:
    if flat.averaged:
        yield f"Lists of ratings were averaged in each record: {', '.join(flat.averaged)}."
    if flat.unused:
        yield f"Lists that are neither texts nor ratings were not used: {', '.join(flat.unused)}."


def _records(content: Content) -> list[tuple[int, Record]]:
    """The records with the line (or, in one list, the place) each stands at.

    Raises: ReadError for what is no JSON, or no record.
    """
    start = content.text.lstrip()[:1]
    found = _whole(content) if start == "[" or content.suffix == "json" else list(_by_line(content))
    for number, record in found:
        if not isinstance(record, dict):
            what = f"record {number} is no object with names and values."
            raise ReadError(what, content.file, number, 'Write {"name": value, ...} for every segment.')
    if not found:
        raise ReadError("There are no records.", content.file, fix="Load the whole file.")
    return [(number, record) for number, record in found if isinstance(record, dict)]


def _whole(content: Content) -> list[tuple[int, object]]:
    try:
        value = json.loads(content.text)
    except (ValueError, RecursionError) as error:
        if "\n{" in content.text.strip():
            return list(_by_line(content))
        line = getattr(error, "lineno", None)
        raise ReadError(f"It is no JSON ({error}).", content.file, line, "Fix or make it again.") from None
    records = value if isinstance(value, list) else _inside(value) if isinstance(value, dict) else [value]
    return list(enumerate(records, 1))


def _inside(value: Record) -> Sequence[object]:
    """The records in an object: itself; {"data": [...]}; or, under the names of files, those of a system each."""
    lists = {name: part for name, part in value.items() if isinstance(part, list) and _all_records(part)}
    if not lists or len(lists) < len(value):
        return [value]
    if len(lists) == 1 and not any(mark in name for name in lists for mark in "./\\"):
        return next(iter(lists.values()))
    shown = {name: names.display_name(name) for name in lists}
    apart = len(set(shown.values())) == len(shown)  # the outputs of several runs may have one name
    return [
        {"system": shown[name] if apart else name, "segment": i, **record}
        for name, part in lists.items()
        for i, record in enumerate(part)
    ]


def _all_records(values: Sequence[object]) -> bool:
    return bool(values) and all(isinstance(value, dict) for value in values)


def _by_line(content: Content) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(content.lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            what = f"line {number} is no JSON ({error})."
            raise ReadError(what, content.file, number, "Write one whole record per line.") from None


def _flat(file: str, number: int, record: Record, flat: Flat, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The record as cells: records inside get names with a dot, lists of texts a number, lists of ratings a mean."""
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
    """A list of texts as a cell each (of the sentences of an output as one), of ratings as their mean."""
    if not values:
        return {}
    if all(isinstance(value, str) for value in values):
        if heading.rpartition(".")[2].lower() in headings.TEXTS:
            return {heading: "\n".join(map(str, values))}
        flat.numbered[heading] = max(flat.numbered.get(heading, 0), len(values))
        return {f"{heading} {k}": str(value) for k, value in enumerate(values, 1)}
    rated = [value for value in values if isinstance(value, dict)]
    if len(rated) == len(values) and all(_is_rating(part) for value in rated for part in value.values()):
        ratings = {
            f"{heading}.{n}": [v[n] for v in rated if n in v] for n in dict.fromkeys(n for v in rated for n in v)
        }
    elif all(map(_is_rating, values)):
        ratings = {heading: list(values)}
    else:
        flat.unused[heading] = None
        return {}
    flat.averaged |= dict.fromkeys(ratings)
    return {name: _mean(found) for name, found in ratings.items()}


def _is_rating(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _mean(values: Sequence[object]) -> str:
    try:
        return repr(math.fsum(map(float, values)) / len(values))  # type: ignore[arg-type]
    except OverflowError:  # told as no finite number, with its place
        return "inf"


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


READER = Reader(
    name="jsonl",
    title="records (JSON)",
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    help="One record per segment, or per system and segment; names become headings, lists of references columns.",
    example=(
        "summaries.jsonl",
        '{"id": "a", "model_id": "One", "decoded": "It rains.", "references": ["Rain falls."]}\n'
        '{"id": "a", "model_id": "Two", "decoded": "Rain.", "references": ["Rain falls."]}\n',
    ),
)
