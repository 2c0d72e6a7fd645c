"""Large questions of a hosted server in separate processes: what one of them breaks is one job."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sigboard.server import limits
from sigboard.server.worker import NO_MEMORY, Report, Work
from sigcore import Outputs, SigError, Testset, readers, statistics_on_disk

ROOT = Path(__file__).resolve().parents[2]
LOOK = 0.2  # seconds between two looks whether the job was cancelled
# how a process ends that found too little memory: by itself, stopped by the system, or where not even an error fits
TOO_LITTLE = (NO_MEMORY, -9, -6)
TOO_LONG = -24  # SIGXCPU: the bound on the processor time
ARCHIVES = (b"\x1f\x8b", b"PK")  # they may unpack to a thousand times their size


def read(report: Report, files: Sequence[tuple[str, bytes]], ratings: bool) -> readers.Intake | None:
    """The content of the files, read by a separate process; None where they are small, or the server is not hosted."""
    size = sum(len(data) for _, data in files)
    if not (is_large(size) or (limits.hosted() and any(data.startswith(ARCHIVES) for _, data in files))):
        return None
    intake: readers.Intake = ask("read", (tuple(files), ratings), report)
    return intake


def extract(report: Report, testset: Testset, outputs: Sequence[Outputs], asked: Any) -> None:
    """Leave the statistics of a large test set in the cache on disk; nothing where it is small, or nothing is stored."""
    texts = (*testset.references, *(item.segments for item in outputs))
    if is_large(sum(len(line) for text in texts for line in text)) and statistics_on_disk() is not None:
        ask("statistics", (testset, tuple(outputs), asked), report)


def is_large(size: int) -> bool:
    """Whether this server answers a question about this number of bytes in another process."""
    return size > limits.APART.most * limits.MB


def ask(question: Work, arguments: tuple[Any, ...], report: Report) -> Any:  # Any: each question has its own answer
    """The answer of a new process with bounded memory and time. `report` receives its progress; it may raise, as for Cancel,
    and the process is then killed.

    Raises: SigError of the question itself, and if it needed more memory or time than allowed or its process ended otherwise.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    process = subprocess.Popen(
        [sys.executable, "-m", "sigboard.server.worker"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    heard: queue.SimpleQueue[tuple[str, tuple[Any, ...]]] = queue.SimpleQueue()
    request = (question, int(limits.MEMORY.most * limits.MB), limits.PROCESSOR.most, arguments)
    end = time.monotonic() + limits.WAIT.most
    try:
        threading.Thread(target=_listen, args=(process, request, heard), daemon=True).start()
        step = ("starting", 0, 0)
        while True:
            if time.monotonic() > end:
                raise _too_long(limits.WAIT)
            try:
                kind, content = heard.get(timeout=LOOK)
            except queue.Empty:
                report(*step)  # raises after Cancel
                continue
            if kind == "progress":
                step = content[0], content[1], content[2]
                report(*step)
            elif kind == "answer":
                return content[0]
            else:
                raise content[0] if kind == "error" else _failed(process.wait())
    finally:
        process.kill()
        process.wait()


def _listen(process: subprocess.Popen[bytes], request: object, heard: queue.SimpleQueue[Any]) -> None:
    """Send the request, and put what comes back into the queue, last of all that the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        pickle.dump(request, process.stdin)
        process.stdin.flush()
        while True:
            heard.put(pickle.load(process.stdout))
    except (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, ImportError, pickle.UnpicklingError):
        heard.put(("ended", ()))
    finally:
        process.stdout.close()
        process.stdin.close()


def _failed(code: int) -> SigError:
    """What is shown for a process that ended without an answer."""
    if code in TOO_LITTLE:
        what = (
            f"This question needs more than the {limits.MEMORY.most:,.0f} MB of memory that this server allows for one."
        )
        return SigError(what, "", f"Load fewer or smaller files. {limits.ELSEWHERE}")
    if code == TOO_LONG:
        return _too_long(limits.PROCESSOR)
    return SigError(
        f"The process that computed this ended (exit code {code}).", "", f"Run it again. {limits.ELSEWHERE}"
    )


def _too_long(limit: limits.Limit) -> SigError:
    """What is shown for a question that is given up."""
    what = f"This question needs more than the {limit.most:,.0f} {limit.thing.removesuffix(' for one question')} that this server allows for one."
    return SigError(what, "", f"Load fewer or smaller files. {limits.ELSEWHERE}")
