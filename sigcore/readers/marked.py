"""Marked-up test sets to streams: sources, references and outputs, matched by document and segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError, SigError
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.types import Role

Key = tuple[str, str]
Stream = dict[Key, str]


@dataclass
class Marked:
    """The streams of one file by (role, name), each a segment by (document, id), and the documents' domains."""

    file: str
    streams: dict[tuple[Role, str], Stream] = field(default_factory=dict)
    domains: dict[str, str] = field(default_factory=dict)
    testset: str = ""
    notices: list[Notice] = field(default_factory=list)

    def put(self, role: Role, name: str, key: Key, text: str, line: int) -> None:
        """Add one segment.

        Raises: ReadError where it is there already.
        """
        stream = self.streams.setdefault((role, name), {})
        if key in stream:
            raise self._twice(role, name, key, line)
        # line ends and blanks around a segment belong to the mark-up
        stream[key] = " ".join(text.split("\n")).strip(" \t\r") if "\n" in text else text.strip(" \t\r")

    def of_role(self, role: Role) -> list[Stream]:
        """The streams in a role."""
        return [stream for (own, _), stream in self.streams.items() if own == role]

    def _twice(self, role: Role, name: str, key: Key, line: int) -> ReadError:
        what = f"line {line}: {role} {name} has segment {key[1]} of document {key[0]} a second time."
        fix = "Give every segment of a document an id of its own, and every document too"
        if role != "source":
            fix += f"; where it is another {role}, give each a name of its own"
        return ReadError(" ".join(what.split()), self.file, line, f"{fix}.")


def found(marked: Marked) -> Found:
    """One item per stream, in the order of the source (or the first stream), with documents and domains.

    Raises: ReadError for a file without segments. A stream that lacks segments goes to the problems.
    """
    if not any(marked.streams.values()):
        raise ReadError("It holds no segment.", marked.file, fix="Load a file with <seg> elements.")
    out = Found(notices=list(marked.notices))
    keys = _order(marked, out)
    names_of_segments = tuple(f"{segment} of {document}" for document, segment in keys)
    for (role, name), stream in marked.streams.items():
        problem = _gap(marked.file, role, name, stream, keys)
        if problem:
            out.problems.append(problem)
            continue
        segments = [stream[key] for key in keys]
        out.items.append(_item(marked, role, name or _unnamed(marked.file, role), segments, names_of_segments))
    documents = [key[0] for key in keys]
    domains = [marked.domains.get(document, "") for document in documents]
    shared: tuple[tuple[Role, list[str]], ...] = (("documents", documents), ("domains", domains))
    for role, entries in shared:
        if all(entries) and len(set(entries)) > 1:
            out.items.append(_item(marked, role, role, entries, names_of_segments))
    return out


def _order(marked: Marked, out: Found) -> list[Key]:
    """The segments in order, without those that none of the file's references has; these are reported and removed."""
    source = marked.of_role("source")
    longest = max(marked.streams.values(), key=len)
    keys = list(source[0] if source and source[0] else longest)
    references = marked.of_role("reference")
    covered = {key for stream in references for key in stream}
    bare = [key for key in keys if references and key not in covered]
    if not bare or len(bare) == len(keys):
        return keys
    message = f"No reference of this file has {len(bare)} of its {len(keys)} segments; they are left out for all. "
    out.notices.append(Notice(marked.file, message + f"The first is segment {bare[0][1]} of document {bare[0][0]}."))
    for stream in marked.streams.values():
        for key in bare:
            stream.pop(key, None)
    return [key for key in keys if key in covered]


def _gap(file: str, role: Role, name: str, stream: Stream, keys: Sequence[Key]) -> SigError | None:
    """The problem of a stream that has other segments than the source."""
    known = set(keys)
    missing, extra = [key for key in keys if key not in stream], [key for key in stream if key not in known]
    if not missing and not extra:
        return None
    which = " ".join(filter(None, (role, name)))
    number, document = (missing or extra)[0][1], (missing or extra)[0][0]
    what = f"{which} lacks {len(missing)} of {len(keys)} segments" if missing else ""
    what = what or f"{which} has {len(extra)} segments that the source does not have"
    fix = "Every stream must hold the same documents and segments; this one is left out."
    return ReadError(f"{what}; the first is segment {number} of document {document}.", file, fix=fix)


def _unnamed(file: str, role: Role) -> str:
    """What a stream without a name is called: a system by its file."""
    return names.display_name(file) if role == "system" else role


def _item(marked: Marked, role: Role, name: str, segments: Sequence[str], keys: tuple[str, ...]) -> Item:
    note = f"{role} of a marked-up test set, {len(segments)} segments"
    called = names.clean(name) or role
    return Item(called, role, "text", tuple(segments), marked.file, note, testset=marked.testset, keys=keys)
