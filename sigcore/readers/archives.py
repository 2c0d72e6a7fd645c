"""Archives to plain files: .gz, .zip, .tar and others, with bounds enforced while they are read, not trusted from their headers."""

from __future__ import annotations

import ast
import io
import math
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import ReadError, SigError
from sigcore.readers import packed, parquet, workbook
from sigcore.readers.contract import PARTS, Limits, Notice
from sigcore.readers.names import clean, parts

# Parquet files, arrays of NumPy and members packed by zstd as text, within the bounds of what may be unpacked.

PARQUET, NUMPY = b"PAR1", b"\x93NUMPY"
ZSTD = 93  # how a zip names the method
LONGEST_HEADER = 10_000  # bytes before the numbers of an array
DEFLATE = "Create the zip with the usual compression (deflate)."
BINARY_AS_TEXT = "Save one score per line: numpy.savetxt(NAME, scores[:, 0]); or a table with a name above each column."


def as_text(file: str, data: bytes, budget: Budget) -> tuple[bytes, list[Notice]]:
    """The text of a Parquet file (a JSON record per row) or of an array (a number per line), other bytes as they are; with
    notices.

    Raises: ReadError for a damaged file, more than the budget allows, and arrays that are not one column of numbers.
    """
    if data.startswith(PARQUET):
        return parquet.as_records(file, data, budget)
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
        raise ReadError(f"{file} is compressed with zstd, and pyarrow is not installed.", file, fix=DEFLATE) from None
    try:
        data = budget.take(CompressedInputStream(BufferReader(packed), "zstd"), file, len(packed))
    except (ArrowException, OSError, ValueError) as error:
        raise ReadError(f"{file} is damaged in the archive ({error}).", file, fix="Create the zip again.") from None
    if zlib.crc32(data) != check:
        raise ReadError(f"{file} is damaged in the archive.", file, fix="Create the zip again.")
    return data


def _array(file: str, data: bytes, budget: Budget) -> bytes:
    """One number per line; the header of the array is read as a literal, and never as code."""
    shape, kind, start = _header(file, data)
    column = isinstance(shape, tuple) and (len(shape) == 1 or (len(shape) == 2 and 1 in shape))
    if kind.kind not in "fiub" or not column:
        message = f"{file} is an array of shape {shape} and type {kind}, not one column of numbers."
        raise ReadError(message, file, fix=BINARY_AS_TEXT)
    try:
        numbers = np.frombuffer(data, dtype=kind, offset=start)
        fits = len(numbers) == math.prod(shape)
    except (ValueError, TypeError):
        fits = False
    if not fits:
        raise _damaged_array(file)
    return _lines(file, numbers, budget)


def _lines(file: str, numbers: NDArray[Any], budget: Budget) -> bytes:
    """The numbers of an array, each in a line; single digits by their codes."""
    kind = numbers.dtype
    if kind.kind in "iub" and numbers.min(initial=0) >= 0 and numbers.max(initial=0) <= 9:
        budget.spend(2 * len(numbers), file)
        return np.column_stack([numbers.astype(np.uint8) + 48, np.full(len(numbers), 10, dtype=np.uint8)]).tobytes()
    budget.spend(20 * len(numbers), file)
    # numbers of more than 64 bits (longdouble) are none of Python's own
    known = np.int64 if kind.kind == "b" else np.float64 if kind.kind == "f" and kind.itemsize > 8 else kind
    values = numbers.astype(known).tolist()
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


LOOKED_INTO = 1_000  # a file with a smaller part of all lines is counted as it is
CHUNK = 1 << 20
ENDS, BLANK = (b"\n", b"\r"), b"\xef\xbb\xbf \t"
# What may have long lines: JSON and XML, which take at least a hundredth of their size when packed, and what has no lines.
RECORDS, DENSE, BINARY = (b"{", b"[", b"<"), 100, (PARQUET, NUMPY)
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
ZIP64_RECORDS = 56 + 20
ENTRY, END, END_SIZE, UNKNOWN_SIZE = b"PK\x01\x02", b"PK\x05\x06", 22, 0xFFFFFFFF
UTF8_NAME, ENCRYPTED = 0x800, 0x1
METHODS = {9: "deflate64", zipfile.ZIP_BZIP2: "bzip2", zipfile.ZIP_LZMA: "LZMA", 95: "xz", 98: "PPMd"}
LOCAL, LOCAL_SIZE = ZIP[0], 30  # the header before the bytes of a member

# Everything the standard library raises on a damaged archive (fuzzed); NotImplementedError = an unknown version.
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(EOFError, OSError, ValueError, NotImplementedError, RuntimeError),
)


@dataclass
class Unpacked:
    """Plain files as (name, bytes), with the notices and problems of unpacking."""

    files: list[tuple[str, bytes]] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    problems: list[SigError] = field(default_factory=list)


class Budget:
    """How much may still be unpacked and read in this call."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.bytes_left, self.members_left = limits, limits.total_bytes, limits.members
        self.lines_left, self.parts_left = limits.lines, limits.parts

    @property
    def left(self) -> tuple[int, int, int, int]:
        """What is left of each bound; below 0 where one is exceeded."""
        return self.bytes_left, self.members_left, self.lines_left, self.parts_left

    def restore(self, left: tuple[int, int, int, int]) -> None:
        """Go back to what was left before."""
        self.bytes_left, self.members_left, self.lines_left, self.parts_left = left

    def count(self, file: str, data: bytes) -> None:
        """Count the lines and parts of a plain file. Raises: ReadError where there are more than the budget allows."""
        lines = data.count(b"\n")
        parts = sum(weight * data.count(part) for part, weight in PARTS.items())
        # right and wrong answers are two strings, which many places share
        many = parts > self.parts_left // 4 or lines > self.lines_left // LOOKED_INTO
        shared = packed.digits(data) if many else 0
        self.parts_left -= parts - 3 * shared // 4
        self.lines_left -= lines - (15 * shared // 16 if parts == lines else 0)
        fix = "Load fewer files at once, or check what this file holds: no test set we know comes near the limit."
        if self.lines_left < 0:
            raise ReadError(f"{file} has {lines:,} lines: the limit is {self.limits.lines:,} in total.", file, fix=fix)
        if self.parts_left < 0:
            bound = f"{self.limits.parts:,} separators of lines, cells and values"
            raise ReadError(f"{file} consists of too many small parts: the limit is {bound} in total.", file, fix=fix)

    def take(self, stream: packed.Stream, file: str, given: int) -> bytes:
        """All bytes of the stream, which took `given` bytes. Raises: ReadError as soon as there are more than the budget
        allows, or a longer line."""
        chunks, line, size = list[bytes](), 0, 0
        while chunk := stream.read(CHUNK):
            self.spend(len(chunk), file)
            chunks.append(chunk)
            size += len(chunk)
            # lines inside a chunk are shorter than the bound: only those that begin before it, or end after it, count
            first = min((at for at in map(chunk.find, ENDS) if at >= 0), default=len(chunk))
            longest = line + first
            line = longest if first == len(chunk) else len(chunk) - 1 - max(map(chunk.rfind, ENDS))
            if longest > self.limits.line and not _may_have_long_lines(chunks[0], size / max(given, 1)):
                bound = f"{self.limits.line:,} bytes"
                fix = "Check that it has one segment per line: its line ends may be lost."
                raise ReadError(
                    f"{file} has a line of more than {bound}: the limit for what is unpacked.", file, fix=fix
                )
        return b"".join(chunks)

    def spend(self, size: int, file: str) -> None:
        """Count bytes that are unpacked. Raises: ReadError for more than the budget allows."""
        self.bytes_left -= size
        if self.bytes_left < 0:
            message = f"{file} unpacks to too much: the limit is {self.limits.total_bytes:,} bytes in total."
            raise ReadError(message, file, fix="Load fewer files.")


def _may_have_long_lines(start: bytes, times: float) -> bool:
    """Whether a file that begins so, and was packed to a part of its size, may have lines without a bound."""
    if start.startswith(BINARY) or packed.is_tar(start):
        return True  # the members of an archive are bounded by its size
    return times <= DENSE and start.lstrip(BLANK).startswith(RECORDS)


def unpack(name: str, data: bytes, budget: Budget) -> Unpacked:
    """The plain files in one loaded file: itself, what its .gz (.bz2, .xz, .zst) holds, or the members of its .zip or .tar."""
    out, file = Unpacked(), clean(name) or "unnamed"
    before = budget.left
    try:
        if is_junk(file):
            out.notices.append(Notice(file, "It is a file of the operating system; ignored."))
        elif data.startswith(ZIP):
            _unzip(file, data, budget, out)
        elif packed.is_tar(inner := unpacked(file, data, budget)):
            _untar(file, inner, budget, out)
        else:
            out.files.append(plain(file, data, budget, out, inner))
    except SigError as problem:
        # nothing of it is used, so its budget remains for the files that follow
        budget.restore(before)
        out.problems.append(problem)
    return out


def unpacked(file: str, data: bytes, budget: Budget) -> bytes:
    """The bytes that a file packed by gzip, bzip2, xz or zstd holds; others as they are.

    Raises: ReadError for a damaged file, and for more than the budget allows.
    """
    stream = packed.opened(file, data)
    try:
        return data if stream is None else budget.take(stream, file, len(data))
    except (*DAMAGE, *packed.DAMAGE) as error:
        raise ReadError(f"{file} is a damaged packed file ({error}).", file, fix="Create it again.") from None


def plain(file: str, data: bytes, budget: Budget, out: Unpacked, inner: bytes | None = None) -> tuple[str, bytes]:
    """One file that is not a zip, unpacked where needed; `inner` is what it holds, where that is known.

    Raises: ReadError for a damaged packed file, for unsupported formats, and for more than the budget allows.
    """
    if data.startswith(packed.PACKED):
        data = unpacked(file, data, budget) if inner is None else inner
        file = packed.inner_name(file)
    elif file.lower().endswith(".gz") and data:
        out.notices.append(Notice(file, "It is named .gz but is not compressed; read as it is."))
    refuse_foreign(file, data)
    data, notices = as_text(file, data, budget)
    budget.count(file, data)
    out.notices += notices
    return file, data


def refuse_foreign(file: str, data: bytes) -> None:
    """Raise ReadError for an unsupported format, recognised by its first bytes."""
    if data.startswith((*ZIP, *packed.PACKED)) or packed.is_tar(data):
        raise ReadError(f"{file} is an archive inside an archive.", file, fix="Unpack it once and load the result.")
    if foreign := packed.foreign(data):
        what, fix = foreign
        raise ReadError(f"{file} is {what}, which is not supported.", file, fix=fix)
    if file.lower().endswith(".zip") and data:
        raise ReadError(f"{file} is not a zip archive, or is damaged.", file, fix="Create it again.")


def is_junk(file: str) -> bool:
    """Whether a file is one that operating systems leave behind in folders and archives."""
    path = parts(file)
    base = path[-1].lower() if path else ""
    return "__MACOSX" in path or base in (".ds_store", "thumbs.db", "desktop.ini") or base.startswith("._")


def _unzip(file: str, data: bytes, budget: Budget, out: Unpacked) -> None:
    """Add the members of a zip to `out`, all of them or (if a limit is exceeded) none."""
    # the library makes an object of every entry, which takes long before they can be counted; folders are entries too
    number = entries(data)
    if number > 4 * budget.limits.members:
        raise _too_many(file, number, budget)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except DAMAGE as error:
        raise ReadError(f"{file} is a damaged zip archive ({error}).", file, fix="Create it again.") from None
    # not info.is_dir(): it fails on a member without a name
    members = [info for info in archive.infolist() if not info.filename.endswith("/")]
    if workbook.BOOK in archive.namelist() or {*archive.namelist()} >= workbook.OPEN:
        _workbook(file, archive, budget, out)
        return
    _refuse_archive(file, members, budget)
    inside = Unpacked()
    for info in members:
        label = f"{file}/{'/'.join(parts(_member_name(info))) or 'unnamed'}"
        if is_junk(label) or stat.S_ISLNK(info.external_attr >> 16):
            out.notices.append(Notice(label, "It is a link or a file of the operating system; ignored."))
            continue
        _add(inside, label, partial(_member, archive, info, label, budget), budget, out)
    _keep(file, inside, out)


def _untar(file: str, data: bytes, budget: Budget, out: Unpacked) -> None:
    """Add the members of a tar archive to `out`, all of them or (if a limit is exceeded) none."""
    inside = Unpacked()
    for name, content in packed.members(file, data):
        budget.members_left -= 1
        if budget.members_left < 0:
            raise _too_many(file, budget.limits.members + 1, budget)
        label = f"{file}/{'/'.join(parts(name)) or 'unnamed'}"
        if content is None or is_junk(label):
            out.notices.append(Notice(label, "It is a link or a file of the operating system; ignored."))
            continue
        _add(inside, label, partial(bytes, content), budget, out)
    _keep(file, inside, out)


def _add(inside: Unpacked, label: str, content: Callable[[], bytes], budget: Budget, out: Unpacked) -> None:
    """Add a member of an archive, or its problem. Raises: SigError if a limit is exceeded."""
    try:
        inside.files.append(plain(label, content(), budget, out))
    except SigError as problem:
        if min(budget.left) < 0:
            raise
        inside.problems.append(problem)


def _keep(file: str, inside: Unpacked, out: Unpacked) -> None:
    """Add what an archive holds. Raises: ReadError for one that holds nothing."""
    if not inside.files and not inside.problems:
        raise ReadError(f"{file} contains no files to read.", file, fix=packed.PLAIN)
    out.files += inside.files
    out.problems += inside.problems


def _workbook(file: str, archive: zipfile.ZipFile, budget: Budget, out: Unpacked) -> None:
    """Add the sheets of a workbook to `out`."""
    known = {info.filename: info for info in archive.infolist()}
    kept: dict[str, bytes] = {}

    def read(name: str) -> bytes:
        if name in known and name not in kept:
            kept[name] = _member(archive, known[name], file, budget)
            budget.count(file, kept[name])
        return kept.get(name, b"")

    if workbook.BOOK not in known and not workbook.is_open(read):
        raise ReadError(f"{file} is a document of LibreOffice, and no spreadsheet.", file, fix=packed.PLAIN)
    sheets, notices = (workbook.sheets if workbook.BOOK in known else workbook.open_sheets)(file, read)
    for name, data in sheets:
        budget.count(name, data)
    out.files += sheets
    out.notices += notices


def _refuse_archive(file: str, members: list[zipfile.ZipInfo], budget: Budget) -> None:
    if any(info.filename == "[Content_Types].xml" for info in members):
        raise ReadError(f"{file} is an Office document.", file, fix="Export it as CSV or TSV in UTF-8 (Save as ...).")
    budget.members_left -= len(members)
    if budget.members_left < 0:
        raise _too_many(file, len(members), budget)


def _too_many(file: str, number: int, budget: Budget) -> ReadError:
    message = f"{file} contains {number:,} files: the limit is {budget.limits.members:,} in total."
    return ReadError(message, file, fix="Load fewer files at once.")


def entries(data: bytes) -> int:
    """The number of entries in the central directory of a zip, counted, since its header may be wrong; 0 without one."""
    end = len(data) - END_SIZE
    if data[end : end + len(END)] != END or data[-2:] != b"\0\0":  # a comment follows
        end = data.rfind(END)
    size = int.from_bytes(data[end + 12 : end + 16], "little")
    # a large zip has the records of zip64 between the directory and its end
    start = 0 if size == UNKNOWN_SIZE else max(0, end - size - ZIP64_RECORDS)
    return data.count(ENTRY, start, end) if end >= 0 else 0


def _member_name(info: zipfile.ZipInfo) -> str:
    """The member's name; UTF-8 without its flag (as on macOS) is recognised."""
    if info.flag_bits & UTF8_NAME:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, label: str, budget: Budget) -> bytes:
    if info.flag_bits & ENCRYPTED:
        raise ReadError(f"{label} is encrypted.", label, fix="Create the zip without a password.")
    if info.compress_type == ZSTD:  # as in the logs of Inspect
        return unzstd(label, _packed(archive, info, label), info.CRC, budget)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # the others unpack a whole block at once, so the budget could not be watched
        how = METHODS.get(info.compress_type, f"method {info.compress_type}")
        raise ReadError(f"{label} is compressed with {how}.", label, fix=DEFLATE)
    try:
        with archive.open(info) as stream:
            return budget.take(stream, label, info.compress_size)
    except DAMAGE as error:
        raise ReadError(f"{label} is damaged in the archive ({error}).", label, fix="Create the zip again.") from None


def _packed(archive: zipfile.ZipFile, info: zipfile.ZipInfo, label: str) -> bytes:
    """The bytes of a member as they are in the archive.

    Raises: ReadError where its header is not at its place.
    """
    stream = archive.fp
    assert stream is not None
    stream.seek(info.header_offset)
    head = stream.read(LOCAL_SIZE)
    if len(head) < LOCAL_SIZE or not head.startswith(LOCAL):
        raise ReadError(f"{label} is damaged in the archive.", label, fix="Create the zip again.")
    name, extra = struct.unpack_from("<HH", head, 26)
    stream.seek(info.header_offset + LOCAL_SIZE + name + extra)
    return stream.read(info.compress_size)
