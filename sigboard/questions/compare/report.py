"""The verdict strip as text for a terminal."""

from __future__ import annotations

from sigboard.render.text import as_text, printable
from sigcore.studies.strip import ROW, StripResult

MARK = "* the test and the unit that were asked for"


def strip_table(result: StripResult) -> str:
    """Who finds a difference, a row for each test and unit, then one for each program with how it differs."""
    head = (
        f"Verdict strip of {printable(result.system)} against {printable(result.baseline)}, {result.setup.metric_title}"
    )
    table = as_text(ROW, result.lines, alpha=result.alpha)
    why = [f"{one.program.title}: {one.why}" for one in result.elsewhere]
    notes = [f"note: {printable(note, 0)}" for note in result.notes]
    return "\n".join([head, "", table, "", MARK, printable(result.sentence, 0), *why, *notes])
