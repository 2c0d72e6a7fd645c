"""Checks of test sets of every kind: too few systems or segments, identical systems."""

from __future__ import annotations

from collections.abc import Iterator

from sigcore.data.checks.contract import Checked, Finding
from sigcore.formatting import count, listed
from sigcore.testset import identical

FEW_SEGMENTS = 30


def numbers(checked: Checked) -> Iterator[Finding]:
    """Too few systems, or too few segments."""
    systems, n = len(checked.systems), checked.n
    if not systems:
        yield Finding("error", "There is no system to score.", "", "Load the output of at least two systems.")
    if systems == 1:
        yield Finding("warning", "There is only one system, and nothing to compare it with.", "", "Load a baseline.")
    if systems and n < FEW_SEGMENTS:
        message = f"The test set has {count(n, 'segment')}: too few to find any but large differences."
        fix = "Do not interpret a large p as 'no difference', and do not trust a small p of a bootstrap test."
        yield Finding("warning", message, "", fix)


def copies(checked: Checked) -> Iterator[Finding]:
    """Systems whose segments are all the same."""
    for group in identical(checked.outputs):
        message = f"{listed(group)} are identical: their difference is zero, and every test gives p = 1."
        yield Finding("warning", message, "", "Was the same file loaded under two names?")
