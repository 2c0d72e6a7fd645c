"""Test sets that only a file name suggests and nothing confirms: my-no.txt is a system, not Burmese."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sigcore.readers import names
from sigcore.readers.contract import Item

# Readers that find the test set inside a file.
NAMED_INSIDE = frozenset(("wmt_xml", "wmt_sgm", "known"))
Dropped = list[tuple[Item, Item]]


def settled(items: Sequence[Item]) -> tuple[list[Item], Dropped]:
    """The items, and those that lost an unconfirmed test set, each with the reference that it matches.

    If there are several test sets, one that appears in the name of a single output, and of no reference, source or
    document, is dropped if the output has as many segments as a reference of another: systems often have such names.
    """
    if len({item.testset for item in items if item.testset}) < 2:
        return list(items), []
    doubtful = _doubtful(items)
    references = {len(item.segments): item for item in reversed(items) if item.role == "reference"}
    kept: list[Item] = []
    dropped: Dropped = []
    for item in items:
        other = references.get(len(item.segments)) if item.testset in doubtful else None
        if other is not None:
            dropped.append((item, other))
            item = replace(item, testset="")
        kept.append(item)
    return kept, dropped


def _doubtful(items: Sequence[Item]) -> set[str]:
    """The test sets that only the name of one file suggests."""
    files = Counter(testset for testset, _ in {(item.testset, item.file) for item in items})
    sure = {item.testset for item in items if item.testset and not _is_guess(item)}
    return {testset for testset, number in files.items() if testset and number == 1} - sure


def _is_guess(item: Item) -> bool:
    """Whether only the name of an output indicates its test set."""
    if item.role != "system" or item.reader in NAMED_INSIDE:
        return False
    return item.testset == names.guess_testset(item.file) and not names.in_campaign(item.file)
