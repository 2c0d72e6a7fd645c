"""What a server does every few seconds: jobs of visitors who left end, and what has expired or was never read is removed."""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable

import streamlit as st

from sigboard.ui import jobs, session, uploads

EVERY = 2.0  # seconds


@st.cache_resource
def start() -> None:
    """Start the upkeep, once per server; it ends with the server."""
    keeper = session.keeper()
    chores = (
        jobs.jobs().sweep,
        session.shelf().expire,
        uploads.Unread(uploads.store).sweep,
        keeper.flush,
        keeper.follow,
    )
    atexit.register(keeper.flush, least=0.0)
    threading.Thread(target=_repeat, args=(chores,), name="sigboard-upkeep", daemon=True).start()


def _repeat(chores: tuple[Callable[[], None], ...]) -> None:
    while True:
        time.sleep(EVERY)
        for chore in chores:
            chore()
