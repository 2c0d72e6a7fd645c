"""The value of a JSON file to its records: lists of records, lists of numbers or texts side by side, answers by id."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import lines
from sigcore.readers.names import pattern
from sigcore.readers.tables import cubes, documents, entries, nested, passages
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.documents import FEWEST_IDS, are_ids
from sigcore.readers.tables.headings import Meaning

Record = dict[str, object]
# A name with one of these meanings beside a single value shows that the object is one record.
OF_RECORDS: tuple[Meaning, ...] = ("segment", "system", "text", "reference", "source", "document")
# The first of these lists in an object has its records.
CONTAINERS = ("samples", "data", "records", "instances", "rows", "testCases")
OF_SAMPLES = ("id", "epoch", "scores")
FIX = 'Write one record per segment: {"id": ..., "system": ..., "score": ...}.'


class Whole(ReadError):
    """An object that is no record of a segment, and has none."""

    why = "It is one object, not one record per segment"


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
        return of_object(file, value)
    if not isinstance(value, list):
        return Shaped([value])
    if tasks := _of_list(value):
        return Shaped(tasks)
    if len(value) == 1 and isinstance(value[0], dict) and _has_cases(value[0]):
        return of_object(file, value[0])
    _refuse_nameless(file, value)
    plain = bool(value) and (all(map(_is_rating, value)) or all(isinstance(one, str) for one in value))
    return Shaped(value, bare=plain)


def _of_list(value: Sequence[object]) -> list[Record]:
    """The records in a list of a known program, or of systems with their records; [] for another list."""
    found = documents.annotated(value) or documents.voted(value) or documents.in_batches(value)
    found = found or documents.by_instance(value) or passages.found(value)
    return found or (nested.of_systems({"": value}) if nested.are_records(value) else [])


def of_object(file: str, value: Record) -> Shaped:
    """The records in an object: in a list of them, in lists side by side, by id, or the object itself."""
    for name, part in value.items() if len(value) == 1 else ():
        _refuse_nameless(file, part, f" below {name}", fewest=nested.MOST_RATED)
    if known := _known(file, value):
        return Shaped(known)
    tables = {name: part for name, part in value.items() if nested.are_records(part)}
    if tables:
        return _of_tables(file, value, tables)
    if (inner := _with_container(value)) is not None:
        return of_object(file, inner)
    if not _is_record(value) and (side := _of_lists(file, value)) is not None:
        return side
    return Shaped([value]) if _is_record(value) else _named(value) or _of_one_object(file, value)


def _with_container(value: Record) -> Record | None:
    """The only object inside an object that is no record, where it has a list of records with a known name:
    {"testRunData": {"testCases": [...]}} (DeepEval); None for others."""
    parts = [part for part in value.values() if isinstance(part, dict)]
    if len(parts) != 1 or _is_record(value):
        return None
    return parts[0] if any(nested.are_records(parts[0].get(name)) for name in CONTAINERS) else None


def _of_tables(file: str, value: Record, tables: Mapping[str, Sequence[Record]]) -> Shaped:
    """The records in an object that has lists of records, alone or beside other things."""
    if any(entries.are_classes(one.records) for one in entries.inside(value) if not one.listed):
        _refuse_summary(file, value)  # the lists beside rates of classes say what the model was made of
    measure = {name: cell for name, cell in value.items() if words.meaning(name) == "measure" and isinstance(cell, str)}
    rows = [] if {*tables} & {*CONTAINERS} else [{**measure, **row} for row in nested.of_systems(tables)]
    if len(tables) == len(value):
        return Shaped(rows or nested.by_file(file, tables))
    return Shaped(rows or [value]) if rows or _is_record(value) else _beside(file, value, tables)


def _of_lists(file: str, value: Record) -> Shaped | None:
    """The records in lists side by side, of one system each or of all."""
    several = sum(map(nested.has_lists, value.values())) > 1  # these count as much as those of the longest ones
    rows, used = ([], []) if several else documents.parallel(value)
    if rows:
        return Shaped(rows, {name: part for name, part in value.items() if name not in used})
    columns = nested.below_names(value) or _of_rows(value)
    return _side_by_side(file, value, columns) if columns else None


def _of_rows(value: Record) -> dict[str, list[object]]:
    """The lists in an object that stand side by side; {} for the results of a whole system, with some lists among them (the
    precisions of BLEU)."""
    columns = _columns(value)
    whole = sum(map(is_number, value.values())) > len(columns)
    return {} if whole or max(map(len, columns.values()), default=0) < 2 else columns


def _are_of_ids(columns: Mapping[str, Sequence[object]]) -> bool:
    """Whether several lists of one length stand side by side, one of them with the ids of many questions."""
    lengths = {*map(len, columns.values())}
    many = len(columns) > 1 and len(lengths) == 1 and max(lengths) >= FEWEST_IDS
    return many and any(words.meaning(name) == "segment" for name in columns)


def _has_cases(record: Record) -> bool:
    """Whether a record, which is the only one, is about a whole run, and has a list of records with ids."""
    tables = {name: part for name, part in record.items() if nested.are_records(part)}
    return not _is_record(record) and bool(_alone_with_ids(tables))


def _refuse_nameless(file: str, value: object, where: str = "", fewest: int = 1) -> None:
    """Raise ReadError for lists of as many numbers each, more than `fewest`, that nothing names: systems, or segments."""
    lists = value if isinstance(value, list) else []
    lengths = {len(one) for one in lists if isinstance(one, list) and one and all(map(is_number, one))}
    if len(lists) > 1 and len(lengths) == 1 and all(isinstance(one, list) and one for one in lists):
        (n,) = lengths
        if n > fewest:
            what = f"{count(len(lists), 'list')} of {count(n, 'number')}"
            message = f"It has {what}{where}, without names: which is which system?"
            fix = 'Write {"A": [...], "B": [...]}: the name of each system, and its scores of all segments.'
            raise ReadError(message, file, 1, fix)


def _known(file: str, value: Record) -> Sequence[object]:
    """The records in the layout of a known program; [] for another object."""
    rules: Sequence[Callable[[Record], Sequence[object]]] = (
        documents.known,
        cubes.records,
        lambda one: nested.in_parts(file, one),
        lambda one: nested.inside(file, one),
        nested.of_measures,
        *(_rated, entries.of_answers),
        lambda one: _squad(file, one),
        entries.of_evaluated,
        lambda one: _numbered(file, one),
        _split,
        _crossed,
        nested.by_outcome,
        lambda one: documents.by_two_names(one, KEY),
        of_tasks,
        _by_question,
        nested.answered,
        entries.of_tests,
        entries.of_judged_parts,
    )
    return next((found for rule in rules if (found := rule(value))), [])


def _split(value: Record) -> list[Record]:
    """The records in {"columns": [...], "data": [[...], ...]} (a data frame); [] for another object."""
    columns, rows = value.get("columns"), value.get("data")
    if not (isinstance(columns, list) and isinstance(rows, list) and all(isinstance(one, str) for one in columns)):
        return []
    whole = all(isinstance(row, list) and len(row) == len(columns) for row in rows)
    return [dict(zip(columns, row, strict=True)) for row in rows] if whole else []


def _crossed(value: Record) -> list[Record]:
    """The records in an object of objects, one per system and in it a value per id, or the other way round; of a data
    frame, one per column and in it a value per row. [] where neither side has names of questions."""
    parts = entries.with_the_same(value)
    if not parts:
        return []
    inner = tuple(next(iter(parts.values())))
    cells = list(itertools.chain.from_iterable(map(dict.values, parts.values())))
    if all(map(_are_ratings, cells)):  # of several runs
        parts = {name: dict(zip(part, map(_as_numbers, part.values()), strict=True)) for name, part in parts.items()}
        cells = [cell for part in parts.values() for own in part.values() for cell in _as_numbers(own)]
    if any(isinstance(cell, dict | list) for cell in cells):
        return []
    if inner == tuple(map(str, range(len(inner)))):
        return _turned(parts, inner, "")
    if not all(map(_is_rating, cells)) or are_ids(inner) == are_ids(tuple(parts)):
        return []
    return _turned(parts, inner, "id") if are_ids(inner) else [{"id": name, **part} for name, part in parts.items()]


def _turned(parts: Mapping[str, Record], rows: Sequence[str], heading: str) -> list[Record]:
    """A record for each of the rows, with its name below a heading, if it has one, and the value of each part."""
    named = [{heading: row} if heading else {} for row in rows]
    return [start | {name: part[row] for name, part in parts.items()} for start, row in zip(named, rows, strict=True)]


KEY = "key"  # a heading without a meaning: the plan asks what it names


def _shuffled(value: Record) -> list[Record]:
    """The records in an object of many objects by id, in which positions (summary 1) hold the name of a system each."""
    parts = {name: part for name, part in value.items() if isinstance(part, dict)}
    known = len(parts) == len(value) and documents.placed_keys([*parts.values()])
    return [{"id": name, **part} for name, part in parts.items()] if known else []


def _keyed(value: Record) -> list[Record]:
    """The records in an object of many objects with the same names, each with its key; or of objects by system and in them
    by question, or the other way round, each with both. [] for others."""
    parts = {name: part for name, part in value.items() if isinstance(part, dict)}
    if not parts or len(parts) < len(value) or not _are_alike(parts):
        return []
    first = next(iter(parts.values()))
    if any(map(is_number, first.values())):
        # a key that is said again inside names nothing else
        again = any(all(str(part.get(own)) == name for name, part in parts.items()) for own in first)
        keys: list[Record] = [{} if again else {KEY: name} for name in parts]
        return [key | part for key, part in zip(keys, parts.values(), strict=True)] if len(parts) >= FEWEST_IDS else []
    return _of_ids(parts, first)


MOSTLY_ALIKE = 0.8  # of the names in objects by id: a few of them may have an error, or a remark


def _are_alike(parts: Mapping[str, Record]) -> bool:
    """Whether all objects have the same names; below ids some may have another one."""
    own = [frozenset(part) for part in parts.values()]
    if len({*own}) == 1:
        return True
    common, every = frozenset.intersection(*own), frozenset[str]().union(*own)
    return are_ids(tuple(parts)) and len(common) > 1 and len(common) >= MOSTLY_ALIKE * len(every)


def _of_ids(parts: Mapping[str, Record], first: Record) -> list[Record]:
    """The records in objects by system and in them by question, or the other way round; or one by each id. [] for others."""
    outer, inner = are_ids(tuple(parts)), are_ids(tuple(first))
    both = _of_both(parts, ("id", "system") if outer else ("system", "id")) if outer != inner else []
    alone = outer and not inner and len(first) > 1
    return both or [{"id": name, **part} for name, part in parts.items() if alone]


# Names of people: ids of Mechanical Turk and Prolific, numbers, and rater_3 and the like. Models are not called so.
PEOPLE = pattern("objects.people")


def _rated(value: Record) -> list[Record]:
    """The records in an object of questions, each with the ratings of the people who judged it: a list below each criterion.
    [] where other names stand below the questions, which may be systems."""
    people = {name: _people(part) for name, part in value.items()}
    named = set[str]().union(*people.values())
    if len(people) < FEWEST_IDS or not all(people.values()) or not all(map(PEOPLE.fullmatch, named)):
        return []
    every = [one for part in people.values() for one in part.values()]
    if not every[0] or any(one.keys() != every[0].keys() for one in every):
        return []  # remarks may be missing, but no rating
    return [
        {"id": name, **{what: [one[what] for one in part.values()] for what in every[0]}}
        for name, part in people.items()
    ]


def _people(part: object) -> dict[str, Record]:
    """The numbers below each name in an object of objects; {} for another value."""
    if not isinstance(part, dict) or not all(isinstance(one, dict) for one in part.values()):
        return {}
    return {name: {what: cell for what, cell in one.items() if is_number(cell)} for name, one in part.items()}


def _named(value: Record) -> Shaped | None:
    """The answers by their ids, or the records in an object by their names, or in the only object in it that has some for many
    ids; None without them."""
    if _are_answers(value):
        return Shaped([{"id": name, "text": part} for name, part in value.items()])
    if keyed := _shuffled(value) or _keyed(value):
        return Shaped(keyed)
    inner = {name: part for name, part in value.items() if isinstance(part, dict)}
    for rule in (_crossed, documents.inside, documents.in_samples):
        found = [(name, records) for name, part in inner.items() if (records := rule(part))]
        if len(found) == 1 and len(found[0][1]) >= FEWEST_IDS:
            return Shaped(found[0][1], {name: part for name, part in value.items() if name != found[0][0]})
    return None


def _of_both(parts: Mapping[str, Record], names: tuple[str, str]) -> list[Record]:
    """A record for each object in each of the parts, with both of their keys below these names; [] where one is no object."""
    cells = [(outer, inner, one) for outer, part in parts.items() for inner, one in part.items()]
    rows = [{names[0]: outer, names[1]: inner, **one} for outer, inner, one in cells if isinstance(one, dict)]
    return rows if len(rows) == len(cells) else []


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
    whole = lines.evened([answers for _, _, answers in questions])
    return [
        {"id": name, "document": title, "references": answers}
        for (name, title, _), answers in zip(questions, whole, strict=True)
    ]


def _answers(question: Mapping[str, object]) -> list[str]:
    answers = question.get("answers")
    texts = [str(answer["text"]) for answer in answers] if isinstance(answers, list) else []
    return list(dict.fromkeys(texts)) or [""]


def _numbered(file: str, value: Record) -> list[Record]:
    """The records in {"0": {...}, "1": {...}} (OpenCompass), each with its number; in {"results": {"results": [...]}}
    (promptfoo)."""
    inner = value.get("results")
    if isinstance(inner, dict) and nested.are_records(records := inner.get("results")):
        return entries.answered(file, records)
    if isinstance(inner, dict) and (records := nested.in_table(inner.get("table"))):
        return records
    parts = list(value.values())
    if not (nested.are_records(parts) and [*value] == [str(k) for k in range(len(value))]):
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


def _of_one_object(file: str, value: Record) -> Shaped:
    """The object itself, which is no summary."""
    _refuse_summary(file, value)
    return Shaped([value])


def _by_question(value: Record) -> list[Record]:
    """The records in {QUESTION: [record, ...], ...} with the name of their question; [] where the names are of files."""
    parts = [(name, part) for name, part in value.items() if nested.are_records(part)]
    longest = max((len(part) for _, part in parts), default=0)
    named = longest == 1 or are_ids(tuple(value))
    if not FEWEST_IDS <= len(value) == len(parts) or longest >= len(parts) or not named:
        return []
    rows = [(name, i, record) for name, part in parts for i, record in enumerate(part)]
    return [{"id": name, **({"sample_index": i} if longest > 1 else {}), **record} for name, i, record in rows]


def _have_ids(records: Sequence[Record]) -> bool:
    """Whether several records have an id each: they are the questions, and what is beside them is about all."""
    ids = [name for name in records[0] if words.meaning(name) == "segment"]
    return len(records) > 1 and any(len({str(one.get(name)) for one in records}) == len(records) for name in ids)


def of_tasks(value: Record) -> list[Record]:
    """The records of all tasks beside the results of each (lm-evaluation-harness with its samples in one object); several tasks
    are told apart by a name; [] for another object."""
    samples = value.get("samples") if "results" in value else None
    if not isinstance(samples, dict) or not samples:
        return []
    parts = [(str(name), part) for name, part in samples.items() if nested.are_records(part)]
    if len(parts) < len(samples):
        return []
    return [{**({"task": name} if len(parts) > 1 else {}), **record} for name, part in parts for record in part]


def _is_rating(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float)


def _are_ratings(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_rating, value))


def _as_numbers(values: object) -> list[object]:
    """The values of a list, with 1 and 0 for true and false."""
    return [int(one) if isinstance(one, bool) else one for one in values] if isinstance(values, list) else []


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_record(value: Record) -> bool:
    """Whether a name that a record has is the name of a single value, and no list has records with ids of their own."""
    lists = [part for part in value.values() if nested.are_records(part)]
    asked = any(words.meaning(name) == "segment" for name in value)
    if not asked and any(not one.listed for one in entries.inside(value)):
        return False  # it is about a system, whose answers have names
    return not (any(map(_have_ids, lists)) or _are_of_ids(_columns(value))) and any(
        words.meaning(name) in OF_RECORDS and not isinstance(part, list | dict) for name, part in value.items()
    )


def _beside(file: str, value: Record, tables: Mapping[str, Sequence[Record]]) -> Shaped:
    """The one list of records in an object, with everything beside it.

    Raises: ReadError if it is not clear which list has the records.
    """
    usual = [name for name in CONTAINERS if name in tables] or _alone_with_ids(tables)
    if len(tables) > 1 and not usual:
        if both := nested.alike(tables):
            return Shaped(both, {name: part for name, part in value.items() if name not in tables})
        message = f"It has several lists of records: {listed(tables)}."
        longest = max(tables, key=lambda name: len(tables[name]))
        fix = f"Save the list with one record per segment as a separate file, such as {longest}; of lists of one system each, all of them. "
        fix += f"For example: jq .{longest} FILE > {longest}.json"
        raise ReadError(message, file, fix=fix)
    chosen = usual[0] if usual else next(iter(tables))
    rows = documents.by_instance(tables[chosen]) or _slim(file, tables[chosen])
    return Shaped(rows, {name: part for name, part in value.items() if name != chosen})


def _alone_with_ids(tables: Mapping[str, Sequence[Record]]) -> list[str]:
    """The one list whose records have ids, where those of others have none at all."""
    named = [name for name, records in tables.items() if any(words.meaning(key) == "segment" for key in records[0])]
    return named if len(named) == 1 and _have_ids(tables[named[0]]) else []


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


FEWEST_CELLS = 5  # of lists; shorter ones beside single values are settings


def _side_by_side(file: str, value: Record, columns: Mapping[str, Sequence[object]]) -> Shaped:
    """Lists of equal length as the columns of a table.

    Raises: ReadError if their lengths differ.
    """
    lengths = {len(part) for part in columns.values()}
    plain = [name for name, part in value.items() if not isinstance(part, dict | list)]
    if max(lengths) < FEWEST_CELLS and len(plain) > 1:
        message = f"It has short lists ({listed(columns)}) beside {listed(plain)}: settings of a run, no results."
        raise ReadError(message, file, fix="Load the scores or outputs that this run made.")
    if len(lengths) > 1:
        shown = ", ".join(f"{name}: {len(part)}" for name, part in columns.items())
        what = f"Its lists have different lengths ({shown}), so they are no columns. A list of what was solved does not say "
        fix = f"{FIX} Of a list of what was solved: a record for every question, with 1 for the solved ones and 0 for others."
        raise ReadError(f"{what}what was asked.", file, fix=fix)
    texts = next(iter(columns.values()))
    if len(columns) == 1 and all(isinstance(text, str) for text in texts):
        return Shaped(texts, bare=True)  # the one list of texts, whatever it is called, is what the file holds
    records = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return Shaped(records, {name: part for name, part in value.items() if name not in columns})


def _refuse_summary(file: str, value: Record) -> None:
    """Raise ReadError for an object of names and numbers: the results of whole systems, or numbers by id."""
    if len(value) < 2 and not any(isinstance(part, dict | list) for part in value.values()):
        return
    shown = ", ".join(f"{name}: {_short(part)}" for name, part in list(value.items())[:4])
    message = f"{Whole.why} ({shown}{', ...' if len(value) > 4 else ''})."
    fix = f"If these are scores of whole systems, load the scores of every segment: tests need them. {FIX}"
    raise Whole(message, file, fix=fix)


def _short(part: object) -> str:
    return "{...}" if isinstance(part, dict) else "[...]" if isinstance(part, list) else repr(part)[:20]
