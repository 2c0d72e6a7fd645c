"""Marked-up test sets to streams: sources, references and outputs, matched by document and segment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from sigcore.errors import ReadError, SigError
from sigcore.formatting import count
from sigcore.readers import names
from sigcore.readers.contract import Content, Found, Item, Notice
from sigcore.types import Role

SegmentKey = tuple[str, str]
Stream = dict[SegmentKey, str]


@dataclass
class Marked:
    """The streams of one file by (role, name), each a segment by (document, id), and the documents' domains."""

    file: str
    streams: dict[tuple[Role, str], Stream] = field(default_factory=dict)
    domains: dict[str, str] = field(default_factory=dict)
    testset: str = ""
    notices: list[Notice] = field(default_factory=list)
    outside: list[int] = field(default_factory=list)  # lines with text that is in no segment of a set

    def put(self, role: Role, name: str, key: SegmentKey, text: str, line: int) -> None:
        """Add one segment.

        Raises: ReadError if it already exists.
        """
        stream = self.streams.setdefault((role, name), {})
        if key in stream:
            raise self._twice(role, name, key, line)
        # line ends and spaces around a segment belong to the mark-up
        stream[key] = " ".join(text.split("\n")).strip(" \t\r") if "\n" in text else text.strip(" \t\r")

    def _twice(self, role: Role, name: str, key: SegmentKey, line: int) -> ReadError:
        message = f"line {line}: {role} {name} has {_named(key)} a second time."
        fix = "Give every document its own id, and every segment its own id within it"
        if role != "source":
            fix += f"; if it is another {role}, give each its own name"
        return ReadError(" ".join(message.split()), self.file, line, f"{fix}.")


def parse(content: Content, parser: expat.XMLParserType) -> str:
    """Parse the text of a file, which is given back as it was parsed. Raises: ReadError for XML that is not well formed."""
    # the text is already decoded, so the encoding in its first line is ignored
    text = re.sub(r"^\s*<\?xml[^>]*\?>", lambda match: "\n" * match[0].count("\n"), content.text, count=1)
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        message = f"line {error.lineno}: it is not well-formed XML ({expat.errors.messages[error.code]})."
        fix = "Fix it or load it again; an & must be written &amp; and a < in text &lt;."
        raise ReadError(message, content.file, error.lineno, fix) from None
    return text


def content_of(marked: Marked) -> Found:
    """One item per stream, in the order of the source (or the first stream), with documents and domains.

    Raises: ReadError for a file without segments. A stream that lacks segments goes to the problems.
    """
    if not any(marked.streams.values()):
        raise ReadError("It contains no segments.", marked.file, fix="Load a file with <seg> elements.")
    out = Found(notices=marked.notices)
    if outside := sorted(set(marked.outside)):
        message = f"Text outside of the segments was left out, on {count(len(outside), 'line')}."
        out.notices.append(Notice(marked.file, message, outside[0]))
    keys = _order(marked, out)
    called = tuple(f"{segment} of {document}" for document, segment in keys)
    for (role, name), stream in marked.streams.items():
        problem = _gap(marked.file, role, name, stream, keys)
        if problem:
            out.problems.append(problem)
            continue
        # a stream without a name: a system has that of its file
        name = name or (names.display_name(marked.file) if role == "system" else role)
        out.items.append(_item(marked, role, name, [stream[k] for k in keys], called))
    out.items += _shared(marked, [document for document, _ in keys], called)
    return out


def _shared(marked: Marked, documents: Sequence[str], called: tuple[str, ...]) -> list[Item]:
    """The documents, and their domains, where there are several."""
    domains = [marked.domains.get(document, "") for document in documents]
    items = [_item(marked, "documents", "documents", documents, called)] if len(set(documents)) > 1 else []
    if all(domains) and len(set(domains)) > 1:
        items.append(_item(marked, "domains", "domains", domains, called))
    return items


def _order(marked: Marked, out: Found) -> list[SegmentKey]:
    """The segments in order, without those that are in none of the file's references; a notice reports them."""
    # those of the source; without one, those of the longest stream
    source = next((stream for (role, _), stream in marked.streams.items() if role == "source"), None)
    keys = list(source or max(marked.streams.values(), key=len))
    bare = _without_reference(marked, keys)
    if not bare or len(bare) == len(keys):
        return keys
    they = "it is" if len(bare) == 1 else "they are"
    message = (
        f"No reference of this file has {len(bare)} of its {count(len(keys), 'segment')}; {they} left out for all. "
    )
    out.notices.append(Notice(marked.file, message + f"The first is {_named(bare[0])}."))
    gone = set(bare)
    for stream in marked.streams.values():
        for key in gone & stream.keys():
            del stream[key]
    return [key for key in keys if key not in gone]


def _without_reference(marked: Marked, keys: Sequence[SegmentKey]) -> list[SegmentKey]:
    """The segments that no reference has; none where there are no references."""
    references = [stream for (role, _), stream in marked.streams.items() if role == "reference"]
    return [key for key in keys if not any(key in stream for stream in references)] if references else []


def _named(key: SegmentKey) -> str:
    return f"segment {key[1]} of document {key[0]}"


def _gap(file: str, role: Role, name: str, stream: Stream, keys: Sequence[SegmentKey]) -> SigError | None:
    """The problem of a stream whose segments differ from the file's; None if they are the same."""
    missing, known = [key for key in keys if key not in stream], set(keys)
    extra = [key for key in stream if key not in known]
    if not missing and not extra:
        return None
    lacks = f"lacks {len(missing)} of {count(len(keys), 'segment')}"
    has = f"has {count(len(extra), 'segment')} that the source does not have"
    which = f"{role} {name}".strip()
    message = f"{which} {lacks if missing else has}; the first is {_named((missing or extra)[0])}."
    fix = "Every stream must contain the same documents and segments; this one is left out."
    return ReadError(message, file, fix=fix)


def _item(marked: Marked, role: Role, name: str, segments: Sequence[str], keys: tuple[str, ...]) -> Item:
    note = f"{role} of a marked-up test set, {count(len(segments), 'segment')}"
    called = names.clean(name) or role
    return Item(called, role, "text", tuple(segments), marked.file, note, testset=marked.testset, keys=keys)
