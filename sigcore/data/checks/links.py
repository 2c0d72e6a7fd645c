"""Checks of word links: words counted from the wrong number, source and target swapped, indices beyond a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from sigcore.data.checks.contract import Checked, Finding
from sigcore.formatting import count, listed
from sigcore.readers import Item
from sigcore.text import links
from sigcore.types import Ints

LOOKED_AT = 2_000  # segments: enough to detect it, and fast on any test set
FAR = 1 << 20  # above every index that is compared
ENOUGH = 10  # segments with links; with fewer, the first index is not checked
STEEP, SHARE = 15.0, 0.7  # AER must fall by this many points, and to this share of what it was
Reading = tuple[int, bool]
Fit = tuple[Item, float, float]  # the system, its AER as the file is, and under the other reading
TARGET = re.compile(r"tgt|trg|target", re.IGNORECASE)

# How a system's links may have to be read to fit gold: (added to both ends, source and target swapped) -> in words
READINGS: dict[Reading, str] = {
    (1, False): "with 1 added to every index (words counted from the wrong number)",
    (-1, False): "with 1 subtracted from every index (words counted from the wrong number)",
    (0, True): "with source and target swapped (the wrong direction)",
    (1, True): "with source and target swapped and 1 added to every index",
    (-1, True): "with source and target swapped and 1 subtracted from every index",
}
FIX = "Read the file again with the right options (words from 0 or from 1, reverse), or fix the gold file."


def examine(checked: Checked) -> Iterator[Finding]:
    """Everything that is suspicious about the links of a test set."""
    gold = [Linked(item) for item in checked.references]
    systems = [Linked(item) for item in checked.systems]
    for first in gold[:1]:
        yield from _all_sure(first)
        yield from _starts(first, systems)
        yield from _readings(first, systems)
    texts = [item for item in checked.everything if item.kind == "text" and len(item.segments) == checked.n]
    for side, text in enumerate((text_of(texts, "source"), text_of(texts, "target")), 1):
        if text is not None:
            yield from _beyond([*gold, *systems], side, text)


class Linked:
    """An item and its links, (links, 4): segment, source, target, 1 if sure."""

    def __init__(self, item: Item) -> None:
        self.item, self.links = item, links.table(item.segments)

    def has_zero(self) -> bool | None:
        """Whether any link has an end that is 0; None if too few segments have links."""
        few = len(np.unique(self.links[:, 0])) < ENOUGH
        return None if few else bool((self.links[:, 1:3] == 0).any())

    def codes(self, by: int = 0, reverse: bool = False, only_sure: bool = False) -> Ints:
        """The distinct links of the first segments under another reading, as one number each."""
        kept = self.links[self.links[:, 0] < LOOKED_AT]
        kept = kept[kept[:, 3] == 1] if only_sure else kept
        ends = kept[:, [2, 1] if reverse else [1, 2]] + by
        codes = (kept[:, 0] * FAR + ends[:, 0]) * FAR + ends[:, 1]
        return np.unique(codes[(ends >= 0).all(axis=1)])


def _all_sure(gold: Linked) -> Iterator[Finding]:
    """Gold without any link that is only possible: often the file of possible links was forgotten."""
    if len(gold.links) and gold.links[:, 3].all():
        message = f"All links of {gold.item.name} are sure, so AER is 1 - F1."
        yield Finding("note", message, gold.item.file, "If there is a file of possible links, load it too.")


def _starts(gold: Linked, systems: Sequence[Linked]) -> Iterator[Finding]:
    """Systems that have an index 0 where gold has none, or none where gold has one."""
    zero = gold.has_zero()
    odd = [one.item for one in systems if zero is not None and one.has_zero() not in (zero, None)]
    if odd:
        have, do = ("have", "never do") if zero else ("never have", "do")
        message = f"The gold links {have} an index 0, but those of {listed(item.name for item in odd)} {do}: "
        message += "do both count words from 0?"
        yield Finding("warning", message, listed(item.file for item in odd), FIX)


def _readings(gold: Linked, systems: Sequence[Linked]) -> Iterator[Finding]:
    """Systems whose AER falls steeply under another reading; one finding for each reading."""
    sure, possible = gold.codes(only_sure=True), gold.codes()
    fits: dict[Reading, list[Fit]] = {}
    for one in systems:
        usual = _aer(sure, possible, one.codes())
        rates = {reading: _aer(sure, possible, one.codes(*reading)) for reading in READINGS}
        best = min(rates, key=lambda reading: rates[reading])
        if rates[best] <= min(usual - STEEP, SHARE * usual):
            fits.setdefault(best, []).append((one.item, usual, rates[best]))
    for reading, fit in fits.items():
        yield _better_read(reading, fit, of_all=len(fit) == len(systems) > 1)


def _better_read(reading: Reading, fits: Sequence[Fit], of_all: bool) -> Finding:
    """The finding on systems that fit gold better under another reading."""
    item, usual, better = fits[0]
    names = listed(one.name for one, _, _ in fits)
    verb = "fits" if len(fits) == 1 else "fit"
    message = f"{names} {verb} the gold links far better {READINGS[reading]}: "
    message += f"the AER of {item.name} falls from {usual:.1f} to {better:.1f}."
    fix = "This is true of all systems, so the gold file is probably the cause. " if of_all else ""
    return Finding("warning", message, listed(one.file for one, _, _ in fits), fix + FIX)


def _aer(sure: Ints, possible: Ints, linked: Ints) -> float:
    """AER in percent of links as numbers; 100 if there are none at all."""
    hits = sum(int(np.isin(linked, gold, assume_unique=True).sum()) for gold in (sure, possible))
    total = len(linked) + len(sure)
    return float(100.0 * (1 - hits / total)) if total else 100.0


def _beyond(files: Sequence[Linked], side: int, text: Item) -> Iterator[Finding]:
    """Files with links, on one side, to words that the text does not have."""
    words = np.array([len(segment.split()) for segment in text.segments])
    for one in files:
        last = np.full(len(words), -1)
        np.maximum.at(last, one.links[:, 0], one.links[:, side])
        outside = np.flatnonzero(last >= words)
        if len(outside):
            first = outside[0]
            message = f"{one.item.name} has links to words that {text.name} does not have, in {count(len(outside), 'segment')}."
            where = f"{one.item.file}, segment {first + 1}: index {last[first]} of {words[first]} words"
            yield Finding("warning", message, where, FIX)


def text_of(texts: Sequence[Item], side: str) -> Item | None:
    """The text of one side: by its role, or the target's by its name."""
    if side == "source":
        return next((item for item in texts if item.role == "source"), None)
    named = [item for item in texts if any(map(TARGET.fullmatch, re.split(r"[.\-_ ]", item.name)))]
    return next((item for item in texts if item.role == "reference"), named[0] if named else None)
