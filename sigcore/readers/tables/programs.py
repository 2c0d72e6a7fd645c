"""The programs whose files are known: how each is recognised, what names its segments, which field is the score.

One record per program, in programs.toml. `read_as` reads a table as its record says; docs/formats.md shows them.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Found, Item, Notice, Part
from sigcore.readers.tables import applied, evident, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.plan import unclear
from sigcore.readers.tables.said import Declared, Said
from sigcore.readers.tables.table import Table


@dataclass(frozen=True)
class Program:
    """One layout. Headings may contain `*`; nested names are joined by dots.

    A table is of the program if it has all headings in `needs`. `segment`, `system` and `scores` are the headings of its
    columns; the measure is the heading, or what `*` stands for in it. `header` is the name of the system beside the
    records, `systems` headings of which the first that tells rows of one segment apart, or else two together, name the system, `joint` those that do together, `task` that of the test set, `once` a heading with the system in one record only, `called` one in which `*` is the system, `path` a pattern of file names with the groups system
    and testset. `listed` is the heading of a column with the names of the scores. `split` is a heading whose values are
    separate measures, `document` one that groups segments, `only` a heading and the value of the rows that are used.
    `marks` are cells and the numbers they mean; `better` says which scores are better, where their names do not; `texts` are
    headings and the names they get (words of the vocabulary, or a measure; "" for what is not used): then the table is read as if it had them,
    without the columns that are not in the vocabulary. `shift` is added to each score. `repeats` says that a segment may have several
    rows: samples, `spoken` that its texts are transcripts, and `of_file` that its ids are paths of which the last name counts. Of the
    measures in `lower` less is better, and of rows that are written again the one with the highest number below `later` counts. `files` and `gives` are shown in the docs.
    """

    name: str
    needs: tuple[str, ...]
    files: str
    gives: str
    segment: tuple[str, ...] = ()
    system: str = ""
    systems: tuple[str, ...] = ()
    joint: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    header: str = ""
    task: str = ""
    once: str = ""
    called: str = ""
    path: str = ""
    listed: str = ""
    split: str = ""
    document: str = ""
    only: tuple[str, str] | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    measure: str = ""
    better: Declared = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    repeats: bool = False
    spoken: bool = False
    shift: float = 0.0
    of_file: bool = False
    later: str = ""
    lower: tuple[str, ...] = ()


TOGETHER = "system by two names"  # a heading of a column that is made
NEARLY = 2  # headings that tell a program where another is missing, beside usual ones
NO_FILTER = "none"  # as lm-evaluation-harness calls it
PATH = Path(__file__).with_name("programs.toml")
RECORDS: Mapping[str, Any] = tomllib.loads(PATH.read_text("utf-8"))  # Any: texts, lists and numbers, as TOML has them


def _program(record: Mapping[str, Any]) -> Program:  # Any: as above
    """The program of a record, whose lists are tuples."""
    lists = {key: tuple(value) for key, value in record.items() if isinstance(value, list)}
    return Program(**{**record, **lists})


PROGRAMS = tuple(map(_program, RECORDS["program"]))
# Programs whose files have a format with its reader, or columns that the vocabulary has: (program, files, what they give).
ALSO = tuple((one["name"], one["files"], one["gives"]) for one in RECORDS["also"])


def matching(pattern: str, headings: Iterable[str]) -> list[str]:
    """The headings that fit the pattern."""
    return [heading for heading in headings if heading == pattern or fnmatchcase(heading, pattern)]


def recognised(headings: Sequence[str], header: Iterable[str] = ()) -> Program | None:
    """The program whose layout a table with these headings has, that with the most needed ones; `header` are the names
    beside the records (`^name` in `needs`)."""
    beside = [f"^{name}" for name in header]
    known = [one for one in PROGRAMS if all(matching(need, [*headings, *beside]) for need in one.needs)]
    return max(known, key=lambda one: len(one.needs), default=None)


def of(table: Table) -> Program | None:
    """The program whose layout a table has. What it calls a measure holds numbers: elsewhere the heading means an answer."""
    program = recognised(table.headings, table.header)
    measured = [need for need, name in program.texts.items() if names.measure_word(name)] if program else []
    texts = table.headed(lambda heading: any(matching(need, [heading]) for need in measured))
    return program if all(map(table.numeric, texts)) else None


def refuse_other(file: str, headings: Sequence[str]) -> None:
    """Raise ReadError for the headings of a program whose files hold nothing to compare: it says what to load instead."""
    for one in RECORDS["other"]:
        lacks = any(matching(name, headings) for name in one.get("lacks", ()))
        if not lacks and all(matching(name, headings) for name in one["needs"]):
            raise ReadError(one["says"], file, 1, one["fix"])


def nearly(headings: Sequence[str]) -> str:
    """What a table is that has all headings of a known program but one, in a sentence; "" where there is none."""
    for program in PROGRAMS:
        missing = [need for need in program.needs if not need.startswith("^") and not matching(need, headings)]
        own = [need for need in program.needs if need not in missing and words.meaning(need) is None]
        if len(missing) == 1 and len(own) >= NEARLY and all(need[0] != "^" for need in program.needs):
            return f"It looks like a file of {program.name}, but has no column {missing[0]}."
    return ""


def in_path(program: Program, file: str) -> tuple[str, str]:
    """The system and the test set in the name of a file and its folder; "" where the program does not say."""
    match = re.search(program.path, file.replace("\\", "/")) if program.path else None
    return (match["system"] or "", match["testset"] or "") if match else ("", "")


# A table of a known program read as its row in `programs` says: one measure per score, segments by their ids.


def finished(program: Program, item: Item, testset: str) -> Item:
    """An item of the program's table with its test set."""
    item = replace(item, testset=testset)
    if item.kind != "scores":
        return item
    note = f"{program.name}, {item.measure}, {count(len(item.segments), 'segment')}"
    return replace(item, note=note, better="lower" if item.measure in program.lower else program.better)


TASK = "task"  # a name that is made where one object has the samples of several tasks


def by_task(table: Table) -> Iterator[tuple[str, Table]]:
    """The part of each task, in order, where a column that was made names several; else the whole table."""
    made = table.headings[:1] == [TASK] and table.nested
    tasks = table.column(0).counts if made else {}
    if len(tasks) < 2:
        yield "", table
        return
    for task in tasks:
        rows = [i for i, cell in enumerate(table.column(0)) if cell == task]
        yield task, table.kept(rows).without({0})


def read_as(program: Program, table: Table, result: Found) -> tuple[Table, str]:
    """The table in terms of the vocabulary, as the layout of the program says, and the test set of its file.

    Raises: ReadError if none of its columns has scores, or a score is not a number.
    """
    if program.texts:
        return replace(_texts(table, program, result), basis="program"), ""
    system, testset = _system(table, program)
    table = _of_files(_only(table, program, result), program)
    # a table that was put together of several files has its own column of systems
    table, telling = _telling(table, program)
    own = program.system or telling or next((table.headings[k] for k in table.where("system")), "")
    table = _latest(table, program, own, result)
    if program.repeats:
        table = _samples(table, program, own, result)
    scores = _scores(table, program)
    if not scores:
        _refuse_failed(table, program)
        raise unclear(table, f"It looks like a file of {program.name}, but has no scores that are known.")
    table = _named(_scored(table, program, [name for name, _ in scores]), program, scores)
    measures = tuple(measure for _, measure in scores)
    segment = ("segment",) if program.repeats else program.segment
    read = applied.to(table, Said(segment, own, measures), result, system or names.measure_in_name(table.file)[1])
    message = f"It was recognised as a file of {program.name}: {_sentence(program, own, read)}"
    result.notices.append(Notice(table.file, message))
    return replace(read, basis="program"), testset


def _telling(table: Table, program: Program) -> tuple[Table, str]:
    """The table, and the first heading of systems that tells rows of one segment apart; where none does, two of them
    together do, in a column of their own, or else the first one is it."""
    known = _filled(table, (*program.joint, *program.systems))
    asked = _filled(table, program.segment) if known else []
    tried: list[Sequence[int]] = [[k] for k in known]
    tried = [tried[0], known] if program.joint and known else [*tried, *itertools.combinations(known, 2)]
    told = next((one for one in tried if table.differ([*one, *asked])), known[:1])
    if len(told) > 1:
        return _joined(table, told, " " if program.joint else " / "), TOGETHER
    return table, "".join(table.named(told))


def _filled(table: Table, names: Sequence[str]) -> list[int]:
    """The columns with these headings that are not empty."""
    places = [table.headings.index(name) for name in names if name in table.headings]
    return [k for k in places if any(map(str.strip, table.column(k)))]


def _joined(table: Table, columns: Sequence[int], between: str) -> Table:
    """The table with a column of the names in these together, without quotes around them."""
    cells = zip(*map(table.column, columns), strict=True)
    named = [between.join(filter(None, (one.strip("'\" ") for one in row))) for row in cells]
    return _with(table, {TOGETHER: named}, ())


def _sentence(program: Program, own: str, table: Table) -> str:
    """What was read as what."""
    parts = [f"{' and '.join(program.segment)} = segment"] if program.segment else []
    systems = list(dict.fromkeys(table.column(table.headings.index("system"))))
    parts += [f"{own} = system" if own else f"system = {systems[0]}"]
    known = ("system", "segment", "document", "measure", "reference", "source")
    parts += [f"scores = {listed(name for name in table.headings if words.meaning(name) not in known)}"]
    return ", ".join(parts) + "."


def _texts(table: Table, program: Program, result: Found) -> Table:
    """The columns of ids, references, outputs and scores below the names that the program's layout gives them."""
    renamed = [_text_named(heading, program) for heading in table.headings]
    kept = [k for k, name in enumerate(renamed) if name and _is_kept(name, table.headings[k], program)]
    shown = ", ".join(f"{heading} = {word}" for heading, word in program.texts.items() if word)
    unused = listed(table.headings[k] for k in range(len(renamed)) if k not in kept)
    more = f"; not used: {unused}." if unused else "."
    result.notices.append(Notice(table.file, f"It was recognised as a file of {program.name}: {shown}{more}"))
    return replace(table, headings=[renamed[k] for k in kept], rows=[[row[k] for k in kept] for row in table.rows])


WORDS: Mapping[str, Part] = {"output": "text", "reference": "reference", "segment": "question", "source": "source"}


def claims(table: Table, program: Program | None, known: Sequence[Claim]) -> list[Claim]:
    """The claims on columns of texts whose roles the program's layout gives; those that are `known` otherwise, too."""
    named = {k: _text_named(name, program) for k, name in enumerate(table.headings)} if program else {}
    parts = {k: WORDS.get(word.partition("_")[0]) for k, word in named.items() if word != table.headings[k]}
    own = [evident.claim(table, k, part, "its program writes it") for k, part in parts.items() if part]
    told = {one.column for one in own}
    return [*(replace(one, basis="program") for one in own), *(one for one in known if one.column not in told)]


def _is_kept(name: str, heading: str, program: Program) -> bool:
    """Whether a column was renamed, or has a heading that is known."""
    return name != heading or name in program.texts.values() or words.meaning(name) is not None


def _text_named(heading: str, program: Program) -> str:
    """The word that the program's layout gives a heading, with the number of a text in a list of several."""
    if heading in program.texts:
        return program.texts[heading]
    for pattern, word in program.texts.items():
        if fnmatchcase(heading, pattern):
            return f"{word}{heading.removeprefix(pattern.rstrip('*')).replace(' ', '_')}"
    return heading


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
    for heading in matching(program.called, table.headings) if program.called else ():
        head, _, tail = program.called.partition("*")
        system = heading.removeprefix(head).removesuffix(tail)
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
    return table.kept(kept)


def _of_files(table: Table, program: Program) -> Table:
    """The table in which an id that is the path of a file is its last name: each system has a folder of its own."""
    if not program.of_file:
        return table
    k = table.headings.index(program.segment[0])
    bare = [re.split(r"[/\\\\]", cell)[-1] for cell in table.column(k)]
    return replace(table, rows=[[*row[:k], name, *row[k + 1 :]] for row, name in zip(table.rows, bare, strict=True)])


def _latest(table: Table, program: Program, own: str, result: Found) -> Table:
    """The table with the last row of each segment of a system, where a program adds a row when it judges again; noted."""
    if program.later not in table.headings or not own:
        return table
    cells = table.column(table.headings.index(program.later))
    when = [numbers.parsed(cells).get(cell, 0.0) for cell in cells]
    keys = [*zip(*(table.column(table.headings.index(name)) for name in (own, *program.segment)), strict=True)]
    last = {keys[i]: i for i in sorted(range(len(keys)), key=when.__getitem__)}
    if len(last) == len(keys):
        return table
    again = Counter(key[0] for key in keys) - Counter(key[0] for key in last)
    shown = listed(f"{count(number, 'row')} of {name}" for name, number in again.items())
    result.notices.append(
        Notice(table.file, f"{shown} judged a segment again: the last one counts, by {program.later}.")
    )
    return table.kept(sorted(last.values()))


def _samples(table: Table, program: Program, system: str, result: Found) -> Table:
    """The table with the samples of each segment numbered, and the segment as their document, if any has several."""
    places = [table.headings.index(name) for name in program.segment]
    ids = [names.of_segment(row[k] for k in places) for row in table.rows]
    systems = table.column(table.headings.index(system)) if system else [""] * len(ids)
    if len(set(zip(systems, ids, strict=True))) == len(ids):
        return _with(table, {"segment": ids}, places)
    message = "Segments have several samples; each segment is one document. Resample documents (--unit document)."
    result.notices.append(Notice(table.file, message))
    seen, samples = Counter[tuple[str, str]](), list[str]()
    for key in zip(systems, ids, strict=True):
        seen[key] += 1
        samples.append(f"sample {seen[key]} of {key[1]}")
    return _with(table, {"segment": samples, words.QUESTIONS: ids}, places)


def _with(table: Table, added: dict[str, list[str]], without: Sequence[int]) -> Table:
    """The table with more columns before its own, and without some of these."""
    kept = [k for k in range(len(table.headings)) if k not in without]
    columns = [*added.values(), *(table.column(k) for k in kept)]
    headings = [*added, *(table.headings[k] for k in kept)]
    return replace(table, headings=headings, rows=list(zip(*columns, strict=True)))


def _scores(table: Table, program: Program) -> list[tuple[str, str]]:
    """The headings of the scores and the measures they hold."""
    # the headings that the program names in the cells of a column as those of its scores
    columns = [table.column(table.headings.index(name)) for name in matching(program.listed, table.headings)]
    cells = dict.fromkeys(cell.strip() for column in columns for cell in column)
    listed_there = [(name, name) for name in cells if name in table.headings]
    known = [(p, heading) for p in program.scores for heading in matching(p, table.headings)]
    patterns = [(heading, _measure(pattern, heading)) for pattern, heading in known]
    chosen = {name: measure for name, measure in listed_there or patterns if _holds_scores(table, program, name)}
    return [(name, program.measure or measure) for name, measure in chosen.items()]


def _scored(table: Table, program: Program, scores: Sequence[str]) -> Table:
    """The table without rows that have none of the scores, where others of the same segments have them: a program may write
    its measures and what it counted in rows of their own."""
    places = [table.headings.index(name) for name in program.segment if name in table.headings]
    columns = [table.column(table.headings.index(name)) for name in scores]
    kept = [i for i, row in enumerate(zip(*columns, strict=True)) if not all(map(numbers.is_missing, row))]
    if not places or len(kept) == len(table.rows):
        return table
    ids = list(zip(*map(table.column, places), strict=True))
    return table.kept(kept) if {*ids} == {ids[i] for i in kept} else table


def _holds_scores(table: Table, program: Program, heading: str) -> bool:
    """Whether the column has numbers, outcomes or marks; a known name may be above something else."""
    cells = _marked(table.column(table.headings.index(heading)), program)
    return bool(numbers.truths(cells, numbers.OUTCOMES)) or numbers.mostly_numbers(cells)


def _refuse_failed(table: Table, program: Program) -> None:
    """Raise ReadError where most scores are a mark of this program for a failure: -1 of a judge whose answer nobody could read."""
    for heading in (one for pattern in program.scores for one in matching(pattern, table.headings)):
        cells = table.column(table.headings.index(heading))
        failed = [cell.strip() for cell in cells if program.marks.get(cell.strip()) == ""]
        if 2 * len(failed) >= len(cells):
            what = (
                f"{len(failed)} of {count(len(cells), 'score')} of {program.name} are {failed[0]}: there is no score."
            )
            raise ReadError(what, table.file, 1, "Run the judge again, and load its scores of two systems or more.")


def _measure(pattern: str, heading: str) -> str:
    """The measure in a heading: what `*` stands for between the fixed parts of the pattern, else its last part."""
    head, star, tail = pattern.partition(".*")
    if star and tail.startswith("."):
        return heading.removeprefix(f"{head}.").removesuffix(tail)
    return re.sub(r"^(?:stats|__metric__|scores|metric)\.|/v\d+/score$", "", heading)


def _marked(cells: Sequence[str], program: Program) -> tuple[str, ...]:
    known = tuple(program.marks.get(cell.strip(), cell) for cell in cells)
    if not program.shift:
        return known
    return tuple(repr(round(float(cell) + program.shift, 12)) if numbers.is_number(cell) else cell for cell in known)


def _named(table: Table, program: Program, scores: Sequence[tuple[str, str]]) -> Table:
    """The table with the scores below their measures, with numbers for marks, and with the program's document and
    measure below the words of the vocabulary."""
    headings, columns = list(table.headings), [list(table.column(k)) for k in range(len(table.headings))]
    for heading, measure in scores:
        k = table.headings.index(heading)
        headings[k], columns[k] = measure, list(_marked(columns[k], program))
    if program.split in table.headings:
        k = table.headings.index(program.split)
        # no filter at all says nothing, and would be a part of the name of every measure
        headings[k] = program.split if set(columns[k]) == {NO_FILTER} else "metric"
    if program.document in table.headings and "document" not in headings:
        k = table.headings.index(program.document)
        if table.repeats(k):
            own = words.QUESTIONS if program.document in program.segment else "document"
            headings, columns = [*headings, own], [*columns, list(columns[k])]
    return replace(table, headings=headings, rows=list(zip(*columns, strict=True)))
