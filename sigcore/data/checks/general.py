"""What is odd about test sets of every kind: too few systems or segments, systems that are identical; and scores."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigcore.data.checks.contract import Checked, Finding
from sigcore.formatting import count, listed
from sigcore.testset import identical

FEW_SEGMENTS = 30
ERRORS = re.compile(
    r"(?<![a-z])(?:metricx|h?ter|[wc]er|per|aer|perplexity|ppl|errors?|penalty)(?![a-z])", re.IGNORECASE
)


def numbers(checked: Checked) -> Iterator[Finding]:
    """Too few systems, or too few segments."""
    systems, n = len(checked.systems), checked.n
    if not systems:
        yield Finding("error", "There is no system to look at.", "", "Load the output of at least two systems.")
    if systems == 1:
        yield Finding("warning", "There is one system only, and nothing to compare it with.", "", "Load a baseline.")
    if systems and n < FEW_SEGMENTS:
        what = f"The test set has {count(n, 'segment')}: too few to find any but large differences."
        fix = "Do not read a large p as 'no difference', nor trust a small p of a bootstrap test."
        yield Finding("warning", what, "", fix)


def copies(checked: Checked) -> Iterator[Finding]:
    """Systems with the same segments throughout."""
    for group in identical(checked.outputs):
        what = f"{listed(group)} are identical: their difference is zero, and every test must give p = 1."
        yield Finding("warning", what, "", "Was one file loaded under two names?")


def orientation(checked: Checked) -> Iterator[Finding]:
    """Measures that count errors, by their names."""
    for measure in dict.fromkeys(item.measure for item in checked.systems):
        if ERRORS.search(measure):
            what = f"By its name, {measure} counts errors: the lower, the better."
            yield Finding("note", what, "", "If so, set better to lower in the options of the scores.")
