"""The verdict strip as text for a terminal, and as rows for the page."""

from __future__ import annotations

from sigboard.render.text import as_text, printable
from sigcore.results import printed
from sigcore.studies import strip
from sigcore.types import Row

MARK = "* the test and the unit that were asked for"


def strip_table(result: strip.StripResult) -> str:
    """Who finds a difference, a row for each test and unit, then one for each program with how it differs."""
    head = (
        f"Verdict strip of {printable(result.system)} against {printable(result.baseline)}, {result.setup.metric_title}"
    )
    table = as_text(strip.ROW, result.lines, alpha=result.alpha)
    why = [f"{one.program.title}: {one.why}" for one in result.elsewhere]
    notes = [f"note: {printable(note, 0)}" for note in result.notes]
    return "\n".join([head, "", table, "", MARK, printable(result.sentence, 0), *why, *notes])


def strip_rows(result: strip.StripResult) -> list[Row]:
    """The rows as they are written, each with how a program differs."""
    table = printed(strip.ROW, result.lines, alpha=result.alpha)
    names = [*(name or "asked for" for name in table.head), "how it differs"]
    lines = zip(table.cells, result.lines, strict=True)
    return [dict(zip(names, (*cells, line.why), strict=True)) for cells, line in lines]
