"""Bytes packed by gzip, bzip2, xz or zstd, unpacked in parts of bounded size; and the members of a tar archive."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from sigcore.errors import ReadError

GZIP, BZIP2, XZ, ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
PACKED = (GZIP, BZIP2, XZ, ZSTD)
ENDS = {".tgz": ".tar", ".gz": "", ".bz2": "", ".xz": "", ".zst": ""}  # of names, and what stays without them
TAR, TAR_AT = b"ustar", 257
MOST_MEMORY = 160 << 20  # bytes that xz may use: more than its own highest level
DAMAGE = (EOFError, OSError, ValueError, lzma.LZMAError, tarfile.TarError)


class Stream(Protocol):
    """Bytes that are unpacked as they are read."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; b"" at the end."""
        ...


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Parts:
    """A stream of what a decompressor makes of the data, never more than `size` bytes at once."""

    def __init__(self, made: _Decompressor, data: bytes) -> None:
        self.made, self.data = made, data

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; b"" at the end. Raises: EOFError where the data end too early."""
        while not self.made.eof:
            given, self.data = self.data, b""
            if part := self.made.decompress(given, size):
                return part
            if self.made.needs_input:
                raise EOFError("it ends too early")
        return b""


def opened(file: str, data: bytes) -> Stream | None:
    """The stream of packed bytes; None for bytes that are not packed in a known way.

    Raises: ReadError for zstd where pyarrow is not installed.
    """
    if data.startswith(GZIP):
        return gzip.GzipFile(fileobj=io.BytesIO(data))
    if data.startswith(BZIP2):
        return _Parts(bz2.BZ2Decompressor(), data)
    if data.startswith(XZ):
        return _Parts(lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY), data)
    if not data.startswith(ZSTD):
        return None
    try:
        from pyarrow import BufferReader, CompressedInputStream
    except ImportError:
        fix = "Unpack it, or pack it with gzip."
        raise ReadError(f"{file} is compressed with zstd, and pyarrow is not installed.", file, fix=fix) from None
    stream: Stream = CompressedInputStream(BufferReader(data), "zstd")
    return stream


def inner_name(file: str) -> str:
    """The name of what a packed file holds: A.txt of A.txt.xz; .gz stays, which all readers know."""
    low = file.lower()
    end = next((end for end in ENDS if low.endswith(end) and end != ".gz"), "")
    return file[: len(file) - len(end)] + ENDS[end] if end and len(file) > len(end) else file


def is_tar(data: bytes) -> bool:
    """Whether bytes are a tar archive."""
    return data[TAR_AT : TAR_AT + len(TAR)] == TAR


def members(file: str, data: bytes) -> Iterator[tuple[str, bytes | None]]:
    """The members of a tar archive in its order: (name, bytes), None for links and devices. Folders are left out.

    Raises: ReadError for a damaged archive.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for info in archive:
                if info.isdir():
                    continue
                stream = archive.extractfile(info) if info.isreg() else None
                yield info.name, stream.read() if stream is not None else None
    except DAMAGE as error:
        raise ReadError(f"{file} is a damaged tar archive ({error}).", file, fix="Create it again.") from None


# Cells of one digit, which take less memory than others.

AT_ONCE = 1 << 20  # bytes


def digits(data: bytes) -> int:
    """The number of cells of one digit, between TABs, commas, semicolons and line ends."""
    import numpy as np

    kinds = np.zeros(256, dtype=np.uint8)
    kinds[list(b"\t,;\n")], kinds[list(b"0123456789")] = 1, 2
    found = 0
    for start in range(0, len(data), AT_ONCE):  # each with the two characters behind it
        part = kinds[np.frombuffer(data[start : start + AT_ONCE + 2], dtype=np.uint8)]
        found += int(((part[:-2] == 1) & (part[1:-1] == 2) & (part[2:] == 1)).sum())
    return found


AS_TABLE = "Export it as a table: pandas.read_parquet(FILE).to_csv(NAME, index=False)."
PLAIN = "Load plain text, a TSV, a .gz of one file, or a .zip or a .tar.gz of many."
FOREIGN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["foreign"]


def foreign(data: bytes) -> tuple[str, str] | None:
    """What a file in a format that is not supported is, and what to load instead; None for others."""
    known = (one for one in FOREIGN if any(data.startswith(bytes.fromhex(start)) for start in one["starts"]))
    return next(((one["what"], one.get("instead", PLAIN)) for one in known), None)
