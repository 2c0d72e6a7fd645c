"""Tags of words to entities: BIO (IOB1, IOB2), IOE, BIOES, BILOU and BMES, recognised by the tags themselves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from sigcore.errors import ReadError
from sigcore.formatting import listed

# The mark says where in its entity a word is, the rest is the type: B-PER, also B_PER, and B alone.
TAG = re.compile(r"O|([BIESLUMW])(?:[-_](\S.*))?", re.DOTALL)
NO_TYPE = "_"  # of an entity whose tags have no type, as seqeval calls it
# The marks of every scheme but O, the narrowest first. Marks that are in none of them together are mixed.
SCHEMES = (("BIO", "BI"), ("IOE", "IE"), ("BIOES", "BIES"), ("BILOU", "BILU"), ("BMES", "BMES"), ("BMEWO", "BMEW"))
ALIKE = {"L": "E", "U": "S", "M": "I", "W": "S"}  # the same place in its entity under another letter

Tags = Sequence[str]  # of one sentence
Entity = tuple[int, int, str]  # its first word or letter, the one after its last, and its type


def segment(text: str, entities: Iterable[Entity], of_words: bool) -> str:
    """A segment of kind "spans": `text` (of words: separated by TAB), then its entities in order, each once."""
    mark = "-" if of_words else ":"
    return "\n".join([text, *(f"{start}{mark}{end}\t{kind}" for start, end, kind in sorted(set(entities)))])


class Scheme(NamedTuple):
    """The scheme of a column of tags, and the number of its entities that begin without the mark for it."""

    name: str
    unmarked: int = 0


def is_tag(cell: str) -> bool:
    """Whether it is O, or a mark with or without a type."""
    return TAG.fullmatch(cell) is not None


def is_typed(cell: str) -> bool:
    """Whether it is a mark with a type: B-PER. A single letter may also be a word."""
    return len(cell) > 2 and is_tag(cell)


def parts(tag: str) -> tuple[str, str]:
    """The mark of a tag, and its type ("" for O)."""
    return ("O", "") if tag == "O" else (tag[0], tag[2:] or NO_TYPE)


def types_of(tags: Iterable[str]) -> set[str]:
    """The types of the entities."""
    return {parts(tag)[1] for tag in tags} - {""}


def scheme_of(file: str, column: str, sentences: Sequence[Tags], lines: Sequence[Sequence[int]]) -> Scheme:
    """The scheme of a column of tags; "no entity" if all are O. `lines` are the lines of the tags.

    Raises: ReadError, with the first line of the rarest mark, for tags of more than one scheme.
    """
    marks = Counter(parts(tag)[0] for tags in sentences for tag in tags)
    del marks["O"]
    name = next((name for name, known in SCHEMES if set(marks) <= set(known)), "")
    if not marks or not name:
        if marks:
            _refuse_mixed(file, column, marks, zip(chain(*sentences), chain(*lines), strict=True))
        return Scheme("no entity")
    unmarked, inner = _unmarked(sentences)
    if name != "BIO":
        return Scheme(name, 0 if name == "IOE" else unmarked)
    if not marks["B"]:
        return Scheme("IO")
    return Scheme("IOB1") if unmarked and inner == marks["B"] else Scheme("BIO (IOB2)", unmarked)


def _refuse_mixed(file: str, column: str, marks: Counter[str], places: Iterable[tuple[str, int]]) -> None:
    """Raise ReadError at the first tag with the rarest mark; `places` are the tags with their lines."""
    ordered = sorted(marks, key=lambda mark: (-marks[mark], mark))
    line = next(line for tag, line in places if tag[0] == ordered[-1])
    found = listed(f"{mark}- {marks[mark]:,}" for mark in ordered)
    what = f"The {column} tags mix schemes: {found} times."
    raise ReadError(what, file, line, "Write all of them in one scheme: BIO, BIOES or BILOU.")


def _unmarked(sentences: Iterable[Tags]) -> tuple[int, int]:
    """How many entities begin without a mark for it, and how many B- follow an entity of their type at once."""
    unmarked = inner = 0
    for tags in sentences:
        last, last_type = "O", ""
        for mark, kind in map(parts, tags):
            mark = ALIKE.get(mark, mark)
            unmarked += mark in "IE" and begins(last, last_type, mark, kind)
            inner += mark == "B" and last in "BI" and kind == last_type
            last, last_type = mark, kind
    return unmarked, inner


def begins(last: str, last_type: str, mark: str, kind: str) -> bool:
    """Whether an entity begins at this mark after the last one, as conlleval and seqeval (default mode) have it."""
    return mark != "O" and (mark in "BS" or last in "ESO" or kind != last_type)


def ends(last: str, last_type: str, mark: str, kind: str) -> bool:
    """Whether an entity ended before this mark."""
    return last != "O" and (last in "ES" or mark in "BSO" or kind != last_type)


def spans_of(tags: Tags) -> list[Entity]:
    """The entities of one sentence; tags that break their scheme are read as conlleval and seqeval read them."""
    found, start, last, last_type = list[Entity](), 0, "O", ""
    for place, tag in enumerate([*tags, "O"]):
        mark, kind = parts(tag)
        mark = ALIKE.get(mark, mark)
        if ends(last, last_type, mark, kind):
            found.append((start, place, last_type))
        if begins(last, last_type, mark, kind):
            start = place
        last, last_type = mark, kind
    return found
