"""Scores per segment: which are numbers, which are missing, and what happens to segments without a score."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sigcore import readers
from sigcore.data.checks.contract import Finding
from sigcore.readers import Item
from sigcore.types import Missing


def has_gaps(items: Sequence[Item]) -> bool:
    """Whether any score is missing."""
    return any(map(_gaps, items))


def numeric(
    systems: Sequence[Item], gold: Sequence[Item], n: int, missing: Missing, findings: list[Finding]
) -> tuple[list[Item], list[Item], int]:
    """The systems whose segments are all finite numbers, the gold side, and the number of remaining segments.

    Segments without a score are left out for all systems if `missing` is "drop".
    """
    kept, gaps = [], set[int]()
    for item in systems:
        without_score = _gaps(item)
        fault = _not_a_number(item) or _no_score(item, without_score, n, missing)
        if fault is None:
            kept.append(item)
            gaps |= set(without_score)
        else:
            findings.append(fault)
    if not gaps or missing != "drop":
        return kept, list(gold), n
    findings.append(_left_out(gaps, n))
    remaining = [i for i in range(n) if i not in gaps]
    return [_only(item, remaining) for item in kept], [_only(item, remaining) for item in gold], len(remaining)


def _left_out(gaps: Collection[int], n: int) -> Finding:
    """The warning about segments that are left out for all systems."""
    message = f"{len(gaps)} of {n} segments were left out for all systems, because some system has no score for them."
    where = f"the first is segment {min(gaps) + 1}"
    return Finding("warning", message, where, "Complete the files to keep them.")


def _gaps(item: Item) -> list[int]:
    """The segments without a score."""
    return [i for i, cell in enumerate(item.segments) if readers.is_missing(cell)]


def _not_a_number(item: Item) -> Finding | None:
    """The error of an item with a cell that is neither a number nor marked as missing."""
    cells = enumerate(item.segments)
    bad = next((i for i, cell in cells if not (readers.is_number(cell) or readers.is_missing(cell))), None)
    if bad is None:
        return None
    message = f"{item.name}: {item.segments[bad][:40]!r} is not a number."
    fix = "Give every segment a finite number, or leave the file out."
    return Finding("error", message, f"{item.file}, segment {bad + 1}", fix)


def _no_score(item: Item, gaps: Sequence[int], n: int, missing: Missing) -> Finding | None:
    """The error of an item without scores, or with missing scores if these are refused."""
    if len(gaps) < n and not (gaps and missing == "refuse"):
        return None
    message = f"{item.name} has no score for {len(gaps)} of {n} segments; it is left out."
    fix = "Complete it, choose to leave these segments out for all systems, or use the scores page."
    first = gaps[0]
    called = f" ({item.keys[first]})" if item.keys and item.keys[first] != str(first + 1) else ""
    return Finding("error", message, f"{item.file}, segment {first + 1}{called}", fix)


def _only(item: Item, segments: Sequence[int]) -> Item:
    keys = item.keys or tuple(str(i + 1) for i in range(len(item.segments)))
    return replace(item, segments=tuple(item.segments[i] for i in segments), keys=tuple(keys[i] for i in segments))
