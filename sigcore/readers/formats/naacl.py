"""Word links as the NAACL 2003 shared task has them: `sentence source target [S|P] [confidence]`, counted from 1."""

from __future__ import annotations

import re
from itertools import pairwise

from sigcore.errors import ReadError
from sigcore.readers import links, names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Options, Reader
from sigcore.registry import Option

LINE = re.compile(
    r"\s*([0-9]{1,9})\s+([0-9]{1,7})\s+([0-9]{1,7})(?:\s+([SPsp]))?(?:\s+[0-9.]+(?:[eE][+-]?[0-9]+)?)?\s*"
)
MOST_SENTENCES = 1_000_000
FORM = "sentence source target, and perhaps S or P and a confidence"


def _looks(content: Content) -> int:
    """Sure where the first lines have that form, their sentences in order, and they cannot be a table of numbers."""
    head = [line for line in content.lines[: links.HEAD_LINES] if line.strip()]
    rows = [match for match in map(LINE.fullmatch, head) if match is not None]
    if names.guess_role(content.file) == "ignored" or not rows or len(rows) < links.MOSTLY * len(head):
        return NO
    numbers = [int(row[1]) for row in rows]
    in_order = all(a <= b for a, b in pairwise(numbers))
    marked = any(row[4] for row in rows)
    return CERTAIN if in_order and (marked or not any("\t" in line for line in head)) else NO


def _read(content: Content, options: Options) -> Found:
    file, counting = content.file, links.Counting(1, bool(options["reverse"]))
    found: dict[int, list[links.Link]] = {}
    for number, line in enumerate(content.lines, 1):
        if line.strip():
            match = LINE.fullmatch(line)
            if match is None:
                what = f"line {number}: {line[:40]!r} is no link; expected {FORM}."
                raise ReadError(what, file, number, "Write one link per line, words counted from 1.")
            sentence = _sentence(file, number, int(match[1]))
            found.setdefault(sentence, []).append(counting.read(match[2], match[3], (match[4] or "S") in "Pp"))
    if not found:
        raise ReadError("It holds no link.", file, fix=f"Write one link per line: {FORM}.")
    last, asked = max(found), int(options["sentences"] or 0)
    if 0 < asked < last:
        what = f"It has links of sentence {last}, but {asked} sentences were asked for."
        raise ReadError(what, file, fix="Ask for the number of sentences in the test set, or for 0.")
    segments = [links.segment(found.get(k, ())) for k in range(1, max(last, asked) + 1)]
    return links.found(file, segments, [])


def _sentence(file: str, number: int, sentence: int) -> int:
    if 1 <= sentence <= MOST_SENTENCES:
        return sentence
    what = f"line {number}: sentence {sentence}; they count from 1 to at most {MOST_SENTENCES:,}."
    raise ReadError(what, file, number, "Number the sentences in the order of the test set.")


READER = Reader(
    name="naacl",
    title="word links (NAACL 2003)",
    kinds=("alignments",),
    looks=_looks,
    read=_read,
    options=(
        links.REVERSE,
        Option(
            "sentences",
            0,
            low=0,
            high=MOST_SENTENCES,
            help="How many sentences the test set has, where the last ones have no link; 0 = up to the last link.",
        ),
    ),
    help="One link per line: sentence, source and target word, all counted from 1, then S (sure) or P (possible), S "
    "where nothing stands, and a confidence that is not used. A sentence without a line has no link.",
    example=("One.txt", "0001 1 1 S\n0001 2 3 P\n0003 1 1 S\n"),
)
