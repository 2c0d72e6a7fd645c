"""A table of outputs or scores to streams: find its header, then read it as groups, in long form or in wide form."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice, Options
from sigcore.readers.tables import cells, long, preferred, programs, said, wide
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers as scale
from sigcore.readers.tables.numbers import FEWEST
from sigcore.readers.tables.programs import Program, in_path, matching
from sigcore.readers.tables.said import Said, applied, unclear
from sigcore.readers.tables.table import Table
from sigcore.types import Better

# Nonsense that a table would become: rivals on different scales, a system equal to the reference, constant columns.

COUNTED = 10  # rows; in fewer, scores may go up by 1 by chance


def refuse(table: Table, result: Found) -> None:
    """Raise ReadError, which shows the columns and how to name them, if what was read from a table makes no sense."""
    why = next(_reasons(table, result), "")
    if why:
        raise unclear(table, why)


def _reasons(table: Table, result: Found) -> Iterator[str]:
    """What makes no sense in the items of a table."""
    systems = [item for item in result.items if item.role == "system"]
    texts = [item for item in systems if item.kind == "text"]
    references = [item for item in result.items if item.role == "reference"]
    # a column of systems says which are systems; the scales of their scores are checked when they are compared
    long_form = bool(table.where("system"))
    by_measure: dict[str, list[Item]] = {}
    for item in systems:
        if item.kind == "scores" and not long_form:
            by_measure.setdefault(item.measure, []).append(item)
    for rivals in by_measure.values():
        yield from _about_scores(rivals)
    if len(table.rows) >= FEWEST:
        yield from _about_texts(texts, references)
    yield from _about_kinds(table, texts, by_measure, references)
    yield from _about_ids(table, result)


def _about_scores(rivals: Sequence[Item]) -> Iterator[str]:
    """Columns of scores that cannot be rivals."""
    if len(rivals) < 2:
        return
    yield from _about_names([item.name for item in rivals])
    scales = [(item.name, _values(item)) for item in rivals]
    yield from _about_numbers(scales)
    low, high = scale.different(scales)
    if low and high:
        yield f"Are {low} and {high} scores of rival systems? Their numbers are on very different scales."


def _about_numbers(scales: Sequence[tuple[str, Sequence[float]]]) -> Iterator[str]:
    """Columns that count the rows, or have one number, beside others that do not."""
    counting = [name for name, values in scales if _counts(values)]
    same = [name for name, values in scales if len(values) >= FEWEST and len(set(values)) == 1]
    if counting and len(counting) < len(scales):
        yield f"These columns count the rows, so they are hardly scores: {listed(counting)}."
    if same and len(same) < len(scales):
        yield f"These columns have the same number in every row, so they are hardly scores: {listed(same)}."


def _about_names(names: Sequence[str]) -> Iterator[str]:
    """Headings of rivals that name something else."""
    fields, measures = list(filter(words.is_field, names)), list(filter(words.is_measure, names))
    if fields:
        yield f"By their headings these columns are fields of a log, not systems: {listed(fields)}."
    if measures and len(measures) < len(names):
        others = [name for name in names if name not in measures]
        yield f"By their headings {listed(measures)} are measures, but {listed(others)} may be systems: which is it?"


def _counts(values: Sequence[float]) -> bool:
    """Whether the numbers go up by 1 in every row."""
    return len(values) >= COUNTED and values[0] in (0, 1) and all(b - a == 1 for a, b in itertools.pairwise(values))


def _values(item: Item) -> list[float]:
    values = (float(cell) for cell in item.segments if scale.is_number(cell))
    return [value for value in values if math.isfinite(value)]


def _about_texts(texts: Sequence[Item], references: Sequence[Item]) -> Iterator[str]:
    """Columns of text that cannot be outputs."""
    same = [item.name for item in texts if len(set(item.segments)) == 1]
    if same and len(texts) > 1:
        yield f"These columns have the same text in every row, so they are hardly outputs: {listed(same)}."
    for item in texts:
        copy = next((gold for gold in references if scale.is_copy(item.segments, gold.segments)), None)
        if copy is not None and len(texts) > 1:
            yield f"{item.name} is the same as the reference {copy.name}, so it is hardly an output."


def _about_kinds(
    table: Table, texts: Sequence[Item], scores: dict[str, list[Item]], references: Sequence[Item]
) -> Iterator[str]:
    """Unknown columns of text next to columns of numbers: both would be systems."""
    named = {item.name for rivals in scores.values() for item in rivals}
    unknown = [item.name for item in texts if words.meaning(item.name) != "text" and item.name not in named]
    outputs = [item.name for item in texts if words.meaning(item.name) == "text"]
    if outputs and unknown and not table.where("system"):
        yield f"By its heading {outputs[0]} is the output of one system: what are {listed(unknown)}?"
    if unknown and scores and not table.where("system"):
        yield f"It has columns of text ({listed(unknown)}) and columns of numbers ({listed(named)}): which are systems?"


def _about_ids(table: Table, result: Found) -> Iterator[str]:
    """Names of segments that repeat, which a table with a column per system cannot have."""
    ids = table.where("segment")
    if not ids or table.role or any(item.keys for item in result.items) or table.where("system", "measure"):
        return
    seen: dict[str, int] = {}
    heading = table.headings[ids[0]]
    for i, row in enumerate(table.rows):
        first = seen.setdefault(row[ids[0]], i)
        if first != i and row[ids[0]].strip():
            yield f"Row {i + 1} has {heading} {row[ids[0]]} a second time (first in row {first + 1})."
            return


# A table of a known program read as its row in `programs` says: one measure per score, segments by their ids.


@dataclass(frozen=True, eq=False)
class TableLayout:
    """The table of a program in terms of the vocabulary, with the test set that its file name gives."""

    program: Program
    table: Table
    testset: str = ""

    def finished(self, item: Item) -> Item:
        """The item with its test set, and whether higher or lower is better."""
        item = replace(item, testset=self.testset)
        if item.kind != "scores":
            return item
        lower = any(matching(pattern, [item.measure.rpartition(" ")[2]]) for pattern in self.program.lower)
        better: Better = "lower" if lower or self.program.better == "lower" else "higher"
        return replace(
            item, better=better, note=f"{self.program.name}, {item.measure}, {count(len(item.segments), 'segment')}"
        )


def read_as(program: Program, table: Table, result: Found) -> TableLayout:
    """The table as the layout of the program says.

    Raises: ReadError if none of its columns has scores, or a score is not a number.
    """
    if program.texts:
        return TableLayout(program, _texts(table, program, result))
    system, testset = _system(table, program)
    table = _only(table, program, result)
    # a table that was put together of several files has its own column of systems
    own = program.system or next((table.headings[k] for k in table.where("system")), "")
    if program.repeats:
        table = _samples(table, program, own, result)
    scores = _scores(table, program)
    if not scores:
        raise unclear(table, f"It looks like a file of {program.name}, but has no scores that are known.")
    table = _named(table, program, scores)
    measures = tuple(measure for _, measure in scores)
    segment = ("segment",) if program.repeats else program.segment
    read = applied(table, Said(segment, own, measures), result, system or _file_name(table.file))
    message = f"It was recognised as a file of {program.name}: {_sentence(program, own, read)}"
    result.notices.append(Notice(table.file, message))
    return TableLayout(program, read, testset)


def _sentence(program: Program, own: str, table: Table) -> str:
    """What was read as what."""
    parts = [f"{' and '.join(program.segment)} = segment"] if program.segment else []
    systems = list(dict.fromkeys(table.column(table.headings.index("system"))))
    parts += [f"{own} = system" if own else f"system = {systems[0]}"]
    known = ("system", "segment", "document", "metric")
    parts += [f"scores = {listed(name for name in table.headings if name not in known)}"]
    return ", ".join(parts) + "."


def _texts(table: Table, program: Program, result: Found) -> Table:
    """The columns of ids, references, outputs and scores below the names that the program's layout gives them."""
    renamed = [program.texts.get(heading, heading) for heading in table.headings]
    kept = [k for k, name in enumerate(renamed) if name in program.texts.values() or words.meaning(name)]
    shown = ", ".join(f"{heading} = {word}" for heading, word in program.texts.items())
    unused = listed(table.headings[k] for k in range(len(renamed)) if k not in kept)
    more = f"; not used: {unused}." if unused else "."
    result.notices.append(Notice(table.file, f"It was recognised as a file of {program.name}: {shown}{more}"))
    return replace(table, headings=[renamed[k] for k in kept], rows=[[row[k] for k in kept] for row in table.rows])


def _file_name(file: str) -> str:
    return names.measure_in_name(file)[1]


def _system(table: Table, program: Program) -> tuple[str, str]:
    """The system that a file is about and its test set, from what the file says beside the records or from the path; "" if
    neither says."""
    system, testset = in_path(program, table.file)
    if program.header:
        system = table.header.get(program.header, "")
    if program.task:
        testset = table.header.get(program.task, "")
    for heading in matching(program.once, table.headings) if program.once else ():
        values = {cell for cell in table.column(table.headings.index(heading)) if cell.strip()}
        system = next(iter(values)) if len(values) == 1 else system
    return names.clean(system), names.clean(testset)


def _only(table: Table, program: Program, result: Found) -> Table:
    """The rows that the program's layout says to use; the others are counted in a notice."""
    if program.only is None or program.only[0] not in table.headings:
        return table
    k, value = table.headings.index(program.only[0]), program.only[1]
    kept = [i for i, row in enumerate(table.rows) if row[k].strip() == value]
    if not kept:
        raise unclear(table, f"No row has {program.only[0]} = {value!r}.")
    others = len(table.rows) - len(kept)
    if others:
        message = f"{count(others, 'row')} without {program.only[0]} = {value!r} were not used."
        result.notices.append(Notice(table.file, message))
    return replace(table, rows=[table.rows[i] for i in kept], places=[table.places[i] for i in kept])


def _samples(table: Table, program: Program, system: str, result: Found) -> Table:
    """The table with the samples of each segment numbered, and the segment as their document, if any has several."""
    places = [table.headings.index(name) for name in program.segment]
    ids = [" of ".join(row[k].strip() for k in places) for row in table.rows]
    systems = table.column(table.headings.index(system)) if system else [""] * len(ids)
    if len(set(zip(systems, ids, strict=True))) == len(ids):
        return _with(table, {"segment": ids}, places)
    message = "Segments have several samples; each segment is one document. Resample documents (--unit document)."
    result.notices.append(Notice(table.file, message))
    return _with(table, {"segment": _numbered(systems, ids), "document": ids}, places)


def _numbered(systems: Sequence[str], ids: Sequence[str]) -> list[str]:
    """The name of each sample: its number among those of its system and segment."""
    seen: dict[tuple[str, str], int] = {}
    samples = []
    for key in zip(systems, ids, strict=True):
        seen[key] = seen.get(key, 0) + 1
        samples.append(f"sample {seen[key]} of {key[1]}")
    return samples


def _with(table: Table, added: dict[str, list[str]], without: Sequence[int]) -> Table:
    """The table with more columns before its own, and without some of these."""
    kept = [k for k in range(len(table.headings)) if k not in without]
    columns = [*added.values(), *(table.column(k) for k in kept)]
    headings = [*added, *(table.headings[k] for k in kept)]
    return replace(table, headings=headings, rows=list(zip(*columns, strict=True)))


def _scores(table: Table, program: Program) -> list[tuple[str, str]]:
    """The headings of the scores and the measures they hold."""
    listed_there = [(name, name) for name in _listed(table, program)]
    known = [(p, heading) for p in program.scores for heading in matching(p, table.headings)]
    patterns = [(heading, _measure(pattern, heading)) for pattern, heading in known]
    chosen = {name: measure for name, measure in listed_there or patterns if _holds_scores(table, program, name)}
    return [(name, program.measure or measure) for name, measure in chosen.items()]


def _listed(table: Table, program: Program) -> list[str]:
    """The headings that the program names in the cells of a column as those of its scores."""
    columns = [table.column(table.headings.index(name)) for name in matching(program.listed, table.headings)]
    return [
        name for name in dict.fromkeys(cell.strip() for column in columns for cell in column) if name in table.headings
    ]


def _holds_scores(table: Table, program: Program, heading: str) -> bool:
    """Whether the column has numbers, outcomes or marks; a known name may be above something else."""
    cells = _marked(table.column(table.headings.index(heading)), program)
    return bool(scale.truths(cells, wide=True)) or scale.mostly_numbers(cells)


def _measure(pattern: str, heading: str) -> str:
    """The measure in a heading: what `*` stands for between the fixed parts of the pattern, else its last part."""
    head, star, tail = pattern.partition(".*")
    if star and tail.startswith("."):
        return heading.removeprefix(f"{head}.").removesuffix(tail)
    return re.sub(r"^stats\.", "", heading)


def _marked(cells: Sequence[str], program: Program) -> tuple[str, ...]:
    return tuple(program.marks.get(cell.strip(), cell) for cell in cells)


def _named(table: Table, program: Program, scores: Sequence[tuple[str, str]]) -> Table:
    """The table with the scores below their measures, with numbers for marks, and with the program's document and
    measure below the words of the vocabulary."""
    headings, columns = list(table.headings), [list(table.column(k)) for k in range(len(table.headings))]
    for heading, measure in scores:
        k = table.headings.index(heading)
        headings[k], columns[k] = measure, list(_marked(columns[k], program))
    for heading, word in ((program.split, "metric"),):
        if heading in table.headings:
            headings[table.headings.index(heading)] = word
    if program.document in table.headings and "document" not in headings:
        k = table.headings.index(program.document)
        if table.repeats(k):
            headings, columns = [*headings, "document"], [*columns, list(columns[k])]
    return replace(table, headings=headings, rows=list(zip(*columns, strict=True)))


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
        layout = read_as(program, table, result)
        _read_table(layout.table, result, long_form=not program.texts)
        result.items = [layout.finished(item) for item in result.items]
    else:
        one = said.applied(table, meant, result) if meant else table
        _refuse_summaries(one)
        _read_table(one, result, long_form=bool(meant.system or (meant.scores and one.where("system"))))
    if meant.better:
        result.items = [replace(item, better=meant.better) if item.kind == "scores" else item for item in result.items]
    if program is None and not meant.scores:
        refuse(table, result)
    return result


def _refuse_summaries(table: Table) -> None:
    """Raise ReadError for a row that is a mean or a total of the others by its id, where a table has ids and numbers."""
    ids = (table.where("segment") or table.where("document"))[:1]
    if ids and any(scale.mostly_numbers(table.column(k)) for k in range(len(table.headings)) if k not in ids):
        scale.refuse(table.file, table.column(ids[0]), table.places)


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
    if len(rows[0]) < 2 or len(body) < (1 if headed else FEWEST_COUNTED) or not _read_counts(body):
        return rows
    result.notices.append(Notice(file, "Its first column only counts the rows; it was not used."))
    return [row[1:] for row in rows]


def _read_counts(column: Sequence[str]) -> bool:
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
    if len(set(headings)) < len(headings) or any(scale.is_number(h) or scale.is_missing(h) for h in headings):
        return False
    return len(rows) > 1 and any(_all_numbers(column[1:]) for column in zip(*rows, strict=True))


def _all_numbers(column: Sequence[str]) -> bool:
    """Whether over 90 % are numbers, as below a heading of scores."""
    return sum(map(scale.is_number, column)) > 0.9 * len(column)
