"""What a server does every few seconds: jobs of visitors who left end, and what has expired or was never read is removed."""

from __future__ import annotations

import atexit
import gc
import sys
import threading
import time
from collections.abc import Callable

import streamlit as st

from sigboard.server import jobs
from sigboard.shell import session, uploads
from sigcore import kernels

EVERY = 2.0  # seconds
SWITCH = 0.001  # seconds that a thread works while another one waits
GARBAGE = 5  # turns from one collection of garbage to the next

Chores = tuple[Callable[[], None], ...]

_ran = threading.Event()
_newest: Chores = ()


def start() -> None:
    """Note that a page runs; with the first one this begins, once per server. It ends with the server."""
    _ran.set()
    _begin()


class Garbage:
    """The garbage of pages that have run, collected together: Streamlit would look for it after every single run, which
    took as long as the rest of a click (`runner.postScriptGC` in config.toml)."""

    def __init__(self, ran: threading.Event) -> None:
        self._ran, self._turn = ran, 0

    def collect(self) -> None:
        """Collect it at every GARBAGE-th turn before which a page has run."""
        self._turn += 1
        if self._turn % GARBAGE == 0 and self._ran.is_set():
            self._ran.clear()
            gc.collect()


@st.cache_resource
def _begin() -> None:
    keeper = session.keeper()
    chores = (
        jobs.jobs().sweep,
        session.visits().expire,
        uploads.Unread(uploads.store).sweep,
        keeper.flush,
        keeper.follow,
        Garbage(_ran).collect,
    )
    atexit.register(keeper.flush, least=0.0)
    global _newest
    _newest = chores
    threading.Thread(target=_repeat, args=(chores,), name="sigboard-maintenance", daemon=True).start()


def _repeat(chores: Chores) -> None:
    # a server whose memory was emptied, as tests do, begins again; nobody asks the earlier one
    while chores is _newest:
        time.sleep(EVERY)
        for chore in chores:
            chore()


# What a server does once: kernels are compiled in another process, which uses only time that nobody else needs.


@st.cache_resource
def warm() -> None:
    """Start the process, once per server; it ends with the server. On a machine where all kernels are compiled, nothing
    is started."""
    # what the libraries have loaded is never garbage, so nobody needs to look through it again
    gc.freeze()
    # A run of a page sends some hundred messages, and lets others work at each. With Python's 5 ms for these, a visitor waits
    # for a second where two others' pages are drawn.
    sys.setswitchinterval(SWITCH)
    kernels.compile_in_idle_time()
