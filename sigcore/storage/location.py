"""The location and the size of the disk cache: the only module that reads SIGBOARD_CACHE."""

from __future__ import annotations

import logging
import os
import re
import shutil
import stat
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sigcore.errors import OptionError

VARIABLE = "SIGBOARD_CACHE"
UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
BYTES = 10**9
FORM = "Set it to off, FOLDER, FOLDER:SIZE or :SIZE, with a size such as 500MB or 2GB."

# Free space below which nothing new is cached: a full disk is worse than a slow start.
ROOM = 64 * 10**6

SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]B)", re.IGNORECASE)


@dataclass(frozen=True)
class Setting:
    """The cache folder, and the number of bytes of statistics that it may hold."""

    folder: Path
    most: int = BYTES


def setting(text: str | None = None) -> Setting | None:
    """The setting in SIGBOARD_CACHE (or in the text); None if nothing is to be cached, or there is no home folder.

    Raises: OptionError for a size that cannot be read.
    """
    text = os.environ.get(VARIABLE, "") if text is None else text
    if text.strip().lower() == "off":
        return None
    folder, most = _parts(text.strip())
    try:
        return Setting(Path(folder).expanduser() if folder else user_cache(), most)
    except RuntimeError:  # no home folder to replace "~"
        notice("the home folder is unknown")
        return None


def _parts(text: str) -> tuple[str, int]:
    """(folder, bytes); the folder may contain colons, as in C:\\cache."""
    folder, colon, size = text.rpartition(":")
    match = SIZE.fullmatch(size.strip())
    if colon and match:
        most = int(float(match[1]) * UNITS[match[2].upper()])
        if most > 0:
            return folder, most
    # ":2G" is a typo, not a folder; so is "2GB" alone
    if SIZE.fullmatch(text) or (colon and re.fullmatch(r"\s*[\d.]+\s*\w{0,3}\s*", size)):
        raise OptionError(f"{VARIABLE} has an invalid size.", text, FORM)
    return text, BYTES


def user_cache() -> Path:
    """The folder for this user's caches (RuntimeError without a home folder)."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "sigboard"


def writable(folder: Path) -> bool:
    """True if the folder exists or can be created, and has space; else a notice reports why nothing is cached."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        if shutil.disk_usage(folder).free >= ROOM:
            return True
        notice(f"the disk of {folder} is full")
    except OSError as error:
        notice(f"{folder} cannot be written ({error.strerror})")
    return False


def trusted(folder: Path) -> bool:
    """True if the folder is `writable`, and code in it can be trusted; else a notice reports why nothing is cached."""
    if not writable(folder):
        return False
    if why := refusal(folder):
        notice(f"{why}, so compiled code in it cannot be trusted")
    return not why


def refusal(folder: Path) -> str:
    """Why code in this folder cannot be trusted; "" if only this user (and root) can write there.

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


@cache
def notice(why: str) -> None:
    """Report once that nothing is cached on disk, and why: this costs time but changes no result."""
    fix = f"Set {VARIABLE} to a writable folder, or to off."
    logging.getLogger("sigboard").warning("Nothing new is cached on disk: %s. %s", why, fix)
