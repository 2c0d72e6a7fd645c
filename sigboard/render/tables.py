"""Results as CSV, LaTeX and Markdown; what they hold is described by the fields of `sigcore.results`."""

from __future__ import annotations

import csv
import datetime
import io
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore import MatrixResult, SigError, __version__
from sigcore.formatting import visible
from sigcore.results import Fields, Places, pair_fields, places, printed
from sigcore.storage import archive
from sigcore.types import Json

FORMULA = ("=", "+", "-", "@", "\t", "\r")
# What begins like a formula and is none: a number, or the signs of a verdict.
HARMLESS = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?%?|\++|-+")


def to_csv(rows: Sequence[Mapping[str, Json]]) -> str:
    """The rows as CSV (RFC 4180: CRLF, quotes doubled), "" if there are none; undefined and infinite numbers are empty.

    A spreadsheet runs a cell that starts with = + - or @ as a formula. Such a cell gets an apostrophe in front, in any
    column; numbers keep their minus sign.
    """
    if not rows:
        return ""
    page = io.StringIO(newline="")
    writer = csv.writer(page, lineterminator="\r\n")
    columns = list(rows[0])
    writer.writerow([_safe(column) for column in columns])
    for row in rows:
        writer.writerow([_value(row[column]) for column in columns])
    return page.getvalue()


def _value(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    return _safe(value) if isinstance(value, str) else value


def _safe(name: str) -> str:
    return f"'{name}" if name.startswith(FORMULA) and not HARMLESS.fullmatch(name) else name


# Columns of numbers in one file, without a text in between: a thousand systems have half a million pairs.

PORTION = 1 << 18  # pairs whose columns are in memory at once


@dataclass(frozen=True, eq=False)
class Column:
    """A column (P,) of the pairs, made a portion at a time: the texts of millions of pairs are gigabytes."""

    portions: tuple[Places, ...]
    value: Callable[[Places], NDArray[np.generic]]

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The kind of its numbers, or of its longest text."""
        return np.result_type(*(self.value(portion.none) for portion in self.portions))

    def __len__(self) -> int:
        return sum(len(portion.row) for portion in self.portions)

    def __iter__(self) -> Iterator[NDArray[np.generic]]:
        return (self.value(portion).astype(self.dtype, copy=False) for portion in self.portions)


Columns = Mapping[str, Column]


def pair_columns(
    results: Sequence[MatrixResult], alpha: float, said: Sequence[str] = ("metric", "test"), most: int = PORTION
) -> Columns:
    """The pairs of all results in columns (P,), what is `said` of each setup first: the columns of the CSV. At `most` so
    many pairs are made at once."""
    portions = tuple(part for result in results for part in places(result, alpha).portions(most))
    named = {name: partial(_said, name) for name in said}
    values = named | {field.name: field.value for field in pair_fields(results[0])}
    return {name: Column(portions, value) for name, value in values.items()}


def _said(name: str, pairs: Places) -> NDArray[np.str_]:
    return np.full(len(pairs.row), getattr(pairs.result.setup, name))


def to_parquet(columns: Columns) -> bytes:
    """The columns as a Parquet file; undefined numbers are null. Raises: SigError where pyarrow is missing."""
    needs_pyarrow()
    import pyarrow
    from pyarrow import parquet

    file, writer = io.BytesIO(), None
    for portion in zip(*columns.values(), strict=True):
        arrays = [pyarrow.array(values, from_pandas=True) for values in portion]
        table = pyarrow.table(dict(zip(columns, arrays, strict=True)))
        writer = writer or parquet.ParquetWriter(file, table.schema, compression="zstd")
        writer.write_table(table)
    if writer is not None:
        writer.close()
    return file.getvalue()


def needs_pyarrow() -> None:
    """Raise SigError where pyarrow is missing."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise SigError("Parquet needs pyarrow, which is not installed.", "", "Write --npz, or install it.") from None


BINARY: Mapping[str, Callable[[Columns], bytes]] = {"parquet": to_parquet, "npz": archive.write_columns}

# LaTeX: escaped text, and tables with the rules of booktabs.

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}
NEEDS = r"% needs \usepackage{booktabs}"


def latex_escape(text: str) -> str:
    """The text, escaped so that LaTeX prints it literally; control characters become blanks."""
    return "".join(SPECIAL.get(letter, letter if letter.isprintable() else " ") for letter in text)


class Finished(str):
    """A cell that is LaTeX already and is not escaped."""


def latex_table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    caption: str,
    label: str,
    above: str = "",
    rules: Collection[int] = (),
    columns: str = "",
) -> str:
    r"""A floating table; the first column is aligned to the left, all others to the right, unless `columns` says how.

    Cells (unless they are `Finished`) and caption are plain text. `above` is a finished header line (with \multicolumn)
    over the header; `rules` are the rows, counted from 0, that a thin line follows.
    """
    lines = [
        NEEDS,
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{{columns or 'l' + 'r' * (len(header) - 1)}}}",
        r"\toprule",
        *([above] if above else []),
        _line(header),
        r"\midrule",
        *(line for k, row in enumerate(rows) for line in (_line(row), *([r"\midrule"] if k in rules else []))),
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{latex_escape(caption)}}}",
        rf"\label{{{label}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def as_latex(fields: Fields, items: Sequence[Any], caption: str, label: str, **words: Any) -> str:
    """The printed columns of these fields as a floating table; `words` are those that headings hold."""
    table = printed(fields, items, **words)
    return latex_table(table.head, table.cells, caption, label)


def rows_table(rows: Sequence[Mapping[str, Json]], caption: str) -> str:
    """The rows as a floating table, numbers with four digits; undefined ones are n/a."""
    names = list(rows[0]) if rows else ["no rows"]
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    return latex_table([name.replace("_", " ") for name in names], cells, caption, "tab:results")


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}" if math.isfinite(value) else "n/a"
    return "n/a" if value is None else str(value)


def spanning(cells: Sequence[tuple[str, int]]) -> str:
    """A header line of (text, number of columns) cells, with a thin rule under those that span several columns."""
    parts, rules, column = [], [], 1
    for text, width in cells:
        parts.append(latex_escape(text) if width == 1 else rf"\multicolumn{{{width}}}{{c}}{{{latex_escape(text)}}}")
        if width > 1:
            rules.append(rf"\cmidrule(lr){{{column}-{column + width - 1}}}")
        column += width
    return " & ".join(parts) + r" \\" + (f"\n{' '.join(rules)}" if rules else "")


def _line(cells: Sequence[str]) -> str:
    line = " & ".join(cell if isinstance(cell, Finished) else latex_escape(cell) for cell in cells) + r" \\"
    # after the \\ of the previous line, LaTeX would read a star or a bracket as an argument
    return "{}" + line if line.startswith(("[", "*")) else line


# Markdown: escaped text, and tables as GitHub and most editors show them.


def markdown_escape(text: str) -> str:
    """The text, escaped so that Markdown shows it literally; control characters become blanks."""
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    return re.sub(r"([\\`*_{}\[\]<>#+!|&$~:])", r"\\\1", clean)


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are Markdown already; the first column is aligned to the left, all others to the right."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "".join(f"| {' | '.join(line)} |\n" for line in (header, rule, *rows))


def as_markdown(fields: Fields, items: Sequence[Any], **words: Any) -> str:
    """The printed columns of these fields as a table; `words` are those that headings hold."""
    table = printed(fields, items, **words)
    head, *lines = ([markdown_escape(cell) for cell in line] for line in (table.head, *table.cells))
    return markdown_table(head, lines)


# A workbook (XLSX) of rows.

MOST_LETTERS = 32_000  # a cell holds at most 32,767
# the same rows give the same bytes on any day
WRITTEN = datetime.datetime(1980, 1, 1)


def workbook(sheets: Mapping[str, Sequence[Mapping[str, Json]]]) -> bytes:
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


def _sheet(book: Any, bold: Any, name: str, rows: Sequence[Mapping[str, Json]]) -> None:
    """A sheet with a bold header that stays when the sheet is scrolled."""
    sheet = book.add_worksheet(name)
    header = list(rows[0]) if rows else []
    for column, title in enumerate(header):
        sheet.write_string(0, column, _shown(title), bold)
        longest = max((len(str(row[title])) for row in rows if isinstance(row[title], str)), default=0)
        sheet.set_column(column, column, min(max(len(title), longest, 8) + 2, 60))
    for k, row in enumerate(rows, start=1):
        for column, value in enumerate(row.values()):
            if isinstance(value, str):
                sheet.write_string(k, column, _shown(value))
            elif isinstance(value, int | float) and math.isfinite(value):
                sheet.write_number(k, column, value)
    sheet.freeze_panes(1, 1)


def _shown(text: str) -> str:
    # XML holds neither lone surrogates nor control characters
    return visible(text, "\t\n")[:MOST_LETTERS]
