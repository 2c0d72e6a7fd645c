"""Tables between other texts, with bars between their cells: of Markdown, or with rules between their rows. Which of several is
meant: those with the same columns, or the one that stands out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers.contract import IN_HTML, OF_TASKS, Content
from sigcore.readers.tables import numbers, sums
from sigcore.readers.tables.layouts import RULE, plain, split

FEWEST_ROWS = 3  # of a table, with its headings
MARKDOWN = ("md", "markdown", "mdx", "rst")
CORNERS = "┡┢┩┪╇╈┼╪╋┬╤┳┴╧┻├╞┠┣┝┤╡┨┫┥┌┍┏╔╭┐┑┓╗╮└┕┗╚╰┘┙┛╝╯"
BOXES = {ord(mark): plain for marks, plain in (("│┃║┆┊", "|"), ("─━═", "-"), (CORNERS, "+")) for mark in marks}
BAR = re.compile(r"[+|][-=+|: ]*[-=][-=+|: ]*[+|]")  # +-----+---+ between rows
BARRED = re.compile(r"^[ \t]*(?:[|│┃║]|:?-{3,}:?[ \t]*\|)", re.MULTILINE)
TYPE = re.compile(r"[iuf](?:8|16|32|64|128)|str|bool|date|datetime\[.*\]|list\[.*\]|cat|enum|null")  # of polars
ELLIPSIS = re.compile(r"\s*(?:…|\.{3})\s*")
WHOLE = "Save the whole table: df.to_csv(FILE), or write_csv, in place of print(df)."


class Printed(NamedTuple):
    """The rows of a table with their lines, its headings first, how it was read, and the measure that its title names."""

    rows: list[list[str]]
    places: list[int]
    how: str
    measure: str = ""
    ruled: bool = False  # a rule stands below its headings


def found(content: Content, start: str = "") -> Printed | None:
    """The one table in a text with bars: of Markdown, or with rules between its rows; of several, the one at the line `start`.

    Raises: ReadError for several tables none of which stands out, for a line where none begins, and for a table that is cut.
    """
    if BARRED.search(content.text) is None:  # as in most texts: no line is looked at twice
        return None
    lines = [line.translate(BOXES) for line in content.lines]
    tables = _tables(lines)
    _refuse_cut(content.file, tables)
    inside = sum(len(table.rows) for table in tables)
    others = sum(bool(line.strip()) and _is_beside(line) for line in lines)
    if not tables or (content.suffix not in MARKDOWN and others > inside):
        return None
    if are_of_tasks(content):
        refuse_of_tasks(content.file, tables[0].places[0])
    if start:
        return _at(content.file, tables, start)
    if len(tables) > 1:
        if all({*map(str.strip, table.rows[0])} >= SCORED for table in tables):
            message = "Its tables are summaries of a recogniser: the error rates of whole test sets."
            raise ReadError(
                message, content.file, tables[0].places[0], "Load the transcripts of each system, and what was said."
            )
        return _stacked(content, tables)
    return tables[0]


def _at(file: str, tables: Sequence[Printed], start: str) -> Printed:
    """The table that begins at a line.

    Raises: ReadError where none does.
    """
    chosen = [table for table in tables if str(table.places[0]) == start.strip()]
    if not chosen:
        begin = listed(str(table.places[0]) for table in tables)
        raise ReadError(f"No table begins at line {start.strip()}.", file, 1, f"Its tables begin at {begin}.")
    return _alone(chosen[0], len(tables) - 1)


HEADING, BOLD = re.compile(r"\s{0,3}#{1,6}\s+(.+?)[\s#]*"), re.compile(r"\s*\*\*(.+?)\*\*:?\s*")
SHOWN_TABLES = 5  # of those that belong together in no known way


def _stacked(content: Content, tables: Sequence[Printed]) -> Printed:
    """The table of all rows of those tables that have the same columns, each below a heading of its own, which becomes a column.

    Raises: ReadError, which lists the tables, where there are none, or several such groups.
    """
    alike = _alike(content, tables)
    if not alike and (alone := [table for table in tables if _stands_out(table, tables)]):
        return _alone(alone[0], len(tables) - 1)
    if len(alike) != 1:
        raise _apart(content, tables)
    own, (_, first) = alike[0], alike[0][0]
    rows = [[BELOW, *first.rows[0]], *([name, *row] for name, table in own for row in table.rows[1:])]
    places = [first.places[0], *(place for _, table in own for place in table.places[1:])]
    left = len(tables) - len(own)
    how = f"{count(len(own), 'table')} with the same columns were read as one; {BELOW} is what stands above each."
    return Printed(rows, places, how + (f" {count(left, 'other table')} not used." if left else ""))


def _alone(table: Printed, others: int) -> Printed:
    """The table with what says that several `others` are not used."""
    shown = f"line {table.places[0]} ({listed(table.rows[0])}; {count(len(table.rows) - 1, 'row')})"
    beside = f"; {count(others, 'other table')} not used" if others else ""
    return table._replace(how=f"Of its tables only the one in {shown} was read{beside}.")


MANY_ROWS, MORE_ROWS = 10, 3  # of a table of questions, and times those of a summary
FEWEST_SCORED = 2  # columns of numbers


def _stands_out(table: Printed, tables: Sequence[Printed]) -> bool:
    """Whether a table has columns of numbers, and the others either none, or far fewer rows: they sum it up, or say what was
    asked. Two tables with the same columns are parts of one."""
    others = [one for one in tables if one is not table]
    if len(_scored(table)) < FEWEST_SCORED or any(one.rows[0] == table.rows[0] for one in others):
        return False
    n, most = len(table.rows) - 1, max(len(one.rows) - 1 for one in others)
    return not any(map(_scored, others)) or n >= max(MANY_ROWS, MORE_ROWS * most)


def _scored(table: Printed) -> list[int]:
    """The columns of numbers, without those that count the rows."""
    columns = list(zip(*table.rows[1:], strict=True))
    counted = [str(k + 1) for k in range(len(table.rows) - 1)]
    return [k for k, own in enumerate(columns) if numbers.mostly_numbers(own) and list(own) != counted]


def _alike(content: Content, tables: Sequence[Printed]) -> list[list[tuple[str, Printed]]]:
    """The tables with the same columns, and what stands above each."""
    groups = dict[tuple[str, ...], list[tuple[str, Printed]]]()
    for table in tables:
        groups.setdefault(tuple(table.rows[0]), []).append((_above(content, table), table))
    return [own for own in groups.values() if len(own) > 1 and _are_named(own)]


def _are_named(own: Sequence[tuple[str, Printed]]) -> bool:
    """Whether each of several tables has a heading above it that no other one has."""
    named = {name for name, _ in own}
    return len(named) == len(own) and "" not in named


BELOW = "heading"  # of a column with what stands above a table


def _above(content: Content, table: Printed) -> str:
    """The last heading above a table and below the one before it, or what is bold in the line above; "" without it."""
    above = list(itertools.takewhile(_is_beside, reversed(content.lines[: table.places[0] - 1])))
    headed = [match[1] for line in above if (match := HEADING.fullmatch(line))]
    bold = [match[1] for line in list(filter(str.strip, above))[:1] if (match := BOLD.fullmatch(line))]
    return plain(next(iter(headed or bold), ""))


def _is_beside(line: str) -> bool:
    """Whether a line is in no table."""
    return line.lstrip()[:1] not in ("|", "+")


def _apart(content: Content, tables: Sequence[Printed]) -> ReadError:
    """The error for several tables, with the place, the columns and the rows of each."""
    shown = [
        f"line {table.places[0]}: {listed(table.rows[0])} ({count(len(table.rows) - 1, 'row')})"
        for table in tables[:SHOWN_TABLES]
    ]
    more = f"; and {len(tables) - SHOWN_TABLES} more" if len(tables) > SHOWN_TABLES else ""
    message = f"It has {count(len(tables), 'table')}, which belong together in no known way: {'; '.join(shown)}{more}."
    lines = listed((f"--table {table.places[0]}" for table in tables), SHOWN_TABLES)
    fix = f"Choose the one with a score of each system on each question: {lines}. "
    fix += "Totals of whole systems cannot be tested: then load the results of single questions."
    return ReadError(message, content.file, tables[1].places[0], fix)


SCORED = frozenset(("Corr", "Sub", "Del", "Ins", "Err"))  # headings of what sclite counts


def _refuse_cut(file: str, tables: Sequence[Printed]) -> None:
    """Raise ReadError for a table of which only a part was printed."""
    for table in tables:
        rows = zip(table.rows, table.places, strict=True)
        if cut := [place for row, place in rows if all(map(ELLIPSIS.fullmatch, row))]:
            raise ReadError("It is a printed data frame without some of its rows.", file, cut[0], WHOLE)


def are_of_tasks(content: Content) -> bool:
    """Whether a text has tables of lm-evaluation-harness: one number for each task, and its standard error."""
    return "Stderr" in content.text and any(map(SUMMED.search, content.lines))


SUMMED = re.compile(r"\|\s*Metric\s*\|(?:\s*\|)?\s*Value\s*\|(?:\s*\|)?\s*Stderr\s*\|")


def refuse_of_tasks(file: str, place: int) -> None:
    """Raise ReadError, which says what to load in place of such tables."""
    fix = "Tests need the results of every question. Load samples_*.jsonl of each system: lm_eval --log_samples writes them."
    raise ReadError(f"It has {OF_TASKS}: one number for each task.", file, place, fix)


HTML = re.compile(r"<table[\s>]", re.IGNORECASE)


def long_table(content: Content) -> str:
    """Where the one table of many rows in a text begins, or one in HTML; "" without one."""
    html = next((i for i, line in enumerate(content.lines, 1) if HTML.search(line)), None)
    if html is not None:
        return f"line {html} begins {IN_HTML}"
    tables = [one for one in _tables(content.lines) if len(one.rows) > MANY_ROWS and _scored(one)]
    return f"line {tables[0].places[0]} begins a table of {len(tables[0].rows) - 1} rows" if len(tables) == 1 else ""


def _tables(lines: Sequence[str]) -> list[Printed]:
    """The tables between lines of other text."""
    lines = _with_bars(lines)
    return [table for block in _blocks(lines) if (table := _table(lines, block)) is not None]


def _with_bars(lines: Sequence[str]) -> list[str]:
    """The lines, with bars at both ends of the rows of tables that are written without (a | b, and --- | --- below)."""
    out = list(lines)
    for i, line in enumerate(lines):
        if i and "|" in line and not line.lstrip().startswith("|") and RULE.fullmatch(line):
            for j in itertools.takewhile(lambda j: "|" in lines[j], range(i - 1, len(lines))):
                out[j] = f"|{lines[j].strip()}|"
    return out


def _blocks(lines: Sequence[str]) -> Iterator[range]:
    """The lines that follow each other and begin with a bar or a corner; a second rule of Markdown is below other headings."""
    start, ruled = None, False
    for i, line in enumerate([*lines, ""]):
        rule = line.lstrip().startswith("|") and RULE.fullmatch(line) is not None
        if start is not None and rule and ruled and i - 1 > start:
            yield range(start, i - 1)
            start = i - 1
        if line.lstrip()[:1] in ("|", "+"):
            start, ruled = i if start is None else start, ruled or rule
        elif start is not None:
            yield range(start, i)
            start, ruled = None, False


def _table(lines: Sequence[str], block: range) -> Printed | None:
    """The table in a block of lines; None without a rule below its headings, or with rows of unequal length."""
    ruled = {i for i in block if BAR.fullmatch(lines[i].strip()) or RULE.fullmatch(lines[i])}
    kept = [i for i in block if i not in ruled]
    rows = [split(lines[i]) for i in kept]
    if _are_types(rows[1:2], kept[1:2], ruled):
        del rows[1], kept[1]
    if len(rows) < FEWEST_ROWS or kept[0] + 1 not in ruled or len({len(row) for row in rows}) > 1:
        return None
    how = "It has a table, and only this was read."
    if total := _total(rows):
        how += f" Its last row, {total}, sums up the others: left out."
        rows, kept = rows[:-1], kept[:-1]
    return Printed(rows, [i + 1 for i in kept], how, ruled=True)


def _total(rows: Sequence[Sequence[str]]) -> str:
    """What the last row is called, where it says how many of the others each column has (Total, 12/24); "" for another one."""
    words = [cell for cell in rows[-1] if cell.strip() and not numbers.POINTS.fullmatch(cell)]
    if len(words) != 1 or not sums.is_sum(words[0]):
        return ""
    points = list(filter(None, map(numbers.POINTS.fullmatch, rows[-1])))
    above = any(map(numbers.POINTS.fullmatch, itertools.chain.from_iterable(rows[1:-1])))
    counted = len(points) > 1 and {match[2] for match in points} == {str(len(rows) - 2)}
    return words[0] if counted and not above else ""


def _are_types(rows: Sequence[Sequence[str]], places: Sequence[int], ruled: set[int]) -> bool:
    """Whether each cell of a row above a rule is a type, as polars writes them below its headings."""
    return bool(rows) and all(map(TYPE.fullmatch, rows[0])) and places[0] + 1 in ruled
