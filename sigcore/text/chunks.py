"""Cuts long work on segments into pieces of a tenth of a second, so that it can report and be stopped."""

from __future__ import annotations

import time
from collections.abc import Callable

Done = Callable[[int], object]

PIECE = 0.1  # seconds between two reports
FIRST = 64  # segments in the first piece: short for every metric, long enough to measure


def paced(n: int, work: Callable[[int, int], object], done: Done | None = None) -> None:
    """Nothing; calls `work(start, stop)` over 0..n in pieces, and `done(stop)` after each.

    `done` hears how many segments are finished and may raise to stop the work.
    """
    start, size = 0, FIRST
    while start < n:
        stop = min(n, start + size)
        began = time.perf_counter()
        work(start, stop)
        size = next_size(stop - start, time.perf_counter() - began)
        start = stop
        if done is not None:
            done(stop)


def next_size(size: int, seconds: float) -> int:
    """The number of segments that should take one piece of time, at most four times more than before."""
    return max(1, min(4 * size, int(size * PIECE / max(seconds, 1e-9))))
