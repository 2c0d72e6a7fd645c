"""Small tables whose cells are made by a rule, for the tests of a bound: one step to either side of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sigcore.readers.contract import Content, Found, Item
from sigcore.readers.lines import decode, split
from sigcore.readers.tables.columns import Column, Grid
from sigcore.readers.tables.table import Table
from sigcore.types import Kind, Role

Cells = Callable[[int], tuple[object, ...]]


def table(heads: str, cells: Cells, rows: int = 12, file: str = "t.csv") -> Table:
    """A table with these headings (`~` stands for a blank in one), and the cells of each row by its number."""
    body = [list(map(str, cells(k))) for k in range(rows)]
    return Table(file, headings(heads), body, range(2, rows + 2))


def headings(heads: str) -> list[str]:
    return [name.replace("~", " ") for name in heads.split()]


def kept(of: Table) -> Table:
    """The same table kept as columns."""
    grid = Grid([Column(of.column(k)) for k in range(len(of.headings))])
    return Table(of.file, of.headings, grid, of.places)


def lines(heads: str, cells: Cells, rows: int = 12) -> bytes:
    """The same as a file with commas."""
    out = [headings(heads), *(map(str, cells(k)) for k in range(rows))]
    return ("\n".join(map(",".join, out)) + "\n").encode()


def messages(found: Found) -> list[str]:
    """What a reader noted."""
    return [one.message for one in found.notices]


def cells_of(of: Table) -> list[list[str]]:
    """The rows, of either kind of table."""
    return [list(row) for row in of.rows]


def columns_of(of: Table) -> dict[str, list[str]]:
    """The cells below each heading."""
    return {name: list(of.column(k)) for k, name in enumerate(of.headings)}


def item(
    name: str, segments: Sequence[object], kind: Kind = "scores", role: Role = "system", measure: str = ""
) -> Item:
    """A stream of a column."""
    return Item(name, role, kind, tuple(map(str, segments)), "t.csv", "", measure=measure)


def content(text: str, name: str = "t.txt") -> Content:
    """A file with this text."""
    return Content(name, text.encode(), decode, split)
