"""What is odd about constituency trees: outer brackets that count in one file and not, or otherwise, in another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sigcore.data.checks.text import Finding, listed
from sigcore.readers import Item

OUTER = re.compile(r"\(([^()\s]*)")
NOT_COUNTED = "TOP"


def examine(items: Sequence[Item]) -> Iterator[Finding]:
    """Systems whose trees start with another outer bracket than gold, where that changes the number of brackets."""
    gold = next((item for item in items if item.role == "reference"), None)
    if gold is None:
        return
    usual = _outer(gold)
    odd = [(item, _outer(item)) for item in items if item.role == "system" and _outer(item) != usual]
    wrappers = {"", NOT_COUNTED, "ROOT", "S1", "VROOT"}
    odd = [(item, outer) for item, outer in odd if {outer, usual} & wrappers]
    if odd:
        what = f"Gold trees start with '({usual}', those of {listed(one.name for one, _ in odd)} with '({odd[0][1]}'. "
        what += f"Every outer bracket but {NOT_COUNTED} counts, as in evalb."
        yield Finding("warning", what, listed(one.file for one, _ in odd), "Give all files the same outer bracket.")


def _outer(item: Item) -> str:
    """The most usual label of the outer bracket."""
    labels = Counter(match[1] for match in map(OUTER.match, item.segments) if match is not None)
    return labels.most_common(1)[0][0] if labels else NOT_COUNTED
