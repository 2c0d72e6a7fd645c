"""Segments written as "name=number name=number ...": the names, and one row of numbers per segment."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sigcore.errors import ReadError
from sigcore.text.chunks import Done, paced
from sigcore.types import Floats

SHAPE = "Write each segment as name=number separated by blanks, for example: tp=3 pred=5 gold=4."


def read_rows(segments: Sequence[str], done: Done | None = None) -> tuple[tuple[str, ...], Floats]:
    """The names, as the first segment has them, and the numbers (n, names) of every segment in that order.

    Raises: ReadError for a part that is no name=number, a name given twice, and a segment with other names.
    """
    names = tuple(_read(segments[0], 1)) if segments else ()
    known = set(names)
    rows = np.empty((len(segments), len(names)))

    def work(start: int, stop: int) -> None:
        for i in range(start, stop):
            found = _read(segments[i], i + 1)
            if found.keys() != known:
                what = f"Here are {_listed(tuple(found))}, in line 1 {_listed(names)}."
                raise ReadError(what, "", i + 1, "Give every segment the same names.")
            rows[i] = [found[name] for name in names]

    paced(len(segments), work, done)
    return names, rows


def _read(segment: str, line: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in segment.split():
        name, equals, number = part.partition("=")
        if not (name and equals):
            raise ReadError(f"{part[:40]!r} is no name=number.", "", line, SHAPE)
        if name in found:
            raise ReadError(f"{name} is given twice.", "", line, "Give each name once in a segment.")
        found[name] = _number(name, number, line)
    return found


def _number(name: str, text: str, line: int) -> float:
    try:
        # Python alone would read 1_000 and the digits of other scripts, which no file of numbers means
        value = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ReadError(f"{name} = {text[:40]!r} is not a number.", "", line, "Every segment needs finite numbers.")
    return value


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "no names"
