"""Tables in long form (a row per system and segment) to one stream per system and column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers as scores

Key = tuple[str, ...]
MOST_CELLS = 20_000_000  # systems times segments: a bound against columns that only look like names of systems
LONGEST_NAME, MOST_WORDS = 80, 4  # what is longer, in most rows, is an output and no name


@dataclass
class Long:
    """A table in long form: which column is what, and the number of its row by system and segment."""

    file: str
    headings: list[str]
    system: int
    ids: list[int]
    cells: Sequence[Sequence[str]]
    places: Sequence[int]
    rows: dict[str, dict[Key, int]] = field(default_factory=dict)
    keys: list[Key] = field(default_factory=list)
    called: tuple[str, ...] = ()


def is_long(lower: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column names systems instead of holding the output of one called "system"."""
    named = [k for k, heading in enumerate(lower) if heading in words.SYSTEMS]
    repeats = any(2 * len({row[k] for row in rows}) <= len(rows) and len(rows) > 1 for k in named)
    valued = bool(set(lower) & words.VALUES) or _only_numbers(lower, rows)
    return bool(named) and (repeats or (valued and any(_are_names([row[k] for row in rows]) for k in named)))


def _only_numbers(lower: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether all columns but those of systems and ids hold numbers: what each row measures of its system."""
    aside = words.SYSTEMS | words.IDS | words.DOCUMENTS | words.DOMAINS | words.ASIDE
    columns = [[row[k] for row in rows] for k, heading in enumerate(lower) if heading not in aside]
    return bool(columns) and all(scores.mostly_numbers([cell for cell in column if cell.strip()]) for column in columns)


def _are_names(cells: Sequence[str]) -> bool:
    """Whether most cells are short enough to be names, and no numbers."""
    short = sum(
        len(cell) <= LONGEST_NAME and len(cell.split()) <= MOST_WORDS and not scores.is_number(cell) for cell in cells
    )
    return 2 * short > len(cells)


def pivot(file: str, headings: list[str], rows: Sequence[Sequence[str]], places: Sequence[int]) -> Found:
    """The streams in a table in long form, segments in the order of their ids (whole numbers) or of the rows.

    `places` are the lines at which the rows start.
    Raises: ReadError without a column of segment ids, for a segment given twice, for a gold cell that changes.
    """
    lower = [heading.lower() for heading in headings]
    measured = next((k for k, heading in enumerate(lower) if heading in words.MEASURES), None)
    if measured is not None and not scores.mostly_numbers([row[measured] for row in rows]):
        return _by_measure(file, headings, rows, places, measured)
    system = next(k for k, heading in enumerate(lower) if heading in words.SYSTEMS)
    table = Long(file, headings, system, _id_columns(file, lower, rows, places, system), rows, places)
    _sort_in(table)
    found = Found()
    found.notices.append(Notice(file, f"It was read in long form: a row per {headings[system]} and segment."))
    for k, heading in enumerate(headings):
        if k == system or lower[k] in words.IDS or (k in table.ids and lower[k] not in words.DOCUMENTS):
            continue
        _add_column(table, found, k, heading)
    if not found.items and not found.problems:
        what = f"{file} is in long form, but none of its columns holds text or scores."
        raise ReadError(what, file, 1, "Add a column headed text or score, or turn it into one column per system.")
    return found


def _by_measure(
    file: str, headings: list[str], rows: Sequence[Sequence[str]], places: Sequence[int], measured: int
) -> Found:
    """The streams of a table with a row per system, segment and measure: each measure is a table of its own."""
    parts: dict[str, list[int]] = {}
    for i, row in enumerate(rows):
        parts.setdefault(row[measured], []).append(i)
    kept = [k for k in range(len(headings)) if k != measured]
    found = Found()
    for measure, numbers in parts.items():
        cells = [[rows[i][k] for k in kept] for i in numbers]
        part = pivot(file, [headings[k] for k in kept], cells, [places[i] for i in numbers])
        part.items = [_called(item, names.clean(measure)) for item in part.items]
        known = {(item.role, item.name, item.segments) for item in found.items if item.kind != "scores"}
        part.items = [i for i in part.items if i.kind == "scores" or (i.role, i.name, i.segments) not in known]
        part.notices = [notice for notice in part.notices if notice not in found.notices]
        found.add(part)
    return found


def _called(item: Item, measure: str) -> Item:
    """The item, scores with the measure that their rows name."""
    if item.kind != "scores":
        return item
    plain = item.measure.lower() in words.PLAIN_VALUES | words.TEXTS
    return replace(item, measure=measure if plain else f"{measure} {item.measure}")


def _id_columns(
    file: str, lower: Sequence[str], rows: Sequence[Sequence[str]], places: Sequence[int], system: int
) -> list[int]:
    """The columns that tell segments apart within a system: the ids, with the documents where these are needed."""
    ids = [k for k, heading in enumerate(lower) if heading in words.IDS]
    ids += [k for k, heading in enumerate(lower) if heading in words.COUNTED and _whole(row[k] for row in rows)]
    documents = [k for k, heading in enumerate(lower) if heading in words.DOCUMENTS]
    # a number of its own for every row names no segment: two systems share none
    shared = [k for k in ids if len({row[k] for row in rows}) < len(rows)]
    if not shared and len(rows) > 1 and len({row[system] for row in rows}) == len(rows):
        what = f"{file} has one row per system: scores of whole systems, not of segments."
        raise ReadError(what, file, 1, "Load the scores of every segment: tests need them.")
    ids = shared or ids
    single, paired = [[k] for k in ids], [[*documents[:1], k] for k in ids]
    for chosen in (*single, *paired, documents[:1]):
        if chosen and len({(row[system], *(row[k] for k in chosen)) for row in rows}) == len(rows):
            return chosen
    if not ids and not documents:
        what = f"{file} has a row per system and segment, but no column that names the segment."
        raise ReadError(what, file, 1, f"Add a column headed {' or '.join(('segment', 'seg_id', 'id'))}.")
    raise _twice(file, documents[:1] + ids[:1], rows, places, system)


def _whole(cells: Iterable[str]) -> bool:
    """Whether the cells are whole numbers without a sign."""
    return all(cell.isascii() and cell.isdigit() for cell in cells)


def _twice(file: str, ids: list[int], rows: Sequence[Sequence[str]], places: Sequence[int], system: int) -> ReadError:
    """The error for the first row whose segment the system had before."""
    seen: dict[Key, int] = {}
    for i, row in enumerate(rows):
        key = (row[system], *(row[k] for k in ids))
        first = seen.setdefault(key, i)
        if first != i:
            what = (
                f"row {i + 1}: {row[system]} has segment {' '.join(key[1:])} a second time (first in row {first + 1})."
            )
            fix = "Give one row per system and segment; several ratings of one segment need a column for the judge."
            return ReadError(what, file, places[i], fix)
    raise AssertionError("a pair of rows must agree")  # pragma: no cover


def _sort_in(table: Long) -> None:
    """Files the rows by system and segment, and puts the segments in order.

    Raises: ReadError where there would be more systems and segments than a table can mean.
    """
    for i, row in enumerate(table.cells):
        key = tuple(row[k] for k in table.ids)
        table.rows.setdefault(row[table.system], {})[key] = i
    keys = dict.fromkeys(key for found in table.rows.values() for key in found)
    if len(keys) * len(table.rows) > MOST_CELLS:
        what = f"{table.file} would have {len(table.rows):,} systems with {len(keys):,} segments."
        fix = f"Is {table.headings[table.system]} the column of the systems' names? Give every system the same ids."
        raise ReadError(what, table.file, 1, fix)
    table.keys = sorted(keys, key=lambda key: int(key[0])) if _numbered(keys) else list(keys)
    # the id first, as everywhere: 3 of doc1
    table.called = tuple(" of ".join(part.strip() for part in reversed(key)) for key in table.keys)


def _numbered(keys: Mapping[Key, None]) -> bool:
    return all(len(key) == 1 and len(key[0]) < 19 for key in keys) and _whole(key[0] for key in keys)


def _add_column(table: Long, found: Found, k: int, heading: str) -> None:
    lower = heading.lower()
    role = words.role(heading)
    if lower in words.DOCUMENTS | words.DOMAINS or role in ("reference", "source"):
        _add_gold(table, found, k, heading, role)
        return
    column = [row[k] for row in table.cells]
    pointed = scores.with_points(table.file, column, heading, table.places) if role == "system" else ()
    if pointed:
        found.notices.append(Notice(table.file, f"Column {heading}: its decimal commas were read as points."))
    if pointed or (role != "ignored" and scores.mostly_numbers([cell for cell in column if cell.strip()])):
        scores.are_scores(table.file, pointed or column, heading, table.places)
        _add_scores(table, found, pointed or column, heading)
    elif lower in words.TEXTS or (lower in words.VALUES and not set(map(str.lower, table.headings)) & words.TEXTS):
        _add_texts(table, found, column, heading)
    else:
        found.notices.append(Notice(table.file, f"Column {heading} was not used: it is neither text nor scores."))


def _add_gold(table: Long, found: Found, k: int, heading: str, role: str) -> None:
    """One stream that every system repeats.

    Raises: ReadError where two systems differ.
    """
    cells: dict[Key, str] = {}
    for system, rows in table.rows.items():
        for key, i in rows.items():
            cell = table.cells[i][k]
            if cells.setdefault(key, cell) != cell:
                what = f"column {heading}: {system} has another {role} for segment {' '.join(key)} than those before."
                raise ReadError(what, table.file, table.places[i], fix="Every system must repeat the same one.")
    stream = tuple(cells[key] for key in table.keys)
    note = f"a column of a table in long form, {len(stream)} segments"
    if any(cell.strip() for cell in stream):
        found.items.append(Item(heading, role, "text", stream, table.file, note, keys=table.called))


def _add_texts(table: Long, found: Found, column: Sequence[str], heading: str) -> None:
    """A stream of text per system that has a row for every segment; the others go to the problems."""
    for system, rows in table.rows.items():
        missing = [key for key in table.keys if key not in rows]
        if missing:
            first = f"the first is segment {' '.join(missing[0])}"
            what = f"{system} has no row for {len(missing)} of {len(table.keys)} segments; {first}."
            found.problems.append(ReadError(what, table.file, fix="Add the rows; an empty output is an empty cell."))
            continue
        found.items.append(_item(table, system, "text", heading, [column[rows[key]] for key in table.keys]))


def _add_scores(table: Long, found: Found, column: Sequence[str], heading: str) -> None:
    """A stream of scores per system that has any, with gaps where it has no row."""
    measure = heading
    if heading.lower() in words.PLAIN_VALUES | words.TEXTS:
        measure = names.told_measure(table.file)[0] or heading
    for system, rows in table.rows.items():
        stream = [column[rows[key]] if key in rows else "" for key in table.keys]
        if any(cell.strip() for cell in stream):
            found.items.append(_item(table, system, "scores", heading, stream, measure))
        else:
            found.notices.append(Notice(table.file, f"{names.clean(system)} has no {heading} at all; left out."))


def _item(table: Long, system: str, kind: str, heading: str, stream: Sequence[str], measure: str = "") -> Item:
    note = f"rows of a table in long form, {heading}, {len(stream)} segments"
    name = names.clean(system) or "unnamed"
    return Item(name, "system", kind, tuple(stream), table.file, note, measure=measure, keys=table.called)
