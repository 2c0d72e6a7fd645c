"""The value of a JSON file to its records: lists of records, lists of numbers or texts side by side, answers by id."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Content, Notice
from sigcore.readers.tables import cells
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table

Record = dict[str, object]
# A name with one of these meanings beside a single value shows that the object is one record.
OF_RECORDS: tuple[Meaning, ...] = ("segment", "system", "text", "reference", "source", "document")
CONTAINERS = (
    "samples",
    "data",
    "records",
    "instances",
    "rows",
)  # the first of these lists in an object has its records
OF_SAMPLES = ("id", "epoch", "scores")
FEWEST_IDS = 10  # names that may be those of questions
FIX = 'Write one record per segment: {"id": ..., "system": ..., "score": ...}.'


@dataclass(frozen=True)
class Shaped:
    """The records of a file, or (`bare`) one value per segment; `header` is what the file says beside them,
    `lines` are their lines (1, 2, 3 ... if it is empty)."""

    records: Sequence[object]
    header: Mapping[str, object] = field(default_factory=dict)
    bare: bool = False
    lines: Sequence[int] = ()


def shaped(file: str, value: object) -> Shaped:
    """The records in the value of a whole file.

    Raises: ReadError for an object that is not a record and has none, and for lists that do not fit each other.
    """
    if isinstance(value, dict):
        return _of_object(file, value)
    if not isinstance(value, list):
        return Shaped([value])
    plain = bool(value) and (all(map(_is_rating, value)) or all(isinstance(one, str) for one in value))
    return Shaped(value, bare=plain)


def _of_object(file: str, value: Record) -> Shaped:
    """The records in an object: in a list of them, in lists side by side, by id, or the object itself."""
    if known := _known(file, value):
        return Shaped(known)
    tables = {name: part for name, part in value.items() if isinstance(part, list) and _all_records(part)}
    if value and len(tables) == len(value):
        return Shaped(_by_file(tables))
    if _is_record(value):
        return Shaped([value])
    if tables:
        return _beside(file, value, tables)
    columns = _columns(value)
    if sum(map(_is_number, value.values())) > len(columns):
        columns = {}  # the results of a whole system, with some lists among them (the precisions of BLEU)
    if max(map(len, columns.values()), default=0) > 1:
        return _side_by_side(file, value, columns)
    if _are_answers(value):
        return Shaped([{"id": name, "text": part} for name, part in value.items()])
    _refuse_summary(file, value)
    return Shaped([value])


def _known(file: str, value: Record) -> list[Record]:
    """The records in the layout of a known program; [] for another object."""
    return _squad(file, value) or _by_name(value) or _numbered(value) or _split(value) or _crossed(value)


def _split(value: Record) -> list[Record]:
    """The records in {"columns": [...], "data": [[...], ...]} (a data frame); [] for another object."""
    columns, rows = value.get("columns"), value.get("data")
    if not (isinstance(columns, list) and isinstance(rows, list) and all(isinstance(one, str) for one in columns)):
        return []
    whole = all(isinstance(row, list) and len(row) == len(columns) for row in rows)
    return [dict(zip(columns, row, strict=True)) for row in rows] if whole else []


IDS = re.compile(r"(?=.*[0-9])(?:[A-Za-z_ .:/-]*[0-9]+|[0-9a-f-]{8,})")  # q12, arc_7, 0f3a-...


def _crossed(value: Record) -> list[Record]:
    """The records in an object of objects, one per system and in it a value per id, or the other way round; of a data
    frame, one per column and in it a value per row. [] where neither side has names of questions."""
    parts = {name: part for name, part in value.items() if isinstance(part, dict)}
    names_of = {tuple(part) for part in parts.values()}
    if len(parts) != len(value) or len(value) < 2 or len(names_of) != 1:
        return []
    (inner,) = names_of
    if not inner or any(isinstance(cell, dict | list) for part in parts.values() for cell in part.values()):
        return []
    if inner == tuple(map(str, range(len(inner)))):
        return [{name: part[row] for name, part in parts.items()} for row in inner]
    if not all(_is_rating(cell) for part in parts.values() for cell in part.values()):
        return []
    if _are_ids(inner) and not _are_ids(tuple(parts)):
        return [{"id": row, **{name: part[row] for name, part in parts.items()}} for row in inner]
    if _are_ids(tuple(parts)) and not _are_ids(inner):
        return [{"id": name, **part} for name, part in parts.items()]
    return []


def _are_ids(names: Sequence[str]) -> bool:
    """Whether these are names of many questions: numbers, or few words with another number each."""
    stems = {re.sub("[0-9]+", "", name) for name in names}
    few = 2 * len(stems) <= len(names) or all(re.fullmatch("[0-9a-f-]{8,}", name) for name in names)
    return len(names) >= FEWEST_IDS and few and all(map(IDS.fullmatch, names))


def _squad(file: str, value: Record) -> list[Record]:
    """The questions of a test set in the layout of SQuAD, each with its answers; [] for another object.

    A question with fewer answers than others has its first one several times, which changes no score; one without an
    answer (SQuAD 2.0) has the empty text.
    """
    data = value.get("data")
    if not isinstance(data, list) or not all(isinstance(one, dict) and "paragraphs" in one for one in data):
        return []
    try:
        # the id, the title and the answers of each question
        questions = [
            (str(question["id"]), str(article.get("title", "")), _answers(question))
            for article in data
            for paragraph in article["paragraphs"]
            for question in paragraph.get("qas", ())
        ]
    except (KeyError, TypeError, AttributeError) as error:
        message = f"It looks like a test set of SQuAD, but a part is missing or of another kind ({error})."
        raise ReadError(message, file, fix="Load the complete file.") from None
    most = max((len(answers) for _, _, answers in questions), default=0)
    return [
        {"id": name, "document": title, "references": [*answers, *[answers[0]] * (most - len(answers))]}
        for name, title, answers in questions
    ]


def _answers(question: Mapping[str, object]) -> list[str]:
    answers = question.get("answers")
    texts = [str(answer["text"]) for answer in answers] if isinstance(answers, list) else []
    return list(dict.fromkeys(texts)) or [""]


def _by_name(value: Record) -> list[Record]:
    """The records in {"eval": {NAME: [record, ...], ...}}, each with the name of its list as task_id (EvalPlus)."""
    lists = value.get("eval")
    if not isinstance(lists, dict) or not all(isinstance(part, list) and _all_records(part) for part in lists.values()):
        return []
    return [{"task_id": name, **record} for name, part in lists.items() for record in part]


def _numbered(value: Record) -> list[Record]:
    """The records in {"0": {...}, "1": {...}} (OpenCompass), each with its number; in {"results": {"results": [...]}}
    (promptfoo)."""
    inner = value.get("results")
    if isinstance(inner, dict) and isinstance(records := inner.get("results"), list) and _all_records(records):
        return [dict(record) for record in records]
    parts = list(value.values())
    if not (_all_records(parts) and [*value] == [str(k) for k in range(len(value))]):
        return []
    return [{"id": name, **part} for name, part in value.items() if isinstance(part, dict)]


def _columns(value: Record) -> dict[str, list[object]]:
    """The lists in an object that have no records."""
    lists = {name: part for name, part in value.items() if isinstance(part, list) and part}
    return {name: part for name, part in lists.items() if not any(isinstance(one, dict) for one in part)}


def _are_answers(value: Record) -> bool:
    """Whether an object has a text for each of several ids, as the predictions for SQuAD."""
    known = any(words.meaning(name) for name in value)
    return len(value) > 1 and all(isinstance(part, str) for part in value.values()) and not known


def _by_file(tables: Mapping[str, Sequence[Record]]) -> Sequence[object]:
    """The records in {"data": [...]}; or, by file name, those of one system each."""
    if len(tables) == 1 and not any(mark in name for name in tables for mark in "./\\"):
        return next(iter(tables.values()))
    shown = {file: names.display_name(file) for file in tables}
    differ = len(set(shown.values())) == len(shown)  # the outputs of several runs may have the same name
    return [
        {"system": shown[file] if differ else file, "segment": i, **record}
        for file, records in tables.items()
        for i, record in enumerate(records)
    ]


def _all_records(values: Sequence[object]) -> bool:
    return bool(values) and all(isinstance(value, dict) for value in values)


def _is_rating(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_record(value: Record) -> bool:
    """Whether a name that a record has is the name of a single value."""
    return any(words.meaning(name) in OF_RECORDS and not isinstance(part, list | dict) for name, part in value.items())


def _beside(file: str, value: Record, tables: Mapping[str, Sequence[Record]]) -> Shaped:
    """The one list of records in an object, with everything beside it.

    Raises: ReadError if it is not clear which list has the records.
    """
    usual = [name for name in CONTAINERS if name in tables]
    if len(tables) > 1 and not usual:
        message = f"It has several lists of records: {listed(tables)}."
        raise ReadError(message, file, fix="Save the list with one record per segment as a separate file.")
    chosen = usual[0] if usual else next(iter(tables))
    return Shaped(_slim(file, tables[chosen]), {name: part for name, part in value.items() if name != chosen})


def _slim(file: str, records: Sequence[Record]) -> Sequence[Record]:
    """The records; of samples of Inspect only the ids and the scores, as their transcripts have thousands of names.

    Raises: ReadError for such samples without scores.
    """
    if not all(record.keys() >= set(OF_SAMPLES) for record in records):
        return records
    if not any(record["scores"] for record in records):
        message = "It is a log of Inspect, but none of its samples has a score: the run ended with an error."
        raise ReadError(message, file, fix="Run the evaluation again, and load the new log.")
    return [{name: record[name] for name in OF_SAMPLES} for record in records]


def _side_by_side(file: str, value: Record, columns: Mapping[str, Sequence[object]]) -> Shaped:
    """Lists of equal length as the columns of a table.

    Raises: ReadError if their lengths differ.
    """
    lengths = {len(part) for part in columns.values()}
    if len(lengths) > 1:
        shown = ", ".join(f"{name}: {len(part)}" for name, part in columns.items())
        raise ReadError(f"Its lists have different lengths ({shown}).", file, fix=FIX)
    records = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return Shaped(records, {name: part for name, part in value.items() if name not in columns})


def _refuse_summary(file: str, value: Record) -> None:
    """Raise ReadError for an object of names and numbers: the results of whole systems, or numbers by id."""
    if len(value) < 2 and not any(isinstance(part, dict | list) for part in value.values()):
        return
    shown = ", ".join(f"{name}: {_short(part)}" for name, part in list(value.items())[:4])
    message = f"It is one object, not one record per segment ({shown}{', ...' if len(value) > 4 else ''})."
    fix = f"If these are scores of whole systems, load the scores of every segment: tests need them. {FIX}"
    raise ReadError(message, file, fix=fix)


def _short(part: object) -> str:
    return "{...}" if isinstance(part, dict) else "[...]" if isinstance(part, list) else repr(part)[:20]


# A record of JSON to the cells of a row: nested names joined by dots, lists of texts numbered, ratings averaged.

DEEPEST = 20
RUN = "run"  # the number of a part of a list that became a row: a question is drawn with all of them


@dataclass
class Flat:
    """The lists met while flattening: ratings that were averaged, texts with their greatest length, and others."""

    averaged: dict[str, None] = field(default_factory=dict)
    numbered: dict[str, int] = field(default_factory=dict)
    unused: dict[str, None] = field(default_factory=dict)


def flat(file: str, number: int, record: Record, lists: Flat, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The record as cells: nested records get names with a dot, lists of texts a number, lists of ratings their mean."""
    out: dict[str, str] = {}
    if depth > DEEPEST:
        raise ReadError(f"record {number} is nested more than {DEEPEST} deep.", file, number, "Flatten it.")
    for name, value in record.items():
        heading = f"{prefix}{name}"
        if isinstance(value, dict):
            out |= flat(file, number, value, lists, f"{heading}.", depth + 1)
        elif isinstance(value, list):
            out |= _flat_list(heading, value, lists)
        else:
            out[heading] = cell(value)
    return out


def _flat_list(heading: str, values: Sequence[object], lists: Flat) -> dict[str, str]:
    """A list of texts as one cell each (the sentences of an output as one cell), a list of ratings as their mean."""
    if all(isinstance(value, str) for value in values):
        return _texts(heading, list(map(str, values)), lists)
    if means := _named_means(heading, values):
        return means
    if scores := _named_scores(heading, values):
        return scores
    ratings = _ratings(heading, values)
    if ratings is None:
        lists.unused[heading] = None
        return {}
    lists.averaged |= dict.fromkeys(ratings)
    return {name: _mean(numbers) for name, numbers in ratings.items()}


def _named_means(heading: str, values: Sequence[object]) -> dict[str, str]:
    """The mean of each named statistic in a list of them, as HELM writes it; {} for a list of something else."""
    out: dict[str, str] = {}
    for value in values:
        if not isinstance(value, dict) or not {"name", "count"} <= value.keys():
            return {}
        name = value["name"]["name"] if isinstance(value["name"], dict) and "name" in value["name"] else value["name"]
        out[f"{heading}.{name}"] = cell(value.get("mean"))
    return out


def _named_scores(heading: str, values: Sequence[object]) -> dict[str, str]:
    """The score of each named metric in a list of them, as DeepEval writes it; {} for a list of something else."""
    out: dict[str, str] = {}
    for value in values:
        if not (isinstance(value, dict) and isinstance(value.get("name"), str) and "score" in value):
            return {}
        out[f"{heading}.{value['name']}.score"] = cell(value["score"])
    return out if len(out) == len(values) else {}


def _texts(heading: str, texts: Sequence[str], lists: Flat) -> dict[str, str]:
    """A list of texts, possibly empty, as cells."""
    if not texts:
        return {}
    if words.meaning(heading.rpartition(".")[2]) == "text":
        return {heading: "\n".join(texts)}
    lists.numbered[heading] = max(lists.numbered.get(heading, 0), len(texts))
    return {f"{heading} {k}": text for k, text in enumerate(texts, 1)}


def _ratings(heading: str, values: Sequence[object]) -> dict[str, list[object]] | None:
    """The numbers in a list of ratings, or of records of ratings, by heading; None for a list of something else."""
    if all(map(_is_number, values)):
        return {heading: list(values)}
    records = [value for value in values if isinstance(value, dict) and all(map(_is_number, value.values()))]
    if len(records) < len(values):
        return None
    parts = dict.fromkeys(name for record in records for name in record)
    return {f"{heading}.{name}": [record[name] for record in records if name in record] for name in parts}


def _mean(values: Sequence[object]) -> str:
    try:
        return repr(math.fsum(map(float, values)) / len(values))  # type: ignore[arg-type]
    except OverflowError:  # reported later as not a finite number, with its place
        return "inf"


def cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


# Records of JSON (one per line, or a list of them) to a table: a record is a row, its names are headings.

SUFFIXES = ("json", "jsonl", "ndjson", "parquet")  # a Parquet file is unpacked to records
ONE_VALUE = "Give every name one value."


def are_records(content: Content) -> bool:
    """Whether the name or the first characters of a file show that it contains records."""
    return content.suffix in SUFFIXES or looks_like_records(content)


def looks_like_records(content: Content) -> bool:
    """Whether a text begins with a record, or with a complete list of them."""
    head = [line.strip() for line in content.lines[:2]]
    if not head[0].startswith(("{", "[")) or not content.text.rstrip().endswith(("}", "]")):
        return False
    if isinstance(_parsed(head[0]), dict):
        return True
    opened = head[0] in ("{", "[", "[{") and len(head) > 1 and head[1].startswith(('"', "{"))
    return opened and _parsed(content.text) is not None


def _parsed(text: str, first: bool = False) -> object:
    """The value of a text in JSON, or only the `first` one in it; None if it is not JSON."""
    try:
        return json.JSONDecoder().raw_decode(text)[0] if first else json.loads(text)
    except (ValueError, RecursionError):
        return None


def first_headings(content: Content) -> list[str]:
    """The names in the first record of a file; [] if it does not start with one."""
    value = _parsed(content.text.lstrip().removeprefix("[").lstrip(), first=True)
    if isinstance(value, dict):
        try:
            records = shaped(content.file, value).records
        except ReadError:
            records = [value]
        value = records[0]
    return list(value) if isinstance(value, dict) else []


def _exploded(file: str, records: Sequence[tuple[int, Record]], names: Sequence[str]) -> list[tuple[int, Record]]:
    """A record for each part of the lists with these names (side by side, if several), with its number below run.

    Raises: ReadError for a record without these lists, or with lists of different lengths.
    """
    out = list[tuple[int, Record]]()
    for number, record in records:
        lists = [record.get(name) for name in names]
        parts = [part for part in lists if isinstance(part, list)]
        if len(parts) < len(names) or len({len(part) for part in parts}) != 1:
            message = f"record {number} has no lists of one length below {listed(names)}."
            raise ReadError(message, file, number, "Name lists that all records have, for example: --explode turns.")
        rest = {name: value for name, value in record.items() if name not in names}
        for run, values in enumerate(zip(*parts, strict=True), 1):
            own: Record = {**rest, RUN: run}
            for name, part in zip(names, values, strict=True):
                own |= part if isinstance(part, dict) else {name: part}
            out.append((number, own))
    return out


def read(content: Content, explode: Sequence[str] = ()) -> tuple[Table, list[Notice]]:
    """The records of a file as the rows of a table, and notices on the lists in them.

    `explode` are names of lists whose parts become rows.
    Raises: ReadError for text that is not JSON, is not a record, or has too many names.
    """
    whole = content.text.lstrip()[:1] == "[" or content.suffix == "json"
    shaped, file, lists = _whole(content) if whole else _lines(content), content.file, Flat()
    if shaped.bare:
        return _bare(file, shaped), []
    records = _records(file, shaped)
    records = _exploded(file, records, explode) if explode else records
    rows = [flat(file, number, record, lists) for number, record in records]
    headings = list(dict.fromkeys(name for row in rows for name in row))
    if not headings:
        raise ReadError("Its records are empty.", file, fix="Give every record a text or a score.")
    cells.refuse_wide(file, len(headings), len(rows))
    filled = [[row.get(name, "") for name in headings] for row in rows]
    header = flat(file, 1, dict(shaped.header), Flat())
    shown = [_without_number(name, lists) for name in headings]
    table = Table(file, shown, filled, [number for number, _ in records], header=header, nested=_is_nested(records))
    notices = []
    if lists.averaged:
        notices.append(Notice(file, f"Lists of ratings were averaged in each record: {', '.join(lists.averaged)}."))
    if lists.unused:
        message = f"Lists that are neither texts nor ratings were not used: {', '.join(lists.unused)}."
        notices.append(Notice(file, message))
    return table, notices


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
        if not isinstance(record, dict):
            message = f"record {number} is not an object with names and values."
            raise ReadError(message, file, number, 'Write {"name": value, ...} for every segment.')
    if not numbered:
        raise ReadError("There are no records.", file, fix="Load the complete file.")
    return [(number, record) for number, record in numbered if isinstance(record, dict)]


class _Twice(ValueError):
    """An object has a name twice: json would keep the last of its values without a word."""


def _once(pairs: list[tuple[str, object]]) -> Record:
    """The record with these names and values (_Twice if two have the same name)."""
    record = dict(pairs)
    if len(record) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise _Twice(f"an object has the name {twice[:40]!r} twice")
    return record


def _whole(content: Content) -> Shaped:
    try:
        value = json.loads(content.text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        if isinstance(error, _Twice):
            raise ReadError(f"Here {error}.", content.file, fix=ONE_VALUE) from None
        if "\n{" in content.text.strip():
            return _lines(content)
        line = getattr(error, "lineno", None)
        raise ReadError(f"It is not JSON ({error}).", content.file, line, "Fix it or create it again.") from None
    return shaped(content.file, value)


def _lines(content: Content) -> Shaped:
    """The records of a file with one per line; a single one may hold all of them."""
    numbered = list(_by_line(content))
    if len(numbered) == 1 and isinstance(numbered[0][1], dict):
        return _of_object(content.file, numbered[0][1])
    return Shaped([record for _, record in numbered], lines=[number for number, _ in numbered])


def _by_line(content: Content) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(content.lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line, object_pairs_hook=_once)
        except _Twice as error:
            raise ReadError(f"line {number}: {error}.", content.file, number, ONE_VALUE) from None
        except (ValueError, RecursionError) as error:
            message = f"line {number} is not JSON ({error})."
            raise ReadError(message, content.file, number, "Write one complete record per line.") from None
