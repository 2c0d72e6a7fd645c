"""What is odd about word links: words counted from the wrong number, links turned round, indices beyond a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from sigcore.readers import Item
from sigcore.studies.doctor import Finding, count, listed
from sigcore.text import links

LOOKED_AT = 2_000  # segments: enough to tell, and quick on any test set
ENOUGH = 10  # segments with links, below which nothing is said of the number they start from
STEEP, SHARE = 15.0, 0.7  # AER must fall by so many points, and to so much of what it was
TARGET = re.compile(r"tgt|trg|target", re.IGNORECASE)

# How a system's links may have to be read to fit gold: (added to both ends, turned round) -> in words
READINGS = {
    (1, False): "with 1 added to every index (words counted from the wrong number)",
    (-1, False): "with 1 taken from every index (words counted from the wrong number)",
    (0, True): "with source and target exchanged (the wrong direction)",
    (1, True): "with source and target exchanged and 1 added to every index",
    (-1, True): "with source and target exchanged and 1 taken from every index",
}
MEND = "Read the file again with the right options (words from 0 or from 1, reverse), or mend the gold file."


def examine(items: Sequence[Item], all_items: Iterable[Item]) -> Iterator[Finding]:
    """All that is odd about the links of a test set; `all_items` may hold the text, which is of another kind."""
    references = [item for item in items if item.role == "reference"]
    systems = [item for item in items if item.role == "system"]
    for gold in references[:1]:
        yield from _starts(gold, systems)
        yield from _readings(gold, systems)
    yield from _beyond([*references, *systems], list(all_items))


def _starts(gold: Item, systems: Sequence[Item]) -> Iterator[Finding]:
    """Systems that have an index 0 where gold has none, or none where gold has one."""
    zero = _has_zero(gold)
    odd = [item for item in systems if zero is not None and _has_zero(item) not in (zero, None)]
    if odd:
        have, do = ("have", "never do") if zero else ("never have", "do")
        what = f"The gold links {have} an index 0, those of {listed(item.name for item in odd)} {do}: "
        what += "do both count words from 0?"
        yield Finding("warning", what, listed(item.file for item in odd), MEND)


def _has_zero(item: Item) -> bool | None:
    """Whether any link has an end that is 0; None where there are too few to tell."""
    filled = [segment for segment in item.segments if segment]
    if len(filled) < ENOUGH:
        return None
    return any(0 in pair for segment in filled for pair in links.pairs(segment))


def _readings(gold: Item, systems: Sequence[Item]) -> Iterator[Finding]:
    """Systems whose AER falls steeply under another reading; one finding for each reading."""
    found: dict[tuple[int, bool], list[tuple[Item, float, float]]] = {}
    for item in systems:
        rates = {reading: _aer(gold, item, *reading) for reading in ((0, False), *READINGS)}
        usual = rates.pop((0, False))
        best = min(rates, key=lambda reading: rates[reading])
        if rates[best] <= min(usual - STEEP, SHARE * usual):
            found.setdefault(best, []).append((item, usual, rates[best]))
    for reading, fits in found.items():
        item, usual, better = fits[0]
        names = listed(one.name for one, _, _ in fits)
        verb = "fits" if len(fits) == 1 else "fit"
        what = f"{names} {verb} the gold links far better {READINGS[reading]}: "
        what += f"the AER of {item.name} falls from {usual:.1f} to {better:.1f}."
        mend = "As all systems do, it is rather the gold file. " if len(fits) == len(systems) > 1 else ""
        yield Finding("warning", what, listed(one.file for one, _, _ in fits), mend + MEND)


def _aer(gold: Item, item: Item, by: int, reverse: bool) -> float:
    """AER of the first segments with the links read otherwise; 100 where there is no link at all."""
    own = [links.moved(segment, by, reverse) for segment in item.segments[:LOOKED_AT]]
    a, s, sure, possible = links.gold_links(gold.segments[:LOOKED_AT]).rows(own, None).sum(axis=0)
    return float(100.0 * (1 - (sure + possible) / (a + s))) if a + s > 0 else 100.0


def _beyond(items: Sequence[Item], all_items: Sequence[Item]) -> Iterator[Finding]:
    """Links to words that the loaded text does not have, and sentences that end too early for gold."""
    n = len(items[0].segments) if items else 0
    texts = [item for item in all_items if item.kind == "text" and len(item.segments) == n]
    for side, text in enumerate((_text(texts, "source"), _text(texts, "target"))):
        if text is None:
            continue
        lengths = np.array([len(segment.split()) for segment in text.segments])
        for item in items:
            last = np.array([max((pair[side] for pair in links.pairs(s)), default=-1) for s in item.segments])
            beyond = np.flatnonzero(last >= lengths)
            if len(beyond):
                what = f"{item.name} links words that {text.name} does not have, in {count(len(beyond), 'segment')}."
                where = f"{item.file}, segment {beyond[0] + 1}: index {last[beyond[0]]} of {lengths[beyond[0]]} words"
                yield Finding("warning", what, where, MEND)


def _text(texts: Sequence[Item], side: str) -> Item | None:
    """The text of one side: by its role, or the target's by its name."""
    if side == "source":
        return next((item for item in texts if item.role == "source"), None)
    named = [item for item in texts if any(map(TARGET.fullmatch, re.split(r"[.\-_ ]", item.name)))]
    return next((item for item in texts if item.role == "reference"), named[0] if named else None)
