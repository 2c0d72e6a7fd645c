"""Which scores are better: as stated, by the name of the measure and the sign of its numbers, or assumed."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from sigcore import measures
from sigcore.data.checks import Finding
from sigcore.formatting import listed
from sigcore.readers import Item, parsed
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
    findings += [finding] if finding else []
    return found


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
