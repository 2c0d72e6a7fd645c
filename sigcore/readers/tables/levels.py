"""Headings in two lines: groups of columns, often merged cells, above what each column of a group holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers

Rows = Sequence[Sequence[str]]
TITLED = 6  # lines that a title, and blank lines below it, may take
FEWEST_ROWS = 3


class Levels(NamedTuple):
    """The rows of each measure, with a column for each system, and the place of the first line of headings."""

    tables: dict[str, list[list[str]]]
    start: int
    above: str  # what the upper line holds


def of_two(file: str, rows: Rows, places: Sequence[int]) -> Levels | None:
    """The tables of a sheet whose systems stand above its measures, or the other way round; None for other sheets.

    Raises: ReadError where every group has the same columns, but neither line names measures.
    """
    start = _first(rows)
    if start is None or len(rows) < start + 2 + FEWEST_ROWS:
        return None
    upper, lower = (list(map(str.strip, row)) for row in rows[start : start + 2])
    parts = _parts(upper, lower)
    if not _are_groups(parts, rows[start + 2 :]):
        return None
    above, below = (list(dict.fromkeys(part[k] for part in parts.values())) for k in (0, 1))
    upper_measures, lower_measures = any(map(_is_measure, above)), any(map(_is_measure, below))
    if upper_measures == lower_measures:
        shown = listed(f"{one}_{below[0]}" for one in above[:2])
        fix = f"Join them: one heading for each column, such as {shown}, and name the measures as usual."
        raise ReadError("It has two lines of headings, and none of both names measures.", file, places[start], fix)
    measured = 0 if upper_measures else 1
    plain = [k for k in range(len(upper)) if k not in parts]
    tables = {
        measure: _table(
            rows[start:], plain, {k: part[1 - measured] for k, part in parts.items() if part[measured] == measure}
        )
        for measure in (above, below)[measured]
    }
    return Levels(tables, start, ("measures", "systems")[measured])


def _first(rows: Rows) -> int | None:
    """The place of the first row with several cells, below a title."""
    several = (i for i, row in enumerate(rows[:TITLED]) if sum(map(bool, map(str.strip, row))) > 1)
    return next(several, None)


def _parts(upper: Sequence[str], lower: Sequence[str]) -> dict[int, tuple[str, str]]:
    """Both headings of each column of a group; a merged cell is above the columns that follow it."""
    found, group = dict[int, tuple[str, str]](), ""
    for k, (above, below) in enumerate(zip(upper, lower, strict=True)):
        group = above or group
        if group and below:
            found[k] = (group, below)
    return found


def _are_groups(parts: dict[int, tuple[str, str]], body: Rows) -> bool:
    """Whether several groups have the same columns, more than one, with numbers below words."""
    above, below = ({part[k] for part in parts.values()} for k in (0, 1))
    whole = len({*parts.values()}) == len(parts) == len(above) * len(below)
    if not whole or min(len(above), len(below)) < 2 or any(map(numbers.is_number, above | below)):
        return False
    return all(numbers.mostly_numbers([row[k] for row in body]) for k in parts)


def _is_measure(heading: str) -> bool:
    return words.has_measure(heading) or names.measure_word(heading)


def _table(rows: Rows, plain: Sequence[int], systems: dict[int, str]) -> list[list[str]]:
    """The rows with the columns that belong to no group, and those of one measure, below one line of headings."""
    named = [rows[0][k].strip() or rows[1][k].strip() for k in plain]
    kept = [*plain, *systems]
    return [[*named, *systems.values()], *([row[k] for k in kept] for row in rows[2:])]
