"""Workbooks of Excel (.xlsx) and LibreOffice (.ods) as CSV, one for each sheet: their values, within the bounds of what may be
unpacked."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from sigcore.errors import ReadError
from sigcore.readers.contract import Notice

CONTENT, KIND = "content.xml", b"application/vnd.oasis.opendocument.spreadsheet"  # of an OpenDocument
OPEN = frozenset((CONTENT, "mimetype", "META-INF/manifest.xml"))
BOOK, RELATIONS, TEXTS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml"
MOST_COLUMNS = 1_000
MOST_CELLS = 16_000_000  # with the empty ones between others
MOST_ROWS = 1_048_576  # as in Excel
MOST_TAGS = 4_000_000  # of one sheet; each takes some hundred bytes in memory
LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
TRUTHS = {"1": "true", "0": "false"}

Read = Callable[[str], bytes]  # the content of a member, counted; b"" if there is none
SheetRow = dict[int, str]


def sheets(file: str, read: Read) -> tuple[list[tuple[str, bytes]], list[Notice]]:
    """The sheets with cells, as (file, CSV); one sheet has the name of the workbook. Hidden sheets are left out.

    Raises: ReadError for a damaged workbook, and for sheets that are too large.
    """
    texts = [_text(one) for one in _tree(file, read(TEXTS))] if read(TEXTS) else []
    targets = {one.get("Id", ""): one.get("Target", "") for one in _tree(file, read(RELATIONS))}
    found, notices = list[tuple[str, bytes]](), list[Notice]()
    for sheet in _named(_tree(file, read(BOOK)), "sheet"):
        name, target = sheet.get("name", ""), targets.get(sheet.get(LINK, ""), "")
        path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
        if sheet.get("state", "visible") != "visible":
            notices.append(Notice(file, f"Sheet {name} is hidden; it was not used."))
            continue
        content = _csv(_rows(file, _tree(file, read(path)), texts)) if target else b""
        if content:
            found.append((name.replace("/", "-"), content))
    return _as_files(file, found, notices)


def open_sheets(file: str, read: Read) -> tuple[list[tuple[str, bytes]], list[Notice]]:
    """The sheets of an OpenDocument with cells, as `sheets`.

    Raises: ReadError for a damaged document, and for sheets that are too large.
    """
    tables = _named(_tree(file, read(CONTENT)), "table")
    found = [(_attribute(one, "name").replace("/", "-"), _csv(_open_rows(file, one))) for one in tables]
    return _as_files(file, [(name, content) for name, content in found if content], [])


def is_open(read: Read) -> bool:
    """Whether the members of an archive are those of a spreadsheet of LibreOffice."""
    return read("mimetype").strip() == KIND


def _as_files(
    file: str, found: list[tuple[str, bytes]], notices: list[Notice]
) -> tuple[list[tuple[str, bytes]], list[Notice]]:
    """The sheets as (file, CSV); one sheet has the name of the workbook."""
    if not found:
        raise ReadError(f"{file} is a workbook without cells.", file, fix="Save it again, or export it as CSV.")
    shown = ", ".join(name for name, _ in found)
    notices.append(Notice(file, f"It is a workbook; values were read, not formulas. Its sheets: {shown}."))
    if len(found) == 1:
        return [(file, found[0][1])], notices
    return [(f"{file}/{name}.csv", content) for name, content in found], notices


def _tree(file: str, data: bytes) -> ElementTree.Element:
    """The XML of a member; a document type, which could define entities, is refused."""
    if not data or b"<!DOCTYPE" in data or b"<!ENTITY" in data or b"\0" in data[:100]:
        raise _damaged(file)
    if data.count(b"<") > MOST_TAGS:
        raise ReadError(f"{file} has too many cells.", file, fix="Load a smaller table, or export it as CSV.")
    try:
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        raise _damaged(file) from None


def _damaged(file: str) -> ReadError:
    return ReadError(f"{file} is a damaged workbook.", file, fix="Save it again, or export it as CSV.")


def _named(tree: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    """All elements of that name, in any namespace."""
    return (one for one in tree.iter() if one.tag.rpartition("}")[2] == name)


def _text(element: ElementTree.Element) -> str:
    """The text of a shared or inline string; how characters are to be pronounced (rPh) does not belong to it."""
    runs = [part for part in element if part.tag.rpartition("}")[2] in ("t", "r")]
    return "".join(one.text or "" for run in runs for one in _named(run, "t"))


def _rows(file: str, tree: ElementTree.Element, texts: list[str]) -> list[SheetRow]:
    """The cells of each row by column, from 0; empty rows between others are kept."""
    rows = list[SheetRow]()
    for row in _named(tree, "row"):
        number = _number(row.get("r") or str(len(rows) + 1))
        if not len(rows) < number <= MOST_ROWS:
            raise _damaged(file)
        cells = _cells(file, row, texts)
        if cells:
            rows += [SheetRow()] * (number - 1 - len(rows))
            rows.append(cells)
    width = max((max(row) + 1 for row in rows if row), default=0)
    if width * len(rows) > MOST_CELLS:
        raise ReadError(f"{file} has more than {MOST_CELLS:,} cells.", file, fix="Load a smaller table.")
    return rows


def _number(place: str) -> int:
    """The number of a row; 0 for anything else."""
    return int(place) if place.isascii() and place.isdecimal() and len(place) < 8 else 0


def _cells(file: str, row: ElementTree.Element, texts: list[str]) -> SheetRow:
    """The cells of a row that are not empty, by column."""
    cells, column = SheetRow(), -1
    for cell in row:
        named = PLACE.fullmatch(cell.get("r", ""))
        column = (
            _column(named[1]) if named else column + 1
        )  # a cell without a place is behind the one before, also an empty one
        if value := _value(cell, texts):
            cells[column] = value
    if any(column >= MOST_COLUMNS for column in cells):
        message = f"{file} has more than {MOST_COLUMNS:,} columns."
        raise ReadError(message, file, fix="Export the table with one row per segment.")
    return cells


def _column(letters: str) -> int:
    """The place of a column, from 0: A, B ... Z, AA."""
    place = 0
    for letter in letters:
        place = 26 * place + ord(letter) - ord("A") + 1
    return place - 1


def _value(cell: ElementTree.Element, texts: list[str]) -> str:
    """What a cell shows, without its format; "" for an error such as #DIV/0!."""
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return "".join(_text(one) for one in _named(cell, "is"))
    value = next((one.text or "" for one in _named(cell, "v")), "")
    if kind == "s":
        return texts[int(value)] if value.isdecimal() and int(value) < len(texts) else ""
    if kind == "b":
        return TRUTHS.get(value, "")
    return "" if kind == "e" else value


def _csv(rows: list[SheetRow]) -> bytes:
    """The rows as CSV of equal width, without empty rows at the start; b"" without cells."""
    while rows and not rows[0]:
        rows = rows[1:]
    if not rows:
        return b""
    first = min(min(row) for row in rows if row)
    width = max(max(row) + 1 for row in rows if row)
    page = io.StringIO(newline="")
    csv.writer(page, lineterminator="\n").writerows([row.get(k, "") for k in range(first, width)] for row in rows)
    return page.getvalue().encode("utf-8", "surrogatepass")


# OpenDocument: cells and rows that are alike are written once, with a number.

VALUES = ("value", "date-value", "time-value", "boolean-value")


def _open_rows(file: str, table: ElementTree.Element) -> list[SheetRow]:
    """The cells of each row by column, from 0; empty rows between others are kept."""
    rows, empty, width = list[SheetRow](), 0, 0
    for row in _named(table, "table-row"):
        times, cells = _number(_attribute(row, "number-rows-repeated") or "1"), _open_cells(file, row)
        if not cells:
            empty += times
            continue
        number, width = len(rows) + empty + times, max(width, max(cells) + 1)
        if number > MOST_ROWS or number * width > MOST_CELLS:
            raise ReadError(f"{file} has more than {MOST_CELLS:,} cells.", file, fix="Load a smaller table.")
        rows += [*([SheetRow()] * empty), *([cells] * times)]
        empty = 0
    return rows


def _open_cells(file: str, row: ElementTree.Element) -> SheetRow:
    """The cells of a row that are not empty, by column."""
    cells, column = SheetRow(), 0
    for cell in row:
        times = _number(_attribute(cell, "number-columns-repeated") or "1")
        if value := _open_value(cell):
            if column + times > MOST_COLUMNS:
                message = f"{file} has more than {MOST_COLUMNS:,} columns."
                raise ReadError(message, file, fix="Export the table with one row per segment.")
            cells |= dict.fromkeys(range(column, column + times), value)
        column += times
    return cells


def _open_value(cell: ElementTree.Element) -> str:
    """What a cell holds: its value as it was computed, or its text."""
    known = next(filter(None, (_attribute(cell, name) for name in VALUES)), "")
    return known or "\n".join("".join(one.itertext()) for one in cell if one.tag.rpartition("}")[2] == "p")


def _attribute(element: ElementTree.Element, name: str) -> str:
    """The attribute of that name, in any namespace; "" without it."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")
