"""Word links of all formats in one form: 0-based "source-target" for sure links, "sourceptarget" for possible ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.registry import Option
from sigcore.types import Role

# 0-0, 0p0, 0?0, and behind it S or P, with or without a colon, and a score
LINK = re.compile(r"([0-9]{1,7})([-p?])([0-9]{1,7})(?::?([SPsp]))?(?::[0-9.eE+-]+)?")
POSSIBLE_FILE = re.compile("poss(?:ible)?|sp", re.IGNORECASE)
HEAD_LINES = 50
MOSTLY = 0.8  # share of the words of a file that look like links, so that one slip does not make it text

REVERSE = Option("reverse", False, help="Each link names the target word first: turn it round.")

Link = tuple[int, int, bool]


@dataclass(frozen=True)
class Counting:
    """How a file counts its words: from 0 or from 1, source or target first."""

    base: int
    reverse: bool

    def read(self, left: str, right: str, possible: bool) -> Link:
        """(source, target, possible), counted from 0; negative for the empty word before the first."""
        source, target = int(left) - self.base, int(right) - self.base
        return (target, source, possible) if self.reverse else (source, target, possible)


def segment(links: Iterable[Link]) -> str:
    """Links in order, each once; a link that is given as sure and as possible is sure, and the empty word has none."""
    only_possible: dict[tuple[int, int], bool] = {}
    for source, target, possible in links:
        if source >= 0 and target >= 0:
            only_possible[source, target] = only_possible.get((source, target), True) and possible
    return " ".join(f"{i}{'p' if only_possible[i, j] else '-'}{j}" for i, j in sorted(only_possible))


def read_line(file: str, number: int, line: str, counting: Counting) -> str:
    """One line of links as a segment (ReadError for what is no link, or a 0 where words count from 1)."""
    found = []
    for word in line.split():
        match = LINK.fullmatch(word)
        if match is None:
            what = f"line {number}: {word[:40]!r} is no link; expected i-j, ipj, i?j."
            raise ReadError(what, file, number, "Write one link per pair of words, separated by blanks.")
        if counting.base == 1 and 0 in (int(match[1]), int(match[3])):
            what = f"line {number}: {word!r} has a 0, but words count from 1 here."
            raise ReadError(what, file, number, "Read it as Pharaoh, which counts from 0.")
        found.append(counting.read(match[1], match[3], match[2] != "-" or (match[4] or "").upper() == "P"))
    return segment(found)


def looks_linked(lines: Sequence[str]) -> bool:
    """Whether the first lines hold next to nothing but links."""
    words = [word for line in lines[:HEAD_LINES] for word in line.split()]
    return bool(words) and sum(LINK.fullmatch(word) is not None for word in words) >= MOSTLY * len(words)


def has_zero(lines: Iterable[str]) -> bool:
    """Whether any link has an end that is 0."""
    found = (LINK.fullmatch(word) for line in lines for word in line.split())
    return any(0 in (int(match[1]), int(match[3])) for match in found if match is not None)


def role_of(file: str, segments: Sequence[str]) -> Role:
    """The role by the file's name: "possible" for a gold file whose name says so and that marks no link itself."""
    role = names.guess_role(file)
    words = re.split(r"[.\-_ +]", names.base_name(file))
    marked = any("p" in segment for segment in segments)
    return "possible" if role == "reference" and not marked and any(map(POSSIBLE_FILE.fullmatch, words)) else role


def found(file: str, segments: Sequence[str], told: Sequence[str]) -> Found:
    """What a file of links gives."""
    possible = sum(segment.count("p") for segment in segments)
    total = sum(len(segment.split()) for segment in segments)
    empty = sum(not segment for segment in segments)
    note = f"word links, {len(segments)} segments, {total} links"
    note += f", {possible} of them only possible" if possible else ""
    notices = [Notice(file, message) for message in told]
    if empty:
        notices.append(Notice(file, f"{empty} of {len(segments)} segments have no link."))
    item = Item(names.display_name(file), role_of(file, segments), "alignments", tuple(segments), file, note)
    return Found(items=[item], notices=notices)
