"""Entities before and after they form a test set: one gold answer, the same words everywhere, types and places that fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sigcore.data.checks import Checked, Finding
from sigcore.formatting import count, counted, listed
from sigcore.readers import Item
from sigcore.text import spans
from sigcore.text.spans import Span
from sigcore.types import Kind

ENOUGH = 5  # entities from which on an output without any gold type, or gold place, is doubted
STEEP = 2.0  # so many times as many hits with other ends are no accident
SHIFTS = {
    (0, 1): "if its ends are one further: does it name the last letter or word, and not the one after it?",
    (0, -1): "if its ends are one earlier: do the gold places name the last letter or word, and not the one after it?",
    (-1, -1): "if its places are one earlier: does it count from 1?",
    (1, 1): "if its places are one further: does gold count from 1?",
}


def agreeing(items: Sequence[Item], kind: Kind, findings: list[Finding]) -> list[Item]:
    """The items without files whose gold entities, or words, are not those of the others; each such file is reported.

    Of several gold answers the most frequent one is right, of equally frequent ones the first.
    """
    references = [item for item in items if item.role == "reference"]
    if kind != "spans" or not references:
        return list(items)
    most = Counter(item.segments for item in references).most_common(1)[0][0]
    gold = next(item for item in references if item.segments == most)
    odd = {item.file: item for item in references if item.segments != gold.segments}
    findings += [_other_gold(item, gold) for item in odd.values()]
    return _of_gold_words([item for item in items if item.file not in odd], gold, findings)


def _of_gold_words(items: Sequence[Item], gold: Item, findings: list[Finding]) -> list[Item]:
    """The items without systems whose words are not those of gold, which are reported."""
    faults = {item.file: fault for item in items if item.role == "system" and (fault := _other_words(item, gold))}
    findings += faults.values()
    return [item for item in items if item.role != "system" or item.file not in faults]


def _other_words(item: Item, gold: Item) -> Finding | None:
    """The error of a system whose words are not those of gold."""
    fault = spans.first_difference(item.segments, gold.segments)
    sizes = len(item.segments), len(gold.segments)
    if fault is None and sizes[0] == sizes[1]:
        return None
    what = f"{item.name}, {fault.what}" if fault else f"{item.name} ends too early or too late."
    if sizes[0] != sizes[1]:
        what += f" It has {count(sizes[0], 'sentence')}, gold has {sizes[1]:,}."
    fix = fault.fix if fault else spans.SAME_WORDS
    return Finding("error", what, item.file, fix)


def _other_gold(item: Item, gold: Item) -> Finding:
    """The error of a file with other gold entities than most; its first difference."""
    fix = "Make all files from one gold file. If they are of two test sets, compare each alone."
    where = f"{item.file} and {gold.file}"
    fault = spans.first_difference(item.segments, gold.segments, (item.name, gold.name))
    if fault is not None:
        return Finding("error", f"The gold sides of two files have other words: {fault.what}", where, fix)
    if len(item.segments) != len(gold.segments):
        sizes = f"{count(len(item.segments), 'sentence')} and {len(gold.segments):,}"
        return Finding("error", f"The gold sides of {item.name} and {gold.name} have {sizes}.", where, fix)
    pairs = enumerate(zip(item.segments, gold.segments, strict=True), 1)
    number, (own, other) = next((k, pair) for k, pair in pairs if pair[0] != pair[1])
    alone = sorted({*spans.all_of(own)} ^ {*spans.all_of(other)})[0]
    having = item.name if alone in spans.all_of(own) else gold.name
    what = f"The gold entities of {item.name} and {gold.name} differ in sentence {number}: "
    return Finding("error", f"{what}only {having} has {_shown(own, alone)}.", where, fix)


def _shown(segment: str, span: Span) -> str:
    """An entity with its type: 'Peter Blackburn' (PER)."""
    return f"{spans.covered(segment, span)[:40]!r} ({span.type})"


def examine(checked: Checked) -> Iterator[Finding]:
    """Systems that equal gold, have types that gold has not, or fit far better with other ends."""
    if not checked.references:
        return
    gold = checked.references[0]
    right = [set(spans.all_of(segment)) for segment in gold.segments]
    types = {span.type for found in right for span in found}
    for item in checked.systems:
        own = [set(spans.all_of(segment)) for segment in item.segments]
        if own == right:
            message = f"{item.name} has every gold entity and no other: its F1 is 100."
            yield Finding("warning", message, f"{item.file} and {gold.file}", "Is it a copy of the gold file?")
        yield from _types(item, own, types)
        yield from _places(item, own, right)


def _types(item: Item, own: Sequence[set[Span]], types: set[str]) -> Iterator[Finding]:
    """Types of an output that gold does not have: an error where it has no other, in several entities."""
    numbers = Counter(span.type for found in own for span in found)
    unknown = sorted(name for name in numbers if name not in types)
    if not unknown:
        return
    known = f"gold has {listed(sorted(types)) or 'no entity'}"
    if len(unknown) == len(numbers) and numbers.total() >= ENOUGH:
        message = f"No type of {item.name} is a gold type: it has {listed(unknown)}, {known}."
        yield Finding("error", message, item.file, "Give the types the names that gold has (PERSON or PER).")
    else:
        wrong = sum(numbers[name] for name in unknown)
        message = f"{item.name} has types that gold does not have: {listed(unknown)}. {known[:1].upper()}{known[1:]}."
        fix = f"{counted(wrong, 'entity', 'is', 'are')} wrong for this reason."
        yield Finding("warning", message, item.file, fix)


def _places(item: Item, own: Sequence[set[Span]], right: Sequence[set[Span]]) -> Iterator[Finding]:
    """An output that has far more entities of gold if its places are counted in another way."""
    found = {shift: _hits(own, right, shift) for shift in ((0, 0), *SHIFTS)}
    best = max(found, key=lambda shift: found[shift])
    if found[best] >= ENOUGH and found[best] > STEEP * found[0, 0]:
        message = f"{item.name} has {count(found[0, 0], 'gold entity')}, but {found[best]:,} {SHIFTS[best]}"
        yield Finding("warning", message, item.file, "Give all files places that are counted alike.")


def _hits(own: Sequence[set[Span]], right: Sequence[set[Span]], shift: tuple[int, int]) -> int:
    moved = ({s._replace(start=s.start + shift[0], end=s.end + shift[1]) for s in found} for found in own)
    return sum(len(one & other) for one, other in zip(moved, right, strict=True))
