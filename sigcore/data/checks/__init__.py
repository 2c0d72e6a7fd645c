"""The data checks: what is suspicious about files that agree in length."""

from __future__ import annotations

from collections.abc import Iterator

from sigcore.data.checks import brackets, general, links, scores, text
from sigcore.data.checks.contract import Check, Checked, Finding
from sigcore.types import Kind

__all__ = ["Check", "Checked", "Finding", "examine"]

ALWAYS: tuple[Check, ...] = (general.numbers, general.copies, general.names)
# Checks of one kind of test set, in the order in which their findings are listed.
OF_KIND: dict[Kind, tuple[Check, ...]] = {
    "text": (text.copies, text.empties, text.lengths, text.tokenised, text.foreign, text.written),
    "scores": (scores.scales,),
    "alignments": (links.examine,),
    "brackets": (brackets.outer,),
}


def examine(checked: Checked) -> Iterator[Finding]:
    """Everything that is suspicious about a test set and the systems that agree with it."""
    for check in (*ALWAYS, *OF_KIND.get(checked.kind, ())):
        yield from check(checked)
