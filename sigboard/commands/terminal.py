"""Standard output and standard error of a command: any character, and no traceback where they cannot be written."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO


def print_any_character() -> None:
    """Print what the terminal's encoding does not have (in an ASCII locale, ć) as its number: \\u0107."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # None where it was closed
            stream.reconfigure(errors="backslashreplace")


def flush() -> None:
    """Write what is still held back. Raises: OSError if it cannot be written."""
    if sys.stdout is not None:
        sys.stdout.flush()


def write_bytes(content: bytes) -> None:
    """Write bytes to standard output, after everything that was printed before."""
    if sys.stdout is not None:
        flush()
        sys.stdout.buffer.write(content)


def discard_output() -> None:
    """Let standard output lead nowhere: Python would try once more at its end, and fail again."""
    _discard(sys.stdout)


def failed(message: str) -> int:
    """The exit code 2, after the message was printed as one error."""
    try:
        print(f"error: {message}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)
    return 2


def _discard(stream: TextIO | None) -> None:
    with suppress(OSError, ValueError):  # a stream that is not a file
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
