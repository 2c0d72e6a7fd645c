"""Blocks on this machine: one after the other, or on threads; anything with a `map` will do."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@cache
def one_blas_thread() -> object:
    """Limit the linear algebra library to one thread for the rest of the process.

    Its own threading of these narrow products is slow, and ours over blocks already uses every core.
    """
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")


def cores() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Serial:
    """One block after the other."""

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """The results in order, each computed on demand."""
        one_blas_thread()
        return map(work, items)


class Threads:
    """Blocks on several threads; results in order, only a few blocks ahead of the reader."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or cores()

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """The results in order. Closing the iterator drops what has not begun."""
        one_blas_thread()
        waiting: deque[Future[Result]] = deque()
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                for item in items:
                    waiting.append(pool.submit(work, item))
                    # two blocks per worker keep all of them busy; more would only hold memory
                    if len(waiting) >= 2 * self.workers:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()
