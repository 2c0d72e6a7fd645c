"""Where on disk Sigboard keeps what it can make again: SIGBOARD_CACHE read in one place."""

from __future__ import annotations

import logging
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sigcore.errors import OptionError

VARIABLE = "SIGBOARD_CACHE"
UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
BYTES = 10**9
FORM = "It is off, or FOLDER, FOLDER:SIZE or :SIZE, with a size such as 500MB or 2GB."

# Free space below which nothing new is kept: a full disk is worse than a slow start.
ROOM = 64 * 10**6

SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]B)", re.IGNORECASE)


@dataclass(frozen=True)
class Setting:
    """The folder, and how many bytes of statistics may lie in it."""

    folder: Path
    most: int = BYTES


def setting(text: str | None = None) -> Setting | None:
    """What SIGBOARD_CACHE (or the text) asks for; None where nothing shall be kept, or where there is no home.

    Raises: OptionError for a size that cannot be read.
    """
    text = os.environ.get(VARIABLE, "") if text is None else text
    if text.strip().lower() == "off":
        return None
    folder, most = _parts(text.strip())
    try:
        return Setting(Path(folder).expanduser() if folder else user_cache(), most)
    except RuntimeError:  # no home to put in place of "~"
        notice("no home folder is known")
        return None


def _parts(text: str) -> tuple[str, int]:
    """(folder, bytes); the folder may hold colons of its own, as in C:\\cache."""
    folder, colon, size = text.rpartition(":")
    found = SIZE.fullmatch(size.strip())
    if colon and found:
        most = int(float(found[1]) * UNITS[found[2].upper()])
        if most > 0:
            return folder, most
    # ":2G" is a slip, not a folder; so is "2GB" alone
    if SIZE.fullmatch(text) or (colon and re.fullmatch(r"\s*[\d.]+\s*\w{0,3}\s*", size)):
        raise OptionError(f"{VARIABLE} has no size that can be read.", text, FORM)
    return text, BYTES


def user_cache() -> Path:
    """The folder where this user's programs keep what they can make again (RuntimeError without a home)."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "sigboard"


def writable(folder: Path) -> bool:
    """True where the folder exists or can be made, and has room; else a notice says why nothing is kept."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        if shutil.disk_usage(folder).free >= ROOM:
            return True
        notice(f"the disk of {folder} is full")
    except OSError as error:
        notice(f"{folder} cannot be written ({error.strerror})")
    return False


@cache
def notice(why: str) -> None:
    """Say once that nothing is kept on disk, and why: it costs time, never a result."""
    fix = f"Set {VARIABLE} to a folder that can be written, or to off."
    logging.getLogger("sigboard").warning("Nothing new is kept on disk: %s. %s", why, fix)
