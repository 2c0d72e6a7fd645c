"""Compiled kernels, each with a plain twin that gives the same rows: when they are worth it, and where they are kept."""

from __future__ import annotations

import hashlib
import importlib
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from pickle import UnpicklingError
from typing import TypeVar

from sigcore.storage import location

LOG = logging.getLogger("sigboard")
Function = TypeVar("Function", bound=Callable[..., object])
Report = Callable[[str, int, int], object]

LETTERS = 130  # in a usual segment
USES = 2  # of a metric by one person, at least: what is compiled is kept, so that the next use needs no compiler
LOADING = 1.0  # seconds to import numba and load kernels that were compiled before
MORE = 0.01  # seconds to load others then
# What unpickling a damaged file raises, and LLVM for damaged code.
UNREADABLE = (UnpicklingError, EOFError, ImportError, AttributeError, LookupError, TypeError, ValueError, RuntimeError)

_setting, _loading, _starting = threading.Lock(), threading.Lock(), threading.Lock()
_loaded: set[str] = set()
_compilers: dict[str, subprocess.Popen[bytes]] = {}  # by the code that they run


@dataclass(frozen=True)
class Kernels:
    """The kernels of one module, and when they are worth it."""

    module: str
    face: str  # the module that uses them and has this record as KERNELS
    call: Callable[[], object]  # calls each of them once
    saves: float  # seconds that they save for a usual unit of work: a segment of LETTERS letters, or a draw
    seconds: float  # that compiling takes on a usual machine
    grows: int = 1  # a longer segment counts as its length in LETTERS to the power of this


@cache
def available() -> bool:
    """True if numba can be imported and may compile: as Python the kernels are far slower than their twins."""
    try:
        import numba
    except ImportError:  # missing, or built for another numpy
        return False
    return not numba.config.DISABLE_JIT


def kernel(function: Function, divides: bool = False) -> Function:
    """The function, compiled on its first call without the GIL, and cached on disk for the next process. Modules that use it
    are imported inside the functions that need them, so that numba is imported only then. With `divides` a division
    by 0 is numpy's, not an error, so that loops with divisions become vector instructions."""
    import numba

    mark = _mark(function.__module__)
    with _setting:  # numba reads the folder at this moment; other users of numba keep their own
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(mark.parent) if mark else ""
        try:
            model = "numpy" if divides else "python"
            return numba.njit(nogil=True, cache=mark is not None, error_model=model)(function)
        finally:
            numba.config.CACHE_DIR = before


def part(function: Function) -> Function:
    """The function as a part of kernels: it is inlined, since a call costs more than most parts do."""
    from numba import njit

    return njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


@cache
def disk_cache() -> Path | None:
    """The folder for compiled kernels: $NUMBA_CACHE_DIR, else $SIGBOARD_CACHE/kernels; None = no caching, also where others
    can write. Raises: OptionError for a SIGBOARD_CACHE that cannot be read."""
    asked = location.setting()
    folder = asked and Path(os.environ.get("NUMBA_CACHE_DIR") or asked.folder / "kernels")
    return folder if folder and location.trusted(folder) else None


@cache
def _mark(module: str) -> Path | None:
    """The file that says that all kernels of a module are on disk, beside it, for these sources, this Python and this
    numba; None = no caching. Numba writes a file completely or not at all, so several processes may compile the same."""
    folder, found = disk_cache(), find_spec(module)
    if folder is None or found is None or found.origin is None or find_spec("numba") is None:
        return None
    source = os.stat(found.origin)  # numba, too, compares size and time
    made = (found.origin, source.st_size, source.st_mtime_ns, sys.version, version("numba"))
    return folder / module / f"complete-{hashlib.sha256(repr(made).encode()).hexdigest()[:16]}"


def work(kernels: Kernels, segments: Sequence[str]) -> float:
    """How many usual segments these are for the kernels."""
    return sum(max(1.0, len(segment) / LETTERS) ** kernels.grows for segment in segments)


def usable(kernels: Kernels) -> bool:
    """True if the kernels are loaded in this process; otherwise the plain twin gives the same rows."""
    return kernels.module in _loaded and available()


def kept(kernels: Kernels) -> bool:
    """True if the kernels were compiled before and are on disk, so that loading them takes about LOADING seconds."""
    mark = _mark(kernels.module)
    return mark is not None and mark.exists()


def load(kernels: Kernels) -> None:
    """Load the kernels into this process; those that are not on disk, or do not load, are compiled here."""
    mark = _mark(kernels.module)
    with _loading:
        for _ in range(0 if kernels.module in _loaded else 20):  # more than it has kernels
            try:
                kernels.call()
                if mark is not None:
                    mark.touch()
                break
            except OSError as error:  # numba has compiled one more, and cannot write it
                location.notice(f"{disk_cache()} cannot be written ({error.strerror})")
            except UNREADABLE:
                if mark is None:  # an error of the kernel itself
                    raise
                LOG.warning("A compiled kernel was damaged (%s); it is compiled again.", kernels.module)
                shutil.rmtree(mark.parent, ignore_errors=True)
            mark = None  # not all are on disk
        _loaded.add(kernels.module)


def prepare(kernels: Kernels, work: float, title: str, report: Report | None = None) -> None:
    """Load the kernels if that makes this much work faster as a whole, done USES times where they are kept. While another process compiles them, `report`
    receives (phase, seconds, usual seconds). It may raise to stop waiting, and the compiler goes on."""
    gain, began, usual = work * kernels.saves, time.monotonic(), round(kernels.seconds)
    loading = MORE if _loaded else LOADING
    if usable(kernels) or gain < loading or not available():
        return
    uses = USES if disk_cache() else 1
    if uses * gain < kernels.seconds + loading and not kept(kernels):
        return
    if disk_cache() is None and report:  # each process has to compile for itself
        report(f"preparing {title}, which takes about {usual} s", 0, 0)
    while disk_cache() and not kept(kernels) and compiler([kernels]).poll() is None:
        if report:
            report(f"preparing {title}, once for this machine", min(int(time.monotonic() - began), usual - 1), usual)
        time.sleep(0.2)
    load(kernels)


def compiler(some: Sequence[Kernels], idle: bool = False) -> subprocess.Popen[bytes]:
    """A process that compiles the kernels, one module after the other, and ends with this one; there is one of each."""
    code = f"from {__name__} import main; main({[kernels.face for kernels in some]}, {idle})"
    path = os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    command, env, null = [sys.executable, "-c", code], {**os.environ, "PYTHONPATH": path}, subprocess.DEVNULL
    with _starting:
        if code not in _compilers:
            _compilers[code] = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=null, stderr=null)
        return _compilers[code]


def main(faces: Sequence[str], idle: bool) -> None:
    """Compile the KERNELS of the modules that are named, until the standard input is closed."""
    # without sys.stdin, whose lock would be held when this process ends
    threading.Thread(target=lambda: (os.read(0, 1), os._exit(0)), daemon=True).start()
    with suppress(ImportError, OSError):  # on Windows, each process compiles for itself
        from fcntl import LOCK_EX, flock

        os.nice(19 if idle else 0)
        lock = Path(disk_cache() or os.devnull, "idle.lock" if idle else f"{faces[0]}.lock")
        flock(os.open(lock, os.O_WRONLY | os.O_CREAT, 0o600), LOCK_EX)  # until this process ends
    for face in faces:
        load(importlib.import_module(face).KERNELS)
