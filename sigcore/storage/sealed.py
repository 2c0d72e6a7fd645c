"""Folders whose files are written by others and checked as a whole: a seal has the digest of all names and contents.

A folder is filled under another name and gets its own when it is sealed, so that it is complete or not there at all.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path

from sigcore.storage.atomic import read_regular, write_file

SEAL = "sealed"


def exists(folder: Path) -> bool:
    """True if the folder was sealed; `sound` reports whether it is unchanged."""
    return (folder / SEAL).exists()


def sound(folder: Path) -> bool:
    """True if the folder was sealed, and its files are those of that time."""
    try:
        return read_regular(folder / SEAL) == _digest(folder)
    except OSError:
        return False


def publish(folder: Path, name: Path) -> None:
    """Seal the folder as it is, and give it its name. Where another process has been faster, or the disk is full, the folder is
    removed."""
    try:
        if not sound(folder):
            write_file(folder / SEAL, _digest(folder))
        if folder != name:
            os.rename(folder, name)
        os.utime(name)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)


def bound(folder: Path, pattern: str, most: int) -> None:
    """Remove the folders of that pattern that were used least recently until the rest takes at most `most` bytes."""
    with suppress(OSError):  # another process may have removed some
        for each in sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True):
            most -= sum(path.lstat().st_size for path in each.rglob("*") if not path.is_dir())
            if most < 0:
                shutil.rmtree(each, ignore_errors=True)


def _digest(folder: Path) -> bytes:
    files = sorted(path for path in folder.rglob("*") if path.name != SEAL and not path.is_dir())
    parts = [(path.name, hashlib.sha256(read_regular(path)).hexdigest()) for path in files]
    return hashlib.sha256(repr(parts).encode()).hexdigest().encode()
