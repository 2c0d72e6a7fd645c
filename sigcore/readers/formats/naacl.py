"""Word links in the format of the NAACL 2003 shared task: `sentence source target [S|P] [confidence]`, counted from 1."""

from __future__ import annotations

from itertools import pairwise

from sigcore.errors import ReadError
from sigcore.proof import parsed
from sigcore.readers import links, names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Options, Reader, described, options_of

MOST_SENTENCES = 1_000_000


def _looks(content: Content) -> int:
    """Sure if the first lines have that form, their sentences in order, and they cannot be a table of numbers."""
    head = [line for line in content.lines[: links.HEAD_LINES] if line.strip()]
    rows = list(filter(None, map(links.LISTED.pattern.fullmatch, head)))
    if names.guess_role(content.file) == "ignored" or not rows or len(rows) < links.MOSTLY * len(head):
        return NO
    if len(rows) == len(head) - 1 and not head[0].split()[0].isdigit():
        return NO  # headings above whole numbers: a table
    in_order = all(int(a["sentence"]) <= int(b["sentence"]) for a, b in pairwise(rows))
    marked, has_tab = any(row["mark"] for row in rows), any("\t" in line for line in head)
    return CERTAIN if in_order and (marked or not has_tab) else NO


def _read(content: Content, options: Options) -> Found:
    file = content.file
    segments = links.read_list(content, links.Counting(1, bool(options["reverse"])), MOST_SENTENCES)
    if not segments:
        raise ReadError("It contains no links.", file, fix=f"Write one link per line: {links.LISTED.expected}.")
    last, wanted = max(segments), int(options["sentences"] or 0)
    if 0 < wanted < last:
        message = f"It has links of sentence {last}, but the option sentences says that the test set has {wanted}."
        raise ReadError(message, file, fix="Give the number of sentences in the test set, or 0.")
    return links.content_of(file, [segments.get(k, "") for k in range(1, max(last, wanted) + 1)])


READER = Reader(
    **described("naacl"),
    kinds=("alignments",),
    looks=_looks,
    read=_read,
    options=(
        links.REVERSE,
        *options_of("naacl"),
    ),
    proof=parsed(("system", "One", ("0-0 1p2", "", "0-0"))),
)
