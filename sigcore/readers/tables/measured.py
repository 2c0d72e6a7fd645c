"""A table whose rows name what they measure: each measure becomes a separate table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sigcore.readers import names
from sigcore.readers.contract import Found, Item
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.types import Kind, Role

ENDS = ("_score", "_scores", " score")  # SYSTEM_score beside SYSTEM holds the scores of its output


def by_measure(table: Table, column: int, result: Found, read: Callable[[Table, Found], Found]) -> Found:
    """The streams of each measure in a column, read by `read` and added to `result`; what all of them repeat once.

    Raises: ReadError for a row that names no measure.
    """
    table.refuse_nameless(column, "measure")
    parts: dict[str, list[int]] = {}
    for i, row in enumerate(table.rows):
        parts.setdefault(row[column], []).append(i)
    for measure, places in parts.items():
        part = read(_part(table, places, column), Found())
        known = [_stream(item) for item in result.items if item.kind != "scores"]
        new = [item for item in part.items if _stream(item) not in known]
        part.items = [_called(item, names.clean(measure), table.headings) for item in new]
        part.notices = [notice for notice in part.notices if notice not in result.notices]
        result.add(part)
    return result


def _stream(item: Item) -> tuple[Role, Kind, str, tuple[str, ...]]:
    """The parts by which two streams of a table are equal."""
    return item.role, item.kind, item.name, item.segments


def _part(table: Table, places: Sequence[int], without: int) -> Table:
    """Some rows of a table, without a column."""

    def cut(cells: Sequence[str]) -> list[str]:
        return [cell for k, cell in enumerate(cells) if k != without]

    rows = [cut(table.rows[i]) for i in places]
    return replace(table, headings=cut(table.headings), rows=rows, places=[table.places[i] for i in places])


def paired(items: Sequence[Item]) -> list[Item]:
    """The items; scores in a column SYSTEM_score beside the outputs in SYSTEM are those of that system."""
    outputs = {item.name for item in items if item.role == "system" and item.kind == "text"}
    return [replace(item, name=_owner(item.name)) if _is_of(item, outputs) else item for item in items]


def _is_of(item: Item, outputs: set[str]) -> bool:
    return item.kind == "scores" and item.role == "system" and _owner(item.name) in outputs


def _owner(name: str) -> str:
    return next((name.removesuffix(end) for end in ENDS if name.endswith(end)), name)


def _called(item: Item, measure: str, headings: Sequence[str]) -> Item:
    """The item; scores get the measure that their rows name."""
    if item.kind != "scores":
        return item
    # a measure that no column has is only the name of the file
    plain = item.measure not in headings or words.is_value(item.measure)
    return replace(item, measure=measure if plain else f"{measure} {item.measure}")
