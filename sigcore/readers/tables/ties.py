"""Rows of pairwise judgments that belong together, and columns that say which of them are ties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.readers.contract import Found, Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import facing, numbers
from sigcore.readers.tables.table import Table

TIE = pattern("ties.headings")  # headings above 0 and 1
FEWEST = 5  # questions that were judged in both orders


def with_ties(table: Table, outcome: Sequence[int], result: Found) -> Table:
    """The table whose winners are ties where a column headed tie says so (1, true), with a notice; others as they are."""
    if len(outcome) != 1 or table.role:
        return table
    for k in (k for k in table.headed(TIE.fullmatch) if k not in outcome):
        tied = _says(table, k)
        changed = [i for i in tied if facing.bare(table.rows[i][outcome[0]]) != "tie"]
        if not changed or len(tied) == len(table.rows):
            continue
        message = f"Column {table.headings[k]} says that {count(len(tied), 'row')} {'is a tie' if len(tied) == 1 else 'are ties'}."
        result.notices.append(Notice(table.file, message, table.places[changed[0]]))
        gone = {*changed}
        rows = [
            [*row[: outcome[0]], "tie", *row[outcome[0] + 1 :]] if i in gone else row
            for i, row in enumerate(table.rows)
        ]
        return replace(table, rows=rows)
    return table


def _says(table: Table, k: int) -> list[int]:
    """The rows in which a column of 0 and 1, or of words for these, says 1, or in which it alone says anything; [] for other
    numbers.

    Raises: ReadError for other words.
    """
    cells = table.column(k)
    words = {cell.strip() for cell in cells.counts}
    if "" in words and len(words) == 2:
        return [i for i, cell in enumerate(cells) if cell.strip() and cell.strip().lower() not in ("0", "no", "false")]
    found = numbers.truths(cells, numbers.ALL_OUTCOMES) or cells
    known = {cell.strip().removesuffix(".0") for cell in found}
    if not known <= {"0", "1"} and not table.numeric(k):
        fix = "Write 1 in the rows that are ties, and 0 in the others, or call the column otherwise."
        raise ReadError(f"{table.headings[k]} does not say which rows are ties.", table.file, 1, fix)
    return [i for i, cell in enumerate(found) if cell.strip().removesuffix(".0") == "1"] if known == {"0", "1"} else []


def in_both_orders(table: Table, first: int, second: int, others: Collection[int]) -> list[int]:
    """The one column in which each cell has a row for each pair of systems in each order, and no more: it names what was asked,
    whatever its heading. [] without it, and for several."""
    pairs = list(zip(map(str.strip, table.column(first)), map(str.strip, table.column(second)), strict=True))
    orders = {*pairs}
    if any((b, a) not in orders for a, b in orders):
        return []
    open_ = [
        k for k in range(len(table.headings)) if k not in (first, second, *others) and table.meanings[k] != "judge"
    ]
    return found if len(found := [k for k in open_ if _asks(table, k, pairs, len(orders))]) == 1 else []


def _asks(table: Table, k: int, pairs: Sequence[tuple[str, str]], orders: int) -> bool:
    """Whether each cell of a column comes once with each pair in each order."""
    own = table.column(k).counts
    if len(own) < FEWEST or {*own.values()} != {orders}:
        return False
    return {*Counter(zip(map(str.strip, table.column(k)), pairs, strict=True)).values()} == {1}
