"""Checks of test sets of every kind: too few systems or segments, identical systems, names that look the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

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


def names(checked: Checked) -> Iterator[Finding]:
    """Systems whose names look the same on the screen: composed and decomposed letters, wide letters, other spaces."""
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(outputs.system for outputs in checked.outputs):
        alike.setdefault(" ".join(unicodedata.normalize("NFKC", name).split()), []).append(name)
    for shown, own in alike.items():
        if len(own) > 1:
            different = " and ".join(map(_code_points, _without_common_ends(own)))
            message = f"{len(own)} systems have names that look the same, {shown}, but are different: {different}."
            files = listed(item.file for item in checked.systems if item.name in own)
            yield Finding(
                "warning", message, files, "Rename one of them; or load only one, if they are the same system."
            )


def _without_common_ends(names: Sequence[str]) -> list[str]:
    """The names without the letters that all of them begin or end with; at least one letter of the longest is kept."""
    least, start, end = min(map(len, names)), 0, 0
    while start < least and len({name[start] for name in names}) == 1:
        start += 1
    while end < least - start and len({name[-1 - end] for name in names}) == 1:
        end += 1
    return [name[start : len(name) - end] for name in names]


def _code_points(text: str) -> str:
    return " ".join(f"U+{ord(char):04X}" for char in text) or "nothing"
