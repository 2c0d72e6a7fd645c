"""The `sigboard` command from its very first moment: Ctrl+C ends it with one line while it is still being imported, too."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

INTERRUPTED = 130  # what a shell reports for a command that Ctrl+C ended


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of one command, as in sigboard.commands.main; 130 after Ctrl+C."""
    try:
        from sigboard import commands

        return commands.main(arguments)
    except KeyboardInterrupt:
        with suppress(OSError):
            after = "\n" if sys.stderr.isatty() else ""  # a terminal shows ^C
            print(f"{after}interrupted", file=sys.stderr, flush=True)
        return INTERRUPTED


def run() -> None:
    """Run the command and end the process with its exit code."""
    code = main()
    if code == INTERRUPTED:
        os._exit(code)  # threads may still be busy with a block, and nobody waits for it
    sys.exit(code)
