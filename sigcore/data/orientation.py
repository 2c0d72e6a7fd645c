"""Whether higher or lower scores are better: as declared, or by the name of the measure and the sign of its numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sigcore.data.checks.contract import Finding
from sigcore.formatting import listed
from sigcore.readers import Item, is_number
from sigcore.types import Better

ERRORS = re.compile(
    r"(?<![a-z])(?:metricx|h?ter|[wc]er|per|aer|perplexity|ppl|errors?|penalty|loss|nll|brier|mae|mse)(?![a-z])",
    re.IGNORECASE,
)
SAY = "If this is wrong, use --higher-is-better or --lower-is-better, or the option better of the scores on the page."


def agreed(systems: Sequence[Item], findings: list[Finding]) -> Better:
    """Which scores are better; everything but "higher, and nothing says otherwise" is reported.

    The user or the program that wrote a file may declare it. Otherwise a measure whose name counts errors is better if
    lower, unless its numbers are stored negated. If neither can be said, that is an error.
    """
    declared = {item.better for item in systems if item.better}
    if len(declared) > 1:
        lower, higher = (listed(i.name for i in systems if i.better == word) for word in ("lower", "higher"))
        message = f"Of {lower} lower scores are better, but of {higher} higher ones."
        findings.append(Finding("error", message, "", "Load scores of one measure, or say it for all of them."))
        return "higher"
    measure = systems[0].measure if systems else ""
    if declared == {"lower"}:
        findings.append(Finding("note", f"{measure or 'Scores'}: lower is better, as declared.", "", SAY))
    return next(iter(declared)) if declared else _by_name(measure, systems, findings)


def _by_name(measure: str, systems: Sequence[Item], findings: list[Finding]) -> Better:
    """Which scores are better, by the name of the measure and the sign of its numbers."""
    if not ERRORS.search(measure):
        return "higher"
    values = [float(cell) for item in systems for cell in item.segments if is_number(cell)]
    if values and min(values) >= 0:
        message = f"Judging by its name, {measure} counts errors, and no number is negative: lower is better."
        findings.append(Finding("warning", message, "", SAY))
        return "lower"
    if values and max(values) <= 0:
        message = f"{measure} counts errors by its name, but no number is positive: stored negated, higher is better."
        findings.append(Finding("warning", message, "", SAY))
        return "higher"
    message = f"{measure} counts errors by its name, but some of its numbers are negative: which are better?"
    findings.append(Finding("error", message, "", "Use --higher-is-better or --lower-is-better."))
    return "higher"
