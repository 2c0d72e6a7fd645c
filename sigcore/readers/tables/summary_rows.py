"""Rows of means or totals among the rows of segments: each would count as one more segment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sigcore.errors import ReadError

WORDS = re.compile(
    r"(?:(?:macro|micro|weighted|grand|overall)[-_ ]?)?(?:mean|average|avg\.?|total|sum|median|stde?v?\.?|sd)|overall",
    re.IGNORECASE,
)


def found(file: str, names: Sequence[str], lines: Sequence[int]) -> Iterator[ReadError]:
    """A problem for each line whose segment or document is called mean, total and the like.

    Where half of them or more have such names, they are words of the data: there is none.
    """
    called = {name.strip() for name in names}
    summaries = {name for name in called if WORDS.fullmatch(name)}
    if not summaries or 2 * len(summaries) >= len(called):
        return
    for line, name in zip(lines, names, strict=True):
        if name.strip() in summaries:
            message = f"A row is called {name.strip()!r}: it sums up the others, and would count as one more."
            yield ReadError(message, file, line, "Leave the row out; if it is a segment, give it another name.")


def refuse(file: str, names: Sequence[str], lines: Sequence[int]) -> None:
    """Raise the first problem that is `found`."""
    for problem in found(file, names, lines):
        raise problem
