"""Marked-up test sets to streams: sources, references and outputs, matched by document and segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError, SigError
from sigcore.readers import names
from sigcore.readers.contract import Found, Item

Key = tuple[str, str]


@dataclass
class Marked:
    """The streams of one file by (role, name), each a segment by (document, id), and the documents' domains."""

    file: str
    streams: dict[tuple[str, str], dict[Key, str]] = field(default_factory=dict)
    domains: dict[str, str] = field(default_factory=dict)
    testset: str = ""

    def put(self, role: str, name: str, key: Key, text: str, line: int) -> None:
        """Add one segment.

        Raises: ReadError where it is there already.
        """
        stream = self.streams.setdefault((role, name), {})
        if key in stream:
            what = f"line {line}: {role} {name or ''} has segment {key[1]} of document {key[0]} a second time."
            raise ReadError(" ".join(what.split()), self.file, line, "Give every segment of a document its own id.")
        # line ends and blanks around a segment belong to the mark-up
        stream[key] = " ".join(text.split("\n")).strip(" \t\r") if "\n" in text else text.strip(" \t\r")


def found(marked: Marked) -> Found:
    """One item per stream, in the order of the source (or the first stream), with documents and domains.

    Raises: ReadError for a file without segments. A stream that lacks segments goes to the problems.
    """
    if not any(marked.streams.values()):
        raise ReadError("It holds no segment.", marked.file, mend="Load a file with <seg> elements.")
    order = next((s for (role, _), s in marked.streams.items() if role == "source"), None)
    order = order or max(marked.streams.values(), key=len)
    keys, out = list(order), Found()
    for (role, name), stream in marked.streams.items():
        problem = _gap(marked.file, role, name, stream, keys)
        if problem:
            out.problems.append(problem)
            continue
        out.items.append(_item(marked, role, name or role, tuple(stream[key] for key in keys)))
    documents = [key[0] for key in keys]
    if len(set(documents)) > 1:
        out.items.append(_item(marked, "documents", "documents", documents))
    domains = [marked.domains.get(document, "") for document in documents]
    if all(domains) and len(set(domains)) > 1:
        out.items.append(_item(marked, "domains", "domains", domains))
    return out


def _gap(file: str, role: str, name: str, stream: dict[Key, str], keys: Sequence[Key]) -> SigError | None:
    missing = [key for key in keys if key not in stream]
    extra = [key for key in stream if key not in set(keys)]
    if not missing and not extra:
        return None
    which = " ".join(part for part in (role, name) if part)
    key = (missing or extra)[0]
    first = f"the first is segment {key[1]} of document {key[0]}"
    what = (
        f"{which} lacks {len(missing)} of {len(keys)} segments; {first}."
        if missing
        else f"{which} has {len(extra)} segments that the source does not have; {first}."
    )
    return ReadError(what, file, mend="Every stream must hold the same documents and segments; this one is left out.")


def _item(marked: Marked, role: str, name: str, segments: Sequence[str]) -> Item:
    note = f"{role} of a marked-up test set, {len(segments)} segments"
    called = names.clean(name) or role
    return Item(called, role, "text", tuple(segments), marked.file, note, testset=marked.testset)
