"""Waiting for a state instead of for a while: shared by the tests of threads, processes, servers and pages."""

from __future__ import annotations

import time
from collections.abc import Callable

# Seconds. It only keeps a fault from hanging the run: nothing is said about how long anything takes.
LIMIT = 600.0


def nap() -> None:
    """A moment for the others, between two looks."""
    time.sleep(0.02)


def until(condition: Callable[[], object], what: str, pause: Callable[[], object] = nap) -> None:
    """Nothing, once the condition holds, however long the machine takes for it.

    Raises: TimeoutError, which says what was waited for, after LIMIT seconds.
    """
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"After {LIMIT:.0f} s this still does not hold: {what}.")
        pause()
