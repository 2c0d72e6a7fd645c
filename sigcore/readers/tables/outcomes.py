"""Which columns of a table hold numbers, however they are written, and which say whether an answer was right."""

from __future__ import annotations

from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.table import Table

BINARY = frozenset(("0", "1", "0.0", "1.0", ""))


def is_numeric(table: Table, k: int) -> bool:
    """Whether a column holds numbers, also in percent."""
    if table.numeric(k):
        return True
    cells = [cell for cell in table.column(k).counts if not numbers.is_missing(cell)]
    percent = bool(cells) and all(map(numbers.is_percent, cells))
    return percent or _is_truth(table, k)


def says_right(table: Table, k: int) -> bool:
    """Whether a column says which answers are right: by its heading, or as 1 and 0 below `correct`."""
    heading = table.headings[k]
    if words.is_outcome(heading) or words.normalised(heading) != "correct":
        return words.is_outcome(heading)
    return _is_truth(table, k) or (is_numeric(table, k) and set(table.column(k).counts) <= BINARY)


def _is_truth(table: Table, k: int) -> bool:
    return bool(numbers.truths(table.column(k), numbers.OUTCOMES))
