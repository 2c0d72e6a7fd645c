"""CSV: as TSV, but parted by comma or semicolon, and with quotes that hold cells together."""

from __future__ import annotations

import csv
import io

from sigcore.errors import ReadError
from sigcore.readers import headings, names, tables
from sigcore.readers.contract import BY_LOOK, BY_NAME, NO, Content, Found, Options, Reader
from sigcore.readers.names import clean

LONGEST_CELL = 1 << 28  # the csv module refuses cells over 128 kB by itself
HEADS = tables.WELL_KNOWN | headings.VALUES


def _looks(content: Content) -> int:
    if names.guess_role(content.file) == "ignored":
        return NO
    if content.suffix == "csv":
        return BY_NAME
    head = content.lines[0]
    found = max((_cells(head, mark) for mark in ",;"), key=len)
    known = sum(clean(cell).lower() in HEADS for cell in found)
    return BY_LOOK if known >= 2 and len(content.lines) > 1 else NO


def _cells(line: str, mark: str) -> list[str]:
    return [cell.strip('"') for cell in line.split(mark)]


def _read(content: Content, options: Options) -> Found:
    file, head = content.file, content.lines[0]
    mark = ";" if len(_cells(head, ";")) > len(_cells(head, ",")) else ","
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(content.text, newline=""), delimiter=mark, strict=True)
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
        mend = "A cell with quotes inside needs them doubled; every opened quote must be closed."
        raise ReadError(f"From line {before + 1} on it is no CSV: {error}.", file, before + 1, mend) from None
    _refuse_ragged(file, rows, starts)
    return tables.read_table(file, rows)


def _refuse_ragged(file: str, rows: list[list[str]], starts: list[int]) -> None:
    if not rows:
        raise ReadError(f"{file} has no rows.", file, mend="Load the whole table.")
    odd = next((i for i, row in enumerate(rows) if len(row) != len(rows[0])), None)
    if odd is not None:
        what = f"{file}: line {starts[odd]} has {len(rows[odd])} cells, line 1 has {len(rows[0])}."
        mend = "Give every row the same number of cells; a cell with a comma in it needs quotes."
        raise ReadError(what, file, starts[odd], mend)


READER = Reader(
    name="csv",
    title="table (CSV)",
    kinds=("text", "scores"),
    looks=_looks,
    read=_read,
    help="A column per system, reference or score, or a row per system and segment; quotes hold cells together.",
    example=("scores.csv", "system,segment,comet\nOne,1,0.81\nOne,2,0.64\nTwo,1,0.79\nTwo,2,0.70\n"),
)
