"""Arrays in one file: a zip of npy files, never pickled. Equal arrays give equal bytes on any day."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import SigError

MOST = 256 * 2**20  # bytes of all arrays of one file
KINDS = "biufU"  # whole numbers, floats and texts
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the date of every file in the zip

Array = NDArray[np.generic]


def write(arrays: Mapping[str, Array]) -> bytes:
    """The arrays by name as one file."""
    return zipped((f"{name}.npy", npy(arrays[name])) for name in sorted(arrays))


class Column(Protocol):
    """An array (P,) that is made a portion at a time."""

    @property
    def dtype(self) -> np.dtype[Any]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Array]: ...


def write_columns(columns: Mapping[str, Column]) -> bytes:
    """The columns by name as one file: the bytes of `write`, but only one portion is in memory beside them."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in sorted(columns):
            column, head = columns[name], io.BytesIO()
            kind = {
                "descr": np.lib.format.dtype_to_descr(column.dtype),
                "fortran_order": False,
                "shape": (len(column),),
            }
            np.lib.format.write_array_header_1_0(head, kind)
            member = zipfile.ZipInfo(f"{name}.npy", FIRST_DAY)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.file_size = len(head.getvalue()) + len(column) * column.dtype.itemsize
            with archive.open(member, "w") as content:
                content.write(head.getvalue())
                for portion in column:
                    content.write(np.ascontiguousarray(portion).tobytes())
    return file.getvalue()


def zipped(members: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip of these members, in their order; only one of them need be in memory."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def npy(array: Array) -> bytes:
    """The array as an npy file."""
    content = io.BytesIO()
    np.lib.format.write_array(content, np.asarray(array, order="C"), (1, 0), allow_pickle=False)
    return content.getvalue()


def read(data: bytes, most: int = MOST) -> dict[str, Array]:
    """The arrays by name.

    Raises: SigError for a file that is damaged, holds something else, or declares more than `most` bytes; nothing of
    that size is allocated first.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > most:
                raise SigError(f"The file unpacks to more than {most:,} bytes.", "", "It was not written by Sigboard.")
            return {member.filename.removesuffix(".npy"): from_npy(content_of(archive, member)) for member in members}
    except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise SigError("The file is damaged, or not an archive of arrays.", "", "Write it again.") from error


def content_of(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """The bytes of one member, never more than it declares: `ZipFile.read` unpacks all of it first.

    Raises: zipfile.BadZipFile if it holds something else, or is compressed in a way that unpacks whole blocks at once.
    """
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile("another compression")
    with archive.open(member) as file:
        return file.read(member.file_size)


def from_npy(content: bytes) -> Array:
    """The array of an npy file, after its declared size was compared with what is there.

    Raises: ValueError if they differ, or for objects.
    """
    file = io.BytesIO(content)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("an npy file of another version")
    shape, columns_first, kind = np.lib.format.read_array_header_1_0(file)
    if kind.kind not in KINDS or math.prod(shape) * kind.itemsize != len(content) - file.tell():
        raise ValueError("not the numbers that were declared")
    array = np.frombuffer(content, kind, offset=file.tell())
    return array.reshape(shape, order="F" if columns_first else "C")
