"""The verdict strip as text for a terminal, and as rows for the page."""

from __future__ import annotations

from sigboard.render.text import as_text, printable
from sigcore.results import printed
from sigcore.studies import strip
from sigcore.types import Row

MARK = "* the test and the unit that were asked for; no p of the strip is corrected"


def strip_table(result: strip.StripResult) -> str:
    """Who finds a difference, a row for each test and unit, then one for each program with how it differs."""
    head = (
        f"Verdict strip of {printable(result.system)} against {printable(result.baseline)}, {result.setup.metric_title}"
    )
    table = as_text(strip.ROW, result.lines, alpha=result.alpha)
    notes = [f"note: {printable(note, 0)}" for note in result.notes]
    return "\n".join([head, "", table, "", MARK, printable(result.sentence, 0), *programs(result), *notes])


def strip_rows(result: strip.StripResult) -> list[Row]:
    """The rows as they are written."""
    table = printed(strip.ROW, result.lines, alpha=result.alpha)
    names = [name or "asked for" for name in table.head]
    return [dict(zip(names, cells, strict=True)) for cells in table.cells]


def programs(result: strip.StripResult) -> list[str]:
    """A line for each program: what it prints and how that differs, or why it prints nothing."""
    lines = []
    for one in result.elsewhere:
        p = f"p = {one.printed}, {one.program.tail}. " if one.printed else ""
        lines.append(f"{one.program.title}: {p}{one.why}")
    return lines
