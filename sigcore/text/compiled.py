"""Compiles kernels with numba, which is imported when the first kernel is used, and caches them on disk."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from sigcore.storage import location
from sigcore.text import kernel_files

Function = TypeVar("Function", bound=Callable[..., object])

_setting = threading.Lock()


@lru_cache(maxsize=1)
def available() -> bool:
    """True if numba can be imported and may compile, so that the kernels can be used."""
    try:
        import numba
    except ImportError:  # missing, or built for another numpy
        return False
    # NUMBA_DISABLE_JIT=1 would run the kernels as Python, far slower than the ways without numba
    return not numba.config.DISABLE_JIT


def kernel(function: Function) -> Function:
    """The function, compiled on its first call; it runs without the GIL and is cached on disk for the next process.

    Modules that use it are imported inside the functions that need them, so that numba is imported only then.
    """
    import numba

    folder = disk_cache()
    with _setting:  # numba reads the folder at this moment; other users of numba keep their own
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder or "")
        try:
            made = numba.njit(nogil=True, cache=folder is not None)(function)
        finally:
            numba.config.CACHE_DIR = before
    if folder is not None:
        kernel_files.check_files(made)
    return made


def part(function: Function) -> Function:
    """The function as a part of kernels: it is inlined, since a call costs more than most parts do."""
    import numba

    return numba.njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


@lru_cache(maxsize=1)
def disk_cache() -> Path | None:
    """The folder for compiled kernels: $NUMBA_CACHE_DIR, else $SIGBOARD_CACHE/kernels, else one in the user's cache;
    None = no caching.

    A folder that cannot be written, or that others can write, is not an error: a notice reports it, and each process
    compiles the kernels again.

    Raises: OptionError for a SIGBOARD_CACHE that cannot be read.
    """
    asked = location.setting()
    if asked is None:
        return None
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or asked.folder / "kernels")
    if not location.writable(folder):
        return None
    why = kernel_files.refusal(folder)
    if why:
        location.notice(f"{why}, so compiled code in it cannot be trusted")
    return None if why else folder
