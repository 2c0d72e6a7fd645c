"""A matrix of scores, documents by systems, from CSV or TSV; every bad cell is told with its row and column."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence

import numpy as np

from sigcore.errors import ReadError, SigError
from sigcore.readers import lines, names
from sigcore.readers.tables import numbers as scores
from sigcore.score_matrix import ScoreMatrix

SETS = frozenset(("set", "docset", "doc_set", "document_set", "documentset"))
TOLD = 10  # bad cells told one by one


def read_matrix(
    file: str, data: bytes, humans: Sequence[str] = (), better: str = "higher", title: str = ""
) -> ScoreMatrix:
    """The matrix in a file: the first column names the documents, the header names the systems.

    A cell that is empty, or NA, is a missing score. A column headed set (or docset, document_set) names the set of each
    document. A file whose header has a TAB is cut at TABs, any other at commas. `title` says what the scores are (their
    file's name where it is not given).
    Raises: SigError with every problem at once: rows of unequal length, cells that are no numbers, names given twice.
    """
    text, _ = lines.decode(file, data)
    rows = _rows(file, text)
    header = [names.clean(cell) for cell in rows[0][1]]
    problems = _header_faults(file, header) + _ragged(file, rows[1:], len(header))
    if problems:
        raise _together(problems)
    grouping = next((k for k, name in enumerate(header) if k and name.lower() in SETS), None)
    columns = [k for k in range(1, len(header)) if k != grouping]
    documents = [names.clean(row[0]) for _, row in rows[1:]]
    problems = _twice(file, rows[1:], documents) + _bad_cells(file, rows[1:], header, columns)
    if problems:
        raise _together(problems)
    name = names.display_name(file).removesuffix(".csv")
    values = [[_number(row[k]) for k in columns] for _, row in rows[1:]]
    return ScoreMatrix(
        name=name,
        documents=tuple(documents),
        systems=tuple(header[k] for k in columns),
        values=np.array(values, dtype=np.float64),
        humans=tuple(humans),
        sets=() if grouping is None else tuple(names.clean(row[grouping]) for _, row in rows[1:]),
        better=better,
        title=title or name,
    )


def _rows(file: str, text: str) -> list[tuple[int, list[str]]]:
    """The rows that hold anything, each with the line it ends on."""
    tabs = "\t" in text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if tabs else ",", strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ReadError(f"The table cannot be read: {error}.", file, reader.line_num, "Check the quotes.") from None
    if len(rows) < 2 or len(rows[0][1]) < 2:
        fix = "Give a header with the systems, and a row for each document: its name, then one score per system."
        raise ReadError(f"{file} holds no matrix of scores.", file, None if rows else 1, fix)
    return rows


def _header_faults(file: str, header: Sequence[str]) -> list[SigError]:
    faults: list[SigError] = []
    for k, name in enumerate(header[1:], start=2):
        if not name:
            faults.append(ReadError(f"Column {k} has no name.", file, 1, "Name the system above its scores."))
    for name, times in Counter(name for name in header[1:] if name).items():
        if times > 1:
            faults.append(ReadError(f"{times} columns are named {name!r}.", file, 1, "Give each system its own name."))
    if all(scores.is_number(name) for name in header[1:]):
        faults.append(ReadError("The first line holds numbers, not names.", file, 1, "Put the systems' names above."))
    return faults


def _ragged(file: str, rows: Sequence[tuple[int, list[str]]], width: int) -> list[SigError]:
    fix = "Give every row a cell for each system; leave it empty where there is no score."
    return [
        ReadError(f"The row has {len(row)} cells, the header has {width}.", file, line, fix)
        for line, row in rows
        if len(row) != width
    ]


def _twice(file: str, rows: Sequence[tuple[int, list[str]]], documents: Sequence[str]) -> list[SigError]:
    first: dict[str, int] = {}
    faults: list[SigError] = []
    for (line, _), name in zip(rows, documents, strict=True):
        if not name:
            faults.append(ReadError("The document has no name.", file, line, "The first column names the document."))
        elif name in first:
            what = f"The document {name!r} stands twice, first in line {first[name]}."
            faults.append(ReadError(what, file, line, "Give each document one row."))
        else:
            first[name] = line
    return faults


def _bad_cells(
    file: str, rows: Sequence[tuple[int, list[str]]], header: Sequence[str], columns: Sequence[int]
) -> list[SigError]:
    fix = "Write a finite number with a decimal point, or leave the cell empty where there is no score."
    return [
        ReadError(f"Row {names.clean(row[0])!r}, column {header[k]!r}: {row[k][:40]!r} is no number.", file, line, fix)
        for line, row in rows
        for k in columns
        if not scores.is_number(row[k]) and not scores.is_missing(row[k])
    ]


def _number(cell: str) -> float:
    return float("nan") if scores.is_missing(cell) else float(cell)


def _together(problems: Sequence[SigError]) -> SigError:
    """The problems as one, the first of them in full."""
    if len(problems) == 1:
        return problems[0]
    told = [str(problem) for problem in problems[:TOLD]]
    more = [f"... and {len(problems) - TOLD} more."] if len(problems) > TOLD else []
    return SigError("\n".join([*told, *more]))
