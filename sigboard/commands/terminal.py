"""Standard output and standard error of a command: any character, and no traceback where they cannot be written."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TextIO


class Closed(io.TextIOBase):
    """Standard output where it was closed (>&-): what is printed is an error, not lost."""

    def write(self, text: str) -> int:
        """Raise OSError for any text."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def prepare() -> None:
    """Print what the terminal's encoding does not have (in an ASCII locale, ć) as its number: \\u0107.

    Where a stream was closed, Python has none: notes are then lost, and results are an error.
    """
    if sys.stdout is None:
        sys.stdout = Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until Python ends)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def let_output_be_closed() -> None:
    """Lose what is printed where standard output was closed: a server prints no results."""
    if isinstance(sys.stdout, Closed):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until Python ends)


def flush() -> None:
    """Write what is still held back. Raises: OSError if it cannot be written."""
    sys.stdout.flush()


def write_bytes(content: bytes) -> None:
    """Write bytes to standard output, after everything that was printed before."""
    flush()
    if isinstance(sys.stdout, Closed):
        sys.stdout.write("")
    sys.stdout.buffer.write(content)


def discard_output() -> None:
    """Let standard output lead nowhere: Python would try once more at its end, and fail again."""
    _discard(sys.stdout)


def note(message: str) -> None:
    """Print a note on standard error."""
    print(f"note: {visible(message)}", file=sys.stderr)


def visible(message: str) -> str:
    """The message with control characters as their numbers, \\x1b: names in files must not control the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in message)


def failed(message: str) -> int:
    """The exit code 2, after the message was printed as one error."""
    try:
        print(f"error: {visible(message)}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)
    return 2


def _discard(stream: TextIO) -> None:
    with suppress(OSError, ValueError):  # a stream that is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
