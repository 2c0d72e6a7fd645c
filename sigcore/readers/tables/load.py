"""A file of ratings or errors to a table with headings, with any separator or from JSON records."""

from __future__ import annotations

from sigcore.readers import names
from sigcore.readers.contract import Content, Notice
from sigcore.readers.tables import cells, records
from sigcore.readers.tables.cells import Rows
from sigcore.readers.tables.numbers import is_number
from sigcore.readers.tables.table import Table


def first_rows(content: Content) -> tuple[list[str], list[str]]:
    """The headings and the first row below them, as far as the first lines show them; ([], []) if they show none."""
    if records.are_records(content):
        return records.first_headings(content), []
    first, second = (*content.lines[:2], "")[:2]
    if len(first) > cells.LONGEST_HEAD:
        return [], []
    mark = cells.mark_of(first)
    headings, row = (cells.cut(line[: cells.LONGEST_HEAD], mark) for line in (first, second))
    return ([], []) if mark == " " and not _is_blank_separated(content, len(headings)) else (headings, row)


def _is_blank_separated(content: Content, width: int) -> bool:
    """Whether spaces separate cells and not words: the first rows have equally many, with a number among them."""
    rows = [line.split() for line in content.lines[1 : cells.LOOKED_AT] if line.strip()]
    return bool(rows) and all(len(row) == width for row in rows) and any(map(is_number, rows[0]))


def table(content: Content) -> tuple[Table, list[Notice]]:
    """The table in a file that has headings, and notices on how it was read.

    Raises: ReadError for rows of unequal length, a quoted cell without an end, and text that is not JSON.
    """
    if records.are_records(content):
        return records.read(content)
    rows = cells.rows(content, cells.mark_of(content.lines[0])).without_blank()
    if not rows.cells:
        return Table(content.file, [], [], []), []
    rows, mixed = _without_mixture(content, rows)
    cells.refuse_ragged(rows)
    rows, notices = cells.without_margins(rows)
    notices = [*mixed, *notices]
    return Table(content.file, list(map(names.clean, rows.cells[0])), rows.cells[1:], rows.lines[1:]), notices


def _without_mixture(content: Content, rows: Rows) -> tuple[Rows, list[Notice]]:
    """The rows; if TABs alone give them different numbers of cells, but TABs and spaces equal ones, cut at both (noted)."""
    if rows.mark != "\t" or all(len(row) == len(rows.cells[0]) for row in rows.cells):
        return rows, []
    used = [(number, line.split()) for number, line in enumerate(content.lines, 1) if line.strip()]
    if len({len(row) for _, row in used}) > 1:
        return rows, []
    message = "Its cells are separated by TABs and by spaces; it was cut at both."
    cut = Rows(rows.file, " ", [row for _, row in used], [number for number, _ in used])
    return cut, [Notice(content.file, message)]
