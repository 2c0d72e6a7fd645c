"""Tables as rows of cells: a column per system, with or without a header."""

from __future__ import annotations

from collections.abc import Sequence

from sigcore.errors import ReadError, SigError
from sigcore.readers import headings as words
from sigcore.readers import lines, names, pivot, scores
from sigcore.readers.contract import Found, Item, Notice

MOST_COLUMNS = 1_000  # a bound against files that only look like tables
SHOWN = 6  # headings that a notice repeats
WELL_KNOWN = words.IDS | words.DOCUMENTS | words.DOMAINS | words.GOLD | words.SYSTEMS


def equal_fields(segments: Sequence[str]) -> bool:
    """Whether every line has the same number (1 or more) of TABs."""
    width = segments[0].count("\t")
    return width >= 1 and all(segment.count("\t") == width for segment in segments)


def refuse_ragged(file: str, segments: Sequence[str]) -> None:
    """Raises: ReadError where the lines differ in their number of fields."""
    width = segments[0].count("\t")
    odd = next((i for i, segment in enumerate(segments) if segment.count("\t") != width), None)
    if odd is not None:
        found = segments[odd].count("\t") + 1
        what = f"{file}: line {odd + 1} has {found} fields, line 1 has {width + 1}."
        raise ReadError(what, file, odd + 1, "Give every line the same number of TABs; text may hold none.")


def read_table(file: str, rows: list[list[str]]) -> Found:
    """The items, or the groups, in a table given as rows of equally many cells.

    Raises: ReadError for a table without rows, with too many columns, or in a long form that cannot be turned round.
    """
    width = len(rows[0])
    if width > MOST_COLUMNS:
        raise ReadError(f"{file} has {width:,} columns.", file, 1, f"At most {MOST_COLUMNS:,} are read.")
    headings = [names.clean(cell) for cell in rows[0]]
    table = Found()
    if not _is_header(rows, headings):
        told = (
            "No header row was recognised, so its columns are numbered. (One has reference, source or segment in it.)"
        )
        table.notices.append(Notice(file, told))
        stem = names.display_name(file)
        headings = [f"{stem} column {k + 1}" for k in range(len(headings))]
        return _read_columns(file, table, headings, rows, names.guess_role(file))
    more = f" and {width - SHOWN} more" if width > SHOWN else ""
    told = f"Its first line was read as a header: {', '.join(headings[:SHOWN])}{more}."
    table.notices.append(Notice(file, told, 1))
    rows = rows[1:]
    if not rows:
        raise ReadError(f"{file} has a header but no rows.", file, 1, "Load the whole table.")
    lower = [heading.lower() for heading in headings]
    if len(lower) == 2 and set(lower) & words.SYSTEMS and "group" in lower:
        return _read_groups(table, lower, rows)
    if pivot.is_long(lower, rows):
        return pivot.pivot(file, headings, rows)
    return _read_columns(file, table, headings, rows, "")


def _is_header(rows: list[list[str]], headings: list[str]) -> bool:
    lower = [heading.lower() for heading in headings]
    if len(set(lower)) < len(lower) or not all(lower):
        return False
    if any(heading in WELL_KNOWN for heading in lower):
        return True
    return len(rows) > 1 and any(_heads_numbers(column) for column in zip(*rows, strict=True))


def _heads_numbers(column: tuple[str, ...]) -> bool:
    """Whether a word stands over a column of numbers."""
    numbers = sum(scores.is_number(cell) for cell in column[1:])
    return not scores.is_number(column[0]) and numbers > 0.9 * (len(column) - 1)


def _read_groups(table: Found, lower: list[str], rows: list[list[str]]) -> Found:
    group = lower.index("group")
    table.groups = {names.clean(row[1 - group]): names.clean(row[group]) for row in rows}
    return table


def _read_columns(file: str, table: Found, headings: list[str], rows: list[list[str]], role: str) -> Found:
    """Adds an item per column; `role` is "" where there was a header, and the headings tell the roles."""
    for heading, column in zip(headings, zip(*rows, strict=True), strict=True):
        try:
            if not role and heading.lower() in words.IDS:
                _check_order(file, heading, column)
                continue
            table.items.append(_column_item(file, heading, column, role))
            table.notices += lines.empty_notice(file, column, f"Column {heading}: ") if any(column) else []
        except SigError as problem:
            table.problems.append(problem)
    return table


def _column_item(file: str, heading: str, column: tuple[str, ...], role: str) -> Item:
    first_line = 1 if role else 2
    found = role or words.role(heading)
    numeric = found in ("reference", "system") and scores.are_scores(file, column, heading, first_line)
    kind = "scores" if numeric else "text"
    note = f"a column of a table, {kind}, {len(column)} segments"
    measure = names.measure_of(file) if numeric and not role else ""
    return Item(heading, found, kind, column, file, note, measure=measure)


def _check_order(file: str, heading: str, column: tuple[str, ...]) -> None:
    """Raises: ReadError where the ids are distinct whole numbers, and shuffled: rows count by their place."""
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 19 for cell in column):
        return
    ids = [int(cell) for cell in column]
    fault = next((i for i in range(1, len(ids)) if ids[i] < ids[i - 1]), None)
    if fault is not None and len(set(ids)) == len(ids):
        what = f"column {heading}, row {fault + 1}: {ids[fault]} follows {ids[fault - 1]}; the rows are not in order."
        raise ReadError(what, file, fault + 2, f"Sort the rows by {heading}: segments are matched by their place.")
