"""Statistics cached by content, in memory and on disk, so that neither a rerun nor a restart extracts them again."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, MutableMapping
from functools import cache
from threading import Lock
from typing import Any, TypeVar

import streamlit as st

from sigcore import Floats, executors, packed, statistics_on_disk

BYTES = 256 * 2**20


class Statistics(MutableMapping[str, Floats]):
    """Arrays by name in memory, bounded in bytes (least recently used first out), on top of a larger store. Many small
    counts are kept as bytes.

    Thread-safe if the store is.
    """

    def __init__(self, most: int = BYTES, under: MutableMapping[str, Floats] | None = None) -> None:
        self._most, self._size = most, 0
        self._under = under
        self._held: OrderedDict[str, Any] = OrderedDict()  # Any: as `packed` gives them
        self._lock = Lock()

    def __getitem__(self, key: str) -> Floats:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                held: Floats = self._held[key].astype(float, copy=False)
                return held
        if self._under is None:
            raise KeyError(key)
        value = self._under[key]
        self._hold(key, value)
        return value

    def __setitem__(self, key: str, value: Floats) -> None:
        self._hold(key, value)
        if self._under is not None:
            self._under[key] = value

    def _hold(self, key: str, given: Floats) -> None:
        value = packed(given)
        with self._lock:
            self._size += value.nbytes - (self._held[key].nbytes if key in self._held else 0)
            self._held[key] = value
            self._held.move_to_end(key)
            while self._size > self._most and len(self._held) > 1:
                self._size -= self._held.popitem(last=False)[1].nbytes

    def __delitem__(self, key: str) -> None:
        with self._lock:
            held = self._held.pop(key, None)
            self._size -= 0 if held is None else held.nbytes
        below = self._under is not None and self._under.pop(key, None) is not None
        if held is None and not below:
            raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        with self._lock:
            held = dict.fromkeys(self._held)
        return iter(held | dict.fromkeys(self._under or ()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@st.cache_resource
def statistics() -> Statistics:
    """The statistics of this server."""
    return Statistics(under=statistics_on_disk())


# The executor of this server: SIGBOARD_EXECUTOR, or the threads of this machine.

_one_at_a_time = Lock()


def executor() -> executors.Executor:
    """The executor that all jobs share; the first job connects to the cluster, in the background.

    Raises: SigError if SIGBOARD_EXECUTOR cannot be used; the next job tries again.
    """
    with _one_at_a_time:
        return _made(os.environ.get("SIGBOARD_EXECUTOR", "local"))


@cache
def _made(name: str) -> executors.Executor:
    return executors.get(name)


# What was made from a result before: its figures and readings are made once for each way to show it, for all visitors.

Made = TypeVar("Made")
CacheKey = tuple[Hashable, ...]

MOST = 256  # the least recently used are dropped

_memory_made: OrderedDict[CacheKey, tuple[Any, tuple[Any, ...]]] = OrderedDict()
_lock = Lock()


def once(make: Callable[..., Made], *given: Any, **settings: Any) -> Made:
    """`make(*given, **settings)`, made once; all who ask for the same share it, so it must not be changed.

    `make` is a function of a module, and depends on nothing but its arguments. Results and arrays are the same only if
    they are one object, everything else if it is equal.
    """
    arguments = (*given, *settings.values())
    key = (make, *map(_mark, given), *settings, *map(_mark, settings.values()))
    with _lock:
        if key in _memory_made:
            _memory_made.move_to_end(key)
            kept: Made = _memory_made[key][0]
            return kept
    new = make(*given, **settings)
    with _lock:
        # the arguments are kept, too: no other object can get their identity
        shared: Made = _memory_made.setdefault(key, (new, arguments))[0]
        while len(_memory_made) > MOST:
            _memory_made.popitem(last=False)
    return shared


def _mark(value: Any) -> Hashable:
    # 1 and True are equal, and are written differently
    return (type(value), value) if isinstance(value, Hashable) else ("object", id(value))
