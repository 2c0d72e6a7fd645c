"""The output of `bert-score -s`: precision, recall and F1 of each segment, without a header."""

from __future__ import annotations

import re

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Notice, Options, Reader, described, scores
from sigcore.readers.tables import numbers, said

AVERAGE = re.compile(r"(?P<model>\S+) P: -?[0-9.]+ R: -?[0-9.]+ F1: -?[0-9.]+")
MEASURES = ("BERTScore P", "BERTScore R", "BERTScore F1")
LOOKED_AT = 50
CLOSE = 5e-6  # six digits are printed
FEWEST = 3  # rows without the line of averages


def _looks(content: Content) -> int:
    averages = AVERAGE.fullmatch(content.lines[0]) is not None
    rows = [_row(line) for line in content.lines[averages : LOOKED_AT + 1]]
    # its first line, with the averages, says enough
    known = bool(rows) and all(row and (averages or _is_f1(row)) for row in rows)
    return CERTAIN if known and (averages or len(rows) >= FEWEST) else NO


def _row(line: str) -> tuple[float, ...]:
    cells = line.split("\t") if line.count("\t") == 2 else line.split(" ")
    known = len(cells) == 3 and all(map(numbers.is_number, cells))
    return tuple(map(float, cells)) if known else ()


def _is_f1(row: tuple[float, ...]) -> bool:
    """Whether the third number is the harmonic mean of the others, and they are not whole or equal."""
    p, r, f = row
    whole = all(value == int(value) for value in row)
    return not whole and p + r != 0 and abs(2 * p * r / (p + r) - f) <= CLOSE * max(1.0, abs(f))


def _read(content: Content, options: Options) -> Found:
    match = AVERAGE.fullmatch(content.lines[0])
    first = int(match is not None)
    columns: list[list[str]] = [[], [], []]
    for number, line in enumerate(content.lines[first:], first + 1):
        if not _row(line):
            message = f"line {number}: {line[:40]!r} has no precision, recall and F1."
            raise ReadError(message, content.file, number, "Load the output of bert-score -s as it was printed.")
        cells = line.split("\t") if "\t" in line else line.split(" ")
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    if not columns[0]:
        raise ReadError("It has averages but no segments.", content.file, 1, "Run bert-score with -s.")
    system = re.sub(r"[.\-_]?bert[-_]?score$", "", names.display_name(content.file), flags=re.IGNORECASE)
    better = said.said(options).better
    n = count(len(columns[0]), "segment")
    items = [
        scores(content.file, system or content.file, column, f"{measure}, {n}", measure, better)
        for measure, column in zip(MEASURES, columns, strict=True)
    ]
    model = f" ({match['model']})" if match else ""
    message = f"Output of bert-score{model}: precision, recall and F1, a measure each."
    return Found(items=items, notices=[Notice(content.file, message)])


READER = Reader(
    **described("bertscore"),
    kinds=("scores",),
    looks=_looks,
    read=_read,
    options=(said.BETTER,),
    proof=parsed(
        ("system", "One", ("0.950000", "0.940000")),
        ("system", "One", ("0.900000", "0.910000")),
        ("system", "One", ("0.924324", "0.924757")),
    ),
)
