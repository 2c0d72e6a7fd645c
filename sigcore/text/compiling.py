"""Compiles kernels in another process, which holds no lock of this one and leaves them in the cache on disk.

`python -m sigcore.text.compiling [--idle] FACE ...` is that process. It prints a line for each function that the
compiler has finished, and ends when its standard input is closed, that is, with the process that started it.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from sigcore.text import compiled, kernel_files
from sigcore.text.compiled import LOADING, Kernels, Report

ROOT = Path(__file__).resolve().parents[2]
LOOK = 0.2  # seconds between two reports

_starting = threading.Lock()
_processes: dict[str, Compiler] = {}


class Compiler:
    """A process that compiles the KERNELS of some modules, one after the other."""

    def __init__(self, faces: Sequence[str], idle: bool = False) -> None:
        self.idle, self.steps = idle, 0
        self.finished = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *(["--idle"] if idle else []), *faces],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=self._listen, name="sigboard-compiler", daemon=True).start()

    def _listen(self) -> None:
        with self._process as process:
            assert process.stdout is not None
            for _ in process.stdout:
                self.steps += 1
        self.finished.set()

    def stop(self) -> None:
        """End the process; what it has finished stays on disk."""
        self._process.kill()


def prepare(kernels: Kernels, work: float, title: str, report: Report | None = None) -> None:
    """Load the kernels if that makes this much work faster as a whole; while they are compiled, in another process,
    `report` receives (phase, steps done, steps) and may raise to stop waiting."""
    gain = work * kernels.saves
    if compiled.usable(kernels) or gain < LOADING or not compiled.installed():
        return
    if not compiled.kept(kernels):
        if gain < kernels.seconds + LOADING:
            return
        wait(kernels, title, report)
    if compiled.available():
        compiled.load(kernels)


def wait(kernels: Kernels, title: str, report: Report | None = None) -> None:
    """Return when the kernels are on disk, or when that has failed; `report` may raise to stop
    waiting, and the compiler goes on.

    Where nothing is kept on disk, return at once: each process has to compile for itself.
    """
    phase = f"preparing {title}, once for this machine"
    if compiled.disk_cache() is None:
        if report is not None:
            report(f"preparing {title}, which takes about {kernels.seconds:.0f} s", 0, 0)
        return
    process = _compiler(kernels)
    while not process.finished.wait(LOOK):
        if report is not None:
            report(phase, min(process.steps, kernels.steps - 1), kernels.steps)


def _compiler(kernels: Kernels) -> Compiler:
    """The process that compiles these kernels; one that only uses idle time is replaced."""
    with _starting:
        process = _processes.get(kernels.module)
        if process is None or process.finished.is_set() or process.idle:
            if process is not None:
                process.stop()
            process = _processes[kernels.module] = Compiler([kernels.face])
        return process


def in_idle_time(all_kernels: Sequence[Kernels]) -> Compiler | None:
    """A process that compiles those that are not on disk yet while the machine has nothing else to do; None if all are,
    or are being compiled for this process."""
    if compiled.disk_cache() is None:
        return None
    with _starting:
        missing = [kernels for kernels in all_kernels if not (compiled.kept(kernels) or _begun(kernels))]
        if not missing:
            return None
        process = Compiler([kernels.face for kernels in missing], idle=True)
        _processes.update({kernels.module: process for kernels in missing})
    return process


def _begun(kernels: Kernels) -> bool:
    process = _processes.get(kernels.module)
    return process is not None and not process.finished.is_set()


def _with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def _print_steps() -> None:
    from numba.core import event

    class Printer(event.Listener):  # type: ignore[misc]
        def on_start(self, event: object) -> None:
            pass

        def on_end(self, event: object) -> None:
            print(flush=True)

    event.register("numba:compile", Printer())


def main(arguments: Sequence[str]) -> None:
    """Compile the KERNELS of the modules that are named."""
    threading.Thread(target=_with_parent, daemon=True).start()
    idle = "--idle" in arguments
    if idle and hasattr(os, "nice"):
        os.nice(19)
    # what the other process has compiled in idle time is then on disk
    with kernel_files.locked(compiled.disk_cache(), "idle") if idle else nullcontext():
        _print_steps()
        for face in arguments:
            if face != "--idle":
                kernels: Kernels = importlib.import_module(face).KERNELS
                if not (idle and compiled.kept(kernels)):
                    compiled.load(kernels, alone=not idle)


if __name__ == "__main__":
    main(sys.argv[1:])
