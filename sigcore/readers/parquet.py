"""Parquet files to records, within the bounds of what may be unpacked."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers import packed
from sigcore.readers.contract import PARTS, Notice
from sigcore.types import Value

ROWS = 1_000  # rows that are unpacked at once
FLAT = "Make it flat: pandas.json_normalize(pandas.read_parquet(FILE).to_dict('records')).to_csv(NAME, index=False)."


class Budget(Protocol):
    """What all files together may still unpack to."""

    @property
    def lines_left(self) -> int:
        """The lines that may still be read."""

    @property
    def parts_left(self) -> int:
        """The cells, values and lines, weighted, that may still be read."""

    def spend(self, size: int, file: str) -> None:
        """Count so many bytes of a file; raises ReadError where they are too many."""


def as_records(file: str, data: bytes, budget: Budget) -> tuple[bytes, list[Notice]]:
    """The rows of a Parquet file as lines of JSON, names inside names joined by dots, with notices.

    Raises: ReadError for a damaged file, one without a column of texts or numbers, and more than the budget allows.
    """
    try:
        from pyarrow import ArrowException, BufferReader, parquet
    except ImportError:
        raise ReadError(f"{file} is a Parquet file, and pyarrow is not installed.", file, fix=packed.AS_TABLE) from None
    try:
        opened = parquet.ParquetFile(BufferReader(data))
        flat, nested = _columns(opened)
        if not flat:
            raise ReadError(f"{file} has no column of texts or numbers: {listed(nested)} hold others.", file, fix=FLAT)
        _refuse_long(file, int(opened.metadata.num_rows), flat, budget)
        # texts stay in their dictionary: each may be repeated very often
        fields = {field.name: str(field.type) for field in opened.schema_arrow}
        texts = [name for name in flat if fields.get(name) in ("string", "large_string")]
        opened = parquet.ParquetFile(BufferReader(data), read_dictionary=texts)
        lines = list(_records(file, opened, flat, budget))
    except (ArrowException, OSError, ValueError, KeyError) as error:
        raise ReadError(f"{file} is a damaged Parquet file ({error}).", file, fix="Create it again.") from None
    notices = [Notice(file, f"It is a Parquet file with {count(len(lines), 'row')}.")]
    if nested:
        notices.append(Notice(file, f"Columns that hold lists or records were not used: {', '.join(nested)}."))
    return "".join(lines).encode(), notices


def _refuse_long(file: str, rows: int, columns: list[str], budget: Budget) -> None:
    """Raise ReadError for more rows and cells than may be read, before they are made: equal ones take no space in a file."""
    line = (json.dumps(dict.fromkeys(columns), ensure_ascii=False) + "\n").encode()
    parts = sum(weight * line.count(part) for part, weight in PARTS.items())
    if rows > budget.lines_left or rows * parts > budget.parts_left:
        message = f"{file} has {count(rows, 'row')} of {count(len(columns), 'column')}: more than are read together."
        raise ReadError(message, file, fix="Load fewer files at once, or check what this file holds.")


def _columns(opened: Any) -> tuple[list[str], list[str]]:
    """The columns with one text, number or truth in each row, and the others; the index of pandas counts rows."""
    kinds = dict(_leaves(opened.schema_arrow))
    plain = ("string", "large_string", "bool", "int", "uint", "float", "double", "halffloat", "decimal", "null")
    flat = [name for name, kind in kinds.items() if kind.startswith(plain)]
    nested = [name for name in kinds if name not in flat]
    return [name for name in flat if not name.startswith("__index_level_")], nested


def _leaves(fields: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """The name and the type of each column; the parts of a record have its name before theirs."""
    for field in fields:
        name, kind = f"{before}{field.name}", str(field.type)
        if kind.startswith("struct<"):
            yield from _leaves([field.type.field(k) for k in range(field.type.num_fields)], f"{name}.")
        else:
            yield name, kind


def _cut(batch: Any, names: Sequence[str]) -> list[Any]:
    """The columns of these names, or the parts of records."""
    from pyarrow import compute

    paths = [[name] if name in batch.schema.names else name.split(".") for name in names]
    return [
        compute.struct_field(batch.column(path[0]), path[1:]) if path[1:] else batch.column(path[0]) for path in paths
    ]


def _records(file: str, opened: Any, columns: list[str], budget: Budget) -> Iterator[str]:
    """Each row as a line of JSON; the size of a batch is counted before it is made."""
    from pyarrow import compute

    names = (json.dumps(name, ensure_ascii=False).replace("%", "%%") for name in columns)
    line = "{" + ", ".join(f"{name}: %s" for name in names) + "}\n"
    for batch in opened.iter_batches(ROWS, columns=columns):
        size, cut = 0, _cut(batch, columns)
        for column in cut:
            if hasattr(column, "dictionary"):
                lengths = compute.take(compute.binary_length(column.dictionary), column.indices)
                size += int(compute.sum(lengths).as_py() or 0)
            else:
                size += int(column.nbytes)
        budget.spend(size + len(batch) * sum(map(len, columns)), file)
        cells = [_encoded(column.to_pylist()) for column in cut]
        yield from map(line.__mod__, zip(*cells, strict=True))


def _encoded(values: Sequence[object]) -> list[str]:
    """The cells of a column as JSON; numbers without a fraction, texts and truths once for each different one."""
    if set(map(type, values)) <= {float, type(None)}:  # as json writes them
        return ["null" if one is None or not math.isfinite(one) else repr(one) for one in values]  # type: ignore[arg-type]
    known: dict[object, str] = {}
    for value in set(values) if not any(isinstance(one, float) for one in values) else ():
        known[value] = json.dumps(_plain(value), ensure_ascii=False)
    return [known[one] if known else json.dumps(_plain(one), ensure_ascii=False) for one in values]


def _plain(value: object) -> Value:
    """A cell as JSON holds it; nan and infinities are missing."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else str(value)
