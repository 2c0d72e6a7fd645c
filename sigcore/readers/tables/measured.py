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
    """The streams of each measure in a column, read by `read` and added to `result`; what all of them repeat once."""
    parts: dict[str, list[int]] = {}
    for i, row in enumerate(table.rows):
        parts.setdefault(row[column], []).append(i)
    for measure, places in parts.items():
        part = read(_part(table, places, column), Found())
        outputs = {item.name for item in part.items if item.kind == "text"}
        known = [_stream(item) for item in result.items if item.kind != "scores"]
        new = [item for item in part.items if _stream(item) not in known]
        part.items = [_called(item, names.clean(measure), outputs, table.headings) for item in new]
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


def _called(item: Item, measure: str, outputs: set[str], headings: Sequence[str]) -> Item:
    """The item; scores get the measure that their rows name, and the system whose outputs are in the column beside them."""
    if item.kind != "scores":
        return item
    own = next((item.name.removesuffix(end) for end in ENDS if item.name.endswith(end)), item.name)
    if own in outputs:
        return replace(item, name=own, measure=measure)
    # a measure that no column has is only the name of the file
    plain = item.measure not in headings or words.is_value(item.measure)
    return replace(item, measure=measure if plain else f"{measure} {item.measure}")
