"""Outputs in pieces of SentencePiece: `▁` begins a word and no text has it, so joining the pieces loses nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sigcore.readers.contract import Item, Notice

MARK = "\u2581"
MOST = 0.9  # of the segments with text, at least what has the mark: it is no sign of the text


def joined(items: Iterable[Item]) -> tuple[list[Item], list[Notice]]:
    """The items with the words of texts in pieces, and a notice for each of those."""
    out, notices = list[Item](), list[Notice]()
    for item in items:
        if item.kind == "text" and _in_pieces(item):
            item = replace(item, segments=tuple(map(_words, item.segments)))
            message = f"{item.name} is in pieces of SentencePiece ({MARK} begins a word): they were joined to words."
            notices.append(Notice(item.file, message))
        out.append(item)
    return out, notices


def _in_pieces(item: Item) -> bool:
    if MARK not in next(filter(str.strip, item.segments), ""):
        return False
    full = [segment for segment in item.segments if segment.strip()]
    return sum(MARK in segment for segment in full) >= MOST * len(full)


def _words(segment: str) -> str:
    return segment.replace(" ", "").replace(MARK, " ").strip() if MARK in segment else segment
