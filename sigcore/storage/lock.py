"""A lock between processes, by a file in a folder that they share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path


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
