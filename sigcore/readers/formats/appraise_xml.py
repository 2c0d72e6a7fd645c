"""Rankings that Appraise exports as XML: `<ranking-item>` of `<translation system=... rank=...>`, rank 1 the best."""

from __future__ import annotations

import re
from xml.parsers import expat

from sigcore.errors import ReadError
from sigcore.preferences import preferences
from sigcore.proof import parsed
from sigcore.readers import marked, names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Notice, Options, Reader, described
from sigcore.readers.tables.ranked import pairs

ITEM, RANKED = re.compile(r"<ranking-item[\s>]"), re.compile(r"<translation\b[^>]*\srank=")
SEPARATORS = re.compile(r"[\s,]+")  # between systems with one output, which share its rank


def _looks(content: Content) -> int:
    head = content.text.lstrip()[:1] == "<"
    return CERTAIN if head and ITEM.search(content.text) and RANKED.search(content.text) else NO


class _Walk:
    """The parser's callbacks: the comparisons of all items, and the item that is open."""

    def __init__(self, file: str) -> None:
        self.file, self.rows, self.shared = file, list[tuple[str, str, float, str, str]](), 0
        self.question, self.judge, self.ranks = "", "", list[tuple[str, float]]()
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler, self.parser.EndElementHandler = self.start, self.end
        self.parser.EntityDeclHandler = self.entity

    def entity(self, name: str, *rest: object) -> None:
        """Refuse entities of the file's own, which can grow without bound."""
        line = self.parser.CurrentLineNumber
        raise ReadError("It declares entities of its own.", self.file, line, "Write the characters.")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An item, or the systems with one output and their rank."""
        if tag == "ranking-item":
            self.question = attributes.get("src-id") or attributes.get("id") or ""
            self.judge, self.ranks = attributes.get("user", ""), []
        elif tag == "translation" and "rank" in attributes:
            line = self.parser.CurrentLineNumber
            systems = [name for name in SEPARATORS.split(names.clean(attributes.get("system", ""))) if name]
            if not systems:
                raise ReadError("A translation names no system.", self.file, line, "Write system=NAME.")
            if not attributes["rank"].strip().lstrip("-").isdigit():
                message = f"{attributes['rank'][:40]!r} is no rank."
                raise ReadError(message, self.file, line, "Write 1 for the best system, 2 for the next.")
            self.shared += len(systems) > 1
            rank = float(attributes["rank"])
            self.ranks += [(name, rank) for name in systems if rank >= 1]  # -1: not ranked

    def end(self, tag: str) -> None:
        """All pairs of the systems of an item."""
        if tag == "ranking-item":
            self.rows += pairs(self.ranks, self.question, self.judge)


def _read(content: Content, options: Options) -> Found:
    walk, file = _Walk(content.file), content.file
    marked.parse(content, walk.parser)
    if not walk.rows:
        raise ReadError("No item ranks two systems.", file, 1, "Load the rankings, with a rank for each system.")
    told = "Rankings of Appraise, rank 1 the best, which compare all pairs of an item; questions: src-id."
    if walk.shared:
        told += f" Systems that are named together have one output: they share its rank, {walk.shared} times."
    return Found(preferences=[preferences(names.display_name(file), walk.rows, file)], notices=[Notice(file, told)])


READER = Reader(
    **described("appraise_xml"),
    kinds=("preferences",),
    looks=_looks,
    read=_read,
    proof=parsed(("preferences", "rankings", ("One Two 1 12", "One Three 1 12", "Two Three 0.5 12"))),
)
