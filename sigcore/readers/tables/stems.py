"""Columns X_ref and X_pred: what is right of X and what one system said, where X is a language or a part of the task."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sigcore.formatting import listed
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import doubts, evident
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table

RIGHT = re.compile(r"(?P<stem>.+?)[-_. ](?:ref|reference|gold|truth)", re.IGNORECASE)
SAID = re.compile(r"(?P<stem>.+?)[-_. ](?:pred|prediction|predicted|hyp|hypothesis|mt)", re.IGNORECASE)
SOURCE, OUTPUT = "source", "prediction"  # headings of the vocabulary
Stems = dict[str, tuple[int, int]]  # the columns of what is right and of what was said


def paired(table: Table, result: Found) -> Table:
    """The table with a reference and one output, or with a system for each stem where all have the same reference; as it
    is where no two headings are like that, or where each stem has a reference of its own (see `parts`)."""
    found = _stems(table)
    if not found or _differ(table, found):
        return table
    right = next(iter(found.values()))[0]
    said = {k: stem if len(found) > 1 else OUTPUT for stem, (_, k) in found.items()}
    gone = [gold for gold, _ in found.values() if gold != right]
    message = f"{table.headings[right]} was read as the reference of {listed(table.named(said))}."
    result.notices.append(Notice(table.file, message))
    result.claims.append(evident.claim(table, right, "reference", "by its heading what is right"))
    result.claims += [
        evident.claim(table, k, "system" if len(found) > 1 else "text", "beside its reference") for k in said
    ]
    headed = table.renamed({right: evident.GOLD, **said, **_sources(table, found)})
    if len(found) > 1:
        headed = replace(headed, basis="said")
    rest = [k for k in _others(table, found) if k not in _sources(table, found)]
    evident.left_out(table, rest, f"beside {listed(table.named(said))}", result)
    return headed.without({*gone, *rest})


def parts(table: Table) -> Iterator[tuple[str, Table]]:
    """The part of the table about each stem, where each has a reference of its own; nothing for others."""
    found = _stems(table)
    if not found or not _differ(table, found):
        return
    own = {k for pair in found.values() for k in pair}
    for stem, pair in found.items():
        yield stem, table.without(own - {*pair})


def _differ(table: Table, found: Stems) -> bool:
    """Whether stems have other references."""
    return len({tuple(table.column(right)) for right, _ in found.values()}) > 1


def _stems(table: Table) -> Stems:
    """The stems with both columns, which hold texts; {} where another column may be a reference, or the output of a system."""
    if table.role or table.basis or table.where("system", "judge", "text"):
        return {}
    right, said = (_by_stem(table, pattern) for pattern in (RIGHT, SAID))
    found = {stem: (right[stem], said[stem]) for stem in right if stem in said}
    used = {k for pair in found.values() for k in pair}
    others = {*table.gold, *table.headed(SAID.fullmatch)} - used
    if not found or others or any(table.numeric(k) for k in used):
        return {}
    return {} if any(_like_right(table, k, found) for k in _others(table, found)) else found


def _by_stem(table: Table, pattern: re.Pattern[str]) -> Mapping[str, int]:
    return {match["stem"]: k for k, name in enumerate(table.headings) if (match := pattern.fullmatch(name.strip()))}


def _others(table: Table, found: Stems) -> list[int]:
    """The other columns of texts without a known heading."""
    used = {k for pair in found.values() for k in pair}
    open_ = [k for k, means in enumerate(table.meanings) if means is None and k not in used and not table.numeric(k)]
    return [k for k in open_ if words.role(table.headings[k]) == "system"]


def _like_right(table: Table, k: int, found: Stems) -> bool:
    """Whether a column of texts shares most of its words with what is right: it may be another output."""
    own = _item(table, k)
    return any(doubts.shared(own, _item(table, right)) >= doubts.SHARED for right, _ in found.values())


def _item(table: Table, k: int) -> Item:
    return Item(table.headings[k], "system", "text", tuple(table.column(k)), table.file, "")


def _sources(table: Table, found: Stems) -> dict[int, str]:
    """The one other column of texts below the code of a language, which is what was translated, with its new heading."""
    named = [k for k in _others(table, found) if words.is_kind(table.headings[k])]
    return {named[0]: SOURCE} if len(named) == 1 and all(map(words.is_kind, found)) else {}
