"""The items of several files in one intake: shared documents once, and names that differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigcore.formatting import unique
from sigcore.readers.contract import SHARED, Item, Notice

SHEET = ".xlsx/"  # in the name of a sheet of a workbook
Place = tuple[str, str, str, bool]


def once(items: Iterable[Item]) -> list[Item]:
    """The items, without the documents and domains that several files of a test set repeat, and the texts that several
    sheets of a workbook repeat."""
    seen = set[tuple[str, ...]]()
    kept = []
    for item in items:
        book = item.file.lower().partition(SHEET)[0] if SHEET in item.file.lower() and item.kind == "text" else ""
        content = (item.testset, item.role, *((book, item.name) if book else ()), *item.segments)
        if item.role in SHARED or book:
            if content in seen:
                continue
            seen.add(content)
        kept.append(item)
    return kept


def named_apart(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items with names that differ within each place, and a notice for each system that got a number.

    Text and scores of one system share its name, and so do its outputs in several test sets, and a system and a
    reference. Documents and domains keep their names: nobody asks for them by name.
    """
    renamed, notices = list(items), list[Notice]()
    by_place: dict[Place, list[int]] = {}
    for i, item in enumerate(items):
        if item.role not in SHARED:
            by_place.setdefault(place(item), []).append(i)
    for members in by_place.values():
        for i, name in zip(members, unique(items[i].name for i in members), strict=True):
            if name == items[i].name:
                continue
            renamed[i] = replace(items[i], name=name)
            if items[i].role == "system":
                message = f"Another system has the name {items[i].name!r}; this one is called {name!r}."
                notices.append(Notice(items[i].file, message))
    return renamed, notices


def place(item: Item) -> Place:
    """Where a name may be used once: the test set, the kind, the measure, and whether it is a system."""
    return item.testset, item.kind, item.measure, item.role == "system"
