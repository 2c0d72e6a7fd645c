"""Tables as rows of cells: a column per system, with or without a header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sigcore.errors import ReadError, SigError
from sigcore.readers import lines, names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import long as pivot
from sigcore.readers.tables import numbers as scores

MOST_COLUMNS = 1_000  # a bound against files that only look like tables
SHOWN = 6  # headings that a notice repeats
FEWEST_COUNTED = 3  # numbers 1, 2, 3 are enough to say that a column counts the rows
WELL_KNOWN = words.IDS | words.DOCUMENTS | words.DOMAINS | words.GOLD | words.SYSTEMS


@dataclass(frozen=True)
class Sheet:
    """A table without its header: headings, rows of as many cells, and the line in the file where each row starts.

    `role` is what all columns are where there was no header, "" where the headings tell it.
    """

    file: str
    headings: list[str]
    rows: Sequence[Sequence[str]]
    places: Sequence[int]
    role: str = ""

    def column(self, k: int) -> tuple[str, ...]:
        """The cells of a column."""
        return tuple(row[k] for row in self.rows)

    def keys(self) -> tuple[str, ...]:
        """What its columns of ids call the segments; () where they do not tell them apart."""
        lower = [heading.lower() for heading in self.headings]
        ids = [k for k, heading in enumerate(lower) if heading in words.IDS]
        documents = [k for k, heading in enumerate(lower) if heading in words.DOCUMENTS]
        for chosen in ([[k] for k in ids] + [[k, *documents[:1]] for k in ids]) if not self.role else ():
            found = tuple(" of ".join(row[k].strip() for k in chosen) for row in self.rows)
            if len(set(found)) == len(found) and all(found):
                return found
        return ()


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


def read_table(
    file: str, rows: Sequence[Sequence[str]], places: Sequence[int] = (), headings: Sequence[str] | None = None
) -> Found:
    """The items, or the groups, in a table given as rows of equally many cells.

    `places` are the lines at which the rows start (1, 2, 3 ... where it is not given). `headings` are given where the
    format has names of its own; else the first row is a header if it looks like one.
    Raises: ReadError for a table without rows, with too many columns, or in a long form that cannot be turned round.
    """
    refuse_wide(file, len(rows[0] if headings is None else headings))
    found = Found()
    rows, places = rows if headings is None else [headings, *rows], places or range(1, len(rows) + 1)
    places = places if headings is None else [1, *places]
    rows = _without_counts(file, rows, found)
    named = [names.clean(cell) for cell in rows[0]]
    if headings is None and not _is_header(rows, named):
        return _read_bare(file, rows, places, found)
    if headings is None:
        found.notices.append(Notice(file, f"Its first line was read as a header: {_some(named)}.", 1))
    if len(rows) < 2:
        raise ReadError(f"{file} has a header but no rows.", file, 1, "Load the whole table.")
    sheet = Sheet(file, [name or f"column {k + 1}" for k, name in enumerate(named)], rows[1:], places[1:])
    lower = [heading.lower() for heading in sheet.headings]
    if len(lower) == 2 and set(lower) & words.SYSTEMS and "group" in lower:
        return _read_groups(found, lower, sheet.rows)
    if pivot.is_long(lower, sheet.rows):
        long = pivot.pivot(file, sheet.headings, sheet.rows, sheet.places)
        long.notices[:0] = found.notices if headings is None else []
        return long
    return _read_columns(sheet, found)


def refuse_wide(file: str, width: int) -> None:
    """Raises: ReadError for more columns than a table can mean to have."""
    if width > MOST_COLUMNS:
        raise ReadError(f"{file} has {width:,} columns.", file, 1, f"At most {MOST_COLUMNS:,} are read.")


def _some(headings: Sequence[str]) -> str:
    more = f" and {len(headings) - SHOWN} more" if len(headings) > SHOWN else ""
    return ", ".join(headings[:SHOWN]) + more


def _without_counts(file: str, rows: Sequence[Sequence[str]], found: Found) -> Sequence[Sequence[str]]:
    """The rows without a first column that only counts them: under no heading, or in a table without a header."""
    first = [row[0] for row in rows]
    body = first[1:] if not first[0].strip() or first[0].lower() in words.ASIDE else first
    counted = _counts(body) and len(body) >= (1 if len(body) < len(first) else FEWEST_COUNTED)
    if len(rows[0]) < 2 or not counted:
        return rows
    found.notices.append(Notice(file, "Its first column only counts the rows; it was not used."))
    return [row[1:] for row in rows]


def _counts(cells: Sequence[str]) -> bool:
    """Whether the cells are 0, 1, 2 ... or 1, 2, 3 ..."""
    return (
        bool(cells)
        and cells[0].strip() in ("0", "1")
        and all(cell.strip() == str(int(cells[0]) + i) for i, cell in enumerate(cells))
    )


def _is_header(rows: Sequence[Sequence[str]], headings: list[str]) -> bool:
    if not all(headings):
        return False
    if any(heading.lower() in WELL_KNOWN for heading in headings):
        return True
    if len(set(headings)) < len(headings) or any(scores.is_number(h) or scores.is_missing(h) for h in headings):
        return False
    return len(rows) > 1 and any(_all_numbers(column[1:]) for column in zip(*rows, strict=True))


def _all_numbers(cells: Sequence[str]) -> bool:
    """Whether over 90 % are numbers, as below a heading of scores."""
    return sum(scores.is_number(cell) for cell in cells) > 0.9 * len(cells)


def _read_groups(table: Found, lower: list[str], rows: Sequence[Sequence[str]]) -> Found:
    group = lower.index("group")
    table.groups = {names.clean(row[1 - group]): names.clean(row[group]) for row in rows}
    return table


def _read_bare(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], found: Found) -> Found:
    """The columns of a table without a header, numbered where there are several."""
    stem, width = names.display_name(file), len(rows[0])
    if width > 1:
        told = (
            "No header row was recognised, so its columns are numbered. (One has reference, source or segment in it.)"
        )
        found.notices.append(Notice(file, told))
    headings = [f"{stem} column {k + 1}" if width > 1 else stem for k in range(width)]
    return _read_columns(Sheet(file, headings, rows, places, role=names.guess_role(file)), found)


def _read_columns(sheet: Sheet, found: Found) -> Found:
    """Adds an item per column that is no id."""
    keys = sheet.keys()
    for k, heading in enumerate(sheet.headings):
        column = sheet.column(k)
        try:
            if not sheet.role and heading.lower() in words.IDS:
                _check_order(sheet, heading, column)
                continue
            found.items.append(replace(_column_item(sheet, heading, column, found), keys=keys))
        except SigError as problem:
            found.problems.append(problem)
    if not found.items and not found.problems:
        what = f"{sheet.file} holds nothing but the numbers of segments."
        raise ReadError(what, sheet.file, sheet.places[0], "Add a column with texts or scores.")
    found.items = _of_one_system(sheet, _with_sparse(sheet, _without_remarks(sheet, found)))
    for item in (item for item in found.items if item.role != "ignored" and any(item.segments)):
        what = f"Column {item.name}: " if len(found.items) > 1 else ""
        found.notices += lines.empty_notice(sheet.file, item.segments, what)
    return found


def _column_item(sheet: Sheet, heading: str, column: tuple[str, ...], found: Found) -> Item:
    role, file = sheet.role or words.role(heading), sheet.file
    numeric = False
    if role in ("reference", "system"):
        pointed = scores.with_points(file, column, heading, sheet.places)
        if pointed:
            found.notices.append(Notice(file, f"Column {heading}: its decimal commas were read as points."))
        numeric = bool(pointed) or scores.are_scores(file, column, heading, sheet.places)
        column = pointed or column
    kind = "scores" if numeric else "text"
    note = f"a column of a table, {kind}, {len(column)} segments"
    measure = names.measure_of(file) if numeric and not sheet.role else ""
    return Item(heading, role, kind, column, file, note, measure=measure)


def _without_remarks(sheet: Sheet, found: Found) -> list[Item]:
    """The items; beside scores, text that a heading calls a comment is no output of a system."""
    if not any(item.kind == "scores" and item.role == "system" for item in found.items):
        return found.items
    remarks = [i for i in found.items if i.kind == "text" and i.role == "system" and words.is_remark(i.name)]
    if remarks:
        told = f"By their headings they hold remarks, no outputs; not used: {_some([i.name for i in remarks])}."
        found.notices.append(Notice(sheet.file, told))
    return [replace(item, role="ignored") if item in remarks else item for item in found.items]


def _with_sparse(sheet: Sheet, items: list[Item]) -> list[Item]:
    """The items; beside scores, a column of a few numbers and else nothing is scores too: a person who wrote for fewer
    than half of the documents."""
    if not any(item.kind == "scores" and item.role == "system" for item in items):
        return items

    def sparse(item: Item) -> bool:
        there = [cell for cell in item.segments if not scores.is_missing(cell)]
        return (item.role, item.kind) == ("system", "text") and bool(there) and all(map(scores.is_number, there))

    def called(item: Item) -> Item:
        note = item.note.replace(", text,", ", scores,")
        return replace(item, kind="scores", note=note, measure="" if sheet.role else names.measure_of(item.file))

    return [called(item) if sparse(item) else item for item in items]


def _of_one_system(sheet: Sheet, items: list[Item]) -> list[Item]:
    """The items; where one output and scores of it (src, mt, ref, COMET), or scores of usual measures only, make a table
    of one system, they are called after the file, and the scores after their measure."""
    systems = [item for item in items if item.role == "system"]
    texts = [item for item in systems if item.kind == "text"]
    found = [item for item in systems if item.kind == "scores"]
    one_output = len(texts) == 1 and texts[0].name.lower() in words.TEXTS
    measured = [words.is_measure(item.name) for item in found]
    if sheet.role or not (one_output or (not texts and measured and all(measured))):
        return items
    measure, name = names.told_measure(sheet.file)

    def called(item: Item) -> Item:
        if item.role != "system":
            return item
        plain = item.name.lower() in words.PLAIN_VALUES | words.TEXTS
        own = "" if item.kind == "text" else measure if plain and measure else item.name
        return replace(item, name=name, measure=own)

    return [called(item) for item in items]


def _check_order(sheet: Sheet, heading: str, column: tuple[str, ...]) -> None:
    """Raises: ReadError where the ids are distinct whole numbers, and shuffled: rows count by their place."""
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 19 for cell in column):
        return
    ids = [int(cell) for cell in column]
    fault = next((i for i in range(1, len(ids)) if ids[i] < ids[i - 1]), None)
    if fault is not None and len(set(ids)) == len(ids):
        what = f"column {heading}, row {fault + 1}: {ids[fault]} follows {ids[fault - 1]}; the rows are not in order."
        fix = f"Sort the rows by {heading}: segments are matched by their place."
        raise ReadError(what, sheet.file, sheet.places[fault], fix)
