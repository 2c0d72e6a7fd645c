"""JSON objects with a part for each system, outcome or field, and in it records, numbers by measure, or texts by id: to records."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeGuard

from sigcore.readers import names
from sigcore.readers.tables import documents, numbers
from sigcore.readers.tables import headings as words

Record = documents.Record
FEWEST = 3  # questions of each system
LONGEST_NAME = 60  # characters of the name of a system


def of_systems(tables: Mapping[str, Sequence[Record]]) -> list[Record]:
    """The records in the one list of systems, each of which has a list of records by one name: {"runs": [{"name": ..., "results":
    [...]}]}; what is single beside such a list belongs to all its records. [] for others, and where both have the same names, such
    as dialogues and their turns: only a list that is called after systems, or has results, is known to be of systems then."""
    above, systems = next(iter(tables.items())) if len(tables) == 1 else ("", ())
    name, parts = _parts(systems) if len(systems) > 1 else ("", [])
    if not parts or not _fit(parts):
        return []
    # a number beside such a list is about all its records, and no score of each
    beside = [{what: cell for what, cell in one.items() if _belongs(what, cell)} for one in systems]
    sure = bool(RESULTS.fullmatch(name)) or names.says_system(above)
    return _below(beside, parts) if sure or {*parts[0][0]}.isdisjoint(beside[0]) else []


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
    """The records in an object whose one object of texts by id has the answers, beside others by the same ids (HotpotQA)."""
    parts = [part for part in value.values() if isinstance(part, dict) and len(part) >= documents.FEWEST_IDS]
    texts = [part for part in parts if all(isinstance(cell, str) for cell in part.values())]
    same = len(parts) == len(value) and len({frozenset(part) for part in parts}) == 1
    return [{"id": name, "text": cell} for name, cell in texts[0].items()] if same and len(texts) == 1 else []


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


def by_file(tables: Mapping[str, Sequence[Record]]) -> Sequence[object]:
    """The records in {"data": [...]}; or, by file name, those of one system each."""
    if len(tables) == 1 and not any(map(PATH.search, tables)):
        return next(iter(tables.values()))
    every = [(key, i, record) for key, records in tables.items() for i, record in enumerate(records)]
    return _of_questions(tables, every) or _of_files(tables, every)


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


def _of_files(tables: Mapping[str, Sequence[Record]], every: Sequence[Placed]) -> list[Record]:
    """The records of lists that are called after the file of a system each."""
    shown = {file: names.display_name(file) for file in tables}
    differ = len(set(shown.values())) == len(shown)  # the outputs of several runs may have the same name
    return [{"system": shown[file] if differ else file, "segment": i, **record} for file, i, record in every]


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
