"""The `sigboard` command from its very first moment: Ctrl+C ends it with one line while it is still being imported, too."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

INTERRUPTED = 130  # what a shell reports for a command that Ctrl+C ended
UNUSABLE = 2
OLDEST = (3, 11)  # Python, as in pyproject.toml


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of one command, as in sigboard.terminal.main; 130 after Ctrl+C, 2 for a Python that lacks something."""
    if sys.version_info < OLDEST:
        return _refuse(f"Sigboard needs Python {'.'.join(map(str, OLDEST))} or later.")
    try:
        from sigboard import terminal

        return terminal.main(arguments)
    except KeyboardInterrupt:
        with suppress(OSError, AttributeError):  # standard error may be closed
            after = "\n" if sys.stderr.isatty() else ""  # a terminal shows ^C
            print(f"{after}interrupted", file=sys.stderr, flush=True)
        return INTERRUPTED
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "sigboard", "sigcore"):
            raise
        return _refuse(f"The package {package} is not installed.")


def _refuse(why: str) -> int:
    python = f"This is Python {sys.version.split()[0]} at {sys.executable}."
    fix = "Start Sigboard with `make run`, which installs everything; or install requirements.txt for this Python."
    print(f"sigboard: {why} {python}\nHow to fix it: {fix}", file=sys.stderr, flush=True)
    return UNUSABLE


def run() -> None:
    """Run the command and end the process with its exit code."""
    code = main()
    if code == INTERRUPTED:
        os._exit(code)  # threads may still be busy with a block, and nobody waits for it
    sys.exit(code)
