"""A matrix of scores, documents by systems, from CSV or TSV; every bad cell is reported with its row and column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from sigcore.errors import ReadError, SigError
from sigcore.formatting import count
from sigcore.readers import lines, names
from sigcore.readers.tables import cells, numbers
from sigcore.readers.tables import headings as words
from sigcore.score_matrix import ScoreMatrix
from sigcore.types import Better, Floats

SETS = frozenset(("set", "docset", "documentset"))  # normalised headings
SHOWN = 10  # problems shown one by one


def read_matrix(
    file: str, data: bytes, humans: Sequence[str] = (), better: Better = "higher", title: str = ""
) -> ScoreMatrix:
    """The matrix in a file: the first column names the documents, the header names the systems.

    A cell that is empty, or NA, is a missing score. A column headed set (or docset, document_set) names the set of each
    document. TAB, semicolon or comma separates the cells. `title` says what the scores are (by default the name of
    the file).
    Raises: SigError with every problem at once: rows of unequal length, cells that are not numbers, repeated names.
    """
    header, rows = _rows(file, lines.decode(file, data)[0])
    _refuse([*_header_faults(file, header), *cells.ragged(rows, len(header))])
    sets = _set_columns(header)[:1]
    columns = [k for k in range(1, len(header)) if k not in sets]
    documents = [names.clean(row[0]) for row in rows.cells]
    _refuse(_document_faults(rows, documents) + _bad_cells(rows, header, columns))
    name = names.display_name(file).removesuffix(".csv")
    return ScoreMatrix(
        name=name,
        documents=tuple(documents),
        systems=tuple(header[k] for k in columns),
        values=_values(rows, columns),
        humans=tuple(humans),
        sets=tuple(names.clean(row[k]) for row in rows.cells for k in sets),
        better=better,
        title=title or name,
    )


def _set_columns(header: Sequence[str]) -> list[int]:
    return [k for k, name in enumerate(header) if k and words.normalised(name) in SETS]


def _rows(file: str, text: str) -> tuple[list[str], cells.Rows]:
    """The header, and the non-empty rows below it.

    Raises: ReadError if there are no such rows, or no systems.
    """
    mark = cells.mark_of(text.partition("\n")[0], blanks=False)
    rows = cells.quoted_rows(file, text, mark)
    rows = rows.kept([i for i, row in enumerate(rows.cells) if any(cell.strip() for cell in row)])
    if len(rows.cells) < 2 or len(rows.cells[0]) < 2:
        fix = "Give a header with the systems, and a row for each document: its name, then one score per system."
        raise ReadError(f"{file} contains no matrix of scores.", file, None if rows.cells else 1, fix)
    return [names.clean(cell) for cell in rows.cells[0]], rows.kept(range(1, len(rows.cells)))


def _header_faults(file: str, header: Sequence[str]) -> list[SigError]:
    faults: list[SigError] = []
    for k, name in enumerate(header[1:], start=2):
        if not name:
            faults.append(ReadError(f"Column {k} has no name.", file, 1, "Name the system above its scores."))
    for name, times in Counter(name for name in header[1:] if name).items():
        if times > 1:
            faults.append(
                ReadError(f"{count(times, 'column')} are named {name!r}.", file, 1, "Give each system its own name.")
            )
    if all(numbers.is_number(name) for name in header[1:]):
        faults.append(
            ReadError("The first line contains numbers, not names.", file, 1, "Add a line with the systems' names.")
        )
    return faults


def _document_faults(rows: cells.Rows, documents: Sequence[str]) -> list[SigError]:
    """Documents without a name, or with a repeated name."""
    first: dict[str, int] = {}
    faults: list[SigError] = []
    for line, name in zip(rows.lines, documents, strict=True):
        if not name:
            faults.append(ReadError("The document has no name.", rows.file, line, "Name it in the first column."))
        elif first.setdefault(name, line) != line:
            message = f"The document {name!r} appears twice, first in line {first[name]}."
            faults.append(ReadError(message, rows.file, line, "Give each document one row."))
    return [*faults, *numbers.found(rows.file, documents, rows.lines)]


def _bad_cells(rows: cells.Rows, header: Sequence[str], columns: Sequence[int]) -> list[SigError]:
    """A problem for each cell that is neither a number nor missing."""
    fix = "Write a finite number with a decimal point, or leave the cell empty if there is no score."
    return [
        ReadError(
            f"Row {names.clean(row[0])!r}, column {header[k]!r}: {row[k][:40]!r} is not a number.", rows.file, line, fix
        )
        for line, row in zip(rows.lines, rows.cells, strict=True)
        for k in columns
        if not numbers.is_number(row[k]) and not numbers.is_missing(row[k])
    ]


def _values(rows: cells.Rows, columns: Sequence[int]) -> Floats:
    return np.array([[_number(row[k]) for k in columns] for row in rows.cells], dtype=np.float64)


def _number(cell: str) -> float:
    return float("nan") if numbers.is_missing(cell) else float(cell)


def _refuse(problems: Sequence[SigError]) -> None:
    """Raise the problems, if there are any, as one error."""
    if problems:
        raise _together(problems)


def _together(problems: Sequence[SigError]) -> SigError:
    """The problems as one, the first of them in full."""
    if len(problems) == 1:
        return problems[0]
    shown = [str(problem) for problem in problems[:SHOWN]]
    more = [f"... and {len(problems) - SHOWN} more."] if len(problems) > SHOWN else []
    return SigError("\n".join([*shown, *more]))
