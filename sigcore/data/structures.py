"""Trees and word links before they form a test set: two gold files merged, missing ends filled, words compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sigcore.data.checks.contract import Finding
from sigcore.formatting import listed
from sigcore.readers import Item
from sigcore.text import links, trees
from sigcore.types import Kind

FILLED = "naacl"  # the reader of a format that leaves out sentences without a link


def prepared(items: Sequence[Item], kind: Kind, findings: list[Finding]) -> list[Item]:
    """The items of one kind, ready for the comparison of lengths; every change and omission is reported.

    Word links: a file in the role possible is merged into the reference, and sentences that the NAACL format leaves
    out at the end are added. Identical references are used once. Trees: a system whose words are not those of gold
    is left out.
    """
    if kind == "alignments":
        items = _filled(items, findings)
        items = _merged(items, findings)
    kept = [item for item in items if item.role != "possible"]
    for item in items:
        if item.role == "possible" and kind != "alignments":
            message = f"Only word links can have a file in the role possible; {item.name} is not used."
            findings.append(Finding("warning", message, item.file, "Choose another role for it."))
    kept = once(kept, findings)
    return _of_gold_words(kept, findings) if kind == "trees" else kept


def _filled(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items of a format that leaves out sentences without links, with as many sentences as the longest item."""
    n = max((len(item.segments) for item in items), default=0)
    result = []
    for item in items:
        short = n - len(item.segments) if item.reader == FILLED else 0
        if short:
            message = (
                f"{item.name} has no link after segment {len(item.segments)}: {short} more without links were added."
            )
            findings.append(Finding("note", message, item.file))
        result.append(replace(item, segments=(*item.segments, *[""] * short)))
    return result


def _merged(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items with the possible links in the references."""
    possible = [item for item in items if item.role == "possible"]
    references = [item for item in items if item.role == "reference"]
    if not possible:
        return list(items)
    more = possible[0]
    for extra in possible[1:]:
        message = f"More than one file of possible links is loaded; {extra.name} is not used."
        findings.append(Finding("warning", message, extra.file, "Set the role of one of them to ignored."))
    if not references:
        message = f"{more.name} has possible links, but there is no file of sure ones."
        findings.append(
            Finding("error", message, more.file, "Load it as reference, or set the role of this one to reference.")
        )
    return [_with_possible(item, more, findings) if item.role == "reference" else item for item in items]


def _with_possible(sure: Item, possible: Item, findings: list[Finding]) -> Item:
    if len(sure.segments) != len(possible.segments):
        message = f"{possible.name} has {len(possible.segments)} segments, {sure.name} has {len(sure.segments)}."
        findings.append(Finding("error", message, possible.file, "Both gold files must have one line per segment."))
        return sure
    both = zip(sure.segments, possible.segments, strict=True)
    merged = tuple(links.with_possible(one, more) for one, more in both)
    if merged == sure.segments:
        return sure
    message = f"Gold links: sure from {sure.name}, possible from {possible.name}."
    findings.append(Finding("note", message, f"{sure.file} and {possible.file}"))
    return replace(sure, segments=merged)


def once(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items without references that are identical to an earlier one."""
    copies: dict[tuple[str, ...], list[Item]] = {}
    kept = []
    for item in items:
        if item.role == "reference":
            same = copies.setdefault(item.segments, [])
            same.append(item)
            if len(same) > 1:
                continue
        kept.append(item)
    for first, *more in copies.values():
        if more:
            who = f"{more[0].name} is" if len(more) == 1 else f"{len(more)} references are"
            message = f"{who} identical to {first.name}; it is used once."
            findings.append(Finding("note", message, listed(item.file for item in more)))
    return kept


def _of_gold_words(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items without systems whose words differ from gold; their first such word is reported."""
    gold = next((item for item in items if item.role == "reference"), None)
    kept = []
    for item in items:
        fault = trees.first_difference(item.segments, gold.segments) if gold and item.role == "system" else None
        if fault is None:
            kept.append(item)
            continue
        assert gold is not None
        message = f"{item.name}, {fault.what}"
        if len(item.segments) != len(gold.segments):
            message += f" It has {len(item.segments)} sentences, gold has {len(gold.segments)}."
        findings.append(Finding("error", message, item.file, fault.fix))
    return kept
