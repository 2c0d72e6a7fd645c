"""Words between the numbers of systems (ERROR, timeout): whether they stand for no score, or for 0, is asked."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

from sigcore.formatting import listed
from sigcore.readers.contract import Item, Part
from sigcore.readers.tables import evident, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way

MOST_WORDS = 3


def ask(table: Table, rivals: Mapping[int, Item], references: Sequence[Item]) -> None:
    """Raise the question about such words in the columns that would be systems, with a command for each meaning."""
    own = [k for k, item in rivals.items() if _has_numbers(item)]
    if table.role or table.basis or references or any(_is_known(table, k) for k in own):
        return
    mixed = [k for k in own if rivals[k].kind == "text"]
    if failed := between([rivals[k].segments for k in own]) if mixed and len(own) > 1 else []:
        raise _question(table, own, failed, mixed)


def _has_numbers(item: Item) -> bool:
    return item.kind == "scores" or bool(numbers.numbers_in(item.segments))


def _is_known(table: Table, k: int) -> bool:
    """Whether a heading says that no scores of a system are below it."""
    heading = table.headings[k]
    return table.meanings[k] is not None or words.is_field(heading) or words.is_measure(heading)


def _question(table: Table, own: Sequence[int], failed: Sequence[str], mixed: Sequence[int]) -> Unclear:
    """The question; where no heading does it, another column with other words in each row may name the questions."""
    one = len(failed) == 1
    why = f"{'Does' if one else 'Do'} {listed(failed)} in {listed(table.named(mixed))} stand for no score, or for 0?"
    others = [k for k in range(len(table.headings)) if k not in own and not table.numeric(k) and table.differ([k])]
    asked = (table.where("segment") or table.where("perhaps segment") or others)[:1]
    roles: dict[int, Part] = {**dict.fromkeys(own, "system"), **dict.fromkeys(asked, "question")}
    said = shlex.join(f"{table.headings[k]}={role}" for k, role in sorted(roles.items()))
    return Unclear(table, why, evident.claims(table, "next to them", roles), words_for(failed, said))


def words_for(failed: Sequence[str], said: str) -> list[Way]:
    """Both readings of such words, in a table with these roles."""
    one, ways = len(failed) == 1, list[Way]()
    for what, meant in (("no score", "missing"), ("0", "0")):
        cells = shlex.join(f"{word}={meant}" for word in failed)
        ways.append((f"{listed(failed)} stand{'s' * one} for {what}", f"{said} --cells {cells}"))
    return ways


def between(columns: Sequence[Sequence[str]]) -> list[str]:
    """The few words that come again between the numbers of several columns, in one of them at least; [] for others."""
    odd = list(map(_words, columns))
    found = sorted(set[str]().union(*odd))
    few = 0 < len(found) <= MOST_WORDS and min(map(len, found)) > 1
    mixed = any(0 < sum(words.values()) < len(cells) for words, cells in zip(odd, columns, strict=True))
    again = max((max(one.values(), default=0) for one in odd), default=0) > 1
    return found if few and mixed and again and not numbers.truths(found, numbers.OUTCOMES) else []


def _words(cells: Sequence[str]) -> Counter[str]:
    """How often each word stands among the numbers."""
    return Counter(cell.strip() for cell in cells if not (numbers.is_number(cell) or numbers.is_missing(cell)))
