"""CSV: as TSV, but separated by comma or semicolon, and with quotes that hold cells together."""

from __future__ import annotations

import csv
import io

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.contract import BY_LOOK, BY_NAME, NO, Content, Found, Notice, Options, Reader
from sigcore.readers.names import clean
from sigcore.readers.tables import headings
from sigcore.readers.tables import wide as tables

LONGEST_CELL = 1 << 28  # the csv module refuses cells over 128 kB by itself
LOOKED_AT = 50  # lines
HEADS = tables.WELL_KNOWN | headings.VALUES


def _looks(content: Content) -> int:
    if names.guess_role(content.file) == "ignored":
        return NO
    if content.suffix == "csv":
        return BY_NAME
    head = content.lines[0]
    mark = _mark(head)
    known = sum(clean(cell).lower() in HEADS for cell in _cells(head, mark))
    return BY_LOOK if known >= 2 and len(content.lines) > 1 and _even(content, mark) else NO


def _mark(head: str) -> str:
    return ";" if len(_cells(head, ";")) > len(_cells(head, ",")) else ","


def _cells(line: str, mark: str) -> list[str]:
    return [cell.strip('"') for cell in line.split(mark)]


def _even(content: Content, mark: str) -> bool:
    """Whether most of the first rows have as many cells as the first: a text whose first line lists words has not."""
    reader = csv.reader(io.StringIO("\n".join(content.lines[:LOOKED_AT]), newline=""), delimiter=mark)
    try:
        widths = [len(row) for row in reader if row]
    except csv.Error:
        return False
    return 2 * sum(width == widths[0] for width in widths[1:]) > len(widths) - 1


def _read(content: Content, options: Options) -> Found:
    file = content.file
    csv.field_size_limit(LONGEST_CELL)
    source = io.StringIO(content.text, newline="")
    reader = csv.reader(source, delimiter=_mark(content.lines[0]), strict=True)
    rows: list[list[str]] = []
    starts: list[int] = []
    before = 0
    try:
        for row in reader:
            if row:  # a blank line is no row; the count of rows is checked against the other files
                rows.append(row)
                starts.append(before + 1)
            before = reader.line_num
    except csv.Error as error:
        fix = "A cell with quotes inside needs them doubled; every opened quote must be closed."
        raise ReadError(f"From line {before + 1} on it is no CSV: {error}.", file, before + 1, fix) from None
    _refuse_ragged(file, rows, starts)
    told = _cut_blank(file, rows)
    found = tables.read_table(file, rows, starts[: len(rows)])
    found.notices[:0] = told
    return found


def _cut_blank(file: str, rows: list[list[str]]) -> list[Notice]:
    """Takes off what spreadsheets leave behind a table: columns without any cell, and (told) rows without any."""
    width = max((k + 1 for row in rows for k, cell in enumerate(row) if cell.strip()), default=0)
    if width < 2:  # a single column is text, where an empty cell is an empty segment
        return []
    rows[:] = [row[:width] for row in rows]
    n = max(i + 1 for i, row in enumerate(rows) if any(cell.strip() for cell in row))
    blank, rows[n:] = len(rows) - n, []
    told = f"{blank} row{'s' if blank > 1 else ''} of empty cells at its end were left out."
    return [Notice(file, told)] if blank else []


def _refuse_ragged(file: str, rows: list[list[str]], starts: list[int]) -> None:
    if not rows:
        raise ReadError(f"{file} has no rows.", file, fix="Load the whole table.")
    odd = next((i for i, row in enumerate(rows) if len(row) != len(rows[0])), None)
    if odd is not None:
        what = f"{file}: line {starts[odd]} has {len(rows[odd])} cells, line 1 has {len(rows[0])}."
        fix = "Give every row the same number of cells; a cell with a comma in it needs quotes."
        raise ReadError(what, file, starts[odd], fix)


READER = Reader(
    name="csv",
    title="table (CSV)",
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    help="A column per system, reference or score, or a row per system and segment; quotes hold cells together.",
    example=("scores.csv", "system,segment,comet\nOne,1,0.81\nOne,2,0.64\nTwo,1,0.79\nTwo,2,0.70\n"),
)
