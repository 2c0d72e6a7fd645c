"""Segments written as "name=number name=number ...": the names, and one row of numbers per segment."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sigcore.errors import ReadError
from sigcore.text.chunks import Done, in_chunks
from sigcore.types import Floats

SHAPE = "Write each segment as name=number separated by spaces, for example: tp=3 pred=5 gold=4."


def read_rows(segments: Sequence[str], done: Done | None = None) -> tuple[tuple[str, ...], Floats]:
    """(names of the first segment, numbers (n, names) of every segment in that order).

    Raises: ReadError for text that is not name=number, a repeated name, and a segment with other names.
    """
    names = tuple(_read(segments[0], 1)) if segments else ()
    known = set(names)
    rows = np.empty((len(segments), len(names)))

    def work(start: int, stop: int) -> None:
        for i in range(start, stop):
            numbers = _read(segments[i], i + 1)
            if numbers.keys() != known:
                what = f"This line has {_all(tuple(numbers))}; line 1 has {_all(names)}."
                raise ReadError(what, "", i + 1, "Give every segment the same names.")
            rows[i] = [numbers[name] for name in names]

    in_chunks(len(segments), work, done)
    return names, rows


def _read(segment: str, line: int) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for part in segment.split():
        name, equals, number = part.partition("=")
        if not (name and equals):
            raise ReadError(f"{part[:40]!r} is not name=number.", "", line, SHAPE)
        if name in numbers:
            raise ReadError(f"{name} appears twice.", "", line, "Give each name once per segment.")
        numbers[name] = _number(name, number, line)
    return numbers


def _number(name: str, text: str, line: int) -> float:
    try:
        # float() alone would also accept 1_000 and the digits of other scripts
        value = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ReadError(f"{name} = {text[:40]!r} is not a number.", "", line, "Every segment needs finite numbers.")
    return value


def _all(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "no names"
