"""Checks of constituency trees: outer brackets that are counted in one file but not, or differently, in another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sigcore.data.checks.contract import Checked, Finding
from sigcore.formatting import listed
from sigcore.readers import Item

LABEL = re.compile(r"\(([^()\s]*)")
NOT_COUNTED = "TOP"
WRAPPERS = {"", NOT_COUNTED, "ROOT", "S1", "VROOT"}


def outer(checked: Checked) -> Iterator[Finding]:
    """Systems whose outer bracket differs from gold's, if that changes the number of brackets."""
    if not checked.references:
        return
    usual = _outer(checked.references[0])
    others = [(item, _outer(item)) for item in checked.systems]
    odd = [(item, label) for item, label in others if label != usual and {label, usual} & WRAPPERS]
    if odd:
        message = (
            f"Gold trees start with '({usual}', those of {listed(one.name for one, _ in odd)} with '({odd[0][1]}'. "
        )
        message += f"Every outer bracket except {NOT_COUNTED} counts, as in evalb."
        yield Finding("warning", message, listed(one.file for one, _ in odd), "Give all files the same outer bracket.")


def _outer(item: Item) -> str:
    """The most frequent label of the outer bracket."""
    labels = Counter(match[1] for match in map(LABEL.match, item.segments) if match is not None)
    return labels.most_common(1)[0][0] if labels else NOT_COUNTED
