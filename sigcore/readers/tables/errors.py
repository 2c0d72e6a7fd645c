"""The points of errors that people mark (MQM): by category and severity, or in the spans of a rating."""

from __future__ import annotations

import json

from sigcore.readers.contract import Options
from sigcore.registry import Option

NO_ERROR = ("no-error", "no error", "neutral", "", "undecided")


def _points(name: str, default: float, help: str) -> Option:
    return Option(name, default, low=0.0, help=help)


POINTS = (
    _points("major", 5.0, "Points for a major error."),
    _points("minor", 1.0, "Points for a minor error."),
    _points("punctuation", 0.1, "Points for a minor punctuation error."),
    _points("non_translation", 25.0, "Points for a segment that is not a translation."),
    _points("critical", 10.0, "Points for a critical error, if there are any."),
)


def weight(category: str, severity: str, options: Options) -> float | None:
    """The points of one error; None if the severity is unknown."""
    category, severity = category.strip().lower(), severity.strip().lower()
    if category.startswith("non-translation"):
        name = "non_translation"
    elif severity in NO_ERROR or category in NO_ERROR[:2]:
        return 0.0
    elif severity == "trivial" or (severity == "minor" and category.endswith("punctuation")):
        name = "punctuation"
    else:
        name = severity if severity in ("minor", "major", "critical") else ""
    value = options.get(name)
    return float(value) if isinstance(value, int | float) else None


def of_spans(cell: str, options: Options) -> float | None:
    """The points of the errors in a JSON list of spans, each with its severity and perhaps error_type (or category).

    None for a cell that is not such a list, or that has a severity without points.
    """
    try:
        spans = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    if not isinstance(spans, list) or not all(isinstance(span, dict) and "severity" in span for span in spans):
        return None
    points = [
        weight(str(span.get("error_type") or span.get("category") or ""), str(span["severity"]), options)
        for span in spans
    ]
    return sum(value for value in points if value is not None) if None not in points else None
