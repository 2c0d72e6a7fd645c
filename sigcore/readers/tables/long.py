"""Tables in long form (a row per system and segment) to one stream per system and column."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sigcore.errors import Asking, ReadError
from sigcore.formatting import count, listed
from sigcore.measures import COUNTED, better_of
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import crossing, doubts, numbers, outcomes, plan, ranked, scored, sums, unnamed, whole
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import SAY
from sigcore.types import Better, Kind, Role

# Which columns of a table in long form name its segments.


def id_columns(table: Table, system: int) -> list[int]:
    """The columns that identify segments within a system: the ids, with the documents if these are needed."""
    plan.ask_tried(table, system)
    ids, documents = _shared(table, system), table.where("document")[:1]
    choices = [[k] for k in ids] + [[*documents, k] for k in ids] + [documents]
    for chosen in filter(None, choices):
        if table.differ([system, *chosen]):
            return chosen
    if not ids and not documents:
        if (runs := whole.runs(table, system)) is not None:
            raise runs
        if (asked := plan.nameless(table, system)) is not None:
            raise asked
        raise unnamed.nameless(table, system)
    raise unnamed.twice(table, documents + ids[:1], system)


def _shared(table: Table, system: int) -> list[int]:
    """The columns that may name segments, without those whose value differs in every row: two systems would share
    none. All of them if none would be left.

    Raises: ReadError if each system has one row.
    """
    ids = _candidates(table)
    ids = [k for k in ids if in_common(table, system, k)] or ids
    shared = [k for k in ids if table.repeats(k)]
    if not shared:  # rows have names of their own, and what was asked comes again
        shared = [k for k in doubts.asked_again(table) if table.differ([system, k])]
    if not shared and len(table.rows) > 1 and not table.repeats(system):
        raise whole.systems(table)
    return shared or ids


def in_common(table: Table, system: int, k: int) -> bool:
    """Whether two systems have a value of the column in common: what each has for itself pairs none."""
    return len(set(zip(table.column(system), table.column(k), strict=True))) > len(table.column(k).counts)


def _candidates(table: Table) -> list[int]:
    """The columns that may name segments: item, question and the like if they contain whole numbers, or nothing else
    could name the segment."""
    ids, perhaps = table.where("segment"), table.where("perhaps segment")
    whole = [k for k in perhaps if are_whole(table.column(k))]
    if ids or whole or table.where("document"):
        return ids + whole
    return named_ids(table, table.where("system")[:1]) or perhaps


def named_ids(table: Table, system: Sequence[int]) -> list[int]:
    """The one column whose heading ends in id (email_id) and that tells the rows of a system apart, where several systems of
    the table have values of it in common; [] without it, and where several columns may be it."""
    ids = [k for k in table.headed(crossing.ID.search) if table.meanings[k] is None]
    # who judged, or the number of the run, tells the rows of a system and a question apart
    again = table.where("judge") or [k for k in table.where("run") if all(map(str.isdigit, table.column(k).counts))]
    again = again[:1]
    told = [k for k in ids if not crossing.OF_ROWS.match(table.headings[k]) and table.differ([*system, *again, k])]
    several = bool(system) and len(table.column(system[0]).counts) > 1
    shared = [k for k in told if not several or in_common(table, system[0], k)]
    return shared if len(shared) == 1 else []


def are_whole(cells: Iterable[str], digits: float = math.inf) -> bool:
    """Whether the cells are whole numbers without a sign, of at most so many digits."""
    every = list(cells)
    return not every or (numbers.are_digits(every) and max(map(len, every)) <= digits)


# A table whose rows name what they measure: each measure becomes a separate table.

ENDS = ("_score", "_scores", " score")  # SYSTEM_score beside SYSTEM holds the scores of its output


def measures_of(table: Table) -> list[int]:
    """The column that names what each row measures, or by which criterion it is rated, if there is one. Where no question
    comes again, its names must come equally often: else they are outcomes."""
    ids = table.where("segment") or table.where("perhaps segment")
    columns = [k for k in (table.where("measure") or _criteria(table, ids))[:1] if not table.numeric(k)]
    once = bool(ids) and table.differ(ids[:1])
    return [k for k in columns if not once or len(set(Counter(table.column(k)).values())) == 1]


def _criteria(table: Table, ids: Sequence[int]) -> list[int]:
    """The column that names the criterion of each row, where each question comes again with each of them, beside several systems."""
    named = table.where("dimension") if ids and not table.where("judge", "system") else []
    several = named and sum(means is None and table.numeric(k) for k, means in enumerate(table.meanings)) > 1
    return [k for k in named if several and not table.differ(ids[:1]) and table.differ([ids[0], k])]


def by_measure(table: Table, column: int, result: Found, read: Callable[[Table, Found], Found]) -> Found:
    """The streams of each measure in a column, read by `read` and added to `result`; what all of them repeat once.

    Raises: ReadError for a row that names no measure.
    """
    table.refuse_nameless(column, "measure")
    read_ = {measure: read(part, Found()) for measure, part in _by_value(table, column).items()}
    # measures of other questions have documents of their own
    apart = len({frozenset(map(_stream, filter(_is_of_segments, part.items))) for part in read_.values()}) > 1
    for measure, part in read_.items():
        known = [_stream(item) for item in result.items if item.kind != "scores" and not (apart and item.measure)]
        new = [item for item in part.items if _stream(item) not in known]
        part.items = [_of_measure(item, names.clean(measure), table.headings, apart) for item in new]
        part.notices = [notice for notice in part.notices if notice not in result.notices]
        result.add(part)
    return result


def _by_value(table: Table, column: int) -> dict[str, Table]:
    """The rows with each value of a column, known measures first, without this column."""
    parts: dict[str, list[int]] = {}
    for i, row in enumerate(table.rows):
        parts.setdefault(row[column], []).append(i)

    def without(cells: Sequence[str]) -> list[str]:
        return [cell for k, cell in enumerate(cells) if k != column]

    rest = replace(table, headings=without(table.headings), rows=list(map(without, table.rows)))
    return {value: rest.kept(parts[value]) for value in words.in_order([*parts])}


def _of_measure(item: Item, measure: str, headings: Sequence[str], apart: bool) -> Item:
    """The item: scores get the measure that their rows name, and what is said of each segment where measures are `apart`."""
    if apart and _is_of_segments(item):
        return replace(item, measure=measure)
    return _called(item, measure, headings)


def _is_of_segments(item: Item) -> bool:
    """Whether an item says of each segment to which document or part of the data it belongs."""
    return item.role in ("documents", "domains")


def _stream(item: Item) -> tuple[Role, Kind, str, tuple[str, ...]]:
    """The parts by which two streams of a table are equal."""
    return item.role, item.kind, item.name, item.segments


def paired(items: Sequence[Item]) -> list[Item]:
    """The items; scores in a column SYSTEM_score or SYSTEM_MEASURE beside the outputs in SYSTEM are those of that system."""
    outputs = {item.name for item in items if item.role == "system" and item.kind == "text"}

    def of_output(item: Item) -> Item:
        if item.kind != "scores" or item.role != "system":
            return item
        system, measure = words.cut(item.name)
        if system in outputs:
            return replace(item, name=system, measure=measure)
        return replace(item, name=_owner(item.name)) if _owner(item.name) in outputs else item

    return list(map(of_output, items))


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
NOTE = "rows of a table in long form"  # begins what an item made of rows was detected as
SINGULAR = {"documents": "document", "domains": "category"}
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


def is_long(table: Table) -> bool:
    """Whether a column names systems, and is not the output of a system named "system"."""
    named = [table.column(k) for k in table.where("system")]
    if not named:
        return False
    if len(table.rows) > 1 and any(2 * len(set(column)) <= len(column) for column in named):
        return True
    if not any(2 * sum(map(is_name, column)) > len(column) for column in named):
        return False
    return any(map(words.is_value, table.headings)) or _only_numbers(table)


def _only_numbers(table: Table) -> bool:
    """Whether all columns except those of systems and ids contain numbers: the scores of the system of each row."""
    facts = table.where("system", "segment", "document", "domain", "aside", *words.LANGUAGES)
    columns = [table.column(k) for k in range(len(table.headings)) if k not in facts]
    return bool(columns) and all(map(_mostly_numbers, columns))


def _mostly_numbers(column: Sequence[str]) -> bool:
    """Whether most of the cells that are not blank are numbers."""
    return numbers.mostly_numbers([cell for cell in column if cell.strip()])


def is_name(cell: str) -> bool:
    """Whether a cell is short enough to be a name, and not a number."""
    return len(cell) <= LONGEST_NAME and len(cell.split()) <= MOST_WORDS and not numbers.is_number(cell)


def pivot(table: Table) -> Found:
    """The streams in a table in long form, segments in the order of their ids (whole numbers) or of the rows.

    Raises: ReadError without a column of segment ids, for a row without a system, for a repeated segment, for a gold cell
    that changes.
    """
    if measures := measures_of(table):
        return by_measure(table, measures[0], Found(), lambda part, _: pivot(part))
    system = table.where("system")[0]
    table.refuse_nameless(system, "system")
    sums.refuse_lists(table.file, table.column(system), table.places)
    ids = id_columns(table, system)
    for k in ids:
        sums.refuse(table.file, table.column(k), table.places)
    crossing.refuse_own_ids(table, system, ids)
    long = Long(table, system, ids)
    _sort_in(long)
    segment = " and ".join(table.headings[k] for k in reversed(long.ids))
    what = f"{table.headings[system]} = system, {segment} = segment"
    result = Found(notices=[Notice(table.file, f"It was read in long form, a row per system and segment: {what}.")])
    for k in _used_columns(long, result):
        _add_column(long, result, k)
    if ranks := [table.headings[k] for k in ranked.column_of(table, _scored(result, table), long.ids)]:
        result.items = ranked.noted(table, result.items, result, ranks[0])
    if not any(item.role == "system" for item in result.items) and not result.problems:
        message = f"The column {table.headings[system]} names systems, but no column is known to hold their outputs or scores."
        message += outcomes.unfilled(table)
        raise _without_values(long, message)
    return result


def _without_values(long: Long, message: str) -> ReadError:
    """The problem of systems without outputs and scores, and what may be compared."""
    table, asked = long.table, [long.system, *long.ids]
    if not table.where("reference") and (told := outcomes.words_as_scores(table)):
        return ReadError(message, table.file, 1, told)
    costs = [k for k in range(len(table.headings)) if k not in asked and _may_be_compared(table, k)]
    fix = [f"Say which does: {SAY}."] if not costs else []
    if costs:
        said = shlex.join(f"{name}=score" for name in table.named(costs))
        fix.append(f"If {listed(table.named(costs))} {'is' if len(costs) == 1 else 'are'} compared: --columns {said}.")
    return Asking(message, table.file, 1, " ".join([*fix, "Errors alone cannot be compared: load all answers."]))


def _may_be_compared(table: Table, k: int) -> bool:
    """Whether a column has numbers of what an answer cost (a time, a price), or a count of hits."""
    known = COUNTED.fullmatch(table.headings[k].strip()) or better_of(table.headings[k])
    return table.numeric(k) and known is not None


def _scored(result: Found, table: Table) -> list[int]:
    """The columns whose scores are used."""
    measures = {item.measure for item in result.items if item.kind == "scores"}
    return [k for k, heading in enumerate(table.headings) if heading in measures]


def _value_columns(long: Long) -> list[int]:
    """The columns other than systems and ids; documents remain a stream even if they are ids."""
    named = {long.system, *long.table.where("segment", "run"), *long.ids} - set(long.table.where("document"))
    columns = sorted({*range(len(long.table.headings))} - named - doubts.counters(long.table))
    # known measures come first, also where a table has other columns before them
    return sorted(columns, key=lambda k: not (long.table.meanings[k] or words.is_measure(long.table.headings[k])))


def _used_columns(long: Long, result: Found) -> list[int]:
    """The columns of gold and text, and those of numbers that are scores; the other numbers are reported."""
    columns = _value_columns(long)
    values = [k for k in columns if _has_numbers(long.table, k)]
    scores = scored.columns(long.table, long.system, long.ids, values, result)
    if unused := [k for k in values if k not in scores]:
        message = f"Columns of numbers that are not used: {listed(long.table.named(unused))}. "
        result.notices.append(Notice(long.table.file, f"{message}Name those that are scores with --score-field."))
    return [k for k in columns if k not in unused]


def _has_numbers(table: Table, k: int) -> bool:
    """Whether a column of values, and not of gold, holds numbers."""
    column = table.column(k)
    return (
        table.roles[k] == "system"
        and not _holds_labels(table, k)
        and (_mostly_numbers(column) or bool(numbers.as_numbers(table.file, column, known=_outcomes(table))[0]))
    )


def _holds_labels(table: Table, k: int) -> bool:
    """Whether the numbers or words in a column of outputs are labels: somebody calls them texts, or the reference has numbers, or
    these words, too."""
    gold = table.gold if table.meanings[k] == "text" else []
    if table.headings[k] in table.texts:
        return True
    return any(map(table.numeric, gold)) or (bool(gold) and outcomes.are_answers(table, [k], gold))


def _sort_in(long: Long) -> None:
    """Index the rows by system and segment, and sort the segments.

    Raises: ReadError if there would be more systems and segments than a table can sensibly have, and for a segment that a
    system has twice.
    """
    for i, row in enumerate(long.table.rows):
        key = tuple(row[k] for k in long.ids)
        rows = long.rows.setdefault(names.clean(row[long.system]), {})
        if rows.setdefault(key, i) != i:  # names that differ in what cannot be seen
            raise unnamed.twice(long.table, long.ids, long.system)
    keys = dict.fromkeys(key for rows in long.rows.values() for key in rows)
    if len(keys) * len(long.rows) > MOST_CELLS:
        message = f"{long.table.file} would have {count(len(long.rows), 'system')} with {count(len(keys), 'segment')}."
        heading = long.table.headings[long.system]
        fix = f"Check that {heading} is the column of system names. Give every system the same ids."
        raise ReadError(message, long.table.file, 1, fix)
    numbered = len(long.ids) == 1 and are_whole((key[0] for key in keys), digits=18)
    long.keys = sorted(keys, key=lambda key: int(key[0])) if numbered else list(keys)
    # the id first, as everywhere: 3 of doc1
    if long.table.numbered:
        return
    long.called = tuple(names.of_segment(reversed(key)) for key in long.keys)


def _add_column(long: Long, result: Found, k: int) -> None:
    """Add the streams of a column, or a notice that it was not used."""
    heading, role = long.table.headings[k], long.table.roles[k]
    if role not in ("system", "ignored"):
        _add_gold(long, result, k, role)
        return
    labels = _names_people(long, k) or _holds_labels(long.table, k)
    column = _scores(long.table, result, k) if role == "system" and not labels else ()
    if column:
        _add_scores(long, result, column, heading, numbers.better_of(long.table.column(k)))
    # an output by its heading, or the only column of values
    elif long.table.meanings[k] == "text" or (words.is_value(heading) and not long.table.where("text")):
        _add_texts(long, result, long.table.column(k), heading)
    else:
        result.notices.append(Notice(long.table.file, outcomes.not_used(heading, long.table.column(k))))


def _names_people(long: Long, k: int) -> bool:
    """Whether numbers below judge are names of people; alone they are the scores of a judge."""
    table, used = long.table, (k, long.system, *long.ids)
    open_ = [i for i, means in enumerate(table.meanings) if means != "judge" and i not in used]
    said = table.basis == "said" and any(map(table.numeric, open_))
    named = said or any(map(words.is_plain, table.headings)) or numbers.are_ids(table.column(k))
    return table.meanings[k] == "judge" and named


def _scores(table: Table, result: Found, k: int) -> tuple[str, ...]:
    """The cells of a column of scores, with decimal points; () if it contains something else.

    Raises: ReadError for a cell among them that is not a number.
    """
    heading, column = table.headings[k], table.column(k)
    found, how = numbers.as_numbers(table.file, column, heading, table.places, _outcomes(table))
    if found:
        result.notices.append(Notice(table.file, f"Column {heading}: {how}."))
    elif not _mostly_numbers(column):
        return ()
    numbers.are_scores(table.file, found or column, heading, table.places)
    return found or column


def _outcomes(table: Table) -> Mapping[str, str]:
    """The words that mean 1 and 0: all, where the user says which columns are scores."""
    return numbers.ALL_OUTCOMES if table.basis else numbers.OUTCOMES


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
                what = SINGULAR.get(role, role)
                message = (
                    f"column {heading}: {system} has another {what} for segment {' '.join(key)} than earlier systems."
                )
                raise ReadError(message, table.file, table.places[i], fix="Every system must have the same one.")
    stream = tuple(cells[key] for key in long.keys)
    note = f"a column of a table in long form, {count(len(stream), 'segment')}"
    if any(cell.strip() for cell in stream):
        result.items.append(Item(heading, role, "text", stream, table.file, note, keys=long.called))


def _add_texts(long: Long, result: Found, column: Sequence[str], heading: str) -> None:
    """Add a stream of text per system that has a row for every segment; the others go to the problems."""
    if words.normalised(heading) == "text" and _is_shared(long, column):
        _add_gold(long, result, long.table.headings.index(heading), "source")
        result.notices.append(
            Notice(long.table.file, f"Column {heading} is the same for every system: it is no output.")
        )
        return
    for system, rows in long.rows.items():
        missing = [key for key in long.keys if key not in rows]
        if missing:
            first = f"the first is segment {' '.join(missing[0])}"
            message = f"{system} has no row for {len(missing)} of {count(len(long.keys), 'segment')}; {first}."
            result.problems.append(
                ReadError(message, long.table.file, fix="Add the rows; an empty output is an empty cell.")
            )
            continue
        result.items.append(_item(long, system, "text", heading, [column[rows[key]] for key in long.keys]))


def _is_shared(long: Long, column: Sequence[str]) -> bool:
    """Whether many segments have one text each, whichever system they are about."""
    texts = [{column[rows[key]] for rows in long.rows.values() if key in rows} for key in long.keys]
    return len(long.rows) > 1 and len(texts) >= numbers.MANY and all(len(one) == 1 for one in texts)


def _add_scores(
    long: Long, result: Found, column: Sequence[str], heading: str, better: Better | Literal[""] = ""
) -> None:
    """Add a stream of scores per system that has any, with gaps for missing rows."""
    measure = (names.measure_in_name(long.table.file)[0] if words.is_value(heading) else "") or heading
    for system, rows in long.rows.items():
        stream = [column[rows[key]] if key in rows else "" for key in long.keys]
        if any(cell.strip() for cell in stream):
            result.items.append(replace(_item(long, system, "scores", heading, stream, measure), better=better))
        else:
            result.notices.append(Notice(long.table.file, f"{names.clean(system)} has no {heading} values; left out."))


def _item(long: Long, system: str, kind: Kind, heading: str, stream: Sequence[str], measure: str = "") -> Item:
    note = f"{NOTE}, {heading}, {count(len(stream), 'segment')}"
    name = names.clean(system) or "unnamed"
    return Item(name, "system", kind, tuple(stream), long.table.file, note, measure=measure, keys=long.called)


# What somebody named without the questions.

MOST_NAMED = 3  # columns that may name the questions


def refuse_nameless(table: Table, own: Sequence[int], scores: Sequence[int], ids: Sequence[int]) -> None:
    """Raise ReadError where several systems have several rows each, and nothing names the questions: as segments of their own
    no row of a system would have one of another beside it."""
    system = (own or table.where("system"))[:1] if scores and not ids else []
    if own and system and not table.repeats(system[0]):
        raise _of_whole(table, system[0], len(scores))
    if not system or table.where("segment", "run") or not 1 < len(table.column(system[0]).counts) < len(table.rows):
        return
    if shared := [k for k in range(len(table.headings)) if _may_ask(table, k, system[0])]:
        named = " or ".join(f"--id-field {shlex.quote(name)}" for name in table.named(shared[:MOST_NAMED]))
        what = "Which column names the questions? Each system has several rows."
        raise ReadError(what, table.file, 1, f"Say it: {named}.")


def _of_whole(table: Table, system: int, scores: int) -> ReadError:
    """The problem of systems that have a row each, with so many columns of scores."""
    name = table.headings[system]
    what = f"{name} has another name in each row: if these are systems, the scores are of whole systems."
    turned = " If each column of scores is one: --columns rows=system." if scores >= MOST_NAMED else ""
    return ReadError(what, table.file, 1, f"Load the scores of every segment: tests need them.{turned}")


def _may_ask(table: Table, k: int, system: int) -> bool:
    """Whether a column tells the rows of a system apart, and has values that several systems share."""
    fractions = table.numeric(k) and numbers.scale(table.column(k)).fractions
    return k != system and not fractions and table.differ([system, k]) and in_common(table, system, k)
