"""Rows that sum up the others, whatever they are called: each of their numbers is the mean, the sum or the number of the others."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sigcore.formatting import count
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice
from sigcore.readers.tables import numbers
from sigcore.readers.tables.columns import Column
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table

FEWEST = 5  # rows above it; fewer have a number as their mean by chance
ROUNDED, EXACT = 0.5 + 1e-6, 1e-9  # of the last digit that is written, and of a number that is written in full
FEW_DIGITS, DIGITS = 2, 3  # behind the point: with fewer a mean has to be exact, and with so many two are no chance
MANY = 3  # columns that agree by no chance, also with two digits
MOST = 100  # rows that sum up those of a system each
NAMING: tuple[Meaning, ...] = ("segment", "perhaps segment", "document", "run")
SHAPE = re.compile(r"\d+")


class Others(NamedTuple):
    """The numbers in the other rows of a column: how many, their sum, the ends, and the most digits behind a point."""

    n: int
    total: float
    low: float
    high: float
    digits: int


Kind = Callable[[Others], float]
KINDS: Mapping[str, Kind] = {
    "means": lambda of: of.total / of.n,
    "sums": lambda of: of.total,
    "number": lambda of: float(of.n),
    "percentages": lambda of: 100 * of.total / of.n if of.low == 0 and of.high == 1 else math.nan,
}


class Sums(NamedTuple):
    """Rows that sum up others, what they are called, and what their numbers are."""

    rows: Sequence[int]
    name: str
    kind: str


def without(table: Table, result: Found) -> Table:
    """The table without a last row, or one of each system, all of whose numbers are means or sums of the others; a notice says
    so."""
    found = None if table.role or len(table.rows) <= FEWEST else _last(table) or _of_each(table)
    if found is None:
        return table
    rows, name, kind = found
    shown = f"Its last row ({name}) holds" if len(rows) == 1 else f"{count(len(rows), 'row')} ({name}) hold"
    message = f"{shown} the {kind} of the other rows, and no segment: left out."
    result.notices.append(Notice(table.file, message, table.places[rows[0]]))
    gone = {*rows}
    return table.kept([i for i in range(len(table.rows)) if i not in gone])


def _last(table: Table) -> Sums | None:
    """The last row, if its numbers are means or sums of all others; None where they are not."""
    row, first = table.rows[-1], table.column(0)
    unlike = len(first.counts) == len(first) and _is_named_apart(first)
    kind = _kind(_compared(table, _columns(table)), unlike)
    name = next(filter(None, map(str.strip, row)), "")
    return Sums([len(table.rows) - 1], name, kind) if kind else None


def _compared(table: Table, columns: Sequence[int]) -> list[tuple[str, Others]]:
    """The numbers of the last row in these columns, each with the others of its column."""
    row = table.rows[-1]
    return [(row[k], of) for k in columns if (of := _without_cell(table.column(k), row[k]))]


def _columns(table: Table) -> list[int]:
    """The columns with numbers, also in the last row, that do not name or count the rows."""
    found = [k for k, cell in enumerate(table.rows[-1]) if numbers.is_number(cell) and table.numeric(k)]
    return [k for k in found if table.meanings[k] not in NAMING and not _counts(table.column(k))]


def _counts(cells: Column) -> bool:
    """Whether a column has another whole number in every row."""
    return len(cells.counts) == len(cells) and numbers.are_digits([cell.strip() for cell in cells.counts])


def _without_cell(cells: Column, cell: str) -> Others | None:
    """The numbers of a column without one of its cells; None for too few, and where all are the same."""
    times = dict(cells.counts)
    times[cell] -= 1
    known = numbers.parsed(cells)
    own = {text: known[text] for text, n in times.items() if n and text in known}
    n = sum(times[text] for text in own)
    if n < FEWEST or len({*own.values()}) < 2:
        return None
    total = math.fsum(value * times[text] for text, value in own.items())
    return Others(n, total, min(own.values()), max(own.values()), max(map(_digits, own)))


def _digits(cell: str) -> int:
    return len(cell.strip().partition(".")[2].rstrip("0"))


Compared = Sequence[tuple[str, Others]]  # each number of some rows, and the others of its column


def _kind(compared: Compared, unlike: bool) -> str:
    """What all numbers of some rows are of the others, where this is no chance: the rows are called unlike them, a number is
    written unlike theirs, or too many digits agree. "" for other rows."""
    for kind, of in KINDS.items():
        # a row that is called unlike the others, in several columns, is no chance with one digit, either
        least = FEW_DIGITS - (unlike and len(compared) > 1)
        if compared and all(_agrees(cell, of(others), least) for cell, others in compared):
            odd = any(_is_odd(cell, others) for cell, others in compared)
            digits = min(_digits(cell) for cell, _ in compared)
            many = len(compared) >= MANY and digits >= FEW_DIGITS
            exact = len(compared) > 1 and digits >= DIGITS
            return kind if unlike or odd or many or exact else ""
    return ""


def _agrees(cell: str, told: float, least: int) -> bool:
    """Whether a number is what is told; with fewer than the `least` digits exactly, with more as far as they say."""
    digits = len(cell.strip().partition(".")[2])
    slack = ROUNDED * 10.0**-digits if digits >= least and "e" not in cell.lower() else 0.0
    return abs(float(cell) - told) <= max(slack, EXACT * max(1.0, abs(told)))


def _is_odd(cell: str, others: Others) -> bool:
    """Whether a number is no score as the others are: larger than all of them, or a fraction among whole numbers."""
    value = float(cell)
    return value > others.high or (others.digits == 0 and not value.is_integer())


def _of_each(table: Table) -> Sums | None:
    """The rows of a table in long form that have the same name, one for each system, and sum up its other rows; None without
    them."""
    systems = table.where("system") or table.headed(names.says_system)
    texts = (k for k in range(len(table.headings)) if k not in systems and not table.numeric(k))
    numbered = (k for k in table.where(*NAMING) if table.numeric(k))
    for k in (*texts, *numbered) if systems else ():
        name = table.rows[-1][k]
        if not name.strip() or not 1 < table.column(k).counts[name] <= MOST:
            continue
        rows = [i for i, cell in enumerate(table.column(k)) if cell == name]
        if kind := _of_parts(table, k, rows):
            return Sums(rows, name.strip(), kind)
    return None


def _of_parts(table: Table, k: int, rows: Sequence[int]) -> str:
    """What the numbers of these rows, which have the same name in column k, all are of the rows with their other names; "" for
    others."""
    gone = {*rows}
    known = [i for i in range(len(table.headings)) if i != k and not table.numeric(i) and _repeats(table, i)]
    known = list(dict.fromkeys([*table.where("system"), *known]))
    parts: dict[tuple[str, ...], list[int]] = {}
    for i, row in enumerate(table.rows):
        parts.setdefault(tuple(row[j] for j in known), []).append(i)
    compared, apart = list[tuple[str, Others]](), list[bool]()
    for i in rows:
        own = [r for r in parts[tuple(table.rows[i][j] for j in known)] if r not in gone]
        part = table.kept([*own, i])
        found = _compared(part, [j for j in _columns(part) if j not in (k, *known)])
        if not _kind(found, unlike=True):
            return ""  # most tables: of no other system the rows are looked at
        compared += found
        apart.append(_is_named_apart(part.column(k)))
    return _kind(compared, all(apart))


def _repeats(table: Table, k: int) -> bool:
    return 2 * len(table.column(k).counts) <= len(table.rows)


def _is_named_apart(cells: Column) -> bool:
    """Whether the last of some names is written unlike all others, which are alike: all below q1, q2, q3."""
    shapes = {SHAPE.sub("0", cell.strip()) for cell in cells[:-1]}
    return len(shapes) == 1 and SHAPE.sub("0", cells[-1].strip()) not in shapes
