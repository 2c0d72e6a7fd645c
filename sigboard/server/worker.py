"""One question in a separate process with bounded memory: `python -m sigboard.server.worker`, started by sigboard.server.processes.

Reads one request from standard input, and writes its progress and its answer to standard output, both as pickles: the
two ends are one program on one machine. It ends when its standard input is closed, that is, with the server.
"""

from __future__ import annotations

import errno
import math
import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, Literal

from sigcore import Outputs, Runtime, SigError, Testset, readers, statistics_on_disk
from sigcore.studies.statistics import Asked, measure

Report = Callable[[str, int, int], None]
Work = Literal["read", "statistics"]
Kind = Literal["progress", "answer", "error"]  # what comes back: a step of progress, the answer, an error to show
NO_MEMORY = 71  # the exit code where the memory was not enough: a message would need some


def read(report: Report, files: Sequence[tuple[str, bytes]], ratings: bool = False) -> readers.Intake:
    """The content of dropped files; `ratings`: where only human ratings are expected."""

    def reported() -> Iterator[tuple[str, bytes]]:
        for place, file in enumerate(files):
            report("reading the files", place, len(files))
            yield file
        report("recognising formats", 0, 0)

    return readers.read_ratings(reported()) if ratings else readers.read(reported())


def statistics(report: Report, testset: Testset, outputs: Sequence[Outputs], asked: Asked) -> None:
    """Leave the statistics of all systems in the cache on disk."""
    measure(testset, outputs, asked, Runtime(cache=statistics_on_disk(), progress=report))


QUESTIONS: dict[Work, Callable[..., Any]] = {"read": read, "statistics": statistics}


def bound_memory(most: int) -> None:
    """Let every allocation above this many bytes in all fail, where the system can (Linux; not macOS, not Windows)."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def bound_time(most: float) -> None:
    """Let the system end this process after so many seconds of processor time (not on Windows)."""
    if sys.platform != "win32" and most < float("inf"):
        import resource

        whole = max(1, math.ceil(most))
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 5))


def answer(request: BinaryIO, stream: BinaryIO) -> None:
    """Answer one request: (question, bytes of memory, seconds of processor time, arguments)."""

    def send(kind: Kind, *content: object) -> None:
        stream.write(pickle.dumps((kind, content)))  # made whole first: no half of a message where memory ends
        stream.flush()

    question, most, seconds, arguments = pickle.load(request)
    threading.Thread(target=_with_parent, args=(request,), daemon=True).start()
    bound_memory(most)
    bound_time(seconds)
    try:
        send("answer", QUESTIONS[question](lambda *step: send("progress", *step), *arguments))
    except SigError as error:
        send("error", error)


def _with_parent(request: BinaryIO) -> None:
    request.read()
    os._exit(0)


def main() -> None:
    """Answer on the standard output that the process was started with; what anything else prints goes to the errors."""
    with os.fdopen(os.dup(1), "wb") as stream:
        os.dup2(2, 1)
        try:
            answer(sys.stdin.buffer, stream)
            stream.flush()
        except (MemoryError, ImportError):  # a library that no longer fits is an ImportError
            os._exit(NO_MEMORY)
        except OSError as error:
            os._exit(NO_MEMORY if error.errno == errno.ENOMEM else 1)
        os._exit(0)


if __name__ == "__main__":
    main()
