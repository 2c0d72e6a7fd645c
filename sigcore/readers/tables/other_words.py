"""Predicted labels in other words than the right ones: shortened (N for neutral), as words beside numbers, or inside sentences.

Each is a command for a person, who may have to say which number a word means. It is tried before it is printed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from sigcore.readers.tables import agreement, labels, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Way

MOST_LABELS, LONGEST = 12, 3  # different right ones, and the words of one
OFTEN = 2  # one of so many answers has a right label in it


def ways(table: Table) -> list[Way]:
    """The readings in which other columns predict what one is called right, in other words; [] where all have the same, or none."""
    right = labels.right_alone(table)
    if right is None or not _says_labels(table.headings[right].strip()) or table.where("system", "judge"):
        return []
    if not (known := _labels(table, right)) or any(map(table.repeats, table.where("segment", "perhaps segment"))):
        return []
    texts = [k for k in range(len(table.headings)) if k != right and not table.numeric(k)]
    given = labels.perhaps_systems(table, texts)
    if not given:
        return []
    what, roles = labels.predicts(table, right, given)
    if agreement.classes(table, right):
        return _of_numbers(table, given, len(known), (what, roles))
    if cells := _shortened(table, given, known):
        return [(what, f"{roles} --cells {cells}")]
    return [(what, roles)] if all(_holds(table.column(k), known) for k in given) else []


def _says_labels(heading: str) -> bool:
    """Whether a heading says that labels, or what is right, are below it; a value or a score may be one of a system."""
    return words.is_label(heading) or words.role(heading) == "reference" or labels.TRUE.match(heading) is not None


def _labels(table: Table, right: int) -> set[str]:
    """The few short labels of a column; none for other texts."""
    known = {numbers.word(cell) for cell in table.column(right).counts} - {""}
    short = 1 < len(known) <= MOST_LABELS and all(len(word.split()) <= LONGEST for word in known)
    return known if short else set()


def _of_numbers(table: Table, given: Sequence[int], n: int, way: Way) -> list[Way]:
    """The reading in which somebody says which of n numbers each word is."""
    own = sorted({numbers.word(cell) for k in given for cell in table.column(k).counts if cell.strip()})
    if len(own) > n or not all(numbers.few_words(table.column(k)) for k in given):
        return []
    return [(way[0], f"{way[1]} --cells {shlex.join(f'{word}=NUMBER' for word in own)}")]


def _shortened(table: Table, given: Sequence[int], known: set[str]) -> str:
    """One number for each right label and for its short form, as a command says them; "" where a word begins no label, or several."""
    order = sorted(known)
    own = {numbers.word(cell) for k in given for cell in table.column(k).counts} - {""} - known
    starts = {word: [label for label in order if label.startswith(word.rstrip("."))] for word in sorted(own)}
    if not own or any(len(found) != 1 for found in starts.values()):
        return ""
    means = {
        **{label: order.index(label) for label in order},
        **{word: order.index(found[0]) for word, found in starts.items()},
    }
    return shlex.join(f"{word}={number}" for word, number in means.items())


def _holds(cells: Sequence[str], known: set[str]) -> bool:
    """Whether many answers have a right label in them as a word."""
    word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(known)))})\b", re.IGNORECASE)
    return OFTEN * sum(word.search(cell) is not None for cell in cells) >= len(cells)
