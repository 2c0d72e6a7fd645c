"""Which scores are better: as stated, by the name of the measure and the sign of its numbers, or assumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from sigcore import measures
from sigcore.data import sentinels
from sigcore.data.checks import Finding
from sigcore.errors import SigError
from sigcore.formatting import listed
from sigcore.readers import Item, is_number
from sigcore.score_matrix import ScoreMatrix
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
    values = (float(cell) for item in systems for cell in item.segments if is_number(cell))
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


def directed(matrix: ScoreMatrix, stated: Better | None, codes: Sequence[str]) -> tuple[ScoreMatrix, Finding | None]:
    """The matrix whose scores are better as stated, or by the name of its scores, or as assumed, and what to report.

    `codes` are numbers that mean a missing score (see `sentinels.read_codes`).
    Raises: SigError for numbers that look like codes where none are given, and for errors of which some are negative.
    """
    numbers = [float(code) for code in codes if code != sentinels.NONE]
    values = np.where(np.isin(matrix.values, numbers), np.nan, matrix.values)
    if not codes:
        columns = zip(matrix.systems, values.T, strict=True)
        found = {name: Counter(own[~np.isnan(own)].tolist()) for name, own in columns}
        suspect = sentinels.suspect(matrix.title, found)
        if suspect is not None:
            raise SigError(suspect.what, matrix.name, suspect.fix)
    if stated:
        return replace(matrix, values=values, better=stated, why="stated", digest=""), None
    known, finding = of_numbers(matrix.title, values[~np.isnan(values)].tolist())
    if finding is not None and finding.severity == "error":
        raise SigError(finding.what, matrix.name, finding.fix)
    return replace(matrix, values=values, better=known.better, why=known.why, digest=""), finding
