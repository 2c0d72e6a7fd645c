"""A table of a known program read as its row in `programs` says: one measure per score, segments by their ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sigcore.formatting import count, listed
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.programs import Program, in_path, matching
from sigcore.readers.tables.said import Said, applied, unclear
from sigcore.readers.tables.table import Table
from sigcore.types import Better


@dataclass(frozen=True, eq=False)
class Layout:
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


def read_as(program: Program, table: Table, result: Found) -> Layout:
    """The table as the layout of the program says.

    Raises: ReadError if none of its columns has scores, or a score is not a number.
    """
    if program.texts:
        return Layout(program, _texts(table, program, result))
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
    return Layout(program, read, testset)


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
    return bool(numbers.truths(cells, wide=True)) or numbers.mostly_numbers(cells)


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
