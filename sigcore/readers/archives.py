"""Archives to plain files: .gz and .zip, with bounds enforced while they are read, not trusted from their headers."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import Protocol

from sigcore.errors import ReadError, SigError
from sigcore.readers import binary, workbook
from sigcore.readers.contract import PARTS, Limits, Notice
from sigcore.readers.names import clean, parts

CHUNK = 1 << 20
GZIP, ZIP = b"\x1f\x8b", (b"PK\x03\x04", b"PK\x05\x06")
ZIP64_RECORDS = 56 + 20
ENTRY, END, END_SIZE, UNKNOWN_SIZE = b"PK\x01\x02", b"PK\x05\x06", 22, 0xFFFFFFFF
UTF8_NAME, ENCRYPTED = 0x800, 0x1
METHODS = {9: "deflate64", zipfile.ZIP_BZIP2: "bzip2", zipfile.ZIP_LZMA: "LZMA", 95: "xz", 98: "PPMd"}
LOCAL, LOCAL_SIZE = b"PK\x03\x04", 30  # the header before the bytes of a member

# Formats that are not supported, by their first bytes, so that nobody sees "byte 0x89 is not UTF-8".
FOREIGN = (
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\xfd7zXZ\x00", "compressed with xz"),
    (b"BZh", "compressed with bzip2"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd"),
    (b"%PDF-", "a PDF"),
    (b"ARROW1", "an Arrow file"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x80\x04\x95", "a pickle of Python"),
    (b"SQLite format 3", "a database"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
)
AS_TEXT = {
    "an Arrow file": "Export it as a table: pandas.read_feather(FILE).to_csv(NAME, index=False).",
}
PLAIN = "Load plain text, a TSV, a .gz of one file or a .zip of many."

# Everything the standard library raises on a damaged archive (fuzzed); NotImplementedError = an unknown version.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)


class Stream(Protocol):
    """Bytes that are unpacked as they are read."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; b"" at the end."""
        ...


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
        self.lines_left -= lines
        self.parts_left -= sum(weight * data.count(part) for part, weight in PARTS.items())
        fix = "Load fewer files at once, or check what this file holds: no test set we know comes near the limit."
        if self.lines_left < 0:
            raise ReadError(f"{file} has {lines:,} lines: the limit is {self.limits.lines:,} in total.", file, fix=fix)
        if self.parts_left < 0:
            bound = f"{self.limits.parts:,} separators of lines, cells and values"
            raise ReadError(f"{file} consists of too many small parts: the limit is {bound} in total.", file, fix=fix)

    def take(self, stream: Stream, file: str) -> bytes:
        """All bytes of the stream. Raises: ReadError as soon as there are more than the budget allows."""
        chunks = []
        while chunk := stream.read(CHUNK):
            self.spend(len(chunk), file)
            chunks.append(chunk)
        return b"".join(chunks)

    def spend(self, size: int, file: str) -> None:
        """Count bytes that are unpacked. Raises: ReadError for more than the budget allows."""
        self.bytes_left -= size
        if self.bytes_left < 0:
            bound = f"{self.limits.total_bytes:,} bytes"
            message = f"{file} unpacks to too much: the limit is {bound} in total."
            raise ReadError(message, file, fix="Load fewer files.")


def unpack(name: str, data: bytes, budget: Budget) -> Unpacked:
    """The plain files in one loaded file: itself, what its .gz holds, or the members of its .zip."""
    out, file = Unpacked(), clean(name) or "unnamed"
    before = budget.left
    try:
        if is_junk(file):
            out.notices.append(Notice(file, "It is a file of the operating system; ignored."))
        elif data.startswith(ZIP):
            _unzip(file, data, budget, out)
        else:
            out.files.append(plain(file, data, budget, out))
    except SigError as problem:
        # nothing of it is used, so its budget remains for the files that follow
        budget.restore(before)
        out.problems.append(problem)
    return out


def plain(file: str, data: bytes, budget: Budget, out: Unpacked) -> tuple[str, bytes]:
    """One file that is not a zip, gunzipped where needed.

    Raises: ReadError for a damaged .gz, for unsupported formats, and for more than the budget allows.
    """
    if data.startswith(GZIP):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                data = budget.take(stream, file)
        except DAMAGE as error:
            raise ReadError(f"{file} is a damaged .gz file ({error}).", file, fix="Create it again.") from None
    elif file.lower().endswith(".gz") and data:
        out.notices.append(Notice(file, "It is named .gz but is not compressed; read as it is."))
    refuse_foreign(file, data)
    data, notices = binary.as_text(file, data, budget)
    budget.count(file, data)
    out.notices += notices
    return file, data


def refuse_foreign(file: str, data: bytes) -> None:
    """Raise ReadError for an unsupported format, recognised by its first bytes."""
    if data.startswith((*ZIP, GZIP)):
        raise ReadError(f"{file} is an archive inside an archive.", file, fix="Unpack it once and load the result.")
    foreign = next((message for magic, message in FOREIGN if data.startswith(magic)), None)
    if data[257:262] == b"ustar":
        foreign = "a tar archive"
    if foreign:
        raise ReadError(f"{file} is {foreign}, which is not supported.", file, fix=AS_TEXT.get(foreign, PLAIN))
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
    if workbook.BOOK in archive.namelist():
        _workbook(file, archive, budget, out)
        return
    _refuse_archive(file, members, budget)
    inside = Unpacked()
    for info in members:
        label = f"{file}/{'/'.join(parts(_member_name(info))) or 'unnamed'}"
        if is_junk(label) or stat.S_ISLNK(info.external_attr >> 16):
            out.notices.append(Notice(label, "It is a link or a file of the operating system; ignored."))
            continue
        try:
            content = _member(archive, info, label, budget)
            inside.files.append(plain(label, content, budget, out))
        except SigError as problem:
            if min(budget.left) < 0:
                raise
            inside.problems.append(problem)
    if not inside.files and not inside.problems:
        raise ReadError(f"{file} contains no files to read.", file, fix=PLAIN)
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

    sheets, notices = workbook.sheets(file, read)
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
    if info.compress_type == binary.ZSTD:  # as in the logs of Inspect
        return binary.unzstd(label, _packed(archive, info, label), info.CRC, budget)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # the others unpack a whole block at once, so the budget could not be watched
        how = METHODS.get(info.compress_type, f"method {info.compress_type}")
        raise ReadError(
            f"{label} is compressed with {how}.", label, fix="Create the zip with the usual compression (deflate)."
        )
    try:
        with archive.open(info) as stream:
            return budget.take(stream, label)
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
