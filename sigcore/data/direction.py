"""Which scores are better: as stated, by the name of the measure and the sign of its numbers, or assumed."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sigcore import measures
from sigcore.data.checks import Finding
from sigcore.formatting import listed
from sigcore.readers import Item, names, parsed
from sigcore.types import Better, Direction

SAY = "If this is wrong, use --better higher or --better lower, or the option better of the scores on the page."
ASK = "State it with --better higher or --better lower, or with the option better of the scores on the page."


def agreed_direction(systems: Sequence[Item], findings: list[Finding]) -> Direction:
    """Which scores are better, and why; everything but "higher, as the measure is known" is reported.

    The user may state it for a file. Otherwise the name of the measure decides; a measure of errors is turned where its
    numbers are stored negated. If neither can be said, that is an error.
    """
    measure = systems[0].measure if systems else ""
    stated = _stated(systems, measure, findings)
    if stated is not None:
        return stated
    values = itertools.chain.from_iterable(parsed(item.segments).values() for item in systems)
    found, finding = of_numbers(measure, values)
    asked = _asked(systems, measure) if found == LOWER else _are_ranks(systems) if found.better == "higher" else None
    findings += [one for one in (asked or finding,) if one]
    return found


LOWER = Direction("lower", "known")
LEVENSHTEIN = re.compile(r"levenshtein", re.IGNORECASE)


def _are_shares(systems: Sequence[Item]) -> bool:
    """Whether all numbers are from 0 to 1, and not only these two."""
    values = {value for item in systems for value in parsed(item.segments).values()}
    return bool(values - {0.0, 1.0}) and all(0 <= value <= 1 for value in values)


def _asked(systems: Sequence[Item], measure: str) -> Finding | None:
    """The question whether low numbers are good, where only a word in the name of the file says so, or a heading counts errors
    that were found; None where the name is enough."""
    of_file = all(names.measure_of(item.file) == measure for item in systems)
    if LEVENSHTEIN.search(measure) and _are_shares(systems):
        message = f"Are low numbers good in {measure}? From 0 to 1 it may be a distance or a similarity."
        return Finding(
            "error", message, "", "Use --better lower if they are, or --better higher if high numbers are good."
        )
    if not (measures.is_open(measure) or (of_file and measures.only_holds(measure))):
        return None
    why = (
        "Only a word in the name of the file says so"
        if of_file
        else "It may count what a system made, or what it found"
    )
    message = f"Are low numbers good in {measure}? {why}."
    return Finding("error", message, "", "Use --better lower if they are, or --better higher if high numbers are good.")


def _stated(systems: Sequence[Item], measure: str, findings: list[Finding]) -> Direction | None:
    """What the user states about the files of the systems; None where nothing is stated."""
    of: dict[Better, list[str]] = {}
    for item in systems:
        if item.better:
            of.setdefault(item.better, []).append(item.name)
    if len(of) > 1:
        message = f"Of {listed(of['lower'])} lower scores are better, but of {listed(of['higher'])} higher ones."
        findings.append(Finding("error", message, "", "Load scores of one measure, or say it for all of them."))
        return Direction("higher", "stated")
    if "lower" in of:
        findings.append(Finding("note", f"{measure or 'Scores'}: lower is better, as stated.", "", SAY))
    return next((Direction(better, "stated") for better in of), None)


FEWEST = 5  # rows that rank their systems; in fewer it may be chance


def _are_ranks(systems: Sequence[Item]) -> Finding | None:
    """The question whether the first is the best, where each row of each test set ranks its systems; None for other scores."""
    sets: dict[str, list[Item]] = {}
    for item in systems:
        sets.setdefault(item.testset, []).append(item)
    if not sets or not all(map(_rank, sets.values())):
        return None
    message = f"Are these ranks? Each row counts its {max(map(len, sets.values()))} systems from the first to the last."
    return Finding(
        "error", message, "", "Use --better lower if the first is the best, or --better higher if it is the worst."
    )


MANY = 3  # systems, of which some may share a place: of two each pair of 0 and 1 would be a ranking


def _rank(items: Sequence[Item]) -> bool:
    """Whether each of several rows ranks the systems from 1 on, or from 0; equal ones may share a place where there are many."""
    if len(items) < 2 or len({len(item.segments) for item in items}) > 1 or len(items[0].segments) < FEWEST:
        return False
    # most scores are no places in the first row: no other one is looked at
    return any(all(_ranks(row, first) for row in _rows(items)) for first in (0.0, 1.0)) and _are_places([*_rows(items)])


def _rows(items: Sequence[Item]) -> Iterator[list[float]]:
    """The numbers of the systems in each row."""
    known = [parsed(item.segments) for item in items]
    for row in zip(*(item.segments for item in items), strict=True):
        yield [own.get(cell, math.nan) for own, cell in zip(known, row, strict=True)]


def _are_places(rows: Sequence[Sequence[float]]) -> bool:
    """Whether no two systems share a place, or some row has all places of many systems; two are counted from 1."""
    whole = [len({*row}) == len(row) for row in rows]
    return any(whole) if len(rows[0]) >= MANY else all(whole) and min(map(min, rows)) == 1


def _ranks(row: Sequence[float], first: float) -> bool:
    """Whether numbers are places from the first on: 1, 2, 2, 4, or 1, 2, 2, 3."""
    times = sorted(Counter(row).items())
    before = itertools.accumulate((n for _, n in times), initial=0)
    shared = all(cell == first + below for (cell, _), below in zip(times, before, strict=False))
    return shared or all(cell == first + place for place, (cell, _) in enumerate(times))


def of_numbers(measure: str, values: Iterable[float]) -> tuple[Direction, Finding | None]:
    """Which scores are better, by the name of the measure and the sign of its numbers, and what to report about it."""
    known = measures.direction_of(measure)
    if known.why == "assumed":
        return known, Finding("warning", assumed(measure), "")
    if known.better == "higher":
        return known, None
    signs = {(value > 0) - (value < 0) for value in values}
    if -1 not in signs:
        return known, Finding("note", f"{measures.titled(measure)}: {known}, by its name.", "", SAY)
    if 1 not in signs:
        message = f"{measure} counts errors by its name, but no number is positive. Stored negated, higher is better."
        return Direction("higher", "known"), Finding("warning", message, "", SAY)
    message = f"{measure} counts errors by its name, but some of its numbers are negative: which are better?"
    return known, Finding("error", message, "", "Use --better higher or --better lower.")


def assumed(measure: str) -> str:
    """What to say about a measure whose name is not known."""
    what = f"{measure} is not a known measure" if measure else "The measure has no name"
    return f"{what}: {measures.direction_of(measure)}. {ASK}"


def option_of(direction: Direction, measure: str) -> str:
    """The option `better` of own scores with this name that gives the direction: automatic where the name is enough."""
    known = measures.direction_of(measure)
    if known == direction:
        return "automatic"
    turned = direction == Direction("higher", "known") and known == Direction("lower", "known")
    return "negated" if turned else direction.better
