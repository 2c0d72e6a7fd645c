"""Compiled kernels: where they are kept, and whether they are loaded.

Every kernel has a plain twin that gives the same rows. The kernels of a module are used in a process once they are
loaded (`usable`); `compiling.prepare` loads them where the work is large enough.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeVar

from sigcore.storage import location
from sigcore.text import kernel_files

Function = TypeVar("Function", bound=Callable[..., object])
Report = Callable[[str, int, int], None]

LETTERS = 130  # in a usual segment
LOADING = 1.0  # seconds to import numba and load kernels that were compiled before

_setting, _loading = threading.Lock(), threading.Lock()
_loaded: set[str] = set()


@dataclass(frozen=True)
class Kernels:
    """The kernels of one module, and when they are worth it.

    `face` is the module that uses them and has this record as KERNELS; `call` calls each of them once. `saves` is how
    many seconds they save for a usual unit of work (a segment of LETTERS letters, or a draw); a longer segment counts as
    its length in LETTERS to the power of `grows`. `seconds` is how long compiling takes on a usual machine, and `steps`
    how many functions the compiler finishes meanwhile (for the progress bar).
    """

    module: str
    face: str
    call: Callable[[], object]
    saves: float
    seconds: float
    steps: int
    grows: int = 1


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


def work(kernels: Kernels, segments: Sequence[str]) -> float:
    """How many usual segments these are for the kernels."""
    return sum(max(1.0, len(segment) / LETTERS) ** kernels.grows for segment in segments)


def usable(kernels: Kernels) -> bool:
    """True if the kernels are loaded in this process; otherwise the plain twin gives the same rows."""
    return kernels.module in _loaded and available()


def load(kernels: Kernels, alone: bool = True) -> None:
    """Load the kernels into this process; those that are not on disk are compiled here, which may take long.

    `alone`: a process that is compiling the same ones is waited for, and what it has left on disk is loaded. A process that
    only uses idle time, which others must not wait for, does without.
    """
    with _loading:
        if kernels.module not in _loaded:
            folder = disk_cache() if alone and not kept(kernels) else None
            with kernel_files.locked(folder, kernels.module):
                kernels.call()
            _loaded.add(kernels.module)
            _mark(kernels)


def kept(kernels: Kernels) -> bool:
    """True if the kernels were compiled before and are on disk, so that loading them takes about LOADING seconds."""
    mark = _mark_path(kernels)
    return mark is not None and mark.exists()


@cache
def installed() -> bool:
    """True if there is a numba to import, which takes a third of a second."""
    try:
        return importlib.util.find_spec("numba") is not None
    except ValueError:  # a module that was taken out of sys.modules
        return False


def _mark(kernels: Kernels) -> None:
    mark = _mark_path(kernels)
    if mark is not None:
        try:
            mark.touch()
        except OSError as error:
            location.notice(f"{mark.parent} cannot be written ({error.strerror})")


def _mark_path(kernels: Kernels) -> Path | None:
    """The empty file that says that the kernels are on disk, for these sources, this Python and this numba."""
    folder = disk_cache()
    return None if folder is None else folder / f"{kernels.module}.{_versions(kernels.module)}.ready"


@cache
def _versions(module: str) -> str:
    found = importlib.util.find_spec(module)
    assert found is not None, module
    assert found.origin is not None, module
    source = os.stat(found.origin)  # numba, too, compares size and time
    parts = [found.origin, source.st_size, source.st_mtime_ns, sys.implementation.cache_tag, platform.machine()]
    try:
        parts.append(version("numba"))
    except PackageNotFoundError:
        parts.append("none")
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
