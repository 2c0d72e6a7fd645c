"""A table of outputs or scores to streams: find its header, then read it as groups, in long form or in wide form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice, Options
from sigcore.readers.tables import cells, doubts, layouts, long, numbers, preferred, programs, said, summary_rows, wide
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table

FEWEST_COUNTED = 3  # numbers 1, 2, 3 are enough to decide that a column counts the rows

NOTHING: Mapping[str, bool | int | float | str | None] = {}


def read_rows(
    file: str, rows: Sequence[Sequence[str]], places: Sequence[int] = (), options: Options = NOTHING
) -> Found:
    """The items, or the groups, in rows of equal length, the first of which is a header if it looks like one.

    `places` are the lines at which the rows start (1, 2, 3 ... if it is not given); `options` say what columns hold.
    Raises: ReadError for a table without rows, with too many columns, or in a long form that cannot be read.
    """
    cells.refuse_wide(file, len(rows[0]))
    result, places = Found(), places or range(1, len(rows) + 1)
    rows = _without_counts(file, rows, result)
    named = [names.clean(cell) for cell in rows[0]]
    if not said.said(options) and not _is_header(rows, named):
        return wide.read_bare(file, rows, places, result)
    result.notices.append(Notice(file, f"Its first line was read as a header: {listed(named)}.", 1))
    return _read_below(Table(file, _filled(named), rows[1:], places[1:]), result, options)


def read_records(table: Table, options: Options = NOTHING) -> Found:
    """The items, or the groups, in a table whose format defines the headings; `options` say what columns hold.

    Raises: ReadError as `read_rows` does.
    """
    result = Found()
    if table.role:
        return wide.read_columns(table, result)
    rows = _without_counts(table.file, [table.headings, *table.rows], result)
    headings = _filled([names.clean(cell) for cell in rows[0]])
    return _read_below(replace(table, headings=headings, rows=rows[1:]), result, options)


def _filled(headings: Sequence[str]) -> list[str]:
    """The headings, with a number for missing ones."""
    return [heading or f"column {k + 1}" for k, heading in enumerate(headings)]


def _read_below(table: Table, result: Found, options: Options) -> Found:
    """The content of the rows below the header, added to `result`: as the user says, or as the layout of a known program
    does, or else as the headings say."""
    if not table.rows:
        raise ReadError(f"{table.file} has a header but no rows.", table.file, 1, "Load the complete table.")
    meant = said.said(options)
    program = None if meant else programs.recognised(table.headings, table.header)
    if _read_preferences(table, meant, result, alone=program is None):
        return result
    if program is not None:
        layout = layouts.read_as(program, table, result)
        _read_table(layout.table, result, long_form=not program.texts)
        result.items = [layout.finished(item) for item in result.items]
    else:
        one = said.applied(table, meant, result) if meant else table
        _refuse_summaries(one)
        _read_table(one, result, long_form=bool(meant.system or (meant.scores and one.where("system"))))
    if meant.better:
        result.items = [replace(item, better=meant.better) if item.kind == "scores" else item for item in result.items]
    if program is None and not meant.scores:
        doubts.refuse(table, result)
    return result


def _refuse_summaries(table: Table) -> None:
    """Raise ReadError for a row that is a mean or a total of the others by its id, where a table has ids and numbers."""
    ids = (table.where("segment") or table.where("document"))[:1]
    if ids and any(numbers.mostly_numbers(table.column(k)) for k in range(len(table.headings)) if k not in ids):
        summary_rows.refuse(table.file, table.column(ids[0]), table.places)


def _read_preferences(table: Table, meant: said.Said, result: Found, alone: bool) -> bool:
    """Whether the table has pairwise judgments, which are added to `result`, and (`alone`) nothing else; not where the user
    names other columns."""
    pairs = None if meant.system or meant.scores else preferred.columns(table.headings)
    if pairs is not None:
        preferred.read(table, pairs, result, [said.place(table, name) for name in meant.segment])
    return pairs is not None and alone


def _read_table(table: Table, result: Found, long_form: bool) -> Found:
    """The content of a table in the form that it has, or in long form, added to `result`."""
    if sorted(map(str, table.meanings)) in (["group", "system"], ["group", "rating type", "system"]):
        return _read_groups(table, result)
    if long_form or long.is_long(table):
        result.add(long.pivot(table))
        return result
    return wide.read_columns(table, result)


def _read_groups(table: Table, result: Found) -> Found:
    """The group of each system, and in a column `kind`, where there is one, what it is (a system, a combination).

    Raises: ReadError for a system with two groups or two kinds.
    """
    (system,), (group,) = table.where("system"), table.where("group")
    for line, row in zip(table.places, table.rows, strict=True):
        name = names.clean(row[system])
        given = [(result.groups, names.clean(row[group]))]
        given += [(result.kinds, row[kind].strip().lower()) for kind in table.where("rating type")]
        for known, new in given:
            if known.setdefault(name, new) != new:
                message = f"{name} is in two groups or of two kinds: {known[name]} and {new}."
                raise ReadError(message, table.file, line, "Give each system one row.")
    return result


def _without_counts(file: str, rows: Sequence[Sequence[str]], result: Found) -> Sequence[Sequence[str]]:
    """The rows without a first column that only counts them: under no heading, or in a table without a header."""
    first = [row[0] for row in rows]
    headed = not first[0].strip() or words.role(first[0]) == "ignored"
    body = first[1:] if headed else first
    if len(rows[0]) < 2 or len(body) < (1 if headed else FEWEST_COUNTED) or not _counts(body):
        return rows
    result.notices.append(Notice(file, "Its first column only counts the rows; it was not used."))
    return [row[1:] for row in rows]


def _counts(column: Sequence[str]) -> bool:
    """Whether the cells are 0, 1, 2 ... or 1, 2, 3 ..."""
    return column[0].strip() in ("0", "1") and all(
        cell.strip() == str(int(column[0]) + i) for i, cell in enumerate(column)
    )


def _is_header(rows: Sequence[Sequence[str]], headings: list[str]) -> bool:
    """Whether the first row names the columns: by a known heading, or as words above numbers."""
    if not all(headings):
        return False
    if any(map(words.is_header_word, headings)) or preferred.columns(headings) is not None:
        return True
    if len(set(headings)) < len(headings) or any(numbers.is_number(h) or numbers.is_missing(h) for h in headings):
        return False
    return len(rows) > 1 and any(_all_numbers(column[1:]) for column in zip(*rows, strict=True))


def _all_numbers(column: Sequence[str]) -> bool:
    """Whether over 90 % are numbers, as below a heading of scores."""
    return sum(map(numbers.is_number, column)) > 0.9 * len(column)
