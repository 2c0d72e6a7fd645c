"""JSON objects with a part for each system, outcome or field, and in it records, numbers by measure, or texts by id: to records."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeGuard

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.tables import documents, numbers
from sigcore.readers.tables import headings as words

Record = documents.Record
FEWEST = 3  # questions of each system
ANSWERS = re.compile(
    r"(?:model[-_ ])?(?:answers|responses|predictions|preds|outputs)", re.IGNORECASE
)  # by id, in an object
LONGEST_NAME = 60  # characters of the name of a system


def of_systems(tables: Mapping[str, Sequence[Record]]) -> list[Record]:
    """The records in the one list of systems, each of which has a list of records by one name: {"runs": [{"name": ..., "results":
    [...]}]}; what is single beside such a list belongs to all its records. [] for others, and where both have the same names, such
    as dialogues and their turns: only a list that is called after systems, or has results, is known to be of systems then."""
    above, systems = next(iter(tables.items())) if len(tables) == 1 else ("", ())
    name, parts = _parts(systems) if len(systems) > 1 else ("", [])
    if not parts or not _fit(parts):
        return _with_scores(systems)
    # a number beside such a list is about all its records, and no score of each
    beside = [{what: cell for what, cell in one.items() if _belongs(what, cell)} for one in systems]
    sure = bool(RESULTS.fullmatch(name)) or names.says_system(above)
    return _below(beside, parts) if sure or {*parts[0][0]}.isdisjoint(beside[0]) else []


MOST_RATED = 10  # people who rate one text: more numbers in a list than that are of segments


def _with_scores(systems: Sequence[Record]) -> list[Record]:
    """A record for each number in the one list that each record of a system has: {"model": "A", "scores": [...]}; [] for others,
    and where those of one task have other lengths."""
    system, scored = _named_lists(systems)
    cells = _scores_below(systems, scored)
    rest = [{what: cell for what, cell in one.items() if what != scored} for one in systems]
    tasks = [_told([cell for what, cell in own.items() if isinstance(cell, str) and what != system]) for own in rest]
    if not cells or len(cells) < len(systems) or len({*zip(tasks, map(len, cells), strict=True)}) > len({*tasks}):
        return []
    both = zip(rest, cells, strict=True)
    return [{**own, "segment": i, scored: cell} for own, scores in both for i, cell in enumerate(scores)]


def _scores_below(systems: Sequence[Record], scored: str) -> list[list[float | None]]:
    """The lists of scores below this name in those of several records that have the names of the first."""
    held = [one[scored] for one in systems if one.keys() == systems[0].keys()] if scored else []
    return [own for own in held if _are_scores(own)]


def _named_lists(systems: Sequence[Record]) -> tuple[str, str]:
    """The name of the system and that of the one list in the first of several records; ("", "") for others, and beside ids."""
    first = systems[0] if systems else {}
    lists = [name for name, cell in first.items() if isinstance(cell, list)]
    known = [name for name in first if words.meaning(name) == "system"]
    ids = any(words.meaning(name) == "segment" for name in first)
    return (known[0], lists[0]) if len(lists) == len(known) == 1 and not ids else ("", "")


def _are_scores(value: object) -> TypeGuard[list[float | None]]:
    """Whether a value is a list of more numbers than people rate one text."""
    if not isinstance(value, list) or len(value) <= MOST_RATED:
        return False
    return all(cell is None or isinstance(cell, int | float) for cell in value)


def in_parts(file: str, value: Record) -> Sequence[object]:
    """The records in an object by system, where each part has one list of them, {"A": {"results": [record, ...]}}; its columns, one
    of which has ids; or one list of numbers beside single values. [] for others.

    Raises: as `by_file`.
    """
    for rule in (_results, _of_columns, _of_scores):
        tables = _by_rule(value, rule)  # in all parts
        if tables:
            return by_file(file, tables)
    # beside single values, where the lists have the same questions: {"model": "judge", "cell_e": {"verdicts": [record, ...]}, ...}
    parts = {name: part for name, part in value.items() if isinstance(part, dict)}
    single = not any(isinstance(one, list) for one in value.values())
    tables = _by_rule(parts, _one_list) if single else {}
    return by_file(file, tables) if tables and _have_the_same([*tables.values()]) else []


def _by_rule(value: Mapping[str, object], rule: Callable[[Record], list[Record]]) -> dict[str, list[Record]]:
    """The records that a rule finds in each part of an object, all with the same names; {} where it finds none in one of them, and
    for parts that are called after questions."""
    tables = {name: rule(part) for name, part in value.items() if isinstance(part, dict)}
    whole = len(tables) == len(value) > 1 and all(tables.values())
    alike = whole and len({frozenset(rows[0]) for rows in tables.values()}) == 1
    return tables if alike and not documents.are_ids(tuple(tables)) else {}


def _one_list(part: Record) -> list[Record]:
    """The only list of records in a part."""
    lists = [one for one in part.values() if are_records(one)]
    return lists[0] if len(lists) == 1 else []


def inside(file: str, value: Record) -> Sequence[object]:
    """The records of the one part of an object that has a list of them for each system, beside sums and settings:
    {"summary": {...}, "detailed": {"A": [record, ...], "B": [...]}}; or alone. [] for others, and where nothing names the records.

    Raises: as `by_file`.
    """
    found = [
        part
        for part in value.values()
        if isinstance(part, dict) and len(part) > 1 and all(map(are_records, part.values()))
    ]
    if len(found) != 1:
        return []
    tables = found[0]
    alike = len({frozenset(record) for records in tables.values() for record in records}) == 1
    return by_file(file, tables) if alike and _have_the_same([*tables.values()]) else []


def _have_the_same(tables: Sequence[Sequence[Record]]) -> bool:
    """Whether the records of all lists have the same names in words, each once: what systems were asked. Lists of tasks have numbers;
    lists of one record are the answers to a question each, as EvalPlus writes them."""
    if min(map(len, tables)) == 1:
        return False
    names_ = [name for name, cell in tables[0][0].items() if isinstance(cell, str)]
    held = ([{str(record[name]) for record in own} for own in tables] for name in names_)
    return any(
        all(len(own) == len(every) for own, every in zip(cells, tables, strict=True))
        and len(set.intersection(*cells)) >= ALIKE_NAMES * max(map(len, tables))
        and not all(map(str.isdigit, cells[0]))
        for cells in held
    )


def has_lists(part: object) -> bool:
    """Whether an object has nothing but lists of several values."""
    lists = [one for one in part.values() if isinstance(one, list)] if isinstance(part, dict) else []
    return bool(lists) and len(lists) == len(part) and min(map(len, lists)) >= documents.FEWEST_CELLS  # type: ignore[arg-type]


def below_names(value: Record) -> dict[str, list[object]]:
    """The columns of numbers in rows beside a list with the name of each: {"models": ["A", "B"], "scores": [[1, 0], ...]}, or of
    each row; {} for others, and where there are as many rows as names."""
    lists = [part for part in value.values() if isinstance(part, list) and part]
    named = [part for part in lists if all(isinstance(one, str) for one in part)]
    grids = [part for part in lists if all(map(_is_row, part)) and len({*map(len, part)}) == 1]
    return _columns_of(named[0], grids[0]) if len(named) == len(grids) == 1 else {}


def _columns_of(named: Sequence[str], rows: Sequence[Sequence[object]]) -> dict[str, list[object]]:
    """The columns of numbers by their names, in rows or in what stands across them; {} where it is not clear which are meant."""
    n = len({*named})
    if not 1 < n == len(named) or len(rows) == len(rows[0]) or n not in (len(rows), len(rows[0])):
        return {}
    columns = rows if n == len(rows) else zip(*rows, strict=True)
    return {name: [*column] for name, column in zip(named, columns, strict=True)}


def _is_row(value: object) -> bool:
    return isinstance(value, list) and all(cell is None or isinstance(cell, int | float) for cell in value)


RUNS = re.compile(r"(?:.*[-_ ])?(?:run|seed|fold|trial|repeat|epoch|step|iteration)s?(?:[-_ ].*)?", re.IGNORECASE)


def _results(part: Record) -> list[Record]:
    """The one list of records in a part, which is called so."""
    found = [(name, own) for name, own in part.items() if are_records(own)]
    return found[0][1] if len(found) == 1 and RESULTS.fullmatch(found[0][0]) else []


def _of_columns(part: Record) -> list[Record]:
    """A record for each id in lists side by side."""
    own = {name: cells for name, cells in part.items() if isinstance(cells, list)}
    n = len(next(iter(own.values()), ()))
    named = any(words.meaning(name) in ("segment", "perhaps segment") for name in own)
    if not named or len(own) < max(2, len(part)) or n < documents.FEWEST_CELLS or {*map(len, own.values())} != {n}:
        return []
    return [dict(zip(own, cells, strict=True)) for cells in zip(*own.values(), strict=True)]


def _of_scores(part: Record) -> list[Record]:
    """A record for each number in the one list beside single values; none of several runs."""
    own = [name for name, cells in part.items() if isinstance(cells, list | dict)]
    if len(own) != 1 or RUNS.fullmatch(own[0]) or not _are_scores(cells := part[own[0]]):
        return []
    return [{own[0]: cell} for cell in cells]


def _below(beside: Sequence[Record], parts: Sequence[Sequence[Record]]) -> list[Record]:
    """The records with what is beside their list; a name that they have, too, is that of the system."""
    shared = {*parts[0][0]}
    called = [{"system" if what in shared else what: cell for what, cell in own.items()} for own in beside]
    return [{**own, **row} for own, part in zip(called, parts, strict=True) for row in part]


RESULTS = re.compile(r"(?:\w+[-_ ])?(?:results?|predictions?|outputs?|scores?|samples?|evaluations?)", re.IGNORECASE)


def _belongs(name: str, cell: object) -> bool:
    """Whether a single value beside a list of records says whose they are: a name, or the number of a run."""
    return isinstance(cell, str) or (words.meaning(name) == "run" and isinstance(cell, int))


def _parts(systems: Sequence[Record]) -> tuple[str, list[list[Record]]]:
    """The one list of records that each of the systems has by the same name, with this name; ("", []) for others."""
    lists = [{name for name, part in one.items() if are_records(part)} for one in systems]
    if any(own != lists[0] for own in lists) or len(lists[0]) != 1:
        return "", []
    (name,) = lists[0]
    return name, [part for one in systems if are_records(part := one[name])]


def _fit(parts: Sequence[Sequence[Record]]) -> bool:
    """Whether each system has more questions than there are systems, and all records have the same names."""
    many = min(map(len, parts)) >= max(FEWEST, len(parts))
    return many and len({frozenset(row) for part in parts for row in part}) == 1


def are_records(value: object) -> TypeGuard[list[Record]]:
    """Whether a value is a list of objects alone."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def of_measures(value: Record) -> list[Record]:
    """A record for each system and segment of {"A": {"mrr": [...], "ndcg": [...]}, "B": ...}, all lists of one length; [] for others."""
    parts = {name: part for name, part in value.items() if isinstance(part, dict)}
    own = list(parts.values())
    if len(own) < 2 or len(own) < len(value) or len({frozenset(part) for part in own}) > 1:
        return []
    n = set(map(_length, own))
    if len(n) > 1 or min(n) < documents.FEWEST_CELLS:
        return []
    rows = {name: zip(*(part[what] for what in own[0]), strict=True) for name, part in parts.items()}
    return [
        {"system": name, "segment": i, **dict(zip(own[0], cells, strict=True))}
        for name, every in rows.items()
        for i, cells in enumerate(every)
    ]


def _length(part: Record) -> int:
    """The common length of lists by name, of one as of several; 0 where they do not fit each other."""
    return documents.length(part) or documents.length({"": next(iter(part.values()), None), **part})


def by_outcome(value: Record) -> list[Record]:
    """The records in {"correct": [record, ...], "incorrect": [...]}, each with 1 or 0 for what its list says."""
    known = {name: numbers.OUTCOMES.get(name.strip().lower(), "") for name in value}
    tables = [part for part in value.values() if are_records(part)]
    if sorted(known.values()) != ["0", "1"] or len(tables) != len(value):
        return []
    parts = ((name, record) for name, part in value.items() if isinstance(part, list) for record in part)
    return [{**record, "correct": int(known[name])} for name, record in parts]


def answered(value: Record) -> list[Record]:
    """The records in an object whose one object of texts by id has the answers, beside others by the same ids (HotpotQA), or beside
    what is said of the whole system, where it is called so."""
    parts = {name: part for name, part in value.items() if isinstance(part, dict) and len(part) >= documents.FEWEST_IDS}
    texts = [name for name, part in parts.items() if all(isinstance(cell, str) for cell in part.values())]
    if len(texts) != 1 or not (_are_of_the_same(value, parts) or (len(parts) == 1 and _are_answers(texts[0], parts))):
        return []
    named = _system_of(value)
    return [{"id": name, **named, "text": cell} for name, cell in parts[texts[0]].items()]


def _are_of_the_same(value: Record, parts: Mapping[str, Record]) -> bool:
    """Whether all that an object has are parts with the same names."""
    return len(parts) == len(value) and len({frozenset(part) for part in parts.values()}) == 1


def _are_answers(name: str, parts: Mapping[str, Record]) -> bool:
    """Whether a part has ids, and is called after answers."""
    return ANSWERS.fullmatch(name) is not None and documents.are_ids(tuple(parts[name]))


def _system_of(value: Record) -> Record:
    """The system that an object names beside its parts; nothing where it names none."""
    named = [cell for name, cell in value.items() if words.meaning(name) == "system" and isinstance(cell, str)]
    return {"system": named[0]} if named else {}


def alike(tables: Mapping[str, Sequence[Record]]) -> list[Record]:
    """The records of lists that stand side by side, each with the name of its list, where all have the same names in them and at
    least one that holds the same in most records of each: what was asked. [] for others."""
    shared = set.intersection(*(set(record) for records in tables.values() for record in records))
    every = set[str]().union(*(record for records in tables.values() for record in records))
    if LIST in every or len(shared) < ALIKE_NAMES * len(every):
        return []
    held = ([{_told(record[name]) for record in records} for records in tables.values()] for name in sorted(shared))
    fewest = max(map(len, tables.values())) * ALIKE_NAMES
    if not any(len(set.intersection(*cells)) >= fewest for cells in held):
        return []
    return [{LIST: name, **record} for name, records in tables.items() for record in records]


LIST = "list"  # a column with the name of the list of each record
ALIKE_NAMES = 0.75  # of all names, or records, at least what lists have in common


def _told(cell: object) -> str:
    return json.dumps(cell, sort_keys=True)


def by_file(file: str, tables: Mapping[str, Sequence[Record]]) -> Sequence[object]:
    """The records in {"data": [...]}; or, by file name, those of one system each.

    Raises: ReadError where nothing says which records of several lists belong together.
    """
    if len(tables) == 1 and not any(map(PATH.search, tables)):
        return next(iter(tables.values()))
    every = [(key, i, record) for key, records in tables.items() for i, record in enumerate(records)]
    return _of_questions(tables, every) or _of_files(file, tables, every)


Placed = tuple[str, int, Record]  # the name of a list, and a record with its place in it


def _of_questions(tables: Mapping[str, Sequence[Record]], every: Sequence[Placed]) -> list[Record]:
    """The records of lists that are called after questions or conversations; [] for others."""
    rivals = [name for name in every[0][2] if _crosses(name, tables)]
    numbered = all(map(str.isdigit, tables)) and not any(map(names.says_system, rivals))
    if rivals and not numbered:
        return [{"id": key, **record} for key, _, record in every]
    if numbered:  # conversations, each with questions of its own
        return [{"document": key, "segment": f"{key}.{i}", **record} for key, i, record in every]
    if all(map(HASH.fullmatch, tables)):  # what one system said of each question, the likeliest first
        return [{"id": key, "rank": i + 1, **record} for key, i, record in every]
    return []


def _of_files(file: str, tables: Mapping[str, Sequence[Record]], every: Sequence[Placed]) -> list[Record]:
    """The records of lists that are called after the file of a system each; numbered where nothing in them says which belong
    together.

    Raises: ReadError where their places cannot say it either, since some lists have fewer.
    """
    shown = {name: names.display_name(name) for name in tables}
    differ = len(set(shown.values())) == len(shown)  # the outputs of several runs may have the same name
    named = name_their_rows([*tables.values()])
    if not named and len({*map(len, tables.values())}) > 1:
        raise _unequal(file, tables)
    return [
        {"system": shown[name] if differ else name, **({} if named else {"segment": i}), **record}
        for name, i, record in every
    ]


def _unequal(file: str, tables: Mapping[str, Sequence[Record]]) -> ReadError:
    """The problem that lists of records without names have different lengths: whose is missing?"""
    shown = ", ".join(f"{name}: {len(records)}" for name, records in tables.items())
    what = f"Its lists have different lengths ({shown}), and nothing says which records belong together."
    return ReadError(what, file, fix='Give every record the id of its question: {"id": ..., "score": ...}.')


def name_their_rows(tables: Sequence[Sequence[Record]]) -> bool:
    """Whether records say themselves which of them belong together from list to list, so that their places must not: by an id,
    a run or a person; by other names that each list has once; or by texts that stand in another order in each."""
    shared = set.intersection(*({*record} for records in tables for record in records))
    return any(_name_rows(name, [[record[name] for record in own] for own in tables]) for name in shared)


IDS: tuple[words.Meaning, ...] = ("segment", "run", "judge")


def _name_rows(name: str, cells: Sequence[Sequence[object]]) -> bool:
    """Whether what stands below a name in each of several lists tells which records belong together."""
    if not all(type(cell) in (int, str) for own in cells for cell in own):
        return False  # a score, an outcome, or something that only some have
    held = [{*own} for own in cells]
    if words.meaning(name) in IDS:
        return all(len(own) > 1 for own in held)
    once = all(len(own) == len(every) > 1 for own, every in zip(held, cells, strict=True))
    if not once or len(set.intersection(*held)) < ALIKE_NAMES * max(map(len, cells)):
        return False
    return words.meaning(name) == "perhaps segment" or any(own != cells[0] for own in cells) or _count(cells[0])


def _count(cells: Sequence[object]) -> bool:
    """Whether whole numbers only count the records: folds, or questions below an unknown name."""
    n = len(cells)
    return n >= FEWEST and list(cells) in ([*range(n)], [*range(1, n + 1)])


PATH = re.compile(r"[./\\]")  # what the name of a file has, and that of a list seldom
HASH = re.compile(r"[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _crosses(name: str, tables: Mapping[str, Sequence[Record]]) -> bool:
    """Whether each list has the same short names below an unknown heading, each of them once: what the lists are about then
    has a record for each of them, so these may be the systems, which is asked, and the lists are none."""
    if words.meaning(name) not in (None, "system") or words.is_field(name):
        return False
    own = [[record.get(name) for record in records] for records in tables.values()]
    short = all(isinstance(one, str) and 0 < len(one) <= LONGEST_NAME for cells in own for one in cells)
    return short and len(own[0]) > 1 and all(len({*cells}) == len(cells) and {*cells} == {*own[0]} for cells in own)


def in_table(table: object) -> list[Record]:
    """The records in {"head": {"prompts": [...]}, "body": [{"outputs": [...]}, ...]} (the table of promptfoo), one for each output, in
    the form of its list of results; [] for others."""
    prompts, body = _of_table(table)
    outputs = (row.get("outputs") for row in body)
    rows = [own for own in outputs if are_records(own) and len(own) == len(prompts)]
    if len(rows) < len(body):
        return []
    labels, asked = _labels(prompts), [str(row.get("vars")) for row in body]  # of repeats these are the same
    return [
        {"testIdx": asked.index(asked[i]), "promptIdx": k, "provider": {"label": labels[k]}, **_scores_of(one)}
        for i, row in enumerate(rows)
        for k, one in enumerate(row)
    ]


def _of_table(table: object) -> tuple[Sequence[Record], Sequence[Record]]:
    """The prompts and the rows of a table of promptfoo; nothing of another object."""
    head = table.get("head") if isinstance(table, dict) else None
    prompts = head.get("prompts") if isinstance(head, dict) else None
    body = table.get("body") if isinstance(table, dict) else None
    return (prompts, body) if are_records(prompts) and are_records(body) else ((), ())


def _labels(prompts: Sequence[Record]) -> list[str]:
    """A name for each prompt: its label or its provider, or both where one alone comes again."""
    named = [[str(one.get(name, "")) for one in prompts] for name in ("label", "provider")]
    distinct = (own for own in named if len({*own}) == len(prompts))
    return next(distinct, ["/".join(own) for own in zip(*named, strict=True)])


def _scores_of(output: Record) -> Record:
    """Whether an output passed, and its score; none where the call failed."""
    failed = _is_of_program(output)
    return {"success": None if failed else output.get("pass"), "score": None if failed else output.get("score")}


def _is_of_program(output: Record) -> bool:
    """Whether an output of promptfoo failed because nothing came, and not because of what came."""
    return output.get("failureReason") == 2 or bool(
        output.get("error") and output.get("text") in (None, "", output["error"])
    )
