"""Which columns of a table in long form name its segments."""

from __future__ import annotations

from collections.abc import Iterable

from sigcore.errors import ReadError
from sigcore.readers.tables.table import Table


def id_columns(table: Table, system: int) -> list[int]:
    """The columns that identify segments within a system: the ids, with the documents if these are needed."""
    ids, documents = _shared(table, system), table.where("document")[:1]
    choices = [[k] for k in ids] + [[*documents, k] for k in ids] + [documents]
    for chosen in filter(None, choices):
        if table.differ([system, *chosen]):
            return chosen
    if not ids and not documents:
        message = f"{table.file} has a row per system and segment, but no column that names the segment."
        raise ReadError(message, table.file, 1, "Add a column headed segment or seg_id or id.")
    raise _twice(table, documents + ids[:1], system)


def _shared(table: Table, system: int) -> list[int]:
    """The columns that may name segments, without those whose value differs in every row: two systems would share
    none. All of them if none would be left.

    Raises: ReadError if each system has one row.
    """
    ids = _candidates(table)
    shared = [k for k in ids if table.repeats(k)]
    if not shared and len(table.rows) > 1 and not table.repeats(system):
        message = f"{table.file} has one row per system: scores of whole systems, not of segments."
        raise ReadError(message, table.file, 1, "Load the scores of every segment: tests need them.")
    return shared or ids


def _candidates(table: Table) -> list[int]:
    """The columns that may name segments: item, question and the like if they contain whole numbers, or nothing else
    could name the segment."""
    ids, perhaps = table.where("segment"), table.where("perhaps segment")
    whole = [k for k in perhaps if are_whole(table.column(k))]
    return ids + whole if ids or whole or table.where("document") else perhaps


def are_whole(cells: Iterable[str]) -> bool:
    """Whether the cells are whole numbers without a sign."""
    return all(cell.isascii() and cell.isdigit() for cell in cells)


def _twice(table: Table, ids: list[int], system: int) -> ReadError:
    """The error for the first row that repeats a segment of its system."""
    seen: dict[tuple[str, ...], int] = {}
    for i, row in enumerate(table.rows):
        key = (row[system], *(row[k] for k in ids))
        first = seen.setdefault(key, i)
        if first != i:
            segment = " ".join(key[1:])
            message = f"row {i + 1}: {row[system]} has segment {segment} a second time (first in row {first + 1})."
            return ReadError(message, table.file, table.places[i], _fix_twice(table))
    raise AssertionError("a pair of rows must agree")  # pragma: no cover


def _fix_twice(table: Table) -> str:
    judges = table.where("judge")
    if judges:
        return f"The column {table.headings[judges[0]]} names judges: read the file as ratings by people."
    return (
        "Give one row per system and segment; several ratings of one segment need a column for the judge, headed "
        "judge, annotator, rater, worker or user."
    )
