"""Files that are written completely or not at all: the old content stays until the new one is on the disk.

What a folder of ours holds is read only where it is a file: a pipe or a device in its place would never end.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

# The beginning of the name of a file that is being written; one that is left was interrupted by a power cut or a kill.
UNFINISHED = ".unfinished-"


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace the file's content, or create it; what cannot be replaced (a pipe, a terminal) is written directly.

    The new file has the permissions of the old one. A symbolic link stays, and the file it points to is replaced.
    Raises: OSError if that fails, for example on a full disk; then the old file is as it was, and nothing is left.
    """
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(target, "wb", buffering=0) as file:
            write_all(file.fileno(), content)
        return
    if mode is not None and not os.access(target, os.W_OK):  # os.replace would not care
        raise PermissionError(13, os.strerror(13), os.fspath(path))
    part = target.parent / f"{UNFINISHED}{secrets.token_hex(8)}"
    try:
        _create(part, content)
        if mode is not None:
            os.chmod(part, stat.S_IMODE(mode))
        os.replace(part, target)
    finally:  # after Ctrl+C too nothing is left behind
        with suppress(OSError):
            os.unlink(part)


def read_regular(path: Path) -> bytes:
    """The content of a regular file; b"", a damaged file, for anything else (a pipe, a device), which is not waited for.

    Raises: OSError if it cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return b""
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def _create(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        write_all(handle, content)
    finally:
        os.close(handle)


def write_all(handle: int, content: bytes) -> None:
    """Write every byte: one call may write only a part."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest) :]
