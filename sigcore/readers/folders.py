"""Summaries with one file per document, in a folder per system (or with the system in the name, as in TAC)."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigcore.errors import SigError
from sigcore.formatting import count, unique
from sigcore.readers import names, sheets
from sigcore.readers.contract import SHARED, Content, Found, Item, Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables.objects import Whole
from sigcore.readers.tables.unclear import Unclear
from sigcore.types import Role

READER = "summaries"
FEWEST_DOCUMENTS, FEWEST_FOLDERS = 5, 2
# D0801-A.M.100.A.1: topic and set, M, length, assessor, summarizer (a letter for a person)
TAC = re.compile(r"(?P<document>[Dd]\d{3,5}(?:-[A-Z])?)\.M\.\d+\.[A-Z](?:\.[a-z])?\.(?P<peer>[A-Z]|\d+)(?:\.txt)?")
GOLD = re.compile(r"(gold|models?|references?|refs?)([._-]?\w)?", re.IGNORECASE)
TABLE = pattern("folders.table")  # these hold many documents
Files = list[tuple[str, bytes]]
Stream = dict[str, str]  # document -> file


def gather(files: Files) -> tuple[dict[str, Stream], Files]:
    """The files that are summaries, by stream and document, and all other files.

    A folder counts if another has the same file names, there are at least five, and the files do not all have the same
    number of lines (two or more), as the outputs of systems on one test set would.
    """
    by_name = {file: match for file, _ in files if (match := TAC.fullmatch(names.base_name(file)))}
    streams = _tac({file: (match["document"], match["peer"]) for file, match in by_name.items()})
    rest = [(file, data) for file, data in files if file not in by_name]
    streams |= _folders(rest)
    used = {file for stream in streams.values() for file in stream.values()}
    return streams, [(file, data) for file, data in files if file not in used]


def _tac(files: dict[str, tuple[str, str]]) -> dict[str, Stream]:
    """Streams of automatic summarizers by number; the model summaries of a document are by different people, so these are numbered."""
    streams: dict[str, Stream] = {}
    people: dict[str, list[str]] = {}
    for file, (document, peer) in sorted(files.items(), key=lambda entry: entry[1]):
        if peer.isdigit():
            streams.setdefault(peer, {})[document] = file
        else:
            people.setdefault(document, []).append(file)
    for document, models in people.items():
        for k, file in enumerate(models, 1):
            streams.setdefault(f"reference {k}", {})[document] = file
    return streams if len(streams) > 1 else {}


def _folders(files: Files) -> dict[str, Stream]:
    shelves: dict[str, Stream] = {}
    lengths: dict[str, set[int]] = {}
    for file, data in files:
        path = names.parts(file)
        if len(path) < 2 or TABLE.search(file):
            continue
        folder = "/".join(path[:-1])
        shelves.setdefault(folder, {})[path[-1]] = file
        lengths.setdefault(folder, set()).add(data.rstrip(b"\n").count(b"\n") + 1)
    alike: dict[frozenset[str], list[str]] = {}
    for folder, stream in shelves.items():
        documents = len(lengths[folder]) > 1 or lengths[folder] == {1} or _are_numbered(stream)
        if len(stream) >= FEWEST_DOCUMENTS and documents and not names.PAIR.fullmatch(names.parts(folder)[-1]):
            alike.setdefault(frozenset(stream), []).append(folder)
    chosen = [folder for folders in alike.values() if len(folders) >= FEWEST_FOLDERS for folder in folders]
    return {folder: shelves[folder] for folder in chosen}


# doc01.txt, but no system and no test set of a year
NUMBERED = re.compile(r"((?:doc|article|talk|lecture|chapter|page|story|dialog|file|part)\D*)\d+(\D*)", re.IGNORECASE)


def _are_numbered(documents: Iterable[str]) -> bool:
    """Whether files are named as documents, and their names differ only in a number."""
    found = list(map(NUMBERED.fullmatch, documents))
    return len({match.groups() if match else None for match in found}) == 1 and all(found)


def _lines(content: Content) -> list[str]:
    """The lines of a file, without blank ones at its end."""
    lines = list(content.lines)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _of_each(stream: Stream, documents: Sequence[str], contents: dict[str, Content]) -> list[list[str]]:
    """The lines of each document that a stream has."""
    return [_lines(contents[stream[document]]) for document in documents if document in stream]


def _aligned(streams: dict[str, Stream], contents: dict[str, Content]) -> Found | None:
    """The streams of numbered documents whose lines are segments: every folder has as many in each document. None for others."""
    documents = sorted(next(iter(streams.values())), key=_natural)
    texts = {name: _of_each(stream, documents, contents) for name, stream in streams.items()}
    sizes = {tuple(map(len, parts)) for parts in texts.values()}
    if len({frozenset(stream) for stream in streams.values()}) > 1 or not _are_numbered(documents):
        return None
    if len(sizes) > 1 or {*next(iter(sizes))} == {1}:  # a line for each document is a summary
        return None
    result = Found()
    for name, parts in texts.items():
        folder = name.rpartition("/")[2]
        role: Role = "reference" if GOLD.fullmatch(folder) else "system"
        note = f"{count(len(parts), 'file')}, a document each"
        result.items.append(Item(folder, role, "text", tuple(itertools.chain(*parts)), name, note, reader=READER))
    named = [document.rpartition(".")[0] or document for document in documents]
    each = tuple(name for name, size in zip(named, next(iter(sizes)), strict=True) for _ in range(size))
    result.items.append(
        Item("documents", "documents", "text", each, "", f"documents, {count(len(named), 'file')}", reader=READER)
    )
    message = f"{count(len(streams), 'folder')} of {count(len(documents), 'file')}: each file is a document, each line a segment."
    result.notices.append(Notice("", message))
    return result


def read(streams: dict[str, Stream], contents: dict[str, Content]) -> Found:
    """One item per stream: a summary per document, a line per sentence, and the names of the documents.

    Raises: ReadError for a file that is not text. Missing documents of a stream are empty, which is reported.
    """
    if (aligned := _aligned(streams, contents)) is not None:
        return aligned
    documents = sorted({document for stream in streams.values() for document in stream}, key=_natural)
    result = Found()
    for name, stream in streams.items():
        own = [document for document in documents if document in stream]
        texts = {document: filter(str.strip, contents[stream[document]].lines) for document in own}
        segments = ["\n".join(texts.get(document, ())) for document in documents]
        folder = name.rpartition("/")[2]
        role: Role = "reference" if GOLD.fullmatch(folder) or name.startswith("reference ") else "system"
        missing = len(documents) - len(stream)
        if missing and role == "system":
            of_all = f"{missing} of {count(len(documents), 'document')}"
            message = f"{folder} has no summary of {of_all}; they count as empty."
            result.notices.append(Notice(name, message))
        note = f"summaries, {count(len(stream), 'file')}, a line per sentence"
        result.items.append(Item(folder, role, "text", tuple(segments), name, note, reader=READER))
    note = f"documents, {count(len(documents), 'file')}"
    result.items.append(Item("documents", "documents", "text", tuple(documents), "", note, reader=READER))
    message = f"{count(len(streams), 'folder')} of {count(len(documents), 'file')} were read as summaries: a file per document, a line per sentence."
    result.notices.append(Notice("", message))
    return result


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts doc.2 before doc.10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,15})", name)]


# The items of several files in one intake: shared documents once, and names that differ.

Place = tuple[str, str, str, bool]


def once(items: Iterable[Item]) -> list[Item]:
    """The items, without the documents and domains that several files of a test set repeat, and the texts that several
    sheets of a workbook, or several logs of fairseq, repeat."""
    seen = set[tuple[str, ...]]()
    kept = []
    for item in items:
        book = sheets.book(item.file) if sheets.SHEET.search(item.file) and item.kind == "text" else ""
        if item.role in SHARED or book or (item.reader == "fairseq" and item.role != "system"):
            content = (item.testset, item.role, *((book, item.name) if book else ()), *item.segments)
            if content in seen:
                continue
            seen.add(content)
        kept.append(item)
    return kept


def named_apart(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items with names that differ within each place, and a notice for each system that got a number.

    Text and scores of one system share its name, and so do its outputs in several test sets, and a system and a
    reference. Documents and domains keep their names: nobody asks for them by name.
    """
    items, notices = _by_file(_by_folder(sheets.by_book(items))), list[Notice]()
    renamed = list(items)
    by_place: dict[Place, list[int]] = {}
    for i, item in enumerate(items):
        if item.role not in SHARED:
            by_place.setdefault(place(item), []).append(i)
    for members in by_place.values():
        for i, name in zip(members, unique(items[i].name for i in members), strict=True):
            if name == items[i].name:
                continue
            renamed[i] = replace(items[i], name=name)
            if items[i].role == "system":
                message = f"Another system has the name {items[i].name!r}; this one is called {name!r}."
                notices.append(Notice(items[i].file, message))
    return renamed, notices


def _by_folder(items: Sequence[Item]) -> list[Item]:
    """The items; systems of one place with one name, each in a file of another folder, get the folders' names.

    Where a file has several such systems, or a folder several such files, each keeps its own name behind the folder's.
    """
    folders = {key: told_apart(own) for key, own in _once_each(items).items()}
    told = [(key, file, folder) for key, named in folders.items() for file, folder in named.items()]
    of_file = Counter((where, file) for (where, _), file, _ in told)
    of_folder = Counter(_place_after(name, where, folder) for (where, name), _, folder in told)

    def named(item: Item) -> Item:
        where = place(item)
        folder = folders.get((where, item.name), {}).get(item.file, "") if item.role == "system" else ""
        times = of_file[where, item.file], of_folder[_place_after(item.name, where, folder)]
        return _of_folder(item, folder, alone=times == (1, 1)) if folder else item

    return list(map(named, items))


def _by_file(items: Sequence[Item]) -> list[Item]:
    """The items; systems of one place with one name, each in a file of another name, get the names of their files."""
    files: dict[tuple[Place, str], list[str]] = {}
    for item in items:
        if item.role == "system":
            files.setdefault((place(item), item.name), []).append(names.display_name(item.file))

    def named(item: Item) -> Item:
        own = files.get((place(item), item.name), []) if item.role == "system" else []
        if len(own) < 2 or len({*own}) < len(own):
            return item
        file = names.display_name(item.file)
        return replace(item, name=file if item.name.lower() in file.lower() else f"{item.name} {file}")

    return list(map(named, items))


def _once_each(items: Sequence[Item]) -> dict[tuple[Place, str], list[str]]:
    """The files of the systems of one name in one place, where each is in another file, and in no other place."""
    found: dict[tuple[Place, str], list[str]] = {}
    files: dict[str, set[str]] = {}  # of each name in any place
    for item in items:
        if item.role == "system":  # a reference may have the name of the outputs
            found.setdefault((place(item), item.name), []).append(item.file)
            files.setdefault(item.name, set()).add(item.file)
    return {key: own for key, own in found.items() if len(own) == len({*own}) > 1 and {*own} == files[key[1]]}


def _place_after(name: str, where: Place, folder: str) -> tuple[str, str, str, str]:
    """Where a system is once it is named after its folder."""
    return where[0], where[1], _after(name, where), folder


def _after(name: str, where: Place) -> str:
    """The measure of a system in a place, after it was named after its folder."""
    _, kind, measure, _ = where
    return name if kind == "scores" and measure in ("", names.NO_MEASURE) and names.measure_word(name) else measure


def _of_folder(item: Item, folder: str, alone: bool) -> Item:
    """The item with its folder's name, and behind it its own unless it is alone in its file and its folder."""
    # B/rouge_l.txt and C/rouge_l.txt: the file is called after the measure
    name = folder if alone else f"{folder}.{item.name}"
    return replace(item, name=name, measure=_after(item.name, place(item)))


# A folder of a run: what is above it says whose run it is.
RUN_FOLDER = re.compile(rf"(?:{names.RUN_WORDS})[-_. ]?\d+|[sr]\d+", re.IGNORECASE)


def told_apart(files: Sequence[str]) -> dict[str, str]:
    """The name of a folder of each file, on the level nearest to the files where all differ.

    Folders of runs (seed1, 7775) do not name systems: what differs above them comes first (large.seed1). Without a level where
    all differ, all that differ are joined; {} if files are in one folder.
    """
    paths = {file: names.parts(file)[-2::-1] for file in files}  # from the nearest folder on
    levels = range(min(map(len, paths.values()), default=0))
    different = [level for level in levels if len({path[level] for path in paths.values()}) > 1]
    for level in different:
        known = {file: path[level] for file, path in paths.items()}
        runs = any(RUN_FOLDER.fullmatch(name) or name.isdigit() for name in known.values())
        if len({*known.values()}) == len(files) and not runs:
            return known
    joined = {file: ".".join(path[level] for level in reversed(different)) for file, path in paths.items()}
    return joined if len({*joined.values()}) == len(files) else {}


# What programs leave beside outputs: settings, logs, notes, and the scores of the whole run.
SIDE = pattern("folders.side")


# Objects beside outputs that say how a program ran, or what it reached as a whole.
NOTES = pattern("folders.notes")


# Texts of the same kind, which any reader of lines would take for outputs.
LOGS = pattern("folders.logs")


def set_aside_beside(result: Found) -> None:
    """Turn the refusal of a file that programs leave beside outputs into a notice where its folder, or one in it, has outputs
    that were read: by its name, or because other folders of outputs have an object under the same name."""
    _set_aside_single(result)
    read = [item for item in result.items if item.role == "system"]
    folders, asked = {*map(_folder, read)} - {""}, {*map(_folder, filter(_is_asked, result.problems))} - {""}
    # where outputs are called so, too, it is the file of one more system
    called = {(_folder(item), match["word"]) for item in read if (match := NOTES.fullmatch(_name(item)))}
    often = _often(result, folders | asked)
    for problem in _unread(result, read):
        folder, known = _folder(problem), _is_beside(problem, called)
        # settings stand beside what is asked about, which does not stand beside itself
        if (known and _has(folder, folders if _is_asked(problem) else folders | asked)) or (
            folder in folders | asked and _name(problem) in often and not _is_asked(problem)
        ):
            why = "by its name this file belongs" if known else "this object belongs"
            result.problems.remove(problem)
            message = f"It was set aside: {folder} has outputs, and {why} to the whole run."
            result.notices.append(Notice(_file(problem), message))


def _is_asked(problem: object) -> bool:
    return isinstance(problem, Unclear)


def _is_beside(problem: object, called: set[tuple[str, str]]) -> bool:
    """Whether a file has the name of what programs leave beside outputs, which no output in its folder has."""
    match = NOTES.fullmatch(_name(problem))
    notes = match is not None and (_folder(problem), match["word"]) not in called
    return notes or SIDE.fullmatch(_name(problem)) is not None


def _unread(result: Found, read: Sequence[Item]) -> list[SigError]:
    """The problems of files without outputs."""
    used = {item.file for item in read}
    return [one for one in result.problems if _file(one) not in used]


def _has(folder: str, folders: set[str]) -> bool:
    """Whether a folder is one of these, or has one of them in it."""
    return folder in folders or (bool(folder) and any(one.startswith(f"{folder}/") for one in folders))


def _often(result: Found, folders: set[str]) -> set[str]:
    """The names of JSON objects that are no records, and that several of these folders have."""
    beside = (one for one in result.problems if isinstance(one, Whole) and _folder(one) in folders)
    return {name for name, times in Counter(map(_name, beside)).items() if times > 1}


def _folder(problem: object) -> str:
    return _file(problem).rpartition("/")[0]


def _file(problem: object) -> str:
    return str(getattr(problem, "file", ""))


def _name(problem: object) -> str:
    return _file(problem).rpartition("/")[2]


def _set_aside_single(result: Found) -> None:
    """Leave out the one row of an object with the name of notes on a run, and the table in notes of Markdown, where their
    folder has outputs of several segments."""
    several = {_folder(item) for item in result.items if _is_output(item)} - {""}
    beside = [item for item in result.items if item.role != "ignored" and _folder(item) in several]
    left = {item.file for item in beside if _is_markdown(item) or _is_note(item) or _is_log(item)}
    result.items = [item for item in result.items if item.file not in left]
    message = "It was set aside: its folder has outputs, and by its name it belongs to the whole run."
    result.notices += [Notice(file, message) for file in sorted(left)]


def _is_output(item: Item) -> bool:
    """Whether an item is the output of a system for several segments, or its scores, and no table in notes."""
    return item.role == "system" and len(item.segments) > 1 and not (_is_markdown(item) or _is_log(item))


def _is_note(item: Item) -> bool:
    """Whether an item is the one row of an object with the name of notes on a run."""
    return len(item.segments) == 1 and NOTES.fullmatch(_name(item)) is not None


def _is_log(item: Item) -> bool:
    """Whether an item is a text, line by line, with the name of a log, or of settings."""
    return item.reader == "plain" and item.kind == "text" and LOGS.fullmatch(_name(item)) is not None


def _is_markdown(item: Item) -> bool:
    return item.file.lower().endswith(".md")


def place(item: Item) -> Place:
    """Where a name may be used once: the test set, the kind, the measure, and whether it is a system."""
    return item.testset, item.kind, item.measure, item.role == "system"


# Logs of Inspect (.eval), archives with a file per sample: each becomes one file with the header and all samples.

PART = re.compile(r"(?P<log>.*\.eval)/(?P<part>.*)", re.IGNORECASE | re.DOTALL)
HEADERS = ("header.json", "_journal/start.json")  # the second while a log is not complete


def gathered(files: Files) -> Files:
    """The files, with those of each log as one; a log without samples that can be read stays as it is."""
    logs: dict[str, dict[str, bytes]] = {}
    for file, data in files:
        if match := PART.fullmatch(file):
            logs.setdefault(match["log"], {})[match["part"]] = data
    whole = {log: combined for log, parts in logs.items() if (combined := _combined(parts))}
    rest = [(file, data) for file, data in files if not ((match := PART.fullmatch(file)) and match["log"] in whole)]
    return _transcripts([*rest, *whole.items()])


# Transcripts of a speech recogniser (Whisper): a file per recording, in a folder per system.

RECORDING = re.compile(r"(?P<folder>.*[^/])/(?P<name>[^/]+)\.json", re.IGNORECASE | re.DOTALL)
TRANSCRIPT = {"text", "segments"}  # what Whisper writes into each


def _transcripts(files: Files) -> Files:
    """The files; a folder of transcripts becomes one file, with a record for each recording."""
    if sum(file.lower().endswith(".json") for file, _ in files) < FEWEST_DOCUMENTS:
        return files  # nothing is parsed twice
    shelves = _shelves(files)
    whole = {folder: texts for folder, texts in shelves.items() if len(texts) >= FEWEST_DOCUMENTS}
    used = {f"{folder}/{name}" for folder, texts in whole.items() for name in texts}
    rest = [(file, data) for file, data in files if file.rpartition(".")[0] not in used]
    named = {folder: f"{folder}/{names.parts(folder)[-1]}.jsonl" for folder in whole}  # in the folder, as its role is
    return [*rest, *((named[folder], _records(texts)) for folder, texts in whole.items())]


def _shelves(files: Files) -> dict[str, dict[str, str]]:
    """The transcripts by folder and recording."""
    found: dict[str, dict[str, str]] = {}
    for file, data in files:
        match = RECORDING.fullmatch(file)
        text = _transcript(data) if match else None
        if match and text is not None:
            found.setdefault(match["folder"], {})[match["name"]] = text
    return found


def _transcript(data: bytes) -> str | None:
    """The text of one recording; None for another file."""
    if not data.lstrip().startswith(b"{") or b'"segments"' not in data:
        return None
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    known = isinstance(value, dict) and value.keys() >= TRANSCRIPT and isinstance(value["text"], str)
    return str(value["text"]).strip() if known else None


def _records(texts: dict[str, str]) -> bytes:
    """A record in each line: the name of the recording and its text."""
    return "".join(
        json.dumps({"id": name, "text": texts[name]}) + "\n" for name in sorted(texts, key=_natural)
    ).encode()


def _combined(parts: dict[str, bytes]) -> bytes:
    """The header and the samples of a log in one object; b"" if there are none, or one of them is not JSON."""
    samples = [data for part, data in sorted(parts.items()) if part.startswith("samples/") and part.endswith(".json")]
    header = next((parts[name] for name in HEADERS if name in parts), b"")
    if not samples or not header:
        return b""
    try:
        value = json.loads(header)
        log = {"eval": value["eval"], "samples": [json.loads(data) for data in samples]}
    except (ValueError, KeyError, TypeError, RecursionError):
        return b""
    return json.dumps(log).encode()
