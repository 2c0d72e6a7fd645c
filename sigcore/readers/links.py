"""The one parser of word links, for all formats: to 0-based "0-0" for sure and "0p0" for possible links."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.readers import names
from sigcore.readers.contract import Content, Found, Item, Notice
from sigcore.registry import Option
from sigcore.types import Role

POSSIBLE_FILE = re.compile("poss(?:ible)?|sp", re.IGNORECASE)
HEAD_LINES = 50
MOSTLY = 0.8  # share of the links of a file that must look like links, so that one typo does not make it text

REVERSE = Option("reverse", False, help="Each link names the target word first: swap its sides.")

Link = tuple[int, int, bool]


@dataclass(frozen=True)
class Form:
    """How one link is written: a pattern with the groups left, right and optionally dash and mark (S or P)."""

    pattern: re.Pattern[str]
    expected: str
    fix: str


# 0-0, 0p0, 0?0, then optionally S or P, a colon, and a score
INLINE = Form(
    re.compile(r"(?P<left>[0-9]{1,7})(?P<dash>[-p?])(?P<right>[0-9]{1,7})(?::?(?P<mark>[SPsp]))?(?::[0-9.eE+-]+)?"),
    "i-j, ipj, i?j",
    "Write one link per pair of words, separated by spaces.",
)
# sentence source target [S|P] [confidence]
LISTED = Form(
    re.compile(
        r"\s*(?P<sentence>[0-9]{1,9})\s+(?P<left>[0-9]{1,7})\s+(?P<right>[0-9]{1,7})(?:\s+(?P<mark>[SPsp]))?"
        r"(?:\s+[0-9.]+(?:[eE][+-]?[0-9]+)?)?\s*"
    ),
    "sentence source target, and optionally S or P and a confidence",
    "Write one link per line, words counted from 1.",
)


def matched(file: str, number: int, text: str, form: Form) -> re.Match[str]:
    """One link as it is written.

    Raises: ReadError for a text that is not a link.
    """
    match = form.pattern.fullmatch(text)
    if match is None:
        message = f"line {number}: {text[:40]!r} is not a link; expected {form.expected}."
        raise ReadError(message, file, number, form.fix)
    return match


@dataclass(frozen=True)
class Counting:
    """How a file counts its words: from 0 or from 1, source or target first."""

    base: int
    reverse: bool

    def link(self, match: re.Match[str]) -> Link:
        """(source, target, possible), counted from 0; negative for the empty word before the first."""
        written = match.groupdict()
        possible = (written.get("dash") or "-") != "-" or (written["mark"] or "").upper() == "P"
        left, right = int(written["left"]) - self.base, int(written["right"]) - self.base
        return (right, left, possible) if self.reverse else (left, right, possible)


def segment(links: Iterable[Link]) -> str:
    """Links in order, each once; a link marked as both sure and possible is sure, and the empty word has no links."""
    only_possible: dict[tuple[int, int], bool] = {}
    for source, target, possible in links:
        if source >= 0 and target >= 0:
            only_possible[source, target] = only_possible.get((source, target), True) and possible
    return " ".join(f"{i}{'p' if only_possible[i, j] else '-'}{j}" for i, j in sorted(only_possible))


def read_lines(content: Content, counting: Counting) -> list[str]:
    """The segments of a file with all links of a segment in one line.

    Raises: ReadError for a text that is not a link, or a 0 if words count from 1.
    """
    segments = []
    for number, line in enumerate(content.lines, 1):
        links = []
        for word in line.split():
            match = matched(content.file, number, word, INLINE)
            if counting.base == 1 and _has_zero(match):
                message = f"line {number}: {word!r} has a 0, but words count from 1."
                raise ReadError(message, content.file, number, "Read it as Pharaoh, which counts from 0.")
            links.append(counting.link(match))
        segments.append(segment(links))
    return segments


def read_list(content: Content, counting: Counting, most: int) -> dict[int, str]:
    """The segments of a file with one link per line, by the number of their sentence (1 to `most`).

    Raises: ReadError for a text that is not a link, or a sentence number out of range.
    """
    links: dict[int, list[Link]] = {}
    for number, line in enumerate(content.lines, 1):
        if line.strip():
            match = matched(content.file, number, line, LISTED)
            sentence = int(match["sentence"])
            if not 1 <= sentence <= most:
                message = f"line {number}: sentence {sentence}; sentences are numbered from 1 to at most {most:,}."
                raise ReadError(message, content.file, number, "Number the sentences in the order of the test set.")
            links.setdefault(sentence, []).append(counting.link(match))
    return {sentence: segment(own) for sentence, own in links.items()}


def looks_linked(lines: Sequence[str]) -> bool:
    """Whether the first lines contain almost only links."""
    words = [word for line in lines[:HEAD_LINES] for word in line.split()]
    left = len(words) - math.ceil(MOSTLY * len(words))  # that may be something else; in a text the first words are more
    others = (word for word in words if INLINE.pattern.fullmatch(word) is None)
    return bool(words) and next(islice(others, left, None), None) is None


def has_zero(lines: Iterable[str]) -> bool:
    """Whether any link has an end that is 0."""
    matches = (INLINE.pattern.fullmatch(word) for line in lines for word in line.split())
    return any(_has_zero(match) for match in matches if match is not None)


def _has_zero(match: re.Match[str]) -> bool:
    return 0 in (int(match["left"]), int(match["right"]))


def role_of(file: str, segments: Sequence[str]) -> Role:
    """The role by the file's name: "possible" for a gold file with such a name and no marked links."""
    role = names.guess_role(file)
    words = re.split(r"[.\-_ +]", names.base_name(file))
    marked = any("p" in segment for segment in segments)
    return "possible" if role == "reference" and not marked and any(map(POSSIBLE_FILE.fullmatch, words)) else role


def content_of(file: str, segments: Sequence[str], messages: Sequence[str] = ()) -> Found:
    """The content of a file of links: its item, and the messages as notices."""
    possible = sum(segment.count("p") for segment in segments)
    total = sum(len(segment.split()) for segment in segments)
    empty = sum(not segment for segment in segments)
    note = f"word links, {count(len(segments), 'segment')}, {count(total, 'link')}"
    note += f", {possible:,} of them only possible" if possible else ""
    notices = [Notice(file, message) for message in messages]
    if empty:
        notices.append(Notice(file, f"{empty:,} of {count(len(segments), 'segment')} have no link."))
    item = Item(names.display_name(file), role_of(file, segments), "alignments", tuple(segments), file, note)
    return Found(items=[item], notices=notices)
