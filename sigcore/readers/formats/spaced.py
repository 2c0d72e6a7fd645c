"""Numbers in columns with blanks between them: R's write.table without quotes, numpy.savetxt, columns of awk.

A text has no numbers at the same places of every line. Names of the rows may stand before them.
"""

from __future__ import annotations

from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.proof import parsed
from sigcore.readers import names, reports
from sigcore.readers.contract import BY_SHAPE, NO, Content, Found, Notice, Options, Reader, described
from sigcore.readers.tables import numbers, said
from sigcore.readers.tables import read as tables

FEWEST_ROWS, FEWEST_NUMBERS, MOST_NAMES = 3, 2, 2  # lines, columns of numbers, and columns of words before them
LOOKED_AT = 6  # lines that decide whether all others are looked at


def _looks(content: Content) -> int:
    if names.guess_role(content.file) == "ignored" or '"' in content.text or "\t" in content.text:
        return NO
    first = [line.split() for line in content.lines[: LOOKED_AT + 1] if line.strip()]
    if not _cells(first) or not _rows(content):
        return NO
    try:
        reports.refuse(content)
    except ReadError:
        return NO  # a known report has columns, too
    return BY_SHAPE


def _cells(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows with the headings first ([] in place of them where there are none); [] for what are no columns of numbers."""
    head, body = (rows[0], rows[1:]) if rows and _is_head(rows) else ([], rows)
    width = len(body[0]) if body else 0
    fits = len(head) in (0, width - 1, width) and len({*head}) == len(head)
    if len(body) < FEWEST_ROWS or {*map(len, body)} != {width} or not fits or not _are_columns(body, bool(head)):
        return []
    named = ["", *head] if len(head) == width - 1 else [*head]
    return [named, *map(list, body)]


def _is_head(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row has no numbers, or a word above a column of them: systems may be called 1, 2 and 3."""
    above = not _are_numbers(rows[0][:1]) and 0 in _numeric(rows[1:])
    return above or not _numeric(rows[:1])


def _are_columns(body: Sequence[Sequence[str]], headed: bool) -> bool:
    """Whether several last columns hold numbers, behind few columns of words; whole numbers without headings may be anything:
    tokens, ids, counts."""
    numeric, width = _numeric(body), len(body[0])
    words = width - len(numeric)
    behind = numeric == list(range(words, width)) and len(numeric) >= FEWEST_NUMBERS and words <= MOST_NAMES
    return behind and (headed or any("." in row[k] for row in body for k in numeric))


def _numeric(rows: Sequence[Sequence[str]]) -> list[int]:
    """The columns that hold numbers or marks of missing ones, more of the former."""
    columns = list(zip(*rows, strict=False))
    return [k for k, cells in enumerate(columns) if _are_numbers(cells)]


def _are_numbers(cells: Sequence[str]) -> bool:
    known = all(numbers.is_number(cell) or numbers.is_missing(cell) for cell in cells)
    return (known and numbers.mostly_numbers(cells)) or bool(numbers.truths(cells))


def _rows(content: Content) -> Sequence[Sequence[str]]:
    return _cells([line.split() for line in content.lines if line.strip()])


def _read(content: Content, options: Options) -> Found:
    if not (table := _rows(content)):
        fix = "Write as many in each line, numbers last, and no heading twice."
        raise ReadError("Its lines are no columns of numbers with blanks between them.", content.file, fix=fix)
    head, *body = table
    rows, places = ([head, *body] if head else body), [k for k, line in enumerate(content.lines, 1) if line.strip()]
    result = tables.read_rows(content.file, rows, places, options)
    result.notices.insert(
        0, Notice(content.file, "Its lines were read as columns of numbers with blanks between them.")
    )
    return result


READER = Reader(
    **described("spaced"),
    kinds=("scores",),
    looks=_looks,
    read=_read,
    table=_rows,
    options=said.FIELDS,
    proof=parsed(("system", "One", ("0.51", "0.63", "0.70")), ("system", "Two", ("0.42", "0.55", "0.58"))),
)
