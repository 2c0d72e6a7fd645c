"""Long work on segments in chunks of a tenth of a second, so that it can report progress and be cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from sigcore.types import Ints

Done = Callable[[int], object]

CHUNK = 0.1  # seconds between two reports
FIRST = 64  # segments in the first chunk: short for every metric, long enough to measure
FIRST_COST = FIRST * 10_000  # of those whose cost is known: 64 segments of a hundred words and references as long


def in_chunks(n: int, work: Callable[[int, int], object], done: Done | None = None, costs: Ints | None = None) -> None:
    """Call `work(start, stop)` over 0..n in chunks, and `done(stop)` after each.

    `done` receives the number of finished segments and may raise to stop the work. `costs` (n,) are in proportion to the
    time that each segment takes, where this differs: the costs of a chunk, not the number of its segments,
    are then those of a tenth of a second. A chunk has at least one segment.
    """
    total = np.arange(n + 1) if costs is None else np.concatenate([[0], np.cumsum(np.maximum(costs, 1))])
    start, size = 0, FIRST if costs is None else FIRST_COST
    while start < n:
        stop = max(start + 1, int(np.searchsorted(total, total[start] + size, side="right")) - 1)
        if costs is not None and start == 0:
            stop = min(stop, FIRST)
        stop = min(n, stop)
        began = time.perf_counter()
        work(start, stop)
        size = next_size(int(total[stop] - total[start]), time.perf_counter() - began)
        start = stop
        if done is not None:
            done(stop)


def next_size(size: int, seconds: float) -> int:
    """The cost (or the number of segments) of the next chunk, at most four times that of the last, which took `seconds`."""
    return max(1, min(4 * size, int(size * CHUNK / max(seconds, 1e-9))))


def products(segments: Sequence[str], references: Ints) -> Ints:
    """(n,): what segments cost whose time grows with their length times the lengths (n, r) of their references."""
    letters = np.fromiter(map(len, segments), np.int64, len(segments))
    found: Ints = letters * references.sum(axis=1)
    return found
