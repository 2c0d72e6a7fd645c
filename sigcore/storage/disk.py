"""A disk cache of statistics, keyed by content: compact, checked when read, least recently used removed first."""

from __future__ import annotations

import hashlib
import io
import os
import re
import time
from collections.abc import Iterator, MutableMapping
from contextlib import suppress
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from sigcore.storage import location
from sigcore.storage.archive import npy
from sigcore.storage.atomic import UNFINISHED, read_regular, write_file
from sigcore.types import Floats

# The first bytes of every file. A new file format needs a new mark, so that old files count as missing.
MARK = b"sigboard statistics 1\n"
DIGEST = hashlib.sha256().digest_size
NAME = re.compile(r"[0-9a-f]{8,128}")

# From the smallest: the first type that preserves every bit of the numbers is used.
KINDS = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.float32, np.float64)

# A folder over its bound is reduced to this share of it, so that not every new file requires removals.
SHARE = 0.9
# An unfinished file of this age, in seconds, was left behind by a process that has ended.
LEFT_BEHIND = 3600.0


def pack(values: Floats) -> bytes:
    """The array as npy bytes in the smallest number type that preserves every bit.

    For text this takes a fifth of the space of doubles; compression saves little more and triples the time to load.
    """
    return npy(_smallest(values))


def _smallest(values: Floats) -> NDArray[np.generic]:
    values = np.ascontiguousarray(values, dtype=np.float64)
    exact = values.tobytes()
    for kind in KINDS[:-1]:
        with np.errstate(all="ignore"):  # what does not fit is detected when it is converted back
            small = values.astype(kind)
        # bytes, not values: a minus before a zero and the bits of a nan count
        if small.astype(np.float64).tobytes() == exact:
            return small
    return values


def unpack(data: bytes) -> Floats:
    """The array that was packed.

    Raises: ValueError if the bytes are not an array; nothing is ever unpickled.
    """
    array = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    return np.ascontiguousarray(array, dtype=np.float64)


def seal(name: str, data: bytes) -> bytes:
    """A file's contents: mark, digest of name and data, data."""
    return MARK + hashlib.sha256(name.encode() + data).digest() + data


def unseal(name: str, content: bytes) -> bytes:
    """The data of a file.

    Raises: ValueError if the file is truncated, changed, in another format or stored under another name.
    """
    data = content[len(MARK) + DIGEST :]
    if content != seal(name, data):
        raise ValueError(name)
    return data


class DiskCache(MutableMapping[str, Floats]):
    """Arrays by name (hexadecimal digests) in a folder of bounded size; several threads and processes may share it.

    A file that is damaged counts as missing and is removed. If nothing can be written, one notice reports it
    and everything works as without a cache.
    """

    def __init__(self, folder: Path, most: int = location.BYTES) -> None:
        self.folder, self.most = folder, most
        self._left: int | None = None  # bytes that may be written before the folder is checked again
        self._lock = Lock()

    def __getitem__(self, key: str) -> Floats:
        path = self._path(key)
        if path is None:
            raise KeyError(key)
        try:
            content = read_regular(path)
        except OSError:
            raise KeyError(key) from None
        try:
            values = unpack(unseal(key, content))
        except ValueError:
            with suppress(OSError):
                path.unlink()
            raise KeyError(key) from None
        with suppress(OSError):  # a read-only folder has no order of use
            os.utime(path)
        return values

    def __setitem__(self, key: str, value: Floats) -> None:
        path = self._path(key)
        if path is None:
            raise ValueError(f"{key!r} is not a hexadecimal digest.")
        content = seal(key, pack(value))
        if len(content) > self.most:
            return
        try:
            self._write(path, content)
        except OSError as error:
            location.notice(f"{self.folder} cannot be written ({error.strerror})")
        else:
            self._bound(len(content))

    def __delitem__(self, key: str) -> None:
        path = self._path(key)
        try:
            if path is None:
                raise FileNotFoundError
            path.unlink()
        except FileNotFoundError:
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[str]:
        try:
            names = sorted(os.listdir(self.folder))
        except OSError:
            names = []
        return (name for name in names if NAME.fullmatch(name))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _path(self, key: str) -> Path | None:
        return self.folder / key if NAME.fullmatch(key) else None

    def _write(self, path: Path, content: bytes) -> None:
        """Write the file completely or not at all, even if another process writes it too."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_file(path, content)

    def _bound(self, written: int) -> None:
        """Remove the least recently used files once the folder may be over its bound.

        Other processes may write too, so the folder is checked again after every sixteenth of the bound.
        """
        with self._lock:
            self._left = -1 if self._left is None else self._left - written
            if self._left < 0:
                total = self._empty()
                self._left = min(self.most - total, self.most // 16)

    def _empty(self) -> int:
        """The bytes in the folder, after everything over the bound is removed."""
        files = sorted(self._files())
        total = sum(size for _, size, _ in files)
        goal = total if total <= self.most else int(SHARE * self.most)
        for _, size, path in files:
            if total <= goal:
                break
            with suppress(OSError):  # another process may have removed it
                os.unlink(path)
            total -= size
        return total

    def _files(self) -> Iterator[tuple[float, int, str]]:
        """(last use, bytes, path) of every finished file; removes unfinished files that were left behind."""
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    state = entry.stat()
                    if NAME.fullmatch(entry.name):
                        yield state.st_mtime, state.st_size, entry.path
                    elif entry.name.startswith(UNFINISHED) and time.time() - state.st_mtime > LEFT_BEHIND:
                        os.unlink(entry.path)


def statistics_on_disk() -> DiskCache | None:
    """The cache of statistics in $SIGBOARD_CACHE/statistics (else in the user's cache); None if it is off.

    Raises: OptionError for a SIGBOARD_CACHE that cannot be read.
    """
    asked = location.setting()
    return None if asked is None else DiskCache(asked.folder / "statistics", asked.most)
