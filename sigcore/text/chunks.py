"""Long work on segments in chunks of a tenth of a second, so that it can report progress and be cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable

Done = Callable[[int], object]

CHUNK = 0.1  # seconds between two reports
FIRST = 64  # segments in the first chunk: short for every metric, long enough to measure


def in_chunks(n: int, work: Callable[[int, int], object], done: Done | None = None) -> None:
    """Call `work(start, stop)` over 0..n in chunks, and `done(stop)` after each.

    `done` receives the number of finished segments and may raise to stop the work.
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
    """The number of segments for the next chunk, at most four times as many as before."""
    return max(1, min(4 * size, int(size * CHUNK / max(seconds, 1e-9))))
