"""WMT's XML: `<dataset>` of `<doc>`, each with `<src>`, `<ref>` and `<hyp>` of `<seg>`."""

from __future__ import annotations

import re
from xml.parsers import expat

from sigcore.errors import ReadError
from sigcore.proof import parsed
from sigcore.readers import marked, names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Notice, Options, Reader, described
from sigcore.types import Role

SIDES: dict[str, Role] = {"src": "source", "ref": "reference", "hyp": "system"}
NAMED_BY = {"src": (), "ref": ("translator", "id", "name"), "hyp": ("system", "sysid", "name")}
MOST_NAMED = 6  # test suites
START = re.compile(r"\s*<(?:[?!]|dataset|collection|doc)")
ROOT = re.compile(r"<(?:dataset|collection|doc)[\s>]")
# expat leaves out an undefined entity in an attribute without calling anything
IN_TAG = re.compile(r"<\w[^<>]*&(?!(?:amp|lt|gt|quot|apos);|#)([^\s;<>&]+);")
SIDE = re.compile(r"<(?:src|ref|hyp)(?:\s+[\w:-]+\s*=|\s*>)")


def _looks(content: Content) -> int:
    head = content.text[:4000]
    inside = START.match(head) and ROOT.search(head) and "<seg" in content.text and SIDE.search(content.text)
    return CERTAIN if inside else NO


class _Walk:
    """The parser's callbacks, with the current document, side and segment as their state."""

    def __init__(self, file: str) -> None:
        self.contents = marked.Marked(file)
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._entity
        # where a file names a DTD, which is not read, expat leaves out undefined entities instead of refusing them
        self.parser.SkippedEntityHandler = self._undefined
        self.document, self.name = "", ""
        self.side: Role | None = None
        self.segment: str | None = None
        self.pieces: list[str] = []
        self.languages: dict[str, str] = {}
        self.suite, self.suites, self.skipped = "", dict[str, None](), 0

    @property
    def line(self) -> int:
        """The line that is being read."""
        return int(self.parser.CurrentLineNumber)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "doc":
            self.document = attributes.get("id") or attributes.get("docid") or f"document at line {self.line}"
            self.suite = (attributes["testsuite"] or "no name") if "testsuite" in attributes else ""
            self.contents.domains[self.document] = attributes.get("domain") or attributes.get("genre") or ""
        elif tag in SIDES:
            self.side = SIDES[tag]
            self.name = next((attributes[key] for key in NAMED_BY[tag] if attributes.get(key)), "")
            self.languages.setdefault(tag if tag == "src" else "trg", attributes.get("lang", ""))
        elif tag == "seg":
            self.segment, self.pieces = attributes.get("id", ""), []
            if not self.segment:
                message = f"line {self.line}: a segment has no id."
                raise ReadError(message, self.contents.file, self.line, "Give it an id.")

    def _end(self, tag: str) -> None:
        if tag == "seg" and self.segment is not None:
            if self.suite:
                self.suites[self.suite] = None
                self.skipped += self.side == SIDES["src"]
            elif self.side:
                key = (self.document, self.segment)
                self.contents.put(self.side, self.name, key, "".join(self.pieces), self.line)
            else:
                self.contents.outside.append(self.line)
            self.segment = None
        elif tag in SIDES:
            self.side = None

    def _text(self, data: str) -> None:
        if self.segment is not None:
            self.pieces.append(data)
        elif data.strip():
            self.contents.outside.append(self.line)

    def _entity(self, *declaration: object) -> None:
        message = f"line {self.line}: the file declares its own entity."
        raise ReadError(message, self.contents.file, self.line, "Remove the <!ENTITY>: entities are not expanded.")

    def _undefined(self, name: str, *_: object) -> None:
        raise _undefined(self.contents.file, name, self.line)


def _undefined(file: str, name: str, line: int) -> ReadError:
    message = f"line {line}: the entity &{name}; is not defined in the file."
    return ReadError(message, file, line, "Write the character itself: a DTD outside the file is not read.")


def _read(content: Content, options: Options) -> Found:
    walk = _Walk(content.file)
    text = marked.parse(content, walk.parser)
    hidden = IN_TAG.search(text) if "<!DOCTYPE" in text else None
    if hidden:
        raise _undefined(content.file, hidden[1], text.count("\n", 0, hidden.start(1)) + 1)
    pair = [walk.languages.get(side, "") for side in ("src", "trg")]
    walk.contents.testset = "-".join(pair).lower() if all(names.is_language(part) for part in pair) else ""
    if walk.suites:
        _report_suites(walk)
    return marked.content_of(walk.contents)


def _report_suites(walk: _Walk) -> None:
    """Add a notice that documents of test suites were left out.

    Raises: ReadError if there is nothing else.
    """
    file, suites = walk.contents.file, ", ".join(list(walk.suites)[:MOST_NAMED])
    if not any(walk.contents.streams.values()):
        message = f"It contains only documents of test suites ({suites})."
        raise ReadError(message, file, fix="To read these, remove the attribute testsuite from the documents.")
    message = f"Documents of test suites ({suites}) were left out, with {walk.skipped} source segments: they are not part of the test set."
    walk.contents.notices.append(Notice(file, message))


READER = Reader(
    **described("wmt_xml"),
    kinds=("text",),
    looks=_looks,
    read=_read,
    proof=parsed(
        ("source", "source", ("Prší.",)), ("reference", "A", ("It rains.",)), ("system", "One", ("Rain falls.",))
    ),
)
