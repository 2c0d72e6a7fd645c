"""Moses n-best lists: the first hypothesis of every segment."""

from __future__ import annotations

import re

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Item, Notice, Options, Reader

# Old decoders write no blank before the first mark.
LINE = re.compile(r"[ \t]*([0-9]{1,15})[ \t]*\|\|\|(.*?)(?:\|\|\||$)", re.DOTALL)


def _looks(content: Content) -> int:
    head = [line for line in content.lines[:50] if line.strip()]
    return CERTAIN if head and all(LINE.match(line) and line.count("|||") >= 2 for line in head) else NO


def _read(content: Content, options: Options) -> Found:
    file = content.file
    best: list[str] = []
    total = 0
    for number, line in enumerate(content.lines, 1):
        if not line.strip():
            continue
        found = LINE.match(line)
        if found is None:
            what = f"line {number}: {line[:40]!r} is no line of an n-best list."
            raise ReadError(what, file, number, "Write: segment ||| hypothesis ||| features ||| score.")
        total += 1
        segment = int(found[1])
        if segment == len(best):
            best.append(found[2].strip(" \t"))
        elif segment != len(best) - 1:
            what = f"line {number}: segment {segment} follows segment {len(best) - 1}."
            mend = "Segments count from 0, without gaps, and the hypotheses of one stand together, the best first."
            raise ReadError(what, file, number, mend)
    if not best:
        raise ReadError("It holds no hypothesis.", file, mend="Load the whole list.")
    told = f"An n-best list: the first of the hypotheses of each segment was taken ({total} for {len(best)} segments)."
    item = Item(names.display_name(file), "system", "text", tuple(best), file, f"1-best of {total} hypotheses")
    return Found(items=[item], notices=[Notice(file, told)])


READER = Reader(
    name="nbest",
    title="n-best list (Moses)",
    kinds=("text",),
    looks=_looks,
    read=_read,
    help="segment ||| hypothesis ||| features ||| score; the first hypothesis of each segment is the output.",
    example=("One.nbest", "0 ||| it rains . ||| LM0= -4.1 ||| -2.3\n0 ||| rain . ||| LM0= -5.0 ||| -2.9\n"),
)
