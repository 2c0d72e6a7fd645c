"""The files of compiled kernels: each is checked before it is loaded, in a folder that nobody else can write.

Numba stores a kernel as a pickle with machine code. A damaged one would end the run with a traceback or crash it, and one
that somebody else has put there could do anything. So every file begins with the digest of the rest; a file without the
right one is removed, and its kernel is compiled again. A folder that others can write is not used at all.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from sigcore.storage import location
from sigcore.storage.atomic import read_regular, write_file

DIGEST = hashlib.sha256().digest_size
# The bytes that all kernels may take. Those of one version of Sigboard, Python and numba take about 2 MB.
MOST = 64 * 10**6


def refusal(folder: Path) -> str:
    """Why compiled code in this folder cannot be trusted; "" if only this user (and root) can write there.

    The folder must belong to this user, and nobody else may create files in it. The folders above it may not be writable by
    others unless sticky, like /tmp: who can write there could rename it. The user's own group counts as the user. Windows
    has no such bits.
    """
    if not hasattr(os, "getuid"):
        return ""
    path = Path(os.path.realpath(folder))
    for place in (path, *path.parents):
        state = place.stat()
        if place == path and state.st_uid not in (0, os.getuid()):
            return f"{place} belongs to another user"
        shared = state.st_mode & stat.S_IWOTH or (state.st_mode & stat.S_IWGRP and state.st_gid not in (0, os.getgid()))
        if shared and (place == path or not state.st_mode & stat.S_ISVTX):
            return f"{place} can be written by other users"
    return ""


@contextmanager
def locked(folder: Path | None, name: str) -> Iterator[None]:
    """Hold the lock of that name in the folder, once no other process holds it. Where files cannot be locked (no folder,
    Windows, a full disk), wait for nobody."""
    try:
        import fcntl
    except ImportError:
        folder = None
    with ExitStack() as held:
        if folder is not None:
            with suppress(OSError):
                path = folder / f"{name}.lock"
                file = held.enter_context(open(path, "w", opener=_at_once))
                fcntl.flock(file, fcntl.LOCK_EX)
                # a process that was forked meanwhile has the open file, too, and would keep the lock
                held.callback(fcntl.flock, file, fcntl.LOCK_UN)
        yield


def _at_once(path: str, flags: int) -> int:
    """A file that is opened without waiting; a pipe in its place is an error (OSError)."""
    return os.open(path, flags | os.O_NONBLOCK, 0o666)


def check_files(dispatcher: Any) -> None:
    """Let a function that numba caches on disk read and write its files through CheckedFiles."""
    files = _checked_files()
    own = dispatcher._cache
    own._impl.locator.ensure_cache_path = lambda: None  # it fails on a full disk; _store makes the folder
    own._cache_file = files(own._cache_path, f"{own._impl.filename_base}.checked", own._cache_file._source_stamp)


@cache
def _checked_files() -> type:
    """The class, made when numba is there."""
    from numba.core.caching import IndexDataCacheFile

    class CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]
        """Numba's index and data files, each with a digest; what cannot be written is compiled again by the next process."""

        def _load_index(self) -> Any:
            content = _unsealed(Path(self._index_path))
            version, stamp, overloads = (None, None, {}) if content is None else pickle.loads(content)
            return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

        def _save_index(self, overloads: Any) -> None:
            content = pickle.dumps((self._version, self._source_stamp, overloads))
            _store(Path(self._index_path), content)

        def _load_data(self, name: str) -> Any:
            content = _unsealed(Path(self._data_path(name)))
            return None if content is None else pickle.loads(content)

        def _save_data(self, name: str, data: Any) -> None:
            _store(Path(self._data_path(name)), self._dump(data))

    return CheckedFiles


def _unsealed(path: Path) -> bytes | None:
    """The content of a file without its digest; None if there is no file, or a damaged one, which is removed."""
    try:
        content = read_regular(path)
    except OSError:
        return None
    data = content[DIGEST:]
    if content[:DIGEST] == _digest(path, data):
        with suppress(OSError):  # a read-only folder has no order of use
            os.utime(path, ns=(time.time_ns(), path.stat().st_mtime_ns))
        return data
    with suppress(OSError):
        path.unlink()
    logging.getLogger("sigboard").warning("A compiled kernel was damaged (%s); it is compiled again.", path.name)
    return None


def _digest(path: Path, data: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + data).digest()


def _store(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, _digest(path, data) + data)
        bound(path.parent.parent, MOST)
    except OSError as error:
        location.notice(f"{path.parent} cannot be written ({error.strerror})")


def bound(folder: Path, most: int) -> None:
    """Remove the files of kernels that were used least recently until the rest takes at most `most` bytes."""
    files = []
    for path in folder.glob("*/*"):
        with suppress(OSError):  # another process may have removed it
            state = path.stat()
            files.append((state.st_atime, state.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= most:
            return
        with suppress(OSError):
            path.unlink()
        total -= size
