"""Results as CSV, LaTeX and Markdown; what they hold is described by the fields of `sigcore.results`."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sigcore.results import (
    Fields,
    Row,
    compare_rows,
    decision,
    gain_rows,
    grid_rows,
    matrix_rows,
    printed,
    scores_rows,
)

__all__ = [
    "NEEDS",
    "SPECIAL",
    "Finished",
    "Row",
    "as_latex",
    "as_markdown",
    "compare_rows",
    "decision",
    "gain_rows",
    "grid_rows",
    "latex_escape",
    "latex_table",
    "markdown_escape",
    "markdown_table",
    "matrix_rows",
    "rows_table",
    "scores_rows",
    "spanning",
    "to_csv",
]

# The columns with text from users; only these can contain a spreadsheet formula.
NAMES = (
    "system",
    "baseline",
    "group",
    "pair_class",
    "judge",
    "segment",
    "document",
    "dimension",
    "set",
    "task",
    "method",
    "file",
    "name",
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as CSV (RFC 4180: CRLF, quotes doubled), "" if there are none; undefined and infinite numbers are empty.

    A spreadsheet runs a cell that starts with = + - or @ as a formula. Such a cell gets an apostrophe in front, but
    only if it is a name (the columns NAMES) or a heading: numbers keep their minus sign.
    """
    if not rows:
        return ""
    page = io.StringIO(newline="")
    writer = csv.writer(page, lineterminator="\r\n")
    columns = list(rows[0])
    writer.writerow([_safe(column) for column in columns])
    for row in rows:
        writer.writerow([_value(column, row[column]) for column in columns])
    return page.getvalue()


def _value(column: str, value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    return _safe(value) if column in NAMES and isinstance(value, str) else value


def _safe(name: str) -> str:
    return f"'{name}" if name.startswith(FORMULA) else name


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
) -> str:
    r"""A floating table; the first column is aligned to the left, all others to the right.

    Cells (unless they are `Finished`) and caption are plain text. `above` is a finished header line (with \multicolumn)
    over the header; `rules` are the rows, counted from 0, that a thin line follows.
    """
    lines = [
        NEEDS,
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}",
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


def rows_table(rows: Sequence[Mapping[str, Any]], caption: str) -> str:
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
