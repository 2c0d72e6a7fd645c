"""Tables kept as columns: a column knows its different cells, and a plain table of text is cut into columns at once."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, overload

import numpy as np

from sigcore.types import Ints

LINES_AT_ONCE = 20_000  # rows whose cells exist as separate strings at the same time


class Column(tuple[str, ...]):
    """The cells of a column; how often each occurs is counted once, on first use.

    `numbers` keeps what `numbers.parsed` found in it.
    """

    numbers: Mapping[str, float] | None = None

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Each different cell with the number of rows that have it, in the order of the rows."""
        return Counter(self)

    @property
    def times(self) -> int:
        """How often each cell comes, where all come equally often, more than once; 0 for others."""
        times = {*self.counts.values()}
        return times.pop() if len(times) == 1 and 1 not in times else 0

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)


MOST_PARSED, MOST_KEYS = 20_000, 30  # cells with an object each, and its names


def objects(cells: Sequence[str]) -> dict[str, list[str]]:
    """The values by name in cells that hold an object each, as JSON or Python writes it, all with the same names; {} for others."""
    first = next(iter(cells), "").strip()
    if not (first.startswith("{") and first.endswith("}")) or len(cells) > MOST_PARSED:
        return {}
    found = list(map(_flat, map(_object, cells)))
    same = len({frozenset(one) for one in found}) == 1 and 1 < len(found[0]) <= MOST_KEYS
    plain = same and all(isinstance(cell, str | int | float | None) for one in found for cell in one.values())
    return {name: ["" if one[name] is None else str(one[name]) for one in found] for name in found[0]} if plain else {}


def _flat(value: dict[str, object]) -> dict[str, object]:
    """The object with the values of objects in it below both names: {"bart": {"bleu": 1}} as bart.bleu."""
    nested = {name: own if isinstance(own, dict) else {"": own} for name, own in value.items()}
    return {f"{name}.{inner}".rstrip("."): cell for name, own in nested.items() for inner, cell in own.items()}


def _object(cell: str) -> dict[str, object]:
    """The object in a cell; {} for other cells."""
    for parse in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            value = parse(cell.strip())
            if isinstance(value, dict) and all(isinstance(name, str) for name in value):
                return value
    return {}


def counts(cells: Sequence[str]) -> Mapping[str, int]:
    """Each different cell with its number of rows."""
    return cells.counts if isinstance(cells, Column) else Counter(cells)


def replaced(rows: Iterable[Sequence[str]], columns: Mapping[int, Sequence[str]]) -> list[list[str]]:
    """The rows with other cells, one for each row, in these columns."""
    out = [[*row] for row in rows]
    for k, cells in columns.items():
        for row, cell in zip(out, cells, strict=True):
            row[k] = cell
    return out


class Grid(Sequence[Sequence[str]]):
    """The rows of a table that is kept as columns of equal length."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def __iter__(self) -> Iterator[Sequence[str]]:
        return zip(*self.columns, strict=True)

    @overload
    def __getitem__(self, i: int) -> Sequence[str]: ...
    @overload
    def __getitem__(self, i: slice) -> Grid: ...
    def __getitem__(self, i: int | slice) -> Sequence[str] | Grid:
        if isinstance(i, slice):
            return Grid([Column(column[i]) for column in self.columns])
        return tuple(column[i] for column in self.columns)


def grid(text: str, mark: str) -> Grid | None:
    """The rows of a text in which every line has the same number of cells, and none has quotes; None for another text.

    A last line may end without a line end. Cost: linear in the text; cells that repeat in a column are one string.
    """
    if '"' in text or "\r" in text or not text.isascii() or len(mark) != 1:
        return None
    width, ends = _shape(text, mark)
    if width < 2:
        return None
    columns: list[list[str]] = [[] for _ in range(width)]
    shared: list[dict[str, str]] = [{} for _ in range(width)]
    for first in range(0, len(ends), LINES_AT_ONCE):
        start = int(ends[first - 1]) + 1 if first else 0
        part = text[start : int(ends[min(first + LINES_AT_ONCE, len(ends)) - 1])]
        cells = part.replace("\n", mark).split(mark)
        for k, column in enumerate(columns):
            column += _shared(cells[k::width], shared[k])
    return Grid(list(map(Column, columns)))


def _shape(text: str, mark: str) -> tuple[int, Ints]:
    """The number of cells that all lines have, and the places at which the lines end; (0, ...) if they differ."""
    data = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    ends = ends if text.endswith("\n") else np.append(ends, len(data))
    marks = np.flatnonzero(data == ord(mark))
    width = len(marks) // len(ends) + 1
    if width < 2 or len(marks) != (width - 1) * len(ends):
        return 0, ends
    # the marks of each line lie between its start and its end
    of_line = marks.reshape(len(ends), width - 1)
    apart = (of_line[:, -1] >= ends).any() or (of_line[1:, 0] <= ends[:-1]).any()
    return 0 if apart else width, ends


def _shared(cells: list[str], known: dict[str, str]) -> list[str]:
    """The same cells, where they repeat each as one string."""
    different = set(cells)
    # a single character is one string anyway; a column of them may have a longer heading
    if 2 * len(different) > len(cells) or sum(len(cell) > 1 for cell in different) < 2:
        return cells
    return [known.setdefault(cell, cell) for cell in cells]
