"""How much a piece of work does, counted in lines of Python: the same on every machine, however busy."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

# Processor seconds of this process, for what runs in C and shows no lines. The inputs are so large that a cost which
# grows faster than they do comes to hours, where what is wanted comes to a second on a slow machine.
LIMIT = 60.0


@contextmanager
def at_most(lines: int) -> Iterator[None]:
    """Fails in the middle of the block once what it calls has run more lines of Python than that, or far too long."""
    left, before = lines, sys.gettrace()

    def watch(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= event == "line"
        assert left >= 0, f"More than {lines:,} lines of Python ran."
        return watch

    with _far_from_endless():
        sys.settrace(watch)
        try:
            yield
        finally:
            sys.settrace(before)


@contextmanager
def _far_from_endless() -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def endless(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"More than {LIMIT:.0f} s of processor time: the cost grows faster than the input.")

    before = signal.signal(signal.SIGVTALRM, endless)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
