"""LaTeX: escaped text, and tables with the rules of booktabs."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

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


def escape(text: str) -> str:
    """The text, escaped so that LaTeX prints it literally; control characters become blanks."""
    return "".join(SPECIAL.get(letter, letter if letter.isprintable() else " ") for letter in text)


class Finished(str):
    """A cell that is LaTeX already and is not escaped."""


def table(
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
        rf"\caption{{{escape(caption)}}}",
        rf"\label{{{label}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def rows_table(rows: Sequence[Mapping[str, Any]], caption: str) -> str:
    """The rows as a floating table, numbers with four digits; undefined ones are n/a."""
    names = list(rows[0]) if rows else ["no rows"]
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    return table([name.replace("_", " ") for name in names], cells, caption, "tab:results")


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}" if math.isfinite(value) else "n/a"
    return "n/a" if value is None else str(value)


def spanning(cells: Sequence[tuple[str, int]]) -> str:
    """A header line of (text, number of columns) cells, with a thin rule under those that span several columns."""
    parts, rules, column = [], [], 1
    for text, width in cells:
        parts.append(escape(text) if width == 1 else rf"\multicolumn{{{width}}}{{c}}{{{escape(text)}}}")
        if width > 1:
            rules.append(rf"\cmidrule(lr){{{column}-{column + width - 1}}}")
        column += width
    return " & ".join(parts) + r" \\" + (f"\n{' '.join(rules)}" if rules else "")


def _line(cells: Sequence[str]) -> str:
    line = " & ".join(cell if isinstance(cell, Finished) else escape(cell) for cell in cells) + r" \\"
    # after the \\ of the previous line, LaTeX would read a star or a bracket as an argument
    return "{}" + line if line.startswith(("[", "*")) else line
