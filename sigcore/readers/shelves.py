"""Folders with an object of JSON for each question or task, of one system or of all of them: one file of records for each."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count, listed, unique
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice
from sigcore.readers.folders import FEWEST_DOCUMENTS, NOTES, RUN_FOLDER, Files
from sigcore.readers.names import pattern
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.objects import Record, shaped

FEWEST_FOLDERS, SHARED = 2, 0.5  # and the share of all names that each folder has
MOST_BYTES = 2_000_000  # of one object
# Folders that say which version of a model, and not which model: a commit, v1, a date.
VERSION = pattern("shelves.version")
RAW = pattern("shelves.raw")  # what a service said beside the answer
COUNTED = re.compile(r"(.*task)[-_]?\d+", re.IGNORECASE)
TRIES = "tests_outcomes"  # of Aider: whether the tests passed in each try, of which the last one counts
MAIN = re.compile(r"(?:.*[._])?main[-_]score", re.IGNORECASE)
Shelf = dict[str, Record]  # the object of each question


def joined(result: Found, files: Files) -> Files:
    """The files; where several folders have an object for each of the same questions, those of a folder are one file of
    records, which is noted."""
    files = _grown(result, files)
    objects = _objects(files)
    shelves = _alike(objects) or _alike({folder: _without_start(shelf) for folder, shelf in objects.items()})
    if len(shelves) < FEWEST_FOLDERS:
        return _of_cells(result, _of_questions(result, files))
    records = {folder: _records(shelf) for folder, shelf in shelves.items()}
    named = _names(list(shelves))
    if not all(records.values()) or not named:
        return files
    used = {f"{folder}/{question}.json" for folder in shelves for question in objects[folder]}
    rest = [(file, data) for file, data in files if file not in used]
    first = next(iter(shelves.values()))
    message = (
        f"{listed(named.values())} are folders with the same {count(len(first), 'file')}: each is one question, called "
    )
    result.notices.append(
        Notice("", f"{message}after its file. Where a file sums up a test set, this is one question.")
    )
    lines = {folder: b"".join(json.dumps(one).encode() + b"\n" for one in own) for folder, own in records.items()}
    return [*rest, *((f"{folder}/{named[folder]}.jsonl", data) for folder, data in lines.items())]


# A file of one name in the folder of each question, below the folder of each system: MODEL/DOMAIN/QUESTION/result.txt.


def _grown(result: Found, files: Files) -> Files:
    """The files; where those of one name hold one number or one record each, and the folders on one level have the same
    folders below them, those of such a folder are one file of records, which is noted."""
    times = Counter(_counted(file) for file, _ in files)
    for name in (name for name, number in times.items() if number >= FEWEST_FOLDERS * FEWEST_DOCUMENTS):
        own = {file: data for file, data in files if _counted(file) == name and len(data) <= MOST_BYTES}
        made, used = _leaves(own, name.rpartition(".")[0] or name)
        if made:
            systems = [file.partition("/")[0] for file, _ in made]
            message = (
                f"{listed(systems)} are folders with the same folders below: each is one question, with its {name}."
            )
            result.notices.append(Notice("", message))
            files = [*((file, data) for file, data in files if file not in used), *made]
    return files


def _counted(file: str) -> str:
    """The name of a file, without the number of a task that it counts (injection_task_3.json); that of a run stays."""
    stem, mark, suffix = file.rpartition("/")[2].rpartition(".")
    match = COUNTED.fullmatch(stem)
    return f"{match[1]}{mark}{suffix}" if match and not RUN_FOLDER.fullmatch(stem) else f"{stem}{mark}{suffix}"


def _leaves(own: dict[str, bytes], stem: str) -> tuple[list[tuple[str, bytes]], set[str]]:
    """A file of records for each system, and the files that are in them; none where one of these is no record."""
    systems = _branches(list(own))
    rows = {file: _leaf(own[file], stem) for leaves in systems.values() for file in leaves}
    if not rows or not all(rows.values()):
        return [], set()
    return [(f"{system}/{stem}.jsonl", _lines(leaves, rows)) for system, leaves in systems.items()], {*rows}


def _lines(leaves: dict[str, str], rows: dict[str, Record]) -> bytes:
    """The records of the files of a system, one in each line."""
    return b"".join(json.dumps({"id": question, **rows[file]}).encode() + b"\n" for file, question in leaves.items())


def _branches(paths: Sequence[str]) -> dict[str, dict[str, str]]:
    """The files of each system with the names of their questions: the systems are the folders on the first level on which they
    differ, if these share most of what is below them; {} where they do not."""
    found = _by_level(paths)
    questions = [{*own.values()} for own in found.values()]
    together, common = set[str]().union(*questions), set[str].intersection(*questions) if questions else set()
    whole = all(len(own) == len({*own.values()}) and all(own.values()) for own in found.values())
    enough = len(found) >= FEWEST_FOLDERS and len(common) >= max(FEWEST_DOCUMENTS, SHARED * len(together))
    return found if whole and enough else {}


def _by_level(paths: Sequence[str]) -> dict[str, dict[str, str]]:
    """The files by the folder on the first level on which they differ, each with the folders below that; a file that is one of several
    names counts a task of its question."""
    several = len({path.rpartition("/")[2] for path in paths}) > 1
    parts = {path: path.rpartition(".")[0].split("/") if several else path.split("/")[:-1] for path in paths}
    level = next((k for k, own in enumerate(zip(*parts.values(), strict=False)) if len({*own}) > 1), -1)
    found: dict[str, dict[str, str]] = {}
    for path, folders in parts.items() if level >= 0 else ():
        found.setdefault(folders[level], {})[path] = "/".join(folders[level + 1 :])
    return found


def _leaf(data: bytes, stem: str) -> Record:
    """The number in a file below its name, or the single values of its record, which may be below the name of the question;
    {} for another file."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    if isinstance(value, int | float):
        return {stem: value}
    inner = next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
    return dict(_flat({"": inner} if isinstance(inner, dict) else {}))


# A file for each question, with what each of the same systems did.


def _of_questions(result: Found, files: Files) -> Files:
    """The files; those of a folder that have the rows of one question each, about the same systems, are one file of records,
    which is noted."""
    number = Counter(file.rpartition("/")[0] for file, _ in files if file.lower().endswith(".json"))
    for folder in (folder for folder, times in number.items() if times >= FEWEST_DOCUMENTS):
        rows = _rows_by_file([(file, data) for file, data in files if file.rpartition("/")[0] == folder])
        heading = _compared([*rows.values()])
        if not heading:
            continue
        message = (
            f"Each of {count(len(rows), 'file')} has the rows of one question, and {heading} names the same in all"
        )
        result.notices.append(Notice(folder, f"{message}: they were read as one table."))
        lines = b"".join(json.dumps(row).encode() + b"\n" for _, own in sorted(rows.items()) for row in own)
        name = f"{folder}/questions.jsonl" if folder else "questions.jsonl"
        files = [*((file, data) for file, data in files if file not in rows), (name, lines)]
    return files


def _rows_by_file(files: Files) -> dict[str, list[Record]]:
    """The rows of each file of JSON that has some; {} where the first has none."""
    found: dict[str, list[Record]] = {}
    for file, data in files:
        if file.lower().endswith(".json") and data.lstrip()[:1] == b"{" and len(data) <= MOST_BYTES:
            if own := _rows(data):
                found[file] = own
            elif not found:
                return {}  # nothing is parsed in vain
    return found


def _rows(data: bytes) -> list[Record]:
    """The rows in the one list of an object, with its single values in each; [] for an object without an id of its own."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return []
    lists = [part for part in value.values() if isinstance(part, list) and len(part) > 1]
    facts = {name: part for name, part in value.items() if not isinstance(part, (list, dict))}
    named = any(words.meaning(name) in ("segment", "perhaps segment") for name in facts)
    if not named or len(lists) != 1 or not all(isinstance(row, dict) for row in lists[0]):
        return []
    return [{**facts, **row} for row in lists[0]]


def _compared(files: Sequence[Sequence[Record]]) -> str:
    """The heading of systems below which the rows of every file have other names, and those of all files the same; "" without
    it, and for fewer files than a folder of questions has."""
    if len(files) < FEWEST_DOCUMENTS:
        return ""
    for heading in (name for name in files[0][0] if words.meaning(name) == "system"):
        cells = [[str(row.get(heading)) for row in rows] for rows in files]
        if all(len({*own}) == len(own) and {*own} == {*cells[0]} for own in cells):
            return heading
    return ""


def _of_cells(result: Found, files: Files) -> Files:
    """The files; those of a folder that are one record each, all with the same names, one of which names several systems, are one
    file of records, which is noted: a file for each system and question."""
    folders = Counter(file.rpartition("/")[0] for file, _ in files if file.lower().endswith(".json"))
    for folder in (folder for folder, times in folders.items() if times >= FEWEST_FOLDERS * FEWEST_DOCUMENTS):
        own = {
            file: data for file, data in files if file.rpartition("/")[0] == folder and file.lower().endswith(".json")
        }
        rows = _single([*own.values()])
        if not (heading := _names_several(rows)):
            continue
        what = f"Each of {count(len(own), 'file')} has one record, and {heading} names the system in it"
        result.notices.append(Notice(folder, f"{what}: they were read as one table."))
        lines = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
        rest = [(file, data) for file, data in files if file not in own]
        files = [*rest, (f"{folder}/records.jsonl".lstrip("/"), lines)]
    return files


def _names_several(rows: Sequence[Record]) -> str:
    """The name of records below which several systems have many each; "" without it."""
    heading = next((name for name in rows[0] if words.meaning(name) == "system"), "") if rows else ""
    times = Counter(str(row[heading]) for row in rows) if heading else Counter[str]()
    return heading if len(times) >= FEWEST_FOLDERS and min(times.values()) >= FEWEST_DOCUMENTS else ""


def _single(every: Sequence[bytes]) -> list[Record]:
    """The record in each file; [] where one has none, or other names than the first, which is looked at before the others."""
    rows = list[Record]()
    for data in every:
        row = _leaf(data, "") if data.lstrip()[:1] == b"{" and len(data) <= MOST_BYTES else {}
        if not row or (rows and row.keys() != rows[0].keys()):
            return []
        rows.append(row)
    return rows


def _objects(files: Files) -> dict[str, Shelf]:
    """The single objects of each folder, without what programs note beside them."""
    found: dict[str, Shelf] = {}
    times = Counter(file.rpartition("/")[0] for file, _ in files if file.lower().endswith(".json"))
    large = {folder for folder, number in times.items() if folder and number >= FEWEST_DOCUMENTS}
    # where all names end alike, this end says nothing of one of them
    ends = {folder: _end(folder, files) for folder in large}
    for file, data in files if len(large) >= FEWEST_FOLDERS else ():  # nothing is parsed in vain
        folder, _, name = file.rpartition("/")
        if folder not in large or not _may_be_object(name, ends[folder]) or len(data) > MOST_BYTES:
            continue
        if data.lstrip()[:1] == b"{" and (value := _object(file, data)) is not None:
            found.setdefault(folder, {})[name[: -len(".json")]] = value
    return found


def _may_be_object(name: str, end: str) -> bool:
    """Whether a file is of JSON, and no note of a program beside others, judging by its name before their common end."""
    return name.lower().endswith(".json") and not NOTES.fullmatch(f"{name.removesuffix(end)}.json")


def _start(texts: Sequence[str]) -> str:
    """What all these texts begin with."""
    first, last = min(texts), max(texts)
    pairs = enumerate(zip(first, last, strict=False))
    return first[: next((k for k, (one, other) in pairs if one != other), len(first))]


def _end(folder: str, files: Files) -> str:
    """The end that the names of all files of a folder have in common, from a mark on."""
    end = _start([file[::-1] for file, _ in files if file.rpartition("/")[0] == folder])[::-1]
    return end[min(end.find("_") % (len(end) + 1), end.find("-") % (len(end) + 1), end.find(".") % (len(end) + 1)) :]


def _object(file: str, data: bytes) -> Record | None:
    """The object in a file that has no records; None for others."""
    try:
        value = _ran(json.loads(data))
        alone = isinstance(value, dict) and len(shaped(file, value).records) == 1
    except ReadError:
        alone = True  # what is no record by itself is one among others
    except (ValueError, RecursionError):
        return None
    return value if alone and isinstance(value, dict) else None


def _ran(value: object) -> object:
    """The share of the programs for a problem that passed its tests, below the problem's name (MultiPL-E); other values as they are."""
    runs = value.get("results") if isinstance(value, dict) and {"name", "language", "tests"} <= value.keys() else None
    known = isinstance(runs, list) and bool(runs) and all(isinstance(one, dict) and "exit_code" in one for one in runs)
    if not known or not isinstance(value, dict) or not isinstance(runs, list):
        return value
    return {"name": value["name"], "pass@1": sum(one["exit_code"] == 0 for one in runs) / len(runs)}


def _alike(shelves: dict[str, Shelf]) -> dict[str, Shelf]:
    """The folders that have enough questions in common; {} where some have many others."""
    large = {folder: shelf for folder, shelf in shelves.items() if len(shelf) >= FEWEST_DOCUMENTS}
    together = set[str]().union(*large.values())
    common = {name for name in together if all(name in shelf for shelf in large.values())}
    return large if len(common) >= max(FEWEST_DOCUMENTS, SHARED * len(together)) else {}


def _without_start(shelf: Shelf) -> Shelf:
    """The objects without what all their names begin with, up to a mark: a program puts the system before the question."""
    start = _start(list(shelf))
    cut = max(map(start.rfind, "_-."), default=-1) + 1 if len(shelf) > 1 else 0
    return {name[cut:]: value for name, value in shelf.items()}


def _names(folders: Sequence[str]) -> dict[str, str]:
    """The name of each folder's system: the nearest level on which all differ, and which is no version or run; {} without."""
    paths = [names.parts(folder)[::-1] for folder in folders]
    for level in range(min(map(len, paths), default=0)):
        own = [path[level] for path in paths]
        if len({*own}) == len(own) and not any(VERSION.fullmatch(one) or RUN_FOLDER.fullmatch(one) for one in own):
            return dict(zip(folders, unique(own), strict=True))
    return {}


def _records(shelf: Shelf) -> list[Record]:
    """A record for each question with the names that all have; [] without a number or a text in them."""
    rows = {question: dict(_flat(value)) for question, value in shelf.items()}
    shared = [name for name in next(iter(rows.values())) if _is_told(name, rows)]
    shared.sort(key=lambda name: MAIN.fullmatch(name) is None)  # the first measure is the one that is shown
    last = [name.rpartition(".")[2] for name in shared]
    shown = dict(zip(shared, last if len({*last}) == len(last) else shared, strict=True))
    records = [{shown[name]: row[name] for name in shared} for row in rows.values()]
    named = any(_names_rows(shown[name], [row[name] for row in rows.values()]) for name in shared)
    if not named:
        records = [{"id": question, **record} for question, record in zip(rows, records, strict=True)]
    return records if shared else []


def _names_rows(heading: str, cells: Sequence[object]) -> bool:
    """Whether a name below which each object has another value says that it is an id, or a file."""
    return words.meaning(heading) in ("segment", "perhaps segment") and len(set(map(str, cells))) == len(cells)


def _is_told(name: str, rows: dict[str, Record]) -> bool:
    """Whether all objects have a name, and not the name of their file below it."""
    told = all(name in row for row in rows.values())
    return told and any(str(row[name]) != question for question, row in rows.items())


def _flat(value: object, prefix: str = "") -> Iterator[tuple[str, object]]:
    """The single values of an object by their names joined by dots; a list of one object is this object, others are left out."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        value = value[0]
    if isinstance(value, dict):
        for name, part in value.items():
            if isinstance(part, dict) and RAW.fullmatch(str(name)):
                continue
            yield from _flat(part, f"{prefix}.{name}" if prefix else str(name))
    elif prefix == TRIES and isinstance(value, list):
        yield prefix, bool(value) and value[-1]
    elif prefix and not isinstance(value, list):
        yield prefix, value
