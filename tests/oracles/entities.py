"""Slow, obvious twins of the entities in tags, and of the counts behind their F1."""

from __future__ import annotations

from collections.abc import Sequence

Entity = tuple[int, int, str]
LETTERS = {"L": "E", "U": "S", "M": "I", "W": "S"}


def in_tags(tags: Sequence[str]) -> list[Entity]:
    """Every stretch of words with one type that nothing cuts inside, and that is cut at both ends."""
    found = []
    for start in range(len(tags)):
        for end in range(start + 1, len(tags) + 1):
            inside = tags[start:end]
            if "O" in inside or len({_type(tag) for tag in inside}) > 1:
                continue
            if any(_cut(tags, place) for place in range(start + 1, end)):
                continue
            if _cut(tags, start) and _cut(tags, end):
                found.append((start, end, _type(tags[start])))
    return found


def _type(tag: str) -> str:
    return tag[2:] or "_"


def _cut(tags: Sequence[str], place: int) -> bool:
    """Whether the word before this place and the word at it are not in one entity."""
    if place in (0, len(tags)):
        return True
    before, after = tags[place - 1], tags[place]
    if "O" in (before, after) or _type(before) != _type(after):
        return True
    return LETTERS.get(after[0], after[0]) in "BS" or LETTERS.get(before[0], before[0]) in "ES"


def counts(own: str, gold: str) -> tuple[int, int, int]:
    """Entities in both, of the output, of gold: one after the other struck from a list."""
    mine, rest = own.split("\n")[1:], gold.split("\n")[1:]
    total, hits = len(rest), 0
    for entity in mine:
        if entity in rest:
            rest.remove(entity)
            hits += 1
    return hits, len(mine), total
