"""Per-segment scores: is this column of text a column of numbers, and where is it not?"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from sigcore.errors import ReadError

# Not float(): it also takes "nan", "infinity", "1_000" and digits of other scripts.
# (No two parts can match the same digits, so that millions of them take one pass.)
DIGITS = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
NUMBER = re.compile(rf"[ \t]*[+-]?{DIGITS}[ \t]*")
ENDLESS = re.compile(rf"[ \t]*[+-]?(?:inf|infinity|{DIGITS})[ \t]*", re.IGNORECASE)  # the digits: 1e999
MISSING = frozenset(("", "na", "n/a", "nan", "none", "null", "-"))


def is_number(cell: str) -> bool:
    """Whether the cell is a finite decimal number in ASCII digits."""
    return NUMBER.fullmatch(cell) is not None and math.isfinite(float(cell))


def is_missing(cell: str) -> bool:
    """Whether the cell says that there is no score: empty, nan, None, NA."""
    return cell.strip().lower() in MISSING


def mostly_numbers(cells: Sequence[str]) -> bool:
    """Whether over 90 % of the cells that hold anything, and half of all, are numbers."""
    return _meant_as_scores(len(cells), [cell for cell in cells if not is_number(cell)])


def are_scores(file: str, cells: Sequence[str], column: str = "", first_line: int = 1) -> bool:
    """Whether the cells are scores; one empty cell at the end does not count.

    Cells that say that a score is missing (see is_missing) are left for the test set to judge.
    Raises: ReadError where over 90 % of the cells that hold anything are numbers, and the others are not.
    """
    cells = cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells
    bad = [i for i, cell in enumerate(cells) if not is_number(cell)]
    if not bad:
        return True
    if not _meant_as_scores(len(cells), [cells[i] for i in bad]):
        return False
    bad = [i for i in bad if not is_missing(cells[i])]
    if not bad:
        return True
    cell, line = cells[bad[0]], bad[0] + first_line
    place = f"column {column}, row {bad[0] + 1}" if column else f"line {line}"
    more = f" ({len(bad)} such cells.)" if len(bad) > 1 else ""
    mend = "Give every segment a finite number with a decimal point" + (
        ", or take the heading out." if not column and bad == [0] else ", or leave this out."
    )
    raise ReadError(f"{place}: {cell[:40]!r} is not a number.{more}", file, line, mend)


def _meant_as_scores(n: int, bad: list[str]) -> bool:
    """Whether most of n cells are numbers (or nan, inf) although the `bad` ones are not."""
    endless = sum(bool(ENDLESS.fullmatch(cell)) and not is_missing(cell) for cell in bad)
    missing = sum(map(is_missing, bad))
    numeric = n - len(bad) + endless
    return numeric >= 0.5 * n and numeric > 0.9 * (n - missing)
