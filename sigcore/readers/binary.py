"""Parquet files, arrays of NumPy and members packed by zstd as text, within the bounds of what may be unpacked."""

from __future__ import annotations

import ast
import json
import math
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sigcore.errors import ReadError
from sigcore.readers.contract import PARTS, Notice

if TYPE_CHECKING:
    from sigcore.readers.archives import Budget

PARQUET, NUMPY = b"PAR1", b"\x93NUMPY"
ZSTD = 93  # how a zip names the method
ROWS = 1_000  # rows of a Parquet file that are unpacked at once
LONGEST_HEADER = 10_000  # bytes before the numbers of an array
AS_TABLE = "Export it as a table: pandas.read_parquet(FILE).to_csv(NAME, index=False)."
AS_TEXT = "Save one score per line: numpy.savetxt(NAME, scores[:, 0]); or a table with a name above each column."


def as_text(file: str, data: bytes, budget: Budget) -> tuple[bytes, list[Notice]]:
    """The text of a Parquet file (a JSON record per row) or of an array (a number per line), other bytes as they are; with
    notices.

    Raises: ReadError for a damaged file, more than the budget allows, and arrays that are not one column of numbers.
    """
    if data.startswith(PARQUET):
        return _parquet(file, data, budget)
    if data.startswith(NUMPY):
        return _array(file, data, budget), [Notice(file, "It is an array of NumPy; each number is a segment.")]
    return data, []


def unzstd(file: str, packed: bytes, check: int, budget: Budget) -> bytes:
    """The bytes that zstd packed, read in parts so that the budget can be watched; `check` is their CRC-32.

    Raises: ReadError for damaged bytes, and more than the budget allows.
    """
    try:
        from pyarrow import ArrowException, BufferReader, CompressedInputStream
    except ImportError:
        fix = "Create the zip with the usual compression (deflate)."
        raise ReadError(f"{file} is compressed with zstd, and pyarrow is not installed.", file, fix=fix) from None
    try:
        data = budget.take(CompressedInputStream(BufferReader(packed), "zstd"), file)
    except (ArrowException, OSError, ValueError) as error:
        raise ReadError(f"{file} is damaged in the archive ({error}).", file, fix="Create the zip again.") from None
    if zlib.crc32(data) != check:
        raise ReadError(f"{file} is damaged in the archive.", file, fix="Create the zip again.")
    return data


def _parquet(file: str, data: bytes, budget: Budget) -> tuple[bytes, list[Notice]]:
    try:
        from pyarrow import ArrowException, BufferReader, parquet
    except ImportError:
        raise ReadError(f"{file} is a Parquet file, and pyarrow is not installed.", file, fix=AS_TABLE) from None
    try:
        opened = parquet.ParquetFile(BufferReader(data))
        flat, nested = _columns(opened)
        if not flat:
            raise ReadError(f"{file} has no column of texts or numbers.", file, fix=AS_TABLE)
        _refuse_long(file, int(opened.metadata.num_rows), flat, budget)
        # texts stay in their dictionary: each may be repeated very often
        texts = [name for name in flat if str(opened.schema_arrow.field(name).type) in ("string", "large_string")]
        opened = parquet.ParquetFile(BufferReader(data), read_dictionary=texts)
        lines = list(_records(file, opened, flat, budget))
    except (ArrowException, OSError, ValueError, KeyError) as error:
        raise ReadError(f"{file} is a damaged Parquet file ({error}).", file, fix="Create it again.") from None
    notices = [Notice(file, f"It is a Parquet file with {len(lines):,} rows.")]
    if nested:
        notices.append(Notice(file, f"Columns that hold lists or records were not used: {', '.join(nested)}."))
    return "".join(lines).encode(), notices


def _refuse_long(file: str, rows: int, columns: list[str], budget: Budget) -> None:
    """Raise ReadError for more rows and cells than may be read, before they are made: equal ones take no space in a file."""
    line = (json.dumps(dict.fromkeys(columns), ensure_ascii=False) + "\n").encode()
    parts = sum(weight * line.count(part) for part, weight in PARTS.items())
    if rows > budget.lines_left or rows * parts > budget.parts_left:
        message = f"{file} has {rows:,} rows of {len(columns):,} columns: more than are read together."
        raise ReadError(message, file, fix="Load fewer files at once, or check what this file holds.")


def _columns(opened: Any) -> tuple[list[str], list[str]]:
    """The columns with one text, number or truth in each row, and the others; the index of pandas counts rows."""
    kinds = {field.name: str(field.type) for field in opened.schema_arrow}
    plain = ("string", "large_string", "bool", "int", "uint", "float", "double", "halffloat", "decimal", "null")
    flat = [name for name, kind in kinds.items() if kind.startswith(plain)]
    return [name for name in flat if not name.startswith("__index_level_")], [
        name for name in kinds if name not in flat
    ]


def _records(file: str, opened: Any, columns: list[str], budget: Budget) -> Iterator[str]:
    """Each row as a line of JSON; the size of a batch is counted before it is made."""
    from pyarrow import compute

    for batch in opened.iter_batches(ROWS, columns=columns):
        size = 0
        for column in batch.columns:
            if hasattr(column, "dictionary"):
                lengths = compute.take(compute.binary_length(column.dictionary), column.indices)
                size += int(compute.sum(lengths).as_py() or 0)
            else:
                size += int(column.nbytes)
        budget.spend(size + len(batch) * sum(map(len, columns)), file)
        cells = [column.to_pylist() for column in batch.columns]
        for row in zip(*cells, strict=True):
            record = {name: _plain(value) for name, value in zip(columns, row, strict=True)}
            yield json.dumps(record, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:
    """A cell as JSON holds it; nan and infinities are missing."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int | None) else str(value)


def _array(file: str, data: bytes, budget: Budget) -> bytes:
    """One number per line; the header of the array is read as a literal, and never as code."""
    shape, kind, start = _header(file, data)
    column = isinstance(shape, tuple) and (len(shape) == 1 or (len(shape) == 2 and 1 in shape))
    if kind.kind not in "fiub" or not column:
        message = f"{file} is an array of shape {shape} and type {kind}, not one column of numbers."
        raise ReadError(message, file, fix=AS_TEXT)
    try:
        numbers = np.frombuffer(data, dtype=kind, offset=start)
        fits = len(numbers) == math.prod(shape)
    except (ValueError, TypeError):
        fits = False
    if not fits:
        raise _damaged_array(file)
    budget.spend(20 * len(numbers), file)
    values = numbers.astype(np.int64 if kind.kind == "b" else kind).tolist()
    return "".join(f"{value!r}\n" for value in values).encode()


def _header(file: str, data: bytes) -> tuple[Any, Any, int]:
    """The shape and the type of an array, and where its numbers begin."""
    first = 10 if data[6:7] == b"\x01" else 12
    length = int.from_bytes(data[8:first], "little")
    if length > LONGEST_HEADER or len(data) < first + length:
        raise _damaged_array(file)
    try:
        header = ast.literal_eval(data[first : first + length].decode("latin-1").strip())
        return header["shape"], np.dtype(header["descr"]), first + length
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError):
        raise _damaged_array(file) from None


def _damaged_array(file: str) -> ReadError:
    return ReadError(f"{file} is a damaged array of NumPy.", file, fix="Create it again.")
