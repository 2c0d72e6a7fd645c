"""The number of segments of a test set: the length of most files, and the files that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sigcore.data.checks.contract import Finding
from sigcore.readers import SHARED, Item
from sigcore.testset import length_mismatch

BY_LINE = ("", "plain")  # readers for which every line is a segment, the last one too


def agreed_length(items: Sequence[Item], blank_end: bool) -> tuple[int, str]:
    """The number of segments that fits most files, and the name of a file with it; documents do not count.

    A file with an empty last line can have one less, and must unless `blank_end` says that a last segment may be blank.
    Ties: the fewest dropped lines, then the length of the reference, then the longer one (a truncated file is more
    likely than one with added lines).
    """
    voting = [item for item in items if item.role not in SHARED]
    if not voting:
        return 0, ""
    if not blank_end:
        voting = [replace(item, segments=item.segments[: _trimmed(item)]) for item in voting]
    lengths = {len(item.segments) for item in voting} | {_trimmed(item) for item in voting}
    n = max(lengths, key=partial(_merit, voting))
    agreeing = [item for item in voting if n in (len(item.segments), _trimmed(item))]
    return n, min(agreeing, key=lambda item: item.role != "reference").name


def _merit(items: Sequence[Item], n: int) -> tuple[int, int, int, int]:
    """How well a number of segments fits the items; the largest is agreed on."""
    as_is = [item for item in items if len(item.segments) == n]
    fits = len(as_is) + sum(_trimmed(item) == n != len(item.segments) for item in items)
    return fits, len(as_is), sum(item.role == "reference" for item in as_is), n


def of_length(items: Sequence[Item], n: int, other: str, findings: list[Finding]) -> list[Item]:
    """The items with n segments; one extra empty last line is dropped with a note, other lengths are reported."""
    kept = []
    for item in items:
        if len(item.segments) == n:
            kept.append(item)
        elif _trimmed(item) == n:
            kept.append(replace(item, segments=item.segments[:-1]))
            message = f"The empty last line of {item.name} was dropped: without it the numbers of segments agree."
            findings.append(Finding("note", message, f"{item.file}, line {n + 1}"))
        else:
            fault = length_mismatch(item.name, item.segments, other, n)
            where = "; ".join(filter(None, (item.file, fault.where)))
            findings.append(Finding("error", fault.what, where, fault.fix))
    return kept


def _trimmed(item: Item) -> int:
    """The number of segments without an empty last one, which only a file of lines can have by accident."""
    n = len(item.segments)
    return n - 1 if n > 1 and item.reader in BY_LINE and not item.segments[-1].strip() else n
