"""One description of each result: its fields make the JSON, the rows, every printed table and the schema.

A `Field` has a name, a type, a sentence and a way to its value. `Fields` are the fields of one record, in the order in
which they are written. The functions below read them, and so do the writers of sigboard/render and docs/json_schema.py:

    as_json(fields, item)           a dict that JSON can hold; undefined numbers are None
    rows(fields, items)             raw numbers, for CSV, data frames and workbooks
    printed(fields, items, **words) headings and cells as texts, for terminals, LaTeX and Markdown

How to describe a result:

- The type is in the notation of docs/schema.md: text, whole, number, flag, any, object or #NAME, then `?` or null, `[]` a
  list, `{}` by name, and at the end `-` may be absent. "number?[][]" is a table of numbers, some of them null.
- `of` leads from the item to the raw value: nothing where the attribute has the name of the field, a path such as
  "setup.metric" or "interval[0]", or a function of the item. Numbers of numpy become plain ones.
- A nested record names its own Fields: `Field("histogram", "object", "...", fields=HISTOGRAM)`. With "object[]" the
  value is a list of records, with "object{}" a dict of them, with "object?" a record or None. "#family" is nested too,
  but the schema describes it only once, under its name.
- An optional field has a type that ends with "-", and its value is ABSENT where it is left out, or None if the type
  has no null.
- What only the caller knows, such as warnings, is given by name: `as_json(fields, item, warnings=warnings)`.
- The field "*" has a dict as its value, whose entries follow there: columns that are named by the data.
- What a row needs beside its record (alpha, the family, a position) is in the item: make a small frozen dataclass, such
  as `Cell` in grid.py or `Judged` in pair.py, and let rows, JSON and tables read that.
- A field with a `heading` is a column of printed tables. The heading may hold words of the table: "at alpha {alpha:g}".
  `unit` says how numbers are printed (see UNITS; decimals and resamples are those of `item.setup` or the item), or `text` prints
  the cell itself. Texts are aligned to the left in a terminal. `data=False`: a column that is printed and nothing else,
  which needs no sentence.
- The same field in another record is `FIELDS["name"].read("path.to.it")`; several are `*FIELDS.only("a", "b")`,
  and under another name it is `FIELDS["name"].named("other")`.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import fields as members
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sigcore.formatting import format_gain, format_interval, format_p, format_p_interval, format_score, format_size
from sigcore.types import Json, Row, Setup

if TYPE_CHECKING:
    from pandas import DataFrame

Of = str | Callable[[Any], Any]

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()
SELF: Of = lambda item: item  # noqa: E731 - a nested record of the same item
REST = "*"  # the field whose value is a dict of further fields
UNDEFINED = "n/a"

# How a unit prints a number, and the two ends of an interval.
UNITS: Mapping[str, Callable[[Any, Setup], str]] = {
    "score": lambda value, setup: format_score(value, setup.decimals),
    "gain": lambda value, setup: format_gain(value, setup.decimals),
    "size": lambda value, setup: format_size(value, setup.decimals),
    "interval": lambda ends, setup: format_interval(ends, setup.decimals),
    "p": lambda value, setup: format_p(value, setup.resamples),
    "p interval": lambda ends, setup: format_p_interval(ends, setup.resamples),
}
PLAIN: Mapping[str, Callable[[Any], str]] = {
    "": str,
    "name": str,
    "count": "{:,}".format,
    "rounded": "{:.0f}".format,
    "share": "{:.1%}".format,
    "shares": lambda ends: UNDEFINED if math.isnan(ends[0]) else f"[{ends[0]:.1%}, {ends[1]:.1%}]",
    "rounded ends": lambda ends: f"[{ends[0]:.0f}, {ends[1]:.0f}]",
    "places": lambda ends: f"{ends[0]} to {ends[1]}" if ends[0] < ends[1] else str(ends[0]),
    "four": "{:.4f}".format,
    "fours": lambda ends: format_interval(ends, 4),
    "statistic": format_score,
    "exact p": lambda value: format_p(value, 0),
}


@dataclass(frozen=True)
class Field:
    """One field of a record: what it is called, what it holds, and how it is read and printed."""

    name: str
    type: str
    sentence: str
    unit: str = ""
    heading: str | None = None
    of: Of = ""
    fields: Fields | None = None
    text: Callable[[Any], str] | None = None
    data: bool = True

    def value(self, item: Any) -> Any:  # Any: what the item has there
        """The raw value of this field of the item; ABSENT where the item has none."""
        found = self.of(item) if callable(self.of) else _path(self.of or self.name)(item)
        if found is None and self.optional and "?" not in self.type:
            return ABSENT
        return found.item() if isinstance(found, np.generic) else found

    def cell(self, item: Any) -> str:
        """The value as it is printed."""
        if self.text is not None:
            return self.text(item)
        value = self.value(item)
        if value is None or value is ABSENT:
            return UNDEFINED
        return PLAIN[self.unit](value) if self.unit in PLAIN else UNITS[self.unit](value, getattr(item, "setup", item))

    def read(self, of: Of) -> Field:
        """The same field of another record."""
        return replace(self, of=of)

    def named(self, name: str, heading: str | None = None) -> Field:
        """The same field under another name, and another heading if there is one."""
        return replace(self, name=name, of=self.of or self.name, heading=heading or self.heading)

    @property
    def optional(self) -> bool:
        """Whether some items do not have it."""
        return self.type.endswith("-")


class Fields(tuple[Field, ...]):
    """The fields of one record, in order; `name` is what the schema calls the record."""

    name: str

    def __new__(cls, name: str, *fields: Field) -> Fields:
        """The fields under this name. Raises: ValueError where two are called the same."""
        made = super().__new__(cls, fields)
        made.name = name
        if len({field.name for field in fields}) < len(fields):
            raise ValueError(f"Two fields of {name} have the same name.")
        return made

    def __getitem__(self, name: str) -> Field:  # type: ignore[override]
        """The field of that name."""
        return next(field for field in self if field.name == name)

    def only(self, *names: str) -> tuple[Field, ...]:
        """The fields of these names, in this order."""
        return tuple(self[name] for name in names)

    def reading(self, **of: Of) -> tuple[Field, ...]:
        """The fields of these names, each read from another record."""
        return tuple(self[name].read(one) for name, one in of.items())


def from_toml(file: str, record: str, /, *made: Field, **more: Mapping[str, Any]) -> Fields:  # Any: functions, records
    """The fields of a record in the TOML file beside the module `file`: what each is called, holds and says. `made` are the fields
    of which the file has the name alone, for their places. `more` has, by the name of a field, what only code can say: `of`,
    `fields`, `text`. Raises: KeyError for a record that is not in the file, StopIteration for a name that nothing describes."""
    given = Fields(record, *made)
    listed = _records(Path(file).with_suffix(".toml"))[record]
    return Fields(
        record, *(Field(**one | more.get(one["name"], {})) if "type" in one else given[one["name"]] for one in listed)
    )


@cache
def _records(path: Path) -> Mapping[str, Any]:  # Any: texts and flags
    """The records in a TOML file, which is read once for all of its records."""
    return tomllib.loads(path.read_text("utf-8"))


DIRECTION = Fields(
    "direction",
    Field("better", "text", "Which scores are better: higher or lower."),
    Field("why", "text", "stated by the user, known by the name of the measure, or assumed."),
)
DIRECTED = Field("direction", "#direction", "Which scores are better, and why.", of="setup.direction", fields=DIRECTION)


@cache
def _path(of: str) -> Callable[[Any], Any]:
    path, _, place = of.partition("[")
    read = attrgetter(path)
    return (lambda item: read(item)[int(place[:-1])]) if place else read


def rows(fields: Fields, items: Iterable[Any]) -> list[Row]:
    """One row of raw values for each item; an absent field makes none of the columns."""
    used = [field for field in fields if field.data]
    return [_row(used, item) for item in items]


def _row(fields: Sequence[Field], item: Any) -> Row:
    row: Row = {}
    for field in fields:
        value = field.value(item)
        if field.name == REST:
            row |= value
        elif value is not ABSENT:
            row[field.name] = value
    return row


def as_json(fields: Fields, item: Any, **given: Any) -> Row:
    """The item as a dict that JSON can hold; the values `given` for fields that it does not have follow at the end."""
    content: Row = {}
    for field in fields:
        value = field.value(item) if field.data and field.name not in given else ABSENT
        if value is ABSENT:
            continue
        if field.name == REST:
            content |= {name: plain(one) for name, one in value.items()}
        else:
            content[field.name] = plain(value) if field.fields is None else _nested(field.type, field.fields, value)
    return content | {name: plain(value) for name, value in given.items()}


def _nested(kind: str, fields: Fields, value: Any) -> Json:
    """A record, or a list or dict of records, as the type says; None stays None."""
    if value is None:
        return None
    kind = kind.rstrip("-?")
    if kind.endswith("[]"):
        return [_nested(kind[:-2], fields, one) for one in value]
    if kind.endswith("{}"):
        return {name: _nested(kind[:-2], fields, one) for name, one in value.items()}
    return as_json(fields, value)


def plain(value: Any) -> Json:
    """The value as JSON can hold it: arrays and tuples as lists, nan and infinities as null."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        # in one step: a grid of 300 systems has a million numbers
        known = np.isfinite(value)
        out: Any = value if known.all() else value.astype(object)
        if not known.all():
            out[~known] = None
        return cast("Json", out.tolist())
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True)
class Printed:
    """A table as it is printed: the fields of its columns, their headings, and the cells of every row."""

    columns: tuple[Field, ...]
    head: list[str]
    cells: list[list[str]]


def printed(fields: Fields, items: Sequence[Any], **words: Any) -> Printed:
    """The columns that have a heading, with these words in it; an optional one only if the first item has it."""
    columns = tuple(field for field in fields if field.heading is not None and _has(field, items))
    head = [str(field.heading).format(**words) for field in columns]
    return Printed(columns, head, [[field.cell(item) for field in columns] for item in items])


def _has(field: Field, items: Sequence[Any]) -> bool:
    return not field.optional or (bool(items) and field.value(items[0]) is not ABSENT)


def freeze(record: Any) -> None:
    """Make every array of a frozen dataclass read-only (called from __post_init__)."""
    for item in members(record):
        value = getattr(record, item.name)
        if isinstance(value, np.ndarray):
            # one number for all cells stays one number in memory
            array = value if value.size and not any(value.strides) else np.ascontiguousarray(value)
            array.setflags(write=False)
            object.__setattr__(record, item.name, array)


def frame(of: Iterable[Row]) -> DataFrame:
    """Rows as a pandas DataFrame."""
    import pandas as pd  # imported only when a frame is requested

    return pd.DataFrame(of)
