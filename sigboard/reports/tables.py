"""Results as CSV; the rows themselves are made by `sigcore.rows`."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from sigcore.rows import Row, compare_rows, decision, gain_rows, grid_rows, matrix_rows, scores_rows

__all__ = ["Row", "compare_rows", "decision", "gain_rows", "grid_rows", "matrix_rows", "scores_rows", "to_csv"]

# The columns with text from users; only these can contain a spreadsheet formula.
NAMES = (
    "system",
    "baseline",
    "group",
    "pair_class",
    "judge",
    "segment",
    "document",
    "dimension",
    "set",
    "task",
    "method",
    "file",
    "name",
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as CSV (RFC 4180: CRLF, quotes doubled), "" if there are none; undefined and infinite numbers are empty.

    A spreadsheet runs a cell that starts with = + - or @ as a formula. Such a cell gets an apostrophe in front, but
    only if it is a name (the columns NAMES) or a heading: numbers keep their minus sign.
    """
    if not rows:
        return ""
    page = io.StringIO(newline="")
    writer = csv.writer(page, lineterminator="\r\n")
    columns = list(rows[0])
    writer.writerow([_safe(column) for column in columns])
    for row in rows:
        writer.writerow([_value(column, row[column]) for column in columns])
    return page.getvalue()


def _value(column: str, value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    return _safe(value) if column in NAMES and isinstance(value, str) else value


def _safe(name: str) -> str:
    return f"'{name}" if name.startswith(FORMULA) else name
