"""Compiled kernels: when they are worth it, who compiles them, and where they are kept.

Every kernel has a plain twin that gives the same rows. The kernels of a module are used in a process once they are loaded
(`usable`). `prepare` loads them where the work is large enough; another process compiles what is not on disk.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import platform
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from pickle import UnpicklingError
from typing import TypeVar

from sigcore.storage import location, sealed
from sigcore.storage.lock import locked

Function = TypeVar("Function", bound=Callable[..., object])
Report = Callable[[str, int, int], object]

LETTERS = 130  # in a usual segment
LOADING = 1.0  # seconds to import numba and load kernels that were compiled before
LOOK = 0.2  # seconds between two reports
MOST = 64 * 10**6  # bytes of all kernels; those of one version of Sigboard, Python and numba take about 2 MB
TRIES = 20  # more than a module has kernels
# What unpickling a damaged file raises, and LLVM for damaged code.
UNREADABLE = (UnpicklingError, EOFError, ImportError, AttributeError, LookupError, TypeError, ValueError, RuntimeError)
ROOT = Path(__file__).resolve().parents[2]

_setting, _loading, _starting = threading.Lock(), threading.Lock(), threading.Lock()
_loaded: set[str] = set()
_compilers: dict[str, tuple[subprocess.Popen[bytes], bool]] = {}  # by module: the process, and whether it is idle


@dataclass(frozen=True)
class Kernels:
    """The kernels of one module, and when they are worth it.

    `face` is the module that uses them and has this record as KERNELS; `call` calls each of them once. `saves` is how
    many seconds they save for a usual unit of work (a segment of LETTERS letters, or a draw); a longer segment counts as
    its length in LETTERS to the power of `grows`. `seconds` is how long compiling takes on a usual machine.
    """

    module: str
    face: str
    call: Callable[[], object]
    saves: float
    seconds: float
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


@cache
def installed() -> bool:
    """True if there is a numba to import, which takes a third of a second."""
    try:
        return importlib.util.find_spec("numba") is not None
    except ValueError:  # a module that was taken out of sys.modules
        return False


def kernel(function: Function) -> Function:
    """The function, compiled on its first call without the GIL, and cached on disk for the next process.

    Modules that use it are imported inside the functions that need them, so that numba is imported only then.
    """
    import numba

    folder = _folder(function.__module__)
    with _setting:  # numba reads the folder at this moment; other users of numba keep their own
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or "")
        try:
            made: Function = numba.njit(nogil=True, cache=folder is not None)(function)
        finally:
            numba.config.CACHE_DIR = before
    return made


def part(function: Function) -> Function:
    """The function as a part of kernels: it is inlined, since a call costs more than most parts do."""
    import numba

    made: Function = numba.njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return made


@lru_cache(maxsize=1)
def disk_cache() -> Path | None:
    """The folder for compiled kernels: $NUMBA_CACHE_DIR, else $SIGBOARD_CACHE/kernels, else one in the user's cache; None =
    no caching, also where others can write. Raises: OptionError for a SIGBOARD_CACHE that cannot be read."""
    asked = location.setting()
    if asked is None:
        return None
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or asked.folder / "kernels")
    if not location.writable(folder):
        return None
    why = location.refusal(folder)
    if why:
        location.notice(f"{why}, so compiled code in it cannot be trusted")
    return None if why else folder


def _own(module: str) -> Path | None:
    """The folder of the kernels of a module, of these sources, this Python and this numba; None = no caching."""
    folder, found = disk_cache(), importlib.util.find_spec(module)
    if folder is None or found is None or found.origin is None or not installed():
        return None
    source = os.stat(found.origin)  # numba, too, compares size and time
    made = (found.origin, source.st_size, source.st_mtime_ns, sys.version, platform.machine(), version("numba"))
    return folder / f"{module}.{hashlib.sha256(repr(made).encode()).hexdigest()[:16]}"


@cache
def _folder(module: str) -> Path | None:
    """Where numba reads and writes the kernels of a module in this process: their own folder if it is sound, else a new
    one. Damaged code could crash the run, so numba never sees it."""
    own = _own(module)
    if own is None or sealed.sound(own):
        return own
    if own.exists():
        _remove(own)
    return own.with_name(f"{own.name}.{os.getpid()}")


def _remove(folder: Path) -> None:
    logging.getLogger("sigboard").warning("A compiled kernel was damaged (%s); it is compiled again.", folder.name)
    shutil.rmtree(folder, ignore_errors=True)


def work(kernels: Kernels, segments: Sequence[str]) -> float:
    """How many usual segments these are for the kernels."""
    return sum(max(1.0, len(segment) / LETTERS) ** kernels.grows for segment in segments)


def usable(kernels: Kernels) -> bool:
    """True if the kernels are loaded in this process; otherwise the plain twin gives the same rows."""
    return kernels.module in _loaded and available()


def kept(kernels: Kernels) -> bool:
    """True if the kernels were compiled before and are on disk, so that loading them takes about LOADING seconds."""
    own = _own(kernels.module)
    return own is not None and sealed.exists(own)


def load(kernels: Kernels, alone: bool = True) -> None:
    """Load the kernels into this process; those that are not on disk are compiled here, which may take long.

    `alone`: a process that is compiling the same ones is waited for, and what it has left on disk is loaded. A process that
    only uses idle time, which others must not wait for, does without.
    """
    with _loading:
        if kernels.module not in _loaded:
            with locked(disk_cache() if alone and not kept(kernels) else None, kernels.module):
                stored = _call(kernels)
                folder, own = _folder(kernels.module), _own(kernels.module)
                if stored and folder is not None and own is not None:
                    sealed.publish(folder, own)
                    sealed.bound(own.parent, "sigcore.*/", MOST)
            _loaded.add(kernels.module)


def _call(kernels: Kernels) -> bool:
    """Call each kernel, so that numba loads or compiles it; True if all are on disk then."""
    stored, own = True, _own(kernels.module)
    for tries in range(TRIES):
        try:
            kernels.call()
            break
        except OSError as error:  # numba has compiled one more, and cannot write it
            location.notice(f"{disk_cache()} cannot be written ({error.strerror})")
            stored = False
        except UNREADABLE:  # an error of the kernel itself is raised again
            if tries or own is None:
                raise
            _remove(own)
    return stored


def prepare(kernels: Kernels, work: float, title: str, report: Report | None = None) -> None:
    """Load the kernels if that makes this much work faster as a whole; while they are compiled, in another process,
    `report` receives (phase, seconds, usual seconds) and may raise to stop waiting."""
    gain = work * kernels.saves
    if usable(kernels) or gain < LOADING or not installed():
        return
    if not kept(kernels):
        if gain < kernels.seconds + LOADING:
            return
        wait(kernels, title, report or (lambda *_: None))
    if available():
        load(kernels)


def wait(kernels: Kernels, title: str, report: Report) -> None:
    """Return when the kernels are on disk, or when that has failed; `report` may raise to stop waiting, and the compiler
    goes on. Where nothing is kept on disk, return at once: each process has to compile for itself."""
    if disk_cache() is None:
        report(f"preparing {title}, which takes about {kernels.seconds:.0f} s", 0, 0)
        return
    with _starting:
        process, idle = _compilers.get(kernels.module, (None, False))
        if process is None or idle or process.poll() is not None:
            if process is not None:
                process.kill()
            process = compiler([kernels])
    began, usual = time.monotonic(), round(kernels.seconds)
    while process.poll() is None:
        report(f"preparing {title}, once for this machine", min(int(time.monotonic() - began), usual - 1), usual)
        time.sleep(LOOK)


def compiler(some: Sequence[Kernels], idle: bool = False) -> subprocess.Popen[bytes]:
    """A process that compiles the kernels, one module after the other. It holds no lock of this process, and ends with it."""
    code = f"from {__name__} import main; main({[kernels.face for kernels in some]}, {idle})"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    null = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=null, stderr=null
    )
    threading.Thread(target=_close, args=(process,), name="sigboard-compiler", daemon=True).start()
    _compilers.update({kernels.module: (process, idle) for kernels in some})
    return process


def _close(process: subprocess.Popen[bytes]) -> None:
    process.wait()
    if process.stdin is not None:
        process.stdin.close()


def in_idle_time(some: Sequence[Kernels]) -> subprocess.Popen[bytes] | None:
    """A process that compiles those that are not on disk yet while the machine has nothing else to do; None if all are,
    or are being compiled for this process."""
    with _starting:
        begun = {module for module, (process, _) in _compilers.items() if process.poll() is None}
        missing = [kernels for kernels in some if not kept(kernels) and kernels.module not in begun]
        return compiler(missing, idle=True) if missing and disk_cache() is not None else None


def main(faces: Sequence[str], idle: bool) -> None:
    """Compile the KERNELS of the modules that are named, until the standard input is closed."""
    # without sys.stdin, whose lock would be held when this process ends
    threading.Thread(target=lambda: (os.read(0, 1), os._exit(0)), daemon=True).start()
    if idle and hasattr(os, "nice"):
        os.nice(19)
    # what another process has compiled in idle time is then on disk
    with locked(disk_cache() if idle else None, "idle"):
        for face in faces:
            kernels: Kernels = importlib.import_module(face).KERNELS
            if not (idle and kept(kernels)):
                load(kernels, alone=not idle)
