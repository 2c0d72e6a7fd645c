"""The one splitter of tables: the text of a file to rows of cells with their lines."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal, get_args

from sigcore.errors import ReadError
from sigcore.formatting import count, counted, listed, shorten
from sigcore.readers.contract import Content, Found, Notice
from sigcore.readers.tables import columns, headings, numbers, sums

Mark = Literal["\t", ",", ";", "|", " "]

MOST_COLUMNS = 20_000  # a bound against files that only look like tables
MOST_CELLS = 50_000_000  # records that each have other names are small in a file but large as a table
LONGEST_CELL = 1 << 28  # by default the csv module refuses cells over 128 kB
LONGEST_HEAD = 10_000  # characters; a longer first line is not the header of a table
LONGEST_SHARED, MOST_SHARED = 30, 1_000_000  # characters of a cell that may come again; different ones that are known
LOOKED_AT = 50  # lines used to decide whether a text is a table
FIXES: dict[Mark, str] = {
    "\t": "Give every line the same number of TABs; a cell cannot contain a TAB.",
    ",": "Give every row the same number of cells; a cell with a comma in it needs quotes.",
    ";": "Give every row the same number of cells; a cell with a semicolon in it needs quotes.",
    "|": "Give every row the same number of cells; a cell with a bar in it needs quotes.",
    " ": "Give every line the same number of cells, separated by spaces.",
}


@dataclass(frozen=True)
class Rows:
    """The rows of a table with what separates their cells, and the line (from 1) in which each starts."""

    file: str
    mark: Mark
    cells: Sequence[Sequence[str]]
    lines: Sequence[int]

    def kept(self, places: Sequence[int]) -> Rows:
        """The rows at these positions."""
        return Rows(self.file, self.mark, [self.cells[i] for i in places], [self.lines[i] for i in places])

    def moved(self, lines: int) -> Rows:
        """The rows, with as many lines above them."""
        return self if not lines else Rows(self.file, self.mark, self.cells, [line + lines for line in self.lines])

    def without_blank(self) -> Rows:
        """The rows without those of blank lines."""
        if isinstance(self.cells, columns.Grid) or all(self.cells):
            return self
        return self.kept([i for i, row in enumerate(self.cells) if row])


def mark_of(head: str, blanks: bool = True) -> Mark:
    """What separates the cells of a table with this first line: TAB; else semicolon or comma, whichever is more frequent.

    Without any of them it is spaces, or a comma if `blanks` is false.
    """
    if "\t" in head:
        return "\t"
    return quoted_mark(head) if not blanks or "," in head or ";" in head else " "


def quoted_mark(head: str) -> Mark:
    """Semicolon or comma, whichever is more frequent in the line; a bar where several of them are alone."""
    if head.count("|") > 1 and not ("," in head or ";" in head):
        return "|"
    return ";" if head.count(";") > head.count(",") else ","


def cut(line: str, mark: Mark) -> list[str]:
    """The cells of one line without quotes around them, as a first look at a table needs them."""
    return [cell.strip('"') for cell in _split(line, mark)]


def _split(line: str, mark: Mark) -> list[str]:
    return line.split() if mark == " " else line.split(mark)


def is_quoted(head: str) -> bool:
    """Whether a line with TABs is a header with every heading in quotes, as R writes it."""
    cells = head.split("\t")
    in_quotes = len(cells) > 1 and all(len(cell) > 2 and cell[0] == cell[-1] == '"' for cell in cells)
    return in_quotes and any(map(headings.is_header_word, cells))


def rows(content: Content, mark: Mark) -> Rows:
    """All rows of a file; a blank line is a row without cells, except where TABs separate cells.

    Quotes hold cells together where commas or semicolons separate them, and in a table with TABs whose headings are
    all in quotes; elsewhere they are text.
    Raises: ReadError where a quoted cell does not end.
    """
    if whole := columns.grid(content.text, mark):
        return Rows(content.file, mark, whole, range(1, len(whole) + 1))
    if mark in ",;|" or is_quoted(content.lines[0]):
        return quoted_rows(content.file, content.text, mark)
    lines, shared = content.lines, Shared()
    cut = [shared.row(_split(line, mark)) for line in lines]
    ragged = mark == "\t" and '\t"' in content.text and len({*map(len, filter(None, cut))}) > 1
    return (ragged and _over_lines(content)) or Rows(content.file, mark, cut, list(range(1, len(lines) + 1)))


def _over_lines(content: Content) -> Rows | None:
    """The rows of a table with TABs, some cells of which are quoted and go over several lines; None where these do not fit."""
    try:
        found = quoted_rows(content.file, content.text, "\t")
    except ReadError:
        return None
    return found if len({*map(len, found.cells)}) == 1 else None


def quoted_rows(file: str, text: str, mark: Mark) -> Rows:
    """The rows of a text in which cells may be quoted.

    Raises: ReadError if a quoted cell does not end.
    """
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    cells, starts, before, shared = list[list[str]](), list[int](), 0, Shared()
    try:
        for row in reader:
            cells.append(shared.row(row))
            starts.append(before + 1)
            before = reader.line_num
    except csv.Error as error:
        message = f"From line {before + 1} on it cannot be read as a table: {error}."
        fix = "A cell with quotes inside needs them doubled; every opened quote must be closed."
        raise ReadError(message, file, before + 1, fix) from None
    return Rows(file, mark, _without_to_fill(cells), starts)


TO_FILL = ["Approve", "Reject"]  # the last headings of a batch of Mechanical Turk: its rows may end before them


def _without_to_fill(cells: list[list[str]]) -> list[list[str]]:
    """The rows without the columns that the requester of a batch may fill."""
    if not cells or "HITId" not in cells[0] or cells[0][-len(TO_FILL) :] != TO_FILL:
        return cells
    return [row[: len(cells[0]) - len(TO_FILL)] for row in cells]


COMMENT = ("#", "//", "%")  # how a line of comment begins


def below_comments(content: Content) -> tuple[Content, int, list[Notice]]:
    """The file without the comment lines above its header, their number, and a notice that quotes the first of them.

    A line with as many cells as the one below it is a header (#id,A,B), unless only the one below has known headings. A
    line of numbers below is no header, so what stands above it may be one: nothing is left out.
    """
    above = list(itertools.takewhile(_is_above, content.lines))
    n = len(above)
    if not n or not above[0].strip() or n == len(content.lines):
        return content, 0, []
    head = content.lines[n]
    named = _one_row(head, mark_of(head, blanks=False))
    if len(named) < 2 or any(map(numbers.is_number, named)) or _may_be_header(above, head):
        return content, 0, []
    said = [line.strip() for line in above if line.strip()]
    message = f"{counted(len(said), 'comment line', 'was', 'were')} left out above its header: {shorten(said[0], LONGEST_SHARED * 2)}"
    text = "\n".join(content.lines[n:]) + "\n"
    return content.with_text(text), n, [Notice(content.file, message, 1)]


def _is_above(line: str) -> bool:
    """Whether a line is blank, a comment, or tells Excel what separates cells (sep=;)."""
    return (
        not line.strip() or line.startswith(COMMENT) or re.fullmatch(r"sep=.", line.strip(), re.IGNORECASE) is not None
    )


def _may_be_header(above: Sequence[str], head: str) -> bool:
    """Whether one of the lines above has as many cells as the line below them, which has no known heading."""
    for mark in get_args(Mark)[:3]:
        below = _one_row(head, mark)
        for row in (_one_row(line, mark) for line in above if line.strip()):
            names = [row[0].lstrip("#/% "), *row[1:]]
            told = any(map(headings.is_header_word, below)) and not any(map(headings.is_header_word, names))
            told = told or row[1:] == below[1:]  # a comment that says which columns there are
            if len(row) == len(below) > 1 and not told:
                return True
    return False


def _one_row(line: str, mark: Mark) -> list[str]:
    """The cells of one line, in which quotes hold cells together; a lone CR in it ends no line."""
    return next(csv.reader([line.replace("\r", " ")], delimiter=mark), [])


class Shared:
    """Equal cells as one string: names of systems, ids and rounded scores come again and again in large tables."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def row(self, row: list[str]) -> list[str]:
        """The same cells, those known before in place of their copies."""
        known = self._known
        if len(known) > MOST_SHARED:
            return row
        if sum(map(len, row)) <= LONGEST_SHARED:  # most tables of scores: no cell is long
            return list(map(known.setdefault, row, row))
        return [known.setdefault(cell, cell) if len(cell) <= LONGEST_SHARED else cell for cell in row]


def is_even(lines: Sequence[str], mark: Mark) -> bool:
    """Whether most of the first rows have as many cells as the first, unlike a text whose first line is a list of words."""
    reader = csv.reader(io.StringIO("\n".join(lines[:LOOKED_AT]), newline=""), delimiter=mark)
    try:
        widths = [len(row) for row in reader if row]
    except csv.Error:
        return False
    return 2 * sum(width == widths[0] for width in widths[1:]) > len(widths) - 1


def has_equal_tabs(lines: Sequence[str]) -> bool:
    """Whether every line has the same number (1 or more) of TABs."""
    width = lines[0].count("\t")
    return width >= 1 and all(line.count("\t") == width for line in lines)


def without_margins(rows: Rows) -> tuple[Rows, list[Notice]]:
    """The rows without the empty columns, and (with a notice) empty rows, that spreadsheets leave around a table."""
    if isinstance(rows.cells, columns.Grid) and _filled(rows.cells[-1]) == len(rows.cells.columns):
        return rows, []  # its last row and its last column are filled
    width = max((_filled(row) for row in rows.cells), default=0)
    if width < 2:  # a single column is text, where an empty cell is an empty segment
        return rows, []
    n = next(i for i in range(len(rows.cells), 0, -1) if _filled(rows.cells[i - 1]))
    if n == len(rows.cells) and all(len(row) <= width for row in rows.cells):  # nothing to leave out: no copy
        return rows, []
    blank = len(rows.cells) - n
    message = f"{blank} row{'s' if blank > 1 else ''} of empty cells at its end were left out."
    kept = Rows(rows.file, rows.mark, [row[:width] for row in rows.cells[:n]], rows.lines[:n])
    return kept, [Notice(rows.file, message)] if blank else []


def _filled(row: Sequence[str]) -> int:
    """The number of cells up to the last that is not blank."""
    if row and row[-1].strip():
        return len(row)
    return next((k for k in range(len(row), 0, -1) if row[k - 1].strip()), 0)


def ragged(rows: Rows, width: int | None = None) -> list[ReadError]:
    """A problem for every row with more or fewer cells than the first, or than `width`."""
    file, first = rows.file, rows.lines[0] if width is None and rows.lines else 1
    wanted = len(rows.cells[0]) if width is None else width
    return [
        ReadError(
            f"{file}: line {line} has {count(len(row), 'cell')}, line {first} has {wanted}.",
            file,
            line,
            FIXES[rows.mark],
        )
        for line, row in zip(rows.lines, rows.cells, strict=True)
        if len(row) != wanted
    ]


def without_last_sum(rows: Rows, notices: list[Notice]) -> Rows:
    """The rows without a last one that sums up the others by its first cell (Averages) and has fewer cells, which is noted."""
    last = rows.cells[-1] if len(rows.cells) > 2 and not isinstance(rows.cells, columns.Grid) else ()
    if not last or len(last) == len(rows.cells[0]) or not sums.is_sum(last[0]):
        return rows
    notices.append(Notice(rows.file, f"Its last row, {last[0].strip()}, sums up the others: left out.", rows.lines[-1]))
    return rows.kept(range(len(rows.cells) - 1))


MOST_NAMED = 5  # lines with other numbers of cells that are named


def closed(rows: Rows) -> Rows:
    """The rows without the empty last cell, if all below the headings that have one more cell than these have it: a separator
    behind the last cell of each line."""
    width = len(rows.cells[0]) if rows.cells else 0
    if isinstance(rows.cells, columns.Grid) or width < 2 or {*map(len, rows.cells[1:])} != {width + 1}:
        return rows
    if any(row[-1].strip() for row in rows.cells[1:]):
        return rows
    return Rows(rows.file, rows.mark, [row[:width] for row in rows.cells], rows.lines)


def refuse_ragged(rows: Rows) -> None:
    """Raise ReadError, which names the first lines with other numbers of cells, unless all rows have as many as the first."""
    width = len(rows.cells[0])
    if isinstance(rows.cells, columns.Grid) or all(len(row) == width for row in rows.cells):
        return
    refuse_headings(rows)
    first, *others = ragged(rows)
    if not others:
        raise first
    odd = zip(rows.lines, rows.cells, strict=True)
    named = [f"line {line} ({count(len(row), 'cell')})" for line, row in odd if len(row) != width][1:]
    what = f"{first.what} Other lines that differ: {listed(named, MOST_NAMED - 1)}."
    raise ReadError(what, rows.file, first.line, first.fix)


def refuse_headings(rows: Rows) -> None:
    """Raise ReadError where the first line is the one that differs: most others have the same number of cells."""
    width, (most, n) = len(rows.cells[0]), Counter(map(len, rows.cells[1:])).most_common(1)[0]
    if most == width or n < FEWEST_ALIKE or n < ALIKE * (len(rows.cells) - 1):
        return
    others = zip(rows.lines[1:], rows.cells[1:], strict=True)
    rest = [f"line {line} ({len(row)})" for line, row in others if len(row) != most]
    lines = f"{n} of the other {len(rows.cells) - 1} lines have {most}"
    message = f"Its first line has {count(width, 'cell')}, but {lines}."
    message += f" Others: {listed(rest, MOST_NAMED)}." if rest else ""
    fix = f"Give each column one heading, in the order of the cells below. {FIXES[rows.mark]}"
    raise ReadError(message, rows.file, rows.lines[0], fix)


FEWEST_ALIKE, ALIKE = 5, 0.8  # rows with the same number of cells, and their share


def is_nearly_even(content: Content) -> bool:
    """Whether nearly all lines have the same number of TABs, and numbers in most cells: a table with some odd lines."""
    lines = list(filter(str.strip, content.lines))
    tabs, n = Counter(line.count("\t") for line in lines[1:] or lines).most_common(1)[0]
    if tabs < FEWEST_TABS or n < max(FEWEST_ALIKE, ALIKE * (len(lines) - 1)):
        return False
    shown = [line.split("\t")[1:] for line in lines if line.count("\t") == tabs][:LOOKED_AT]
    filled = [cell for row in shown for cell in row if cell.strip()]
    return sum(map(numbers.is_number, filled)) >= ALIKE * len(filled) > 0


FEWEST_TABS = 2
MOSTLY, FEWEST_ROWS = 0.8, 10  # lines with TABs among those of a log, and rows of a table


def without_log(content: Content, ends: bool = False) -> tuple[Content, list[Notice]]:
    """The file with lines of a log left empty, and a notice: they have no TAB, where nearly all others have the same number of
    them. `ends`: what has another number of TABs before and behind all of these is no row, either."""
    if not (left := logged(content, ends)):
        return content, []
    shown = shorten(content.lines[min(left)].strip(), LONGEST_SHARED * 2)
    message = f"{counted(len(left), 'line', 'has', 'have')} no cells, such as {shown}: left out."
    text = "\n".join("" if k in left else line for k, line in enumerate(content.lines)) + "\n"
    return content.with_text(text), [Notice(content.file, message, min(left) + 1)]


def logged(content: Content, ends: bool = False) -> set[int]:
    """The lines of a log among the rows of a table, as `without_log`."""
    left = _not_rows(content, ends) if content.text.count("\t") >= FEWEST_TABS * FEWEST_ROWS else set()
    # words with annotations have comments between them
    return set() if any(content.lines[k].startswith(COMMENT) for k in left) else left


def _not_rows(content: Content, ends: bool) -> set[int]:
    """The same, whatever these lines begin with."""
    full = _tabs(content)
    (tabs, n), *_ = [*Counter(map(itemgetter(1), full)).most_common(1), (0, 0)]
    if tabs < FEWEST_TABS or n < max(FEWEST_ROWS, MOSTLY * len(full)):
        return set()
    rows = [k for k, number in full if number == tabs]
    other = [(k, number) for k, number in full if number != tabs]
    between = range(rows[0], rows[-1])
    left = {k for k, number in other if not number or (ends and k not in between)}
    left -= _head(content, full[0][0], tabs)
    return left if ends or len(left) == len(other) else set()


def _tabs(content: Content) -> list[tuple[int, int]]:
    """The lines that are not blank, each with its number of TABs."""
    return [(k, line.count("\t")) for k, line in enumerate(content.lines) if line.strip()]


def _head(content: Content, k: int, tabs: int) -> set[int]:
    """The first line where it is a row of headings with blanks between them."""
    named = content.lines[k].split()
    return {k} if len(named) == tabs + 1 and any(map(headings.is_header_word, named)) else set()


def realigned(rows: Rows, notices: list[Notice]) -> Rows:
    """The rows below headings that fit them, where only one empty heading more is in the way, or one fewer: the names of the
    rows have none, as R writes tables. Shorter rows at the end, the last of which sums up others, are left out (noted)."""
    if isinstance(rows.cells, columns.Grid) or len({*map(len, rows.cells)}) == 1:
        return rows
    kept = _without_last_sums(rows)
    head, *body = kept.cells
    widths = {*map(len, body)}
    named = _fitting(head, body) if len(body) >= FEWEST_ALIKE and len(widths) == 1 else None
    if named is None:
        return rows
    if named != head:
        message = "Its headings have one cell more or fewer than its rows, and were moved to the columns that they fit."
        notices.append(Notice(rows.file, message, rows.lines[0]))
    if left := [row[0].strip() for row in rows.cells[len(kept.cells) :]]:
        message = (
            f"Its last {counted(len(left), 'row', 'is', 'are')} shorter and sum up others: left out ({listed(left)})."
        )
        notices.append(Notice(rows.file, message, rows.lines[len(kept.cells)]))
    return replace(kept, cells=[named, *body])


def _without_last_sums(rows: Rows) -> Rows:
    """The rows without the shorter ones at the end, all of one length, where the last of them is called a sum."""
    last = rows.cells[-1]
    if len(last) >= max(map(len, rows.cells[1:])) or not sums.is_sum(last[0]):
        return rows
    n = sum(1 for _ in itertools.takewhile(lambda row: len(row) == len(last), reversed(rows.cells)))
    return rows.kept(range(len(rows.cells) - n)) if n <= MOST_NAMED else rows


def _fitting(head: Sequence[str], body: Sequence[Sequence[str]]) -> list[str] | None:
    """The headings for rows of another length; None where it is not plain which of them is where."""
    width, columns = len(body[0]), list(zip(*body, strict=True))
    if len(head) == width:
        return list(head)
    if len(head) == width - 1 and len({*columns[0]}) == len(body) and all(map(headings.has_measure, head)):
        return ["", *head] if all(map(numbers.mostly_numbers, columns[1:])) else None
    return _without_one(head, columns) if len(head) == width + 1 else None


def _without_one(head: Sequence[str], columns: Sequence[Sequence[str]]) -> list[str] | None:
    """The headings without an empty one, if then all empty ones stand above empty columns; None where none or several fit."""
    empty = [not any(map(str.strip, own)) for own in columns]
    tries = [[*head[:k], *head[k + 1 :]] for k, name in enumerate(head) if not name.strip()]
    found = [one for one in tries if [not name.strip() for name in one] == empty]
    return found[0] if found and all(one == found[0] for one in found) else None


def refuse_wide(file: str, width: int, rows: int = 1) -> None:
    """Raise ReadError for more columns, or more cells in all rows, than a table can sensibly have."""
    if width > MOST_COLUMNS:
        raise ReadError(f"{file} has {width:,} columns.", file, 1, f"At most {MOST_COLUMNS:,} are read.")
    if width * rows > MOST_CELLS:
        what = f"{count(rows, 'row')} and {width:,} different columns, together {count(width * rows, 'cell')}"
        raise ReadError(
            f"{file} has {what}.", file, fix=f"At most {MOST_CELLS:,} are read: leave out columns, or rows."
        )


LEAST_HEADED, FEW_NOTES = 2, 5  # columns of a table, and rows of which one may have a note beside it


def without_blank(file: str, rows: Sequence[Sequence[str]], result: Found) -> Sequence[Sequence[str]]:
    """The rows without the columns behind the last heading, where nearly nothing stands: notes beside a table."""
    width = next((k for k in range(len(rows[0]), 0, -1) if rows[0][k - 1].strip()), 0)
    rest = len(rows[0]) - width
    if width < LEAST_HEADED or not rest:
        return rows  # most tables: no row is looked at
    filled = sum(any(map(str.strip, row[width:])) for row in rows)
    if filled * FEW_NOTES > len(rows) - 1:
        return rows
    if filled:  # nobody misses empty columns
        have = "has" if filled == 1 else "have"
        message = f"Not used, {count(rest, 'column')} without headings, in which {count(filled, 'row')} {have} notes."
        result.notices.append(Notice(file, message))
    return [row[:width] for row in rows]
