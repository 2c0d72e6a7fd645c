"""Nonsense that a table would become: rivals on different scales, a system equal to the reference, constant columns."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from sigcore.formatting import listed
from sigcore.readers.contract import Found, Item
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers, scale
from sigcore.readers.tables.said import unclear
from sigcore.readers.tables.scale import FEWEST
from sigcore.readers.tables.table import Table

COUNTED = 10  # rows; in fewer, scores may go up by 1 by chance


def refuse(table: Table, result: Found) -> None:
    """Raise ReadError, which shows the columns and how to name them, if what was read from a table makes no sense."""
    why = next(_reasons(table, result), "")
    if why:
        raise unclear(table, why)


def _reasons(table: Table, result: Found) -> Iterator[str]:
    """What makes no sense in the items of a table."""
    systems = [item for item in result.items if item.role == "system"]
    texts = [item for item in systems if item.kind == "text"]
    references = [item for item in result.items if item.role == "reference"]
    # a column of systems says which are systems; the scales of their scores are checked when they are compared
    long_form = bool(table.where("system"))
    by_measure: dict[str, list[Item]] = {}
    for item in systems:
        if item.kind == "scores" and not long_form:
            by_measure.setdefault(item.measure, []).append(item)
    for rivals in by_measure.values():
        yield from _about_scores(rivals)
    if len(table.rows) >= FEWEST:
        yield from _about_texts(texts, references)
    yield from _about_kinds(table, texts, by_measure, references)
    yield from _about_ids(table, result)


def _about_scores(rivals: Sequence[Item]) -> Iterator[str]:
    """Columns of scores that cannot be rivals."""
    if len(rivals) < 2:
        return
    yield from _about_names([item.name for item in rivals])
    scales = [(item.name, _values(item)) for item in rivals]
    yield from _about_numbers(scales)
    low, high = scale.different(scales)
    if low and high:
        yield f"Are {low} and {high} scores of rival systems? Their numbers are on very different scales."


def _about_numbers(scales: Sequence[tuple[str, Sequence[float]]]) -> Iterator[str]:
    """Columns that count the rows, or have one number, beside others that do not."""
    counting = [name for name, values in scales if _counts(values)]
    same = [name for name, values in scales if len(values) >= FEWEST and len(set(values)) == 1]
    if counting and len(counting) < len(scales):
        yield f"These columns count the rows, so they are hardly scores: {listed(counting)}."
    if same and len(same) < len(scales):
        yield f"These columns have the same number in every row, so they are hardly scores: {listed(same)}."


def _about_names(names: Sequence[str]) -> Iterator[str]:
    """Headings of rivals that name something else."""
    fields, measures = list(filter(words.is_field, names)), list(filter(words.is_measure, names))
    if fields:
        yield f"By their headings these columns are fields of a log, not systems: {listed(fields)}."
    if measures and len(measures) < len(names):
        others = [name for name in names if name not in measures]
        yield f"By their headings {listed(measures)} are measures, but {listed(others)} may be systems: which is it?"


def _counts(values: Sequence[float]) -> bool:
    """Whether the numbers go up by 1 in every row."""
    return len(values) >= COUNTED and values[0] in (0, 1) and all(b - a == 1 for a, b in itertools.pairwise(values))


def _values(item: Item) -> list[float]:
    values = (float(cell) for cell in item.segments if numbers.is_number(cell))
    return [value for value in values if math.isfinite(value)]


def _about_texts(texts: Sequence[Item], references: Sequence[Item]) -> Iterator[str]:
    """Columns of text that cannot be outputs."""
    same = [item.name for item in texts if len(set(item.segments)) == 1]
    if same and len(texts) > 1:
        yield f"These columns have the same text in every row, so they are hardly outputs: {listed(same)}."
    for item in texts:
        copy = next((gold for gold in references if scale.is_copy(item.segments, gold.segments)), None)
        if copy is not None and len(texts) > 1:
            yield f"{item.name} is the same as the reference {copy.name}, so it is hardly an output."


def _about_kinds(
    table: Table, texts: Sequence[Item], scores: dict[str, list[Item]], references: Sequence[Item]
) -> Iterator[str]:
    """Unknown columns of text next to columns of numbers: both would be systems."""
    named = {item.name for rivals in scores.values() for item in rivals}
    unknown = [item.name for item in texts if words.meaning(item.name) != "text" and item.name not in named]
    outputs = [item.name for item in texts if words.meaning(item.name) == "text"]
    if outputs and unknown and not table.where("system"):
        yield f"By its heading {outputs[0]} is the output of one system: what are {listed(unknown)}?"
    if unknown and scores and not table.where("system"):
        yield f"It has columns of text ({listed(unknown)}) and columns of numbers ({listed(named)}): which are systems?"


def _about_ids(table: Table, result: Found) -> Iterator[str]:
    """Names of segments that repeat, which a table with a column per system cannot have."""
    ids = table.where("segment")
    if not ids or table.role or any(item.keys for item in result.items) or table.where("system", "measure"):
        return
    seen: dict[str, int] = {}
    heading = table.headings[ids[0]]
    for i, row in enumerate(table.rows):
        first = seen.setdefault(row[ids[0]], i)
        if first != i and row[ids[0]].strip():
            yield f"Row {i + 1} has {heading} {row[ids[0]]} a second time (first in row {first + 1})."
            return
