"""Compiles kernels with numba, which is imported when the first kernel is used, and caches them on disk."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from sigcore.storage import location

Function = TypeVar("Function", bound=Callable[..., object])

_setting = threading.Lock()


@lru_cache(maxsize=1)
def available() -> bool:
    """True if numba can be imported, so that the kernels can be used."""
    try:
        import numba  # noqa: F401
    except ImportError:  # missing, or built for another numpy
        return False
    return True


def kernel(function: Function) -> Function:
    """The function, compiled on its first call; it runs without the GIL and is cached on disk for the next process.

    Modules that use it are imported inside the functions that need them, so that numba is imported only then.
    """
    import numba

    folder = disk_cache()
    with _setting:  # numba reads the folder at this moment; other users of numba keep their own
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = before or str(folder or "")
        try:
            return numba.njit(nogil=True, cache=folder is not None)(function)
        finally:
            numba.config.CACHE_DIR = before


def part(function: Function) -> Function:
    """The function as a part of kernels: it is inlined, since a call costs more than most parts do."""
    import numba

    return numba.njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


@lru_cache(maxsize=1)
def disk_cache() -> Path | None:
    """The folder for compiled kernels: $SIGBOARD_CACHE/kernels, else one in the user's cache; None = no caching.

    A folder that cannot be written is not an error: a notice reports it, and each process compiles the kernels again.

    Raises: OptionError for a SIGBOARD_CACHE that cannot be read.
    """
    asked = location.setting()
    if asked is None:
        return None
    folder = asked.folder / "kernels"
    return folder if location.writable(folder) else None
