"""Background jobs as a page sees them: a result, or until then its progress and Cancel."""

from __future__ import annotations

import secrets
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from sigboard.ui.board import Job, Jobs, Progress, Work
from sigcore import Cancelled

__all__ = ["Job", "Jobs", "Progress", "Work"]

PATIENCE = 0.3  # seconds before a page shows a progress bar


@st.cache_resource
def jobs() -> Jobs:
    """The jobs of this server."""
    return Jobs(is_here=is_here)


def visitor() -> str:
    """The id of this browser session."""
    if "sigboard.visitor" not in st.session_state:
        context = get_script_run_ctx()
        session = "" if context is None else context.session_id
        st.session_state["sigboard.visitor"] = f"{session}/{secrets.token_hex(8)}"
    return str(st.session_state["sigboard.visitor"])


def is_here(visitor: str) -> bool:
    """Whether the browser of that visitor is connected to this server."""
    try:
        return bool(runtime.get_instance().is_active_session(visitor.partition("/")[0]))
    except RuntimeError:  # no server, as in a test of one page
        return True


def result(key: str, work: Work, ends: bool = True, whole: bool = False, so_far: Any = None, why: str = "") -> Any:
    """The result of the work; while it runs, a progress bar is shown and the partial result is returned.

    While there is nothing to show, the script of the page stops here; with `ends=False` it continues with None, and a
    cancellation is raised like any error. With `whole` a partial result is nothing to show. `so_far` is returned until the
    work has more (False: nothing, and the page continues), and `why` says what it is for.
    Raises: what the work raised.
    """
    board = jobs()
    board.leave(visitor(), but=key)
    job = board.ask(key, work, visitor())
    left = visitor() in job.gone
    partial = job.partial
    shown = so_far if whole or partial is None else partial
    if not left and not job.finished.wait(PATIENCE):
        _watch(job, id(partial), why)
        if shown is None and ends:
            st.stop()
        return shown
    if isinstance(job.error, Cancelled) or (left and not job.finished.is_set()):
        if not ends:
            board.again(job, visitor())
            raise Cancelled
        _cancelled(job, bool(shown))
        if shown is None:
            st.stop()
        return shown
    if job.error is not None:
        # computed again once the cause is fixed
        board.forget(key)
        raise job.error
    return job.result


@st.fragment(run_every=0.25)
def _watch(job: Job, shown: int, why: str = "") -> None:
    if job.finished.is_set() or visitor() in job.gone or id(job.partial) != shown:
        st.rerun()
    share = min(0.99, job.done / job.total) if job.total else 0.0
    # a page may wait for two jobs at once: each box needs its own key
    with st.container(border=True, key=f"job-running-{job.key}"):
        st.progress(share, text=f"{why}{_progress_text(job)}")
        st.button(
            "Cancel",
            key=f"cancel-{job.key}",
            icon=":material/stop_circle:",
            on_click=jobs().cancel,
            args=(job, visitor()),
        )


def _progress_text(job: Job) -> str:
    text = job.phase[:1].upper() + job.phase[1:]
    if job.total:
        text += f": {min(99, 100 * job.done // job.total)} %"
    if job.left is not None:
        text += f", about {max(1, round(job.left))} s left"
    return text


def _cancelled(job: Job, shown: bool) -> None:
    so_far = "What was computed so far is shown below. " if shown else ""
    st.info(
        f"Cancelled. {so_far}Results for other settings are still available.",
        icon=":material/stop_circle:",
    )
    st.button("Run again", icon=":material/replay:", on_click=jobs().again, args=(job, visitor()), type="primary")
