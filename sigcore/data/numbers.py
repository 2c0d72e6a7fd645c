"""Scores per segment: which are numbers, which are missing, and what happens to segments without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sigcore import readers
from sigcore.data.checks.contract import Finding
from sigcore.readers import Item
from sigcore.types import Missing


def has_gaps(items: Sequence[Item]) -> bool:
    """Whether any score is missing."""
    return any(readers.is_missing(cell) for item in items for cell in item.segments)


def numeric(
    systems: Sequence[Item], gold: Sequence[Item], n: int, missing: Missing, findings: list[Finding]
) -> tuple[list[Item], list[Item], int]:
    """The systems whose every segment is a finite number, the gold side, and the number of segments that remain.

    Segments without a score are left out for all where `missing` is "drop".
    """
    kept, gaps = [], dict[int, None]()
    for item in systems:
        own = [i for i, cell in enumerate(item.segments) if readers.is_missing(cell)]
        fault = _not_a_number(item) or _no_score(item, own, n, missing)
        if fault is not None:
            findings.append(fault)
            continue
        kept.append(item)
        gaps |= dict.fromkeys(own if missing == "drop" else ())
    if not gaps:
        return kept, list(gold), n
    what = f"{len(gaps)} of {n} segments were left out for all systems, because some system has no score there."
    where = f"the first is segment {min(gaps) + 1}"
    findings.append(Finding("warning", what, where, "Complete the files to keep them."))
    remaining = [i for i in range(n) if i not in gaps]
    return [_only(item, remaining) for item in kept], [_only(item, remaining) for item in gold], len(remaining)


def _not_a_number(item: Item) -> Finding | None:
    """The fault of an item with a cell that is neither a number nor says that it is missing."""
    cells = enumerate(item.segments)
    bad = next((i for i, cell in cells if not (readers.is_number(cell) or readers.is_missing(cell))), None)
    if bad is None:
        return None
    what = f"{item.name}: {item.segments[bad][:40]!r} is not a number."
    fix = "Give every segment a finite number, or leave the file out."
    return Finding("error", what, f"{item.file}, segment {bad + 1}", fix)


def _no_score(item: Item, gaps: Sequence[int], n: int, missing: Missing) -> Finding | None:
    """The fault of an item without scores, or with missing ones where these are refused."""
    if len(gaps) < n and not (gaps and missing == "refuse"):
        return None
    what = f"{item.name} has no score for {len(gaps)} of {n} segments; it is left out."
    fix = "Complete it, choose to leave these segments out for all systems, or see it on the scores page."
    return Finding("error", what, f"{item.file}, segment {gaps[0] + 1}", fix)


def _only(item: Item, segments: Sequence[int]) -> Item:
    return replace(item, segments=tuple(item.segments[i] for i in segments))
