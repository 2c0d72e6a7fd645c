"""Tables as programs print them for people: data frames, tables with rules, and one table in a text of Markdown.

Each is read for its layout alone: a rule below the headings, or cells that all end below the end of their heading.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.readers import names
from sigcore.readers.contract import Content
from sigcore.readers.tables import numbers
from sigcore.readers.tables.layouts import RULE

FEWEST_ROWS, FEWEST_COLUMNS, LOOKED_AT = 3, 2, 6  # of a table, and lines that decide whether the others are looked at
README = re.compile(r"(?:readme|licen[sc]e|copying|changelog|notice|contributing)(?:\..*)?", re.IGNORECASE)
MARKDOWN = ("md", "markdown", "mdx", "rst")
CORNERS = "┡┢┩┪╇╈┼╪╋┬╤┳┴╧┻├╞┠┣┝┤╡┨┫┥┌┍┏╔╭┐┑┓╗╮└┕┗╚╰┘┙┛╝╯"
BOXES = {ord(mark): plain for marks, plain in (("│┃║", "|"), ("─━═", "-"), (CORNERS, "+")) for mark in marks}
BAR = re.compile(r"[+|][-=+|: ]*[-=][-=+|: ]*[+|]")  # +-----+---+ between rows
DASHES = re.compile(r"\s*-{2,}(?:\s+-{2,})+\s*")
SIZE = re.compile(r"\[\d+ rows x \d+ columns\]")
CUT = re.compile(r"\.{2,3}")
SPACED = re.compile(r"\S+(?: \S+)*")  # cells between two blanks
WHOLE = "Save the whole table: df.to_csv(FILE), in place of print(df)."


class Printed(NamedTuple):
    """The rows of a table with their lines, its headings first, and how it was read."""

    rows: list[list[str]]
    places: list[int]
    how: str


def found(content: Content) -> Printed | None:
    """The one table in a text; None where there is none.

    Raises: ReadError for a data frame that was printed in part, and for several tables.
    """
    if README.fullmatch(names.base_name(content.file)):
        return None
    if (table := _of_markdown(content)) is not None:
        return table
    lines = ((i, line.rstrip()) for i, line in enumerate(content.lines, 1) if line.strip())
    first = list(itertools.islice(lines, LOOKED_AT))
    if len(first) <= FEWEST_ROWS or not (DASHES.fullmatch(first[1][1]) or _ends_alike(first)):
        return None
    return _ruled(used := [*first, *lines]) or _frame(content.file, used)


def is_printed(content: Content) -> bool:
    """Whether a text is a table that a program printed; also where it will be refused."""
    try:
        return found(content) is not None
    except ReadError:
        return True


# Markdown, and boxes.


def _of_markdown(content: Content) -> Printed | None:
    """The one table in a text with bars: of Markdown, or with rules between its rows."""
    if not any(mark in content.text for mark in "|│┃"):
        return None
    lines = [line.translate(BOXES) for line in content.lines]
    tables = [table for block in _blocks(lines) if (table := _table(lines, block)) is not None]
    inside = sum(len(table.rows) for table in tables)
    others = sum(bool(line.strip()) and line.lstrip()[:1] not in "|+" for line in lines)
    if not tables or (content.suffix not in MARKDOWN and others > inside):
        return None
    if len(tables) > 1:
        message = f"It has {count(len(tables), 'table')}, which belong together in no known way."
        raise ReadError(message, content.file, tables[1].places[0], "Save the table to compare in a file of its own.")
    return tables[0]


def _blocks(lines: Sequence[str]) -> Iterator[range]:
    """The lines that follow each other and begin with a bar or a corner."""
    start = None
    for i, line in enumerate([*lines, ""]):
        if line.lstrip()[:1] in ("|", "+"):
            start = i if start is None else start
        elif start is not None:
            yield range(start, i)
            start = None


def _table(lines: Sequence[str], block: range) -> Printed | None:
    """The table in a block of lines; None without a rule below its headings, or with rows of unequal length."""
    ruled = {i for i in block if BAR.fullmatch(lines[i].strip()) or RULE.fullmatch(lines[i])}
    kept = [i for i in block if i not in ruled]
    rows = [[cell.strip() for cell in lines[i].strip().strip("|").split("|")] for i in kept]
    if len(rows) < FEWEST_ROWS or kept[0] + 1 not in ruled or len({len(row) for row in rows}) > 1:
        return None
    return Printed(rows, [i + 1 for i in kept], "It has a table, and only this was read.")


# A rule of dashes below the headings, as tabulate writes by default.


def _ruled(used: Sequence[tuple[int, str]]) -> Printed | None:
    """The table below whose headings each column has its own dashes; None for another text."""
    if not DASHES.fullmatch(used[1][1]):
        return None
    starts = [match.start() for match in re.finditer(r"-+", used[1][1])]
    body = used[2:-1] if DASHES.fullmatch(used[-1][1]) else used[2:]
    rows = [_cut(line, starts) for _, line in (used[0], *body)]
    if len(rows) < FEWEST_ROWS or not all(rows):
        return None
    return Printed(
        rows, [used[0][0], *(i for i, _ in body)], "Its columns begin where the dashes below their headings do."
    )


def _cut(line: str, starts: Sequence[int]) -> list[str]:
    """The cells that begin at these places; [] where a text goes through one of them."""
    if any(start and line[start - 1 : start].strip() for start in starts):
        return []
    return [line[a:b].strip() for a, b in zip(starts, [*starts[1:], len(line) + 1], strict=True)]


# Data frames: all cells of a column end below the end of its heading.


def _ends_alike(first: Sequence[tuple[int, str]]) -> bool:
    """Whether the first rows end where the headings do, which stand apart, and have numbers."""
    (_, head), *rows = first
    return "  " in head and all(
        len(line) == len(head) and any(map(numbers.is_number, line.split())) for _, line in rows[1:3]
    )


def _frame(file: str, used: Sequence[tuple[int, str]]) -> Printed | None:
    """The printed data frame; None for another text.

    Raises: ReadError for one of which only a part was printed.
    """
    (first, head), body = used[0], [one for one in used[1:] if not SIZE.fullmatch(one[1].strip())]
    index = ""
    if head.startswith(" ") and SPACED.fullmatch(body[0][1]):
        index, body = body[0][1], body[1:]  # its name has a line of its own
    whole = [one for one in body if not all(map(CUT.fullmatch, one[1].split()))]
    rows = _aligned(head, [line for _, line in whole])
    if len(whole) < FEWEST_ROWS or not rows:
        return None
    if len(whole) < len(body) or any(map(CUT.fullmatch, rows[0])):
        missing = "rows" if len(whole) < len(body) else "columns"
        raise ReadError(f"It is a printed data frame without some of its {missing} (...).", file, first, WHOLE)
    counted = [row[0] for row in rows[1:]] in ([str(i) for i in range(k, k + len(whole))] for k in (0, 1))
    plain = (counted and not index) or not any(row[0] for row in rows)
    rows = [row[1:] for row in rows] if plain else [[index, *rows[0][1:]], *rows[1:]]
    how = "It is a printed data frame: cells end below their headings. Printed numbers may be rounded."
    return Printed(rows, [first, *(i for i, _ in whole)], how)


def _aligned(head: str, lines: Sequence[str]) -> list[list[str]]:
    """The headings and the rows, with the names of the rows first ("" where they have none); [] unless all cells end below
    their headings."""
    for pattern in (re.compile(r"\S+"), SPACED):
        named = list(pattern.finditer(head))
        ends = [match.end() for match in named]
        cells = [[line[a:b] for a, b in itertools.pairwise([0, *ends])] for line in lines]
        if len(named) < FEWEST_COLUMNS or not all(
            _end_there(row) and len(line) == len(head) for row, line in zip(cells, lines, strict=True)
        ):
            continue
        if not any(len({len(row[k].strip()) for row in cells}) > 1 for k in range(len(ends))):
            continue  # lines of one pattern are as long as each other, too
        rows = list(map(_with_name, cells))
        bare = not all(row[0] for row in rows)
        if bare or len({row[0] for row in rows}) == len(rows):
            return [
                ["", *(match[0] for match in named)],
                *(["", *map(str.strip, own)] if bare else row for own, row in zip(cells, rows, strict=True)),
            ]
    return []


def _end_there(cells: Sequence[str]) -> bool:
    """Whether each cell ends with a character, and another one begins with a blank."""
    return all(cell[-1:].strip() for cell in cells) and all(cell[:1] == " " for cell in cells[1:])


def _with_name(cells: Sequence[str]) -> list[str]:
    """The name of a row, which stands before its first cell, and its cells."""
    name, _, first = cells[0].strip().partition("  ")
    if not first:
        name, _, first = cells[0].strip().partition(" ")
    return [name if first else "", first.strip(), *map(str.strip, cells[1:])]
