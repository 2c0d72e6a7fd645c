"""Rows as the sheets of a workbook (XLSX)."""

from __future__ import annotations

import datetime
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from sigcore import __version__

MOST_LETTERS = 32_000  # a cell holds at most 32,767
# the same rows give the same bytes on any day
WRITTEN = datetime.datetime(1980, 1, 1)


def workbook(sheets: Mapping[str, Sequence[Mapping[str, Any]]]) -> bytes:
    """A sheet for each name. Names are always texts, never formulas or links; undefined numbers are empty cells."""
    import xlsxwriter

    file = io.BytesIO()
    choices = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(file, choices)
    book.set_properties({"created": WRITTEN, "comments": f"Sigboard {__version__}"})
    bold = book.add_format({"bold": True})
    for name, rows in sheets.items():
        _sheet(book, bold, name, rows)
    book.close()
    return file.getvalue()


def _sheet(book: Any, bold: Any, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """A sheet with a bold header that stays when the sheet is scrolled."""
    sheet = book.add_worksheet(name)
    header = list(rows[0]) if rows else []
    for column, title in enumerate(header):
        sheet.write_string(0, column, _text(title), bold)
        longest = max((len(str(row[title])) for row in rows if isinstance(row[title], str)), default=0)
        sheet.set_column(column, column, min(max(len(title), longest, 8) + 2, 60))
    for k, row in enumerate(rows, start=1):
        for column, value in enumerate(row.values()):
            if isinstance(value, str):
                sheet.write_string(k, column, _text(value))
            elif value is not None and math.isfinite(value):
                sheet.write_number(k, column, value)
    sheet.freeze_panes(1, 1)


def _text(text: str) -> str:
    # XML holds neither lone surrogates nor the other characters that nobody sees
    return "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in text)[:MOST_LETTERS]
