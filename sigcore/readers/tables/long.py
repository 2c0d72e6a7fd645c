"""Tables in long form (a row per system and segment) to one stream per system and column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.table import Table
from sigcore.types import Kind, Role

# Which columns of a table in long form name its segments.


def id_columns(table: Table, system: int) -> list[int]:
    """The columns that identify segments within a system: the ids, with the documents if these are needed."""
    ids, documents = _shared(table, system), table.where("document")[:1]
    choices = [[k] for k in ids] + [[*documents, k] for k in ids] + [documents]
    for chosen in filter(None, choices):
        if table.differ([system, *chosen]):
            return chosen
    if not ids and not documents:
        message = f"{table.file} has a row per system and segment, but no column that names the segment."
        raise ReadError(message, table.file, 1, "Add a column headed segment or seg_id or id.")
    raise _twice(table, documents + ids[:1], system)


def _shared(table: Table, system: int) -> list[int]:
    """The columns that may name segments, without those whose value differs in every row: two systems would share
    none. All of them if none would be left.

    Raises: ReadError if each system has one row.
    """
    ids = _candidates(table)
    shared = [k for k in ids if table.repeats(k)]
    if not shared and len(table.rows) > 1 and not table.repeats(system):
        message = f"{table.file} has one row per system: scores of whole systems, not of segments."
        raise ReadError(message, table.file, 1, "Load the scores of every segment: tests need them.")
    return shared or ids


def _candidates(table: Table) -> list[int]:
    """The columns that may name segments: item, question and the like if they contain whole numbers, or nothing else
    could name the segment."""
    ids, perhaps = table.where("segment"), table.where("perhaps segment")
    whole = [k for k in perhaps if are_whole(table.column(k))]
    return ids + whole if ids or whole or table.where("document") else perhaps


def are_whole(cells: Iterable[str]) -> bool:
    """Whether the cells are whole numbers without a sign."""
    return all(cell.isascii() and cell.isdigit() for cell in cells)


def _twice(table: Table, ids: list[int], system: int) -> ReadError:
    """The error for the first row that repeats a segment of its system."""
    seen: dict[tuple[str, ...], int] = {}
    for i, row in enumerate(table.rows):
        key = (row[system], *(row[k] for k in ids))
        first = seen.setdefault(key, i)
        if first != i:
            segment = " ".join(key[1:])
            message = f"row {i + 1}: {row[system]} has segment {segment} a second time (first in row {first + 1})."
            return ReadError(message, table.file, table.places[i], _fix_twice(table))
    raise AssertionError("a pair of rows must agree")  # pragma: no cover


def _fix_twice(table: Table) -> str:
    judges = table.where("judge")
    if judges:
        return f"The column {table.headings[judges[0]]} names judges: read the file as ratings by people."
    return (
        "Give one row per system and segment; several ratings of one segment need a column for the judge, headed "
        "judge, annotator, rater, worker or user."
    )


# A table whose rows name what they measure: each measure becomes a separate table.

ENDS = ("_score", "_scores", " score")  # SYSTEM_score beside SYSTEM holds the scores of its output


def by_measure(table: Table, column: int, result: Found, read: Callable[[Table, Found], Found]) -> Found:
    """The streams of each measure in a column, read by `read` and added to `result`; what all of them repeat once.

    Raises: ReadError for a row that names no measure.
    """
    table.refuse_nameless(column, "measure")
    parts: dict[str, list[int]] = {}
    for i, row in enumerate(table.rows):
        parts.setdefault(row[column], []).append(i)
    for measure, places in parts.items():
        part = read(_part(table, places, column), Found())
        known = [_stream(item) for item in result.items if item.kind != "scores"]
        new = [item for item in part.items if _stream(item) not in known]
        part.items = [_called(item, names.clean(measure), table.headings) for item in new]
        part.notices = [notice for notice in part.notices if notice not in result.notices]
        result.add(part)
    return result


def _stream(item: Item) -> tuple[Role, Kind, str, tuple[str, ...]]:
    """The parts by which two streams of a table are equal."""
    return item.role, item.kind, item.name, item.segments


def _part(table: Table, places: Sequence[int], without: int) -> Table:
    """Some rows of a table, without a column."""

    def cut(cells: Sequence[str]) -> list[str]:
        return [cell for k, cell in enumerate(cells) if k != without]

    rows = [cut(table.rows[i]) for i in places]
    return replace(table, headings=cut(table.headings), rows=rows, places=[table.places[i] for i in places])


def paired(items: Sequence[Item]) -> list[Item]:
    """The items; scores in a column SYSTEM_score beside the outputs in SYSTEM are those of that system."""
    outputs = {item.name for item in items if item.role == "system" and item.kind == "text"}
    return [replace(item, name=_owner(item.name)) if _is_of(item, outputs) else item for item in items]


def _is_of(item: Item, outputs: set[str]) -> bool:
    return item.kind == "scores" and item.role == "system" and _owner(item.name) in outputs


def _owner(name: str) -> str:
    return next((name.removesuffix(end) for end in ENDS if name.endswith(end)), name)


def _called(item: Item, measure: str, headings: Sequence[str]) -> Item:
    """The item; scores get the measure that their rows name."""
    if item.kind != "scores":
        return item
    # a measure that no column has is only the name of the file
    plain = item.measure not in headings or words.is_value(item.measure)
    return replace(item, measure=measure if plain else f"{measure} {item.measure}")


RowKey = tuple[str, ...]
MOST_CELLS = 20_000_000  # systems times segments: a bound against columns that only look like names of systems
LONGEST_NAME, MOST_WORDS = 80, 4  # longer cells, in most rows, are outputs and not names


@dataclass
class Long:
    """A table in long form: its columns of systems and segments, and the row number by system and segment."""

    table: Table
    system: int
    ids: list[int]
    rows: dict[str, dict[RowKey, int]] = field(default_factory=dict)
    keys: list[RowKey] = field(default_factory=list)
    called: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The file it is from."""
        return self.table.file


def is_long(table: Table) -> bool:
    """Whether a column names systems, and is not the output of a system named "system"."""
    named = [table.column(k) for k in table.where("system")]
    if not named:
        return False
    if len(table.rows) > 1 and any(2 * len(set(column)) <= len(column) for column in named):
        return True
    return any(map(_are_names, named)) and (any(map(words.is_value, table.headings)) or _only_numbers(table))


def _only_numbers(table: Table) -> bool:
    """Whether all columns except those of systems and ids contain numbers: the scores of the system of each row."""
    facts = table.where("system", "segment", "document", "domain", "aside", *words.LANGUAGES)
    columns = [table.column(k) for k in range(len(table.headings)) if k not in facts]
    return bool(columns) and all(map(_mostly_numbers, columns))


def _mostly_numbers(column: Sequence[str]) -> bool:
    """Whether most of the cells that are not blank are numbers."""
    return numbers.mostly_numbers([cell for cell in column if cell.strip()])


def _are_names(cells: Sequence[str]) -> bool:
    """Whether most cells are short enough to be names, and not numbers."""
    return 2 * sum(map(is_name, cells)) > len(cells)


def is_name(cell: str) -> bool:
    """Whether a cell is short enough to be a name, and not a number."""
    return len(cell) <= LONGEST_NAME and len(cell.split()) <= MOST_WORDS and not numbers.is_number(cell)


def pivot(table: Table) -> Found:
    """The streams in a table in long form, segments in the order of their ids (whole numbers) or of the rows.

    Raises: ReadError without a column of segment ids, for a row without a system, for a repeated segment, for a gold cell
    that changes.
    """
    measures = [k for k in table.where("measure")[:1] if not numbers.mostly_numbers(table.column(k))]
    if measures:
        return by_measure(table, measures[0], Found(), _add_part)
    system = table.where("system")[0]
    table.refuse_nameless(system, "system")
    long = Long(table, system, id_columns(table, system))
    _sort_in(long)
    result = Found(notices=[Notice(table.file, _form(long))])
    for k in _value_columns(long):
        _add_column(long, result, k)
    if not result.items and not result.problems:
        message = f"{table.file} is in long form, but none of its columns contains text or scores."
        fix = "Add a column headed text or score, or convert it to one column per system."
        raise ReadError(message, table.file, 1, fix)
    return result


def _add_part(table: Table, result: Found) -> Found:
    """The streams of a table, added to `result`."""
    result.add(pivot(table))
    return result


def _form(long: Long) -> str:
    """A sentence about how the table was read."""
    headings = long.table.headings
    segment = " and ".join(headings[k] for k in reversed(long.ids))
    system = headings[long.system]
    return f"It was read in long form, a row per system and segment: {system} = system, {segment} = segment."


def _value_columns(long: Long) -> list[int]:
    """The columns other than systems and ids; documents remain a stream even if they are ids."""
    names_segments = {long.system, *long.table.where("segment"), *long.ids} - set(long.table.where("document"))
    columns = [k for k in range(len(long.table.headings)) if k not in names_segments]
    # known measures come first, also where a table has other columns before them
    return sorted(columns, key=lambda k: not (long.table.meanings[k] or words.is_measure(long.table.headings[k])))


def _sort_in(long: Long) -> None:
    """Index the rows by system and segment, and sort the segments.

    Raises: ReadError if there would be more systems and segments than a table can sensibly have.
    """
    for i, row in enumerate(long.table.rows):
        key = tuple(row[k] for k in long.ids)
        long.rows.setdefault(row[long.system], {})[key] = i
    keys = dict.fromkeys(key for rows in long.rows.values() for key in rows)
    if len(keys) * len(long.rows) > MOST_CELLS:
        message = f"{long.file} would have {count(len(long.rows), 'system')} with {count(len(keys), 'segment')}."
        heading = long.table.headings[long.system]
        fix = f"Check that {heading} is the column of system names. Give every system the same ids."
        raise ReadError(message, long.file, 1, fix)
    long.keys = sorted(keys, key=lambda key: int(key[0])) if _numbered(keys) else list(keys)
    # the id first, as everywhere: 3 of doc1
    if long.table.numbered:
        return
    long.called = tuple(" of ".join(part.strip() for part in reversed(key)) for key in long.keys)


def _numbered(keys: Mapping[RowKey, None]) -> bool:
    return all(len(key) == 1 and len(key[0]) < 19 for key in keys) and are_whole(key[0] for key in keys)


def _add_column(long: Long, result: Found, k: int) -> None:
    """Add the streams of a column, or a notice that it was not used."""
    heading = long.table.headings[k]
    role = words.role(heading)
    if role not in ("system", "ignored"):
        _add_gold(long, result, k, role)
        return
    column = _scores(long.table, result, k) if role == "system" and not _is_judge(long.table, k) else ()
    if column:
        _add_scores(long, result, column, heading)
    elif _is_output(long.table, k):
        _add_texts(long, result, long.table.column(k), heading)
    else:
        result.notices.append(Notice(long.file, f"Column {heading} was not used: it is neither text nor scores."))


def _is_judge(table: Table, k: int) -> bool:
    """Whether the column names judges; numbers in a column "judge" alone are the scores of a judge."""
    return table.meanings[k] == "judge" and any(map(words.is_plain, table.headings))


def _scores(table: Table, result: Found, k: int) -> tuple[str, ...]:
    """The cells of a column of scores, with decimal points; () if it contains something else.

    Raises: ReadError for a cell among them that is not a number.
    """
    heading, column = table.headings[k], table.column(k)
    pointed = numbers.with_points(table.file, column, heading, table.places)
    if pointed:
        result.notices.append(Notice(table.file, f"Column {heading}: its decimal commas were read as points."))
    elif truths := numbers.truths(column):
        result.notices.append(Notice(table.file, f"Column {heading}: true and false were read as 1 and 0."))
        return truths
    elif not _mostly_numbers(column):
        return ()
    numbers.are_scores(table.file, pointed or column, heading, table.places)
    return pointed or column


def _is_output(table: Table, k: int) -> bool:
    """Whether the column holds the outputs of the systems: by its heading, or as the only column of values."""
    if table.meanings[k] == "text":
        return True
    return words.is_value(table.headings[k]) and not table.where("text")


def _add_gold(long: Long, result: Found, k: int, role: Role) -> None:
    """Add one stream that every system repeats.

    Raises: ReadError if two systems differ.
    """
    table, heading = long.table, long.table.headings[k]
    cells: dict[RowKey, str] = {}
    for system, rows in long.rows.items():
        for key, i in rows.items():
            cell = table.rows[i][k]
            if cells.setdefault(key, cell) != cell:
                message = f"column {heading}: {system} has a different {role} for segment {' '.join(key)} than earlier systems."
                raise ReadError(message, table.file, table.places[i], fix="Every system must have the same one.")
    stream = tuple(cells[key] for key in long.keys)
    note = f"a column of a table in long form, {count(len(stream), 'segment')}"
    if any(cell.strip() for cell in stream):
        result.items.append(Item(heading, role, "text", stream, table.file, note, keys=long.called))


def _add_texts(long: Long, result: Found, column: Sequence[str], heading: str) -> None:
    """Add a stream of text per system that has a row for every segment; the others go to the problems."""
    for system, rows in long.rows.items():
        missing = [key for key in long.keys if key not in rows]
        if missing:
            first = f"the first is segment {' '.join(missing[0])}"
            message = f"{system} has no row for {len(missing)} of {count(len(long.keys), 'segment')}; {first}."
            result.problems.append(ReadError(message, long.file, fix="Add the rows; an empty output is an empty cell."))
            continue
        result.items.append(_item(long, system, "text", heading, [column[rows[key]] for key in long.keys]))


def _add_scores(long: Long, result: Found, column: Sequence[str], heading: str) -> None:
    """Add a stream of scores per system that has any, with gaps for missing rows."""
    measure = (names.measure_in_name(long.file)[0] if words.is_value(heading) else "") or heading
    for system, rows in long.rows.items():
        stream = [column[rows[key]] if key in rows else "" for key in long.keys]
        if any(cell.strip() for cell in stream):
            result.items.append(_item(long, system, "scores", heading, stream, measure))
        else:
            result.notices.append(Notice(long.file, f"{names.clean(system)} has no {heading} values; left out."))


def _item(long: Long, system: str, kind: Kind, heading: str, stream: Sequence[str], measure: str = "") -> Item:
    note = f"rows of a table in long form, {heading}, {count(len(stream), 'segment')}"
    name = names.clean(system) or "unnamed"
    return Item(name, "system", kind, tuple(stream), long.file, note, measure=measure, keys=long.called)
