"""Summaries kept one file per document, in a folder per system (or with the system in the name, as in TAC)."""

from __future__ import annotations

import re

from sigcore.readers import names
from sigcore.readers.contract import Content, Found, Item, Notice
from sigcore.types import Role

READER = "summaries"
FEWEST_DOCUMENTS, FEWEST_FOLDERS = 5, 2
# D0801-A.M.100.A.1: topic and set, M, length, assessor, summarizer (a letter for a person)
TAC = re.compile(r"(?P<document>[Dd]\d{3,5}(?:-[A-Z])?)\.M\.\d+\.[A-Z](?:\.[a-z])?\.(?P<peer>[A-Z]|\d+)(?:\.txt)?")
GOLD = re.compile(r"(gold|models?|references?|refs?)([._-]?\w)?", re.IGNORECASE)
Files = list[tuple[str, bytes]]
Stream = dict[str, str]  # document -> file


def gather(files: Files) -> tuple[dict[str, Stream], Files]:
    """The files that are summaries, by stream and document, and the files that are something else.

    A folder counts where another has the same file names, these are at least five, and the files do not all have the
    same number of lines (two or more), as the outputs of systems on one test set do.
    """
    by_name = {file: match for file, _ in files if (match := TAC.fullmatch(names.base_name(file)))}
    streams = _tac({file: (match["document"], match["peer"]) for file, match in by_name.items()})
    rest = [(file, data) for file, data in files if file not in by_name]
    streams |= _folders(rest)
    used = {file for stream in streams.values() for file in stream.values()}
    return streams, [(file, data) for file, data in files if file not in used]


def _tac(files: dict[str, tuple[str, str]]) -> dict[str, Stream]:
    """Streams of automatic summarizers by number; people share the models of a document, so these are numbered."""
    streams: dict[str, Stream] = {}
    people: dict[str, list[str]] = {}
    for file, (document, peer) in sorted(files.items(), key=lambda entry: entry[1]):
        if peer.isdigit():
            streams.setdefault(peer, {})[document] = file
        else:
            people.setdefault(document, []).append(file)
    for document, found in people.items():
        for k, file in enumerate(found, 1):
            streams.setdefault(f"reference {k}", {})[document] = file
    return streams if len(streams) > 1 else {}


def _folders(files: Files) -> dict[str, Stream]:
    shelves: dict[str, Stream] = {}
    lengths: dict[str, set[int]] = {}
    for file, data in files:
        path = names.parts(file)
        if len(path) < 2:
            continue
        folder = "/".join(path[:-1])
        shelves.setdefault(folder, {})[path[-1]] = file
        lengths.setdefault(folder, set()).add(data.rstrip(b"\n").count(b"\n") + 1)
    alike: dict[frozenset[str], list[str]] = {}
    for folder, stream in shelves.items():
        documents = len(lengths[folder]) > 1 or lengths[folder] == {1}
        if len(stream) >= FEWEST_DOCUMENTS and documents and not names.PAIR.fullmatch(names.parts(folder)[-1]):
            alike.setdefault(frozenset(stream), []).append(folder)
    chosen = [folder for found in alike.values() if len(found) >= FEWEST_FOLDERS for folder in found]
    return {folder: shelves[folder] for folder in chosen}


def read(streams: dict[str, Stream], contents: dict[str, Content]) -> Found:
    """One item per stream: a summary per document, a line per sentence, and the names of the documents.

    Raises: ReadError for a file that is no text. A stream that lacks documents goes with them empty, and is told.
    """
    documents = sorted({document for stream in streams.values() for document in stream}, key=_natural)
    found = Found()
    for name, stream in streams.items():
        segments = [_summary(contents[stream[document]]) if document in stream else "" for document in documents]
        folder = name.rpartition("/")[2]
        role: Role = "reference" if GOLD.fullmatch(folder) or name.startswith("reference ") else "system"
        missing = len(documents) - len(stream)
        if missing and role == "system":
            told = f"{folder} has no summary of {missing} of {len(documents)} documents; they count as empty."
            found.notices.append(Notice(name, told))
        note = f"summaries, {len(stream)} files, a line per sentence"
        found.items.append(Item(folder, role, "text", tuple(segments), name, note, reader=READER))
    note = f"documents, {len(documents)} files"
    found.items.append(Item("documents", "documents", "text", tuple(documents), "", note, reader=READER))
    told = f"{len(streams)} folders of {len(documents)} files were read as summaries: a file per document, a line per "
    found.notices.append(Notice("", told + "sentence."))
    return found


def _summary(content: Content) -> str:
    return "\n".join(line for line in content.lines if line.strip())


def _natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts doc.2 before doc.10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,15})", name)]
