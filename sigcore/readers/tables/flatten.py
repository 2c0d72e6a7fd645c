"""A record of JSON to the cells of a row: nested names joined by dots, lists of texts numbered, ratings averaged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from sigcore.errors import ReadError
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.shapes import Record

DEEPEST = 20


@dataclass
class Flat:
    """The lists met while flattening: ratings that were averaged, texts with their greatest length, and others."""

    averaged: dict[str, None] = field(default_factory=dict)
    numbered: dict[str, int] = field(default_factory=dict)
    unused: dict[str, None] = field(default_factory=dict)


def flat(file: str, number: int, record: Record, lists: Flat, prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The record as cells: nested records get names with a dot, lists of texts a number, lists of ratings their mean."""
    out: dict[str, str] = {}
    if depth > DEEPEST:
        raise ReadError(f"record {number} is nested more than {DEEPEST} deep.", file, number, "Flatten it.")
    for name, value in record.items():
        heading = f"{prefix}{name}"
        if isinstance(value, dict):
            out |= flat(file, number, value, lists, f"{heading}.", depth + 1)
        elif isinstance(value, list):
            out |= _flat_list(heading, value, lists)
        else:
            out[heading] = cell(value)
    return out


def _flat_list(heading: str, values: Sequence[object], lists: Flat) -> dict[str, str]:
    """A list of texts as one cell each (the sentences of an output as one cell), a list of ratings as their mean."""
    if all(isinstance(value, str) for value in values):
        return _texts(heading, list(map(str, values)), lists)
    if means := _named_means(heading, values):
        return means
    ratings = _ratings(heading, values)
    if ratings is None:
        lists.unused[heading] = None
        return {}
    lists.averaged |= dict.fromkeys(ratings)
    return {name: _mean(numbers) for name, numbers in ratings.items()}


def _named_means(heading: str, values: Sequence[object]) -> dict[str, str]:
    """The mean of each named statistic in a list of them, as HELM writes it; {} for a list of something else."""
    out: dict[str, str] = {}
    for value in values:
        if not isinstance(value, dict) or not {"name", "count"} <= value.keys():
            return {}
        name = value["name"]["name"] if isinstance(value["name"], dict) and "name" in value["name"] else value["name"]
        out[f"{heading}.{name}"] = cell(value.get("mean"))
    return out


def _texts(heading: str, texts: Sequence[str], lists: Flat) -> dict[str, str]:
    """A list of texts, possibly empty, as cells."""
    if not texts:
        return {}
    if words.meaning(heading.rpartition(".")[2]) == "text":
        return {heading: "\n".join(texts)}
    lists.numbered[heading] = max(lists.numbered.get(heading, 0), len(texts))
    return {f"{heading} {k}": text for k, text in enumerate(texts, 1)}


def _ratings(heading: str, values: Sequence[object]) -> dict[str, list[object]] | None:
    """The numbers in a list of ratings, or of records of ratings, by heading; None for a list of something else."""
    if all(map(_is_rating, values)):
        return {heading: list(values)}
    records = [value for value in values if isinstance(value, dict) and all(map(_is_rating, value.values()))]
    if len(records) < len(values):
        return None
    parts = dict.fromkeys(name for record in records for name in record)
    return {f"{heading}.{name}": [record[name] for record in records if name in record] for name in parts}


def _is_rating(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _mean(values: Sequence[object]) -> str:
    try:
        return repr(math.fsum(map(float, values)) / len(values))  # type: ignore[arg-type]
    except OverflowError:  # reported later as not a finite number, with its place
        return "inf"


def cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
