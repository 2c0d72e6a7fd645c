"""Tables in long form (a row per system and segment) to one stream per system and column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError
from sigcore.readers import headings as words
from sigcore.readers import names, scores
from sigcore.readers.contract import Found, Item, Notice

Key = tuple[str, ...]


@dataclass
class Long:
    """A table in long form: which column is what, and its rows by system and segment."""

    file: str
    headings: list[str]
    system: int
    ids: list[int]
    rows: dict[str, dict[Key, Sequence[str]]] = field(default_factory=dict)
    keys: list[Key] = field(default_factory=list)


def is_long(lower: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column names systems instead of holding the output of one called "system"."""
    named = [k for k, heading in enumerate(lower) if heading in words.SYSTEMS]
    repeats = any(2 * len({row[k] for row in rows}) <= len(rows) and len(rows) > 1 for k in named)
    return bool(named) and (repeats or bool(set(lower) & words.VALUES))


def pivot(file: str, headings: list[str], rows: Sequence[Sequence[str]]) -> Found:
    """The streams in a table in long form, segments in the order of their ids (whole numbers) or of the rows.

    Raises: ReadError without a column of segment ids, for a segment given twice, for a gold cell that changes.
    """
    lower = [heading.lower() for heading in headings]
    system = next(k for k, heading in enumerate(lower) if heading in words.SYSTEMS)
    table = Long(file, headings, system, _id_columns(file, lower, rows, system))
    _sort_in(table, rows)
    found = Found()
    found.notices.append(Notice(file, f"It was read in long form: a row per {headings[system]} and segment."))
    for k, heading in enumerate(headings):
        if k == system or lower[k] in words.IDS:
            continue
        _add_column(table, found, k, heading)
    if not found.items and not found.problems:
        what = f"{file} is in long form, but none of its columns holds text or scores."
        raise ReadError(what, file, 1, "Add a column headed text or score, or turn it into one column per system.")
    return found


def _id_columns(file: str, lower: Sequence[str], rows: Sequence[Sequence[str]], system: int) -> list[int]:
    """The columns that tell segments apart within a system: the ids, with the documents where these are needed."""
    ids = [k for k, heading in enumerate(lower) if heading in words.IDS]
    documents = [k for k, heading in enumerate(lower) if heading in words.DOCUMENTS]
    # a number of its own for every row names no segment: two systems share none
    ids = [k for k in ids if len({row[k] for row in rows}) < len(rows)] or ids
    single, paired = [[k] for k in ids], [[*documents[:1], k] for k in ids]
    for chosen in (*single, *paired, documents[:1]):
        if chosen and len({(row[system], *(row[k] for k in chosen)) for row in rows}) == len(rows):
            return chosen
    if not ids and not documents:
        what = f"{file} has a row per system and segment, but no column that names the segment."
        raise ReadError(what, file, 1, f"Add a column headed {' or '.join(('segment', 'seg_id', 'id'))}.")
    _refuse_twice(file, documents[:1] + ids[:1], rows, system)
    raise AssertionError("a pair of rows must agree")  # pragma: no cover


def _refuse_twice(file: str, ids: list[int], rows: Sequence[Sequence[str]], system: int) -> None:
    seen: dict[Key, int] = {}
    for i, row in enumerate(rows):
        key = (row[system], *(row[k] for k in ids))
        if key in seen:
            what = f"row {i + 1}: {row[system]} has segment {' '.join(key[1:])} a second time (first in row "
            what += f"{seen[key] + 1})."
            mend = "Give one row per system and segment; several ratings of one segment need a column for the judge."
            raise ReadError(what, file, i + 2, mend)
        seen[key] = i


def _sort_in(table: Long, rows: Sequence[Sequence[str]]) -> None:
    """Files the rows by system and segment, and puts the segments in order."""
    for row in rows:
        key = tuple(row[k] for k in table.ids)
        table.rows.setdefault(row[table.system], {})[key] = row
    keys = dict.fromkeys(key for found in table.rows.values() for key in found)
    table.keys = sorted(keys, key=lambda key: int(key[0])) if _numbered(keys) else list(keys)


def _numbered(keys: Sequence[Key] | dict[Key, None]) -> bool:
    return all(len(key) == 1 and key[0].isascii() and key[0].isdigit() and len(key[0]) < 19 for key in keys)


def _add_column(table: Long, found: Found, k: int, heading: str) -> None:
    lower = heading.lower()
    role = words.role(heading)
    if lower in words.DOCUMENTS | words.DOMAINS or role in ("reference", "source"):
        _add_gold(table, found, k, heading, role)
        return
    filled = [cell for rows in table.rows.values() for cell in (row[k] for row in rows.values()) if cell.strip()]
    if scores.mostly_numbers(filled):
        _add_values(table, found, k, heading, "scores")
    elif lower in words.TEXTS or (lower in words.VALUES and not set(map(str.lower, table.headings)) & words.TEXTS):
        _add_values(table, found, k, heading, "text")
    else:
        found.notices.append(Notice(table.file, f"Column {heading} was not used: it is neither text nor scores."))


def _add_gold(table: Long, found: Found, k: int, heading: str, role: str) -> None:
    """One stream that every system repeats.

    Raises: ReadError where two systems differ.
    """
    cells: dict[Key, str] = {}
    for system, rows in table.rows.items():
        for key, row in rows.items():
            if cells.setdefault(key, row[k]) != row[k]:
                what = f"column {heading}: {system} has another {role} for segment {' '.join(key)} than those before."
                raise ReadError(what, table.file, mend="Every system must repeat the same one.")
    stream = tuple(cells[key] for key in table.keys)
    note = f"a column of a table in long form, {len(stream)} segments"
    if any(cell.strip() for cell in stream):
        found.items.append(Item(heading, role, "text", stream, table.file, note))


def _add_values(table: Long, found: Found, k: int, heading: str, kind: str) -> None:
    measure = heading if kind == "scores" else ""
    for system, rows in table.rows.items():
        missing = [key for key in table.keys if key not in rows]
        if missing and kind == "text":
            first = f"the first is segment {' '.join(missing[0])}"
            what = f"{system} has no row for {len(missing)} of {len(table.keys)} segments; {first}."
            found.problems.append(ReadError(what, table.file, mend="Add the rows; an empty output is an empty cell."))
            continue
        stream = tuple(rows[key][k] if key in rows else "" for key in table.keys)
        note = f"rows of a table in long form, {heading}, {len(stream)} segments"
        name = names.clean(system) or "unnamed"
        if kind == "scores" and not any(cell.strip() for cell in stream):
            found.notices.append(Notice(table.file, f"{name} has no {heading} at all; left out."))
            continue
        if kind == "scores":
            scores.are_scores(table.file, stream, f"{heading} of {name}")
        found.items.append(Item(name, "system", kind, stream, table.file, note, measure=measure))
