"""Lines of a system and its score, the segments of a system in order, as mt-metrics-eval writes scores and ratings."""

from __future__ import annotations

from sigcore.errors import ReadError
from sigcore.readers.contract import Content
from sigcore.readers.tables import numbers
from sigcore.readers.tables.table import Table

SEGMENTS = ".seg.score"
NOT_SYSTEMS = ("synthetic_ref",)  # made of several references, for the metrics alone


def is_named(file: str) -> bool:
    """Whether the name of a file says that it has the scores of segments."""
    return file.lower().removesuffix(".gz").endswith(SEGMENTS)


def left_out(system: str) -> str:
    """The sentence on an entry that is not a system."""
    return f"{system} is a reference made of others, not a system; left out."


def pair(line: str) -> tuple[str, str] | None:
    """(system, score) of a line, or None for another kind of line."""
    fields = line.split()
    if len(fields) != 2 or numbers.is_number(fields[0]):
        return None
    return (fields[0], fields[1]) if numbers.is_number(fields[1]) or numbers.is_missing(fields[1]) else None


def columns(content: Content) -> dict[str, list[str]]:
    """The scores of each system, "" where one is missing.

    Raises: ReadError for a line of another kind.
    """
    cells: dict[str, list[str]] = {}
    for number, line in enumerate(content.lines, 1):
        both = pair(line)
        if both is None:
            message = f"line {number}: {line[:40]!r} is not a system followed by its score."
            raise ReadError(message, content.file, number, "Write: SYSTEM SCORE (None if a score is missing).")
        cells.setdefault(both[0], []).append("" if numbers.is_missing(both[1]) else both[1])
    return cells


def table(content: Content) -> Table:
    """The scores as ratings with a row each: the system, the number of the segment, the score.

    Raises: ReadError for a line of another kind.
    """
    rows = [
        [system, str(i), score]
        for system, scores in columns(content).items()
        for i, score in enumerate(scores, 1)
        if system not in NOT_SYSTEMS
    ]
    return Table(content.file, ["system", "segment", "score"], rows, range(1, len(rows) + 1))
