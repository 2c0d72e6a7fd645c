"""Records of JSON to the rows of a table: nested names joined by dots, lists of texts numbered, ratings averaged."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Content, Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import cells, documents, games, jsontext, numbered, numbers, objects, parts, programs
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.columns import Column, Grid
from sigcore.readers.tables.documents import cell
from sigcore.readers.tables.objects import Record, Shaped, is_number, shaped
from sigcore.readers.tables.table import Table

DEEPEST = 20
OF_ANSWERS = frozenset(("answer", "provenance", "meta"))  # what KILT says of an answer
# Lists of when each word was written or said: no ratings, and their mean says nothing about a system.
TIMES = pattern("shapes.times")
ENTRIES = ("...",)  # in place of names of lists: all records are entries of one part deep inside an object
RUN = "run"  # the number of a part of a list that became a row: a question is drawn with all of them


@dataclass
class Flat:
    """The lists met while flattening: ratings that were averaged, texts with their greatest length, and others; `names` are
    the lists of the records in which documents are named; `right`: the file is called after references; `beside`: every record
    has an output of another name than target, `answered`: of another name than caption."""

    averaged: dict[str, None] = field(default_factory=dict)
    numbered: dict[str, int] = field(default_factory=dict)
    unused: dict[str, None] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    right: bool = False
    beside: bool = False
    answered: bool = False


TARGET = re.compile(r"targets?", re.IGNORECASE)  # of an output, or what is right beside one
CAPTIONS = re.compile(r"(?:(?:human|gt|ref(?:erence)?)[-_ ])?captions", re.IGNORECASE)
SENTENCE = re.compile(r".+(?: .+){3,}[.!?]", re.DOTALL)  # of a text in parts, which are no answers that all are right


def flat(file: str, number: int, record: Record, lists: Flat, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The record as cells: nested records get names with a dot, lists of texts a number, lists of ratings their mean."""
    out: dict[str, str] = {}
    if depth > DEEPEST:
        raise ReadError(f"record {number} is nested more than {DEEPEST} deep.", file, number, "Flatten it.")
    for name, value in record.items():
        heading = f"{prefix}{name}"
        if isinstance(value, dict) and (chosen := _chosen(value)):
            out[heading] = chosen
        elif isinstance(value, dict):
            out |= flat(file, number, value, lists, f"{heading}.", depth + 1)
        elif isinstance(value, list) and (parts.is_pair(value, record) or parts.of_tokens(name, record)):
            lists.unused[heading] = None
        elif isinstance(value, list):
            out |= _flat_list(heading, value, lists)
        else:
            out[heading] = cell(value)
    return out


def _chosen(value: Record) -> str:
    """What somebody chose, where an object has this alone, below its own name: {"scale_4": "4"}, {"yes": "yes"}; "" for others."""
    ((name, own),) = value.items() if len(value) == 1 else (("", None),)
    said = cell(own) if isinstance(own, str | int) else ""
    return said if said and re.split(r"[_: -]", name)[-1] == said else ""


def _answers(values: Sequence[object]) -> list[str]:
    """The answers in a list of objects, each of which has one or says where one stands (KILT); [] for other lists."""
    own = [one for one in values if isinstance(one, dict)]
    known = all(isinstance(one.get("answer", ""), str) and one.keys() <= OF_ANSWERS for one in own)
    return [one["answer"] for one in own if one.get("answer")] if known and len(own) == len(values) else []


def _flat_list(heading: str, values: Sequence[object], lists: Flat) -> dict[str, str]:
    """A list of texts as one cell each (the sentences of an output as one cell), a list of ratings as their mean."""
    if heading in lists.names:
        return {}
    if all(isinstance(value, str) for value in values):
        return _texts(heading, list(map(str, values)), lists)
    if means := documents.named_means(heading, values):
        return means
    if scores := documents.named_scores(heading, values):
        return scores
    if answers := _answers(values):
        return _texts(f"{heading}.answer", answers, lists)
    if RANKS.fullmatch(heading.rpartition(".")[2]) and all(
        map(is_number, values)
    ):  # of several systems: no mean of these
        return _texts(heading, list(map(str, values)), lists)
    ratings = _ratings(heading, values)
    if ratings is None:
        lists.unused[heading] = None
        return {}
    lists.averaged |= dict.fromkeys(ratings)
    return {name: _mean(numbers) for name, numbers in ratings.items()}


RANKS = re.compile(r"orders?|ranks?|ranking", re.IGNORECASE)


def _texts(heading: str, texts: Sequence[str], lists: Flat) -> dict[str, str]:
    """A list of texts, possibly empty, as cells."""
    if not texts:
        return {}
    if words.meaning(heading.rpartition(".")[2]) == "text":
        if not (lists.right or (lists.beside and TARGET.fullmatch(heading))):
            return {heading: "\n".join(texts)}
        heading = "references"  # in a file of these, or beside an output, a list is no output in sentences
    if lists.answered and CAPTIONS.fullmatch(heading):  # what people wrote about an image, beside what a system did
        heading = "references"
    lists.numbered[heading] = max(lists.numbered.get(heading, 0), len(texts))
    return {f"{heading} {k}": text for k, text in enumerate(texts, 1)}


def _ratings(heading: str, values: Sequence[object]) -> dict[str, list[object]] | None:
    """The numbers in a list of ratings, or of records of ratings, by heading; None for a list of something else."""
    if TIMES.fullmatch(heading.rpartition(".")[2]):
        return None
    if all(map(is_number, values)) or _are_outcomes(heading.rpartition(".")[2], values):
        return {heading: list(values)}
    records = [value for value in values if isinstance(value, dict) and all(map(is_number, value.values()))]
    if len(records) < len(values):
        return None
    parts = dict.fromkeys(name for record in records for name in record)
    return {f"{heading}.{name}": [record[name] for record in records if name in record] for name in parts}


def _are_outcomes(name: str, values: Sequence[object]) -> bool:
    """Whether a list says true or false of each sample, below a heading of scores, or of the only one."""
    judged = len(values) == 1 or words.is_outcome(name) or words.meaning(name) == "score" or name.startswith("follow_")
    return judged and bool(values) and all(isinstance(one, bool) for one in values)


def _mean(values: Sequence[object]) -> str:
    try:
        return repr(math.fsum(map(float, values)) / len(values))  # type: ignore[arg-type]
    except OverflowError:  # reported later as not a finite number, with its place
        return "inf"


# Records of JSON (one per line, or a list of them) to a table: a record is a row, its names are headings.

SUFFIXES = ("json", "jsonl", "ndjson", "parquet")  # a Parquet file is unpacked to records


def are_records(content: Content) -> bool:
    """Whether the name or the first characters of a file show that it contains records."""
    return content.suffix in SUFFIXES or jsontext.looks_like_records(content)


def first_headings(content: Content) -> list[str]:
    """The names in the first record of a file, and of a person beside all records; [] if it does not start with one."""
    value = jsontext.parsed(content.text.lstrip().removeprefix("[").lstrip(), first=True)
    person = list[str]()
    if isinstance(value, dict):
        try:
            whole = shaped(content.file, value)
            records, person = whole.records, [name for name in whole.header if words.meaning(name) == "judge"][:1]
        except ReadError:
            records = [value]
        value = records[0]
    return [*value, *person] if isinstance(value, dict) else []


LIST = re.compile(r'(?:\[|\{\s*"[^"]*"\s*:)\s*\{')  # of objects, or an object of them
SEEN_FIRST = 1_000_000  # characters: within the first records


def lists_of_objects(content: Content) -> list[tuple[str, bool]]:
    """The names below which every record has a list of at least two objects, which `explode` makes rows, or, with True, a list inside
    an object without records: that may also be of settings, or of runs. [] for no JSON."""
    try:
        if LIST.search(content.text, 1, SEEN_FIRST) is None:  # most files: nothing is parsed again
            return []
        records = [record for _, record in _records(content.file, jsontext.shaped(content))]
    except ReadError:
        return [] if jsontext.of_entries(content) else jsontext.lists_inside(content)

    def has_rows(value: object) -> bool:
        return isinstance(value, list) and len(value) > 1 and all(isinstance(one, dict) for one in value)

    first = records[0] if records else {}
    return [(name, False) for name in first if all(has_rows(one.get(name)) for one in records)]


def _lists_of(file: str, number: int, record: Record, names: Sequence[str]) -> list[list[object]]:
    """The lists with these names in a record.

    Raises: ReadError for a record without them, or with lists of different lengths.
    """
    lists = [_by_judge(record.get(name)) for name in names]
    found = [part for part in lists if isinstance(part, list)]
    if len(found) < len(names) or len({len(part) for part in found}) != 1:
        message = f"record {number} has no lists of one length below {listed(names)}."
        raise ReadError(message, file, number, "Name lists that all records have, for example: --explode turns.")
    return found


def _name_themselves(parts: object) -> bool:
    """Whether the objects of a list have a name each: a short text, perhaps in an object (dataset.name), that no other one has."""
    if not isinstance(parts, list) or len(parts) < 2 or not all(isinstance(one, dict) for one in parts):
        return False
    cells = list(map(_with_inner, parts))
    texts = [name for name, cell in cells[0].items() if isinstance(cell, str) and _says_name(name)]
    return any(len({str(one.get(name)) for one in cells}) == len(cells) for name in texts)


def _with_inner(record: Record) -> Record:
    """The record with what its objects hold, below their names."""
    inner = {
        f"{key}.{name}": cell for key, own in record.items() if isinstance(own, dict) for name, cell in own.items()
    }
    return {**record, **inner}


def _says_name(name: str) -> bool:
    """Whether something below a name tells parts of a record apart, whatever else it says: a name, a data set, a task."""
    last = name.rpartition(".")[2].lower()
    return last in ("name", "dataset", "task", "benchmark", "subset", "language") or words.meaning(name) in (
        "segment",
        "task",
    )


def _exploded(file: str, records: Sequence[tuple[int, Record]], names: Sequence[str]) -> list[tuple[int, Record]]:
    """A record for each part of the lists with these names (side by side, if several), with its number below run, unless the parts of
    all lists have names of their own.

    Raises: ReadError for a record without these lists, or with lists of different lengths.
    """
    if not names:
        return list(records)
    out, named = list[tuple[int, Record]](), all(_name_themselves(record.get(names[0])) for _, record in records)
    for number, record in records:
        found = _lists_of(file, number, record, names)
        rest = {name: value for name, value in record.items() if name not in names}
        for run, values in enumerate(zip(*found, strict=True), 1):
            own: Record = dict(rest) if named else {**rest, RUN: run}
            for name, part in zip(names, values, strict=True):
                own |= part if isinstance(part, dict) else {name: part}
            out.append((number, own))
    return out


ANNOTATED = re.compile(r"(?:(?P<who>\w+)[-_])?annotations", re.IGNORECASE)


NAMELESS = "its people have no names, and may be others in each record, so none of them is standardised (no z)."


def rated_by_people(content: Content) -> tuple[Table, list[Notice]]:
    """The records of a file, with a row for each object of numbers in the one list of annotations that every record has, and
    its place below judge for the few experts who rated all; of several lists (SummEval: expert_annotations, turker_annotations)
    that of experts, or the first. A person who is named beside all records is the judge of each.

    Raises: as `read`.
    """
    lists = _annotated(content)
    if not lists:
        table, notices = read(content)
        return _by_person(table, notices), notices
    chosen = next((name for name in lists if name.lower().startswith("expert")), next(iter(lists)))
    table, notices = read(content, (chosen,))
    others = [name for name in lists if name != chosen]
    unused = f" Not used: {listed(others)}." if others else ""
    beside = table.headed(lambda heading: heading.partition(".")[0] in others)
    table = _criteria_in_rows(table.without(beside), lists[chosen])
    notices = [one for one in notices if not any(f" {name}." in one.message for name in others)]
    known = chosen.lower().startswith("expert")
    what = f"Each part of {chosen} was read as the ratings of one judge." if known else f"{chosen}: {NAMELESS}"
    notices.append(Notice(content.file, f"{what}{unused}"))
    return table.renamed({table.headings.index(RUN): "judge"}), notices


def _criteria_in_rows(table: Table, criteria: Sequence[str]) -> Table:
    """The table with a row for each mark of these criteria, where there are some; missing ones are none."""
    places = [k for k, name in enumerate(table.headings) if name in criteria]
    if not places:
        return table
    marks = ([[table.headings[k], row[k]] for k in places if not numbers.is_missing(row[k])] for row in table.rows)
    return table.without({*places}).beside(["dimension", "score"], marks)


def _by_person(table: Table, notices: list[Notice]) -> Table:
    """The table with the person who is named beside the records, as the judge of each of them (noted)."""
    found = [name for name in table.header if words.meaning(name) == "judge"][:1]
    if not found or table.where("judge"):
        return table
    person = table.header[found[0]]
    notices.append(Notice(table.file, f"{found[0]} = {person} is beside its records: the judge of all of them."))
    return table.beside(["judge"], ([[person]] for _ in table.rows))


def _annotated(content: Content) -> dict[str, list[str]]:
    """The names of the lists of annotations that every record of a file has, each with the criteria for which it has a list."""
    held = jsontext.shaped(content)
    records = [] if held.bare else _records(content.file, held)
    named = [name for name in records[0][1] if ANNOTATED.fullmatch(name)] if records else []
    held_by = {name: [record.get(name) for _, record in records] for name in named}
    return {
        name: list(dict.fromkeys(one for part in own if isinstance(part, dict) for one in part))
        for name, own in held_by.items()
        if all(map(_are_marks, own))
    }


def _are_marks(value: object) -> bool:
    """Whether a list has objects of numbers alone, or an object lists of as many numbers, which may be missing."""
    parts = _by_judge(value)
    if not isinstance(parts, list) or not parts:
        return False
    missing = isinstance(value, dict)
    marks = [mark for one in parts for mark in (one.values() if isinstance(one, dict) and one else ("",))]
    return all(is_number(mark) or (missing and numbers.is_missing(cell(mark)) and mark != "") for mark in marks)


def _by_judge(value: object) -> object:
    """The marks of each judge, where an object has a list of as many for each criterion; another value as it is."""
    lists = [*value.values()] if isinstance(value, dict) else []
    own = [one for one in lists if isinstance(one, list)]
    if not isinstance(value, dict) or len(own) < len(lists) or len({*map(len, own)}) != 1:
        return value
    return [dict(zip(value, map(_mark, marks), strict=True)) for marks in zip(*own, strict=True)]


EXPLAINED = re.compile(r"n/a\b.*", re.IGNORECASE | re.DOTALL)


def _mark(value: object) -> object:
    """A mark; one that is not applicable without the reason."""
    return "N/A" if isinstance(value, str) and EXPLAINED.fullmatch(value) else value


def read(content: Content, explode: Sequence[str] = ()) -> tuple[Table, list[Notice]]:
    """The records of a file as the rows of a table, and notices on the lists in them.

    `explode` are names of lists whose parts become rows.
    Raises: ReadError for text that is not JSON, is not a record, or has too many names.
    """
    shaped, explode = _opened(content, explode)
    file, inside = content.file, explode == ENTRIES
    if shaped.bare:
        return _bare(file, shaped), []
    records = _records(file, shaped)
    lists = _lists_in(file, records)
    nested, told = ([], []) if explode else _with_rows(file, records)
    records = nested or _exploded(file, records, () if inside else explode)
    header = flat(file, 1, dict(shaped.header), Flat())
    if plain := _plain([record for _, record in records]):
        headings = list(records[0][1])
        cells.refuse_wide(file, len(headings), len(records))
        return Table(file, headings, plain, [number for number, _ in records], header=header, inside=inside), told
    rows = [flat(file, number, record, lists) for number, record in records]
    _refuse_one(file, rows, lists)
    headings = list(dict.fromkeys(itertools.chain.from_iterable(rows)))
    if not headings:
        raise ReadError("Its records are empty.", file, fix="Give every record a text or a score.")
    cells.refuse_wide(file, len(headings), len(rows))
    rows = _completed(rows, lists)
    filled = [[row.get(name, "") for name in headings] for row in rows]
    shown = [_without_number(name, lists) for name in headings]
    table = Table(
        file, shown, filled, [number for number, _ in records], header=header, nested=_is_nested(records), inside=inside
    )
    return table, [*told, *_told(file, lists)]


def _lists_in(file: str, records: parts.Numbered) -> Flat:
    """What is known of the lists in these records before any is met."""
    return Flat(
        names=parts.named_documents(records),
        right=names.guess_role(file) == "reference",
        beside=all(map(_has_output, records)),
        answered=all(parts.says_of_a_picture(record) for _, record in records),
    )


def _has_output(numbered: tuple[int, Record]) -> bool:
    """Whether a record has the text of an output below another name than target, and no sentences in a list of targets."""
    own = [name for name, value in numbered[1].items() if isinstance(value, str) and not TARGET.fullmatch(name)]
    targets = (value for name, value in numbered[1].items() if isinstance(value, list) and TARGET.fullmatch(name))
    sentences = any(SENTENCE.fullmatch(str(one)) for value in targets for one in value)
    return not sentences and any(words.meaning(name) == "text" for name in own)


def _opened(content: Content, explode: Sequence[str]) -> tuple[Shaped, Sequence[str]]:
    """The records of a file, or of the list inside its one object, and the names of lists in each record to be made rows."""
    try:
        return jsontext.shaped(content), explode
    except ReadError as error:
        if not explode and isinstance(error, objects.Whole) and (found := jsontext.of_entries(content)):
            return found, ENTRIES
        inside = jsontext.inside(content, explode[0]) if len(explode) == 1 else None
        if inside is None:
            raise
        return Shaped(inside.records), () if inside.listed else ENTRIES


def _refuse_one(file: str, rows: Sequence[Mapping[str, str]], lists: Flat) -> None:
    """Raise ReadError for one record with lists of other records: what is compared is in one of these."""
    if len(rows) == 1 and lists.unused:
        programs.refuse_other(file, [*rows[0], *lists.unused, *lists.averaged])
        message = (
            f"It has one record, and what is compared is in a list inside it ({listed(lists.unused)}), or not there."
        )
        fix = "Save the list with one record per segment as a separate file. For example: jq .NAME FILE > NAME.json"
        raise ReadError(message, file, fix=fix.replace("NAME", next(iter(lists.unused))))


def _with_rows(file: str, records: parts.Numbered) -> tuple[list[tuple[int, Record]], list[Notice]]:
    """The records of what stands inside each record, by the first rule that finds some, and a notice; ([], []) without."""
    rules = (games.judged, games.reviewed, documents.by_position, numbered.by_question, parts.of_two, parts.of_systems)
    return next((found for rule in rules if (found := rule(file, records))[0]), ([], []))


def _told(file: str, lists: Flat) -> list[Notice]:
    """What to say about the lists that were averaged, and those that were not used."""
    said = {
        "of ratings were averaged in each record": lists.averaged,
        "that are neither texts nor ratings were not used": lists.unused,
        "of documents were not used": lists.names,
    }
    return [Notice(file, f"Lists {what}: {', '.join(named)}.") for what, named in said.items() if named]


def _completed(rows: list[dict[str, str]], lists: Flat) -> list[dict[str, str]]:
    """The rows; a shorter list of references has its first one again, which changes no score."""
    gold = {name: most for name, most in lists.numbered.items() if most > 1 and words.role(name) == "reference"}
    return [_with_all(row, gold) for row in rows] if gold else rows


def _with_all(row: dict[str, str], gold: Mapping[str, int]) -> dict[str, str]:
    """The row with as many texts of each list as the longest has."""
    return row | {
        f"{name} {k}": row[f"{name} 1"]
        for name, most in gold.items()
        for k in range(2, most + 1)
        if f"{name} 1" in row and f"{name} {k}" not in row
    }


def _plain(records: Sequence[Record]) -> Grid | None:
    """The columns of records that all have the same names in the same order, and single values; None for others."""
    names = tuple(records[0])
    if not names or any(tuple(record) != names for record in records):
        return None
    columns = list(zip(*map(dict.values, records), strict=True))
    if any({dict, list} & set(map(type, column)) for column in columns):
        return None
    return Grid([Column(map(cell, column)) for column in columns])


def _is_nested(records: Iterable[tuple[int, Record]]) -> bool:
    return any(isinstance(value, dict) for _, record in records for value in record.values())


def _bare(file: str, shaped: Shaped) -> Table:
    """The table of a list with one text or number per segment, in one column without a heading."""
    rows = [[cell(value)] for value in shaped.records]
    return Table(file, [names.display_name(file)], rows, range(1, len(rows) + 1), role=names.guess_role(file))


def _without_number(name: str, flat: Flat) -> str:
    """The heading of a column; a list that never holds more than one text needs no number."""
    stem = name.removesuffix(" 1")
    return stem if flat.numbered.get(stem) == 1 else name


def _records(file: str, shaped: Shaped) -> list[tuple[int, Record]]:
    """The records with the line (or, in one list, the place) of each.

    Raises: ReadError for a value that is not a record.
    """
    numbered = list(zip(shaped.lines or range(1, len(shaped.records) + 1), shaped.records, strict=True))
    for number, record in numbered:
        if isinstance(record, list) and record and all(isinstance(one, str) for one in record):
            message = "It is a list with several texts for each question, and nothing says how good they are."
            fix = "Load what their evaluation wrote for each question: id, sample, and whether it passed."
            raise ReadError(message, file, number, fix)
        if not isinstance(record, dict):
            message = f"record {number} is not an object with names and values."
            raise ReadError(message, file, number, 'Write {"name": value, ...} for every segment.')
    if not numbered:
        raise ReadError("There are no records.", file, fix="Load the complete file.")
    return [(number, record) for number, record in numbered if isinstance(record, dict)]
