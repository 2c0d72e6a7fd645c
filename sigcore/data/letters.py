"""Answers to multiple choice: where letters are right, the letter of an output counts, and not how it goes on (C. Snowfield)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sigcore import readers
from sigcore.data.checks import Finding
from sigcore.formatting import count
from sigcore.readers import Item

SEVERAL = re.compile(r"[A-Z](?:\s*[,;/|]\s*[A-Z])+")  # A;B
# the share of outputs that choose a letter, of some system, and of each: another may say much else
MOSTLY, FEWEST = 0.8, 0.2


def counted(systems: Sequence[Item], gold: Sequence[Item], findings: list[Finding]) -> tuple[list[Item], list[Item]]:
    """The systems with the letter of each output, and the right letters alone, where a reference has letters, most outputs of a
    system choose one, and some of each do; a note says so, and how many have none. Others as they are."""
    right = [item for item in gold if item.role == "reference" and _are_letters(item.segments)][:1]
    if not right:
        return list(systems), list(gold)
    _tell_several(systems, findings)
    if not _choose(systems):
        return list(systems), list(gold)
    others = [item for item in gold if item.role == "reference" and item not in right]
    kept = [replace(item, segments=_letters(item, right[0], others)) for item in systems]
    _note(systems, kept, findings)
    return kept, [item for item in gold if item not in others]


def _tell_several(systems: Sequence[Item], findings: list[Finding]) -> None:
    """Add the number of outputs that name several letters."""
    several = sum(SEVERAL.fullmatch(text.strip()) is not None for item in systems for text in item.segments)
    if several:
        s = "s" * (several == 1)
        message = f"{count(several, 'output')} name{s} several letters, and count{s} as wrong."
        findings.append(Finding("warning", message, "", "Write the one letter that each answer chooses."))


def _note(systems: Sequence[Item], kept: Sequence[Item], findings: list[Finding]) -> None:
    """Add the number of outputs without a letter, and of those that go on after theirs."""
    lost = sum(map(_without, kept))
    changed = sum(map(_differ, systems, kept)) - lost
    if lost:
        message = f"No letter was found in {count(lost, 'output')}, which count as wrong."
        findings.append(Finding("warning", message, "", "Write the letter that each answer chooses, if it has one."))
    if changed:
        message = (
            f"Letters are right, so the letter counts of {count(changed, 'output')} that go on: C. Snowfield is C."
        )
        findings.append(Finding("note", message, ""))


def _without(item: Item) -> int:
    """How many outputs have no letter, and are not empty."""
    return sum(text.strip() != "" and not readers.LETTER.fullmatch(text) for text in item.segments)


def _differ(one: Item, other: Item) -> int:
    """How many segments are more than their letter, or have none."""
    pairs = zip(one.segments, other.segments, strict=True)
    return sum(a.strip() != b or (bool(b) and not readers.LETTER.fullmatch(b)) for a, b in pairs)


def _are_letters(cells: Sequence[str]) -> bool:
    """Whether all cells are letters, and several."""
    known = {cell.strip() for cell in cells} - {""}
    return len(known) > 1 and all(map(readers.LETTER.fullmatch, known))


def _letters(item: Item, right: Item, others: Sequence[Item]) -> tuple[str, ...]:
    """The letter of each output; the right one where an output is the right answer in words."""
    words = zip(*(one.segments for one in others), strict=True) if others else [()] * len(item.segments)
    return tuple(
        gold.strip()
        if text.strip().casefold() in {one.strip().casefold() for one in own}
        else readers.letter_of(text) or text
        for text, gold, own in zip(item.segments, right.segments, words, strict=True)
    )


def _choose(systems: Sequence[Item]) -> bool:
    """Whether most outputs of a system choose a letter, and some of each."""
    shares = [sum(map(readers.says_letter, item.segments)) / len(item.segments) for item in systems]
    return bool(shares) and max(shares) >= MOSTLY and min(shares) >= FEWEST
