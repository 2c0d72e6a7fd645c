"""Statistics cached by content, in memory and on disk, so that neither a rerun nor a restart extracts them again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from threading import Lock

import streamlit as st

from sigcore import Floats, statistics_on_disk

BYTES = 256 * 2**20


class Statistics(MutableMapping[str, Floats]):
    """Arrays by name in memory, bounded in bytes (least recently used first out), on top of a larger store.

    Thread-safe if the store is.
    """

    def __init__(self, most: int = BYTES, under: MutableMapping[str, Floats] | None = None) -> None:
        self._most, self._size = most, 0
        self._under = under
        self._held: OrderedDict[str, Floats] = OrderedDict()
        self._lock = Lock()

    def __getitem__(self, key: str) -> Floats:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        if self._under is None:
            raise KeyError(key)
        value = self._under[key]
        self._hold(key, value)
        return value

    def __setitem__(self, key: str, value: Floats) -> None:
        self._hold(key, value)
        if self._under is not None:
            self._under[key] = value

    def _hold(self, key: str, value: Floats) -> None:
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
