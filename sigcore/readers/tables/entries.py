"""What stands deep inside an object: lists of records, and many objects by name that are alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sigcore.readers.tables import documents, nested

Record = documents.Record
FEWEST_INSIDE, MOST_INSIDE = 3, 5  # records of a list inside an object that may be the questions; levels above it


class Inside(NamedTuple):
    """A part deep inside an object: the names above it with points between them, its records, and whether it is a list of them."""

    path: str
    records: list[Record]
    listed: bool


def inside(value: object, path: str = "", levels: int = MOST_INSIDE) -> Iterator[Inside]:
    """The lists of records, and the objects with alike objects by name, inside an object, none inside of another."""
    for name, part in value.items() if isinstance(value, dict) and levels else ():
        below = f"{path}.{name}" if path else name
        if isinstance(part, list) and len(part) >= FEWEST_INSIDE and all(isinstance(one, dict) for one in part):
            yield Inside(below, part, True)
        elif isinstance(part, dict) and (keyed := _by_key(part)):
            yield Inside(below, keyed, False)
        else:
            yield from inside(part, below, levels - 1)


FEWEST_KEYS, SHARED = 5, 0.5  # objects by name, and the least share of their names that all of them have
KEY = "id"  # what the name of such an object is called


def _by_key(part: Record) -> list[Record]:
    """A record for each object in an object of many alike, with its name and without the lists of objects in it; [] for others."""
    own = [one for one in part.values() if isinstance(one, dict)]
    if len(own) < max(FEWEST_KEYS, len(part)):
        return []
    common, every = set(own[0]).intersection(*own), set(own[0]).union(*own)
    single = [name for name in common if all(is_single(one[name]) for one in own)]
    if not single or KEY in every or len(common) < SHARED * len(every):
        return []
    return [
        {KEY: name, **{what: cell for what, cell in one.items() if not (nested.are_records(cell) or cell == [])}}
        for name, one in zip(part, own, strict=True)
    ]


def is_single(value: object) -> bool:
    """Whether a value is a word, a number, true, false or none."""
    return value is None or isinstance(value, bool | int | float | str)
