"""Background jobs: equal requests share one job, with progress and cancellation."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from sigcore import Cancelled

Progress = Callable[[str, int, int], None]
Work = Callable[["Job"], Any]

# Jobs that run at once, finished jobs that are kept, and seconds before a page shows a progress bar.
AT_ONCE, KEPT, PATIENCE = 4, 64, 0.3


@dataclass
class Job:
    """One piece of work: its progress, and finally its result or its error."""

    key: str
    phase: str = "waiting for a free worker"
    done: int = 0
    total: int = 0
    started: float = 0.0
    partial: Any = None
    result: Any = None
    error: BaseException | None = None
    finished: threading.Event = field(default_factory=threading.Event)
    stop: threading.Event = field(default_factory=threading.Event)
    visitors: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)  # visitors who pressed Cancel

    def report(self, phase: str, done: int, total: int) -> None:
        """Record progress; called by the work. Raises Cancelled after Cancel was pressed."""
        if self.stop.is_set():
            raise Cancelled
        if phase != self.phase:
            self.phase, self.started = phase, time.monotonic()
        self.done, self.total = done, total

    def run(self, work: Work) -> None:
        """Do the work and store its result or its error."""
        try:
            self.report("starting", 0, 0)
            self.result = work(self)
        except BaseException as error:  # stored, and raised on the page that asked
            self.error = error
            if not isinstance(error, Cancelled):
                logging.getLogger("sigboard").info("job ended by %r", error)
        finally:
            self.finished.set()

    def publish(self, partial: Any) -> None:
        """Store a partial result; called by the work."""
        self.partial = partial

    @property
    def left(self) -> float | None:
        """Estimated seconds left in this phase; None while it is too early to estimate."""
        spent = time.monotonic() - self.started
        if not self.done or not self.total or spent < 0.5:
            return None
        return spent * (self.total - self.done) / self.done


class Jobs:
    """All jobs of this server."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="sigboard-job")
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()

    def ask(self, key: str, work: Work, visitor: str) -> Job:
        """The job of that key, started if there is none; equal questions share one."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None or (job.stop.is_set() and visitor not in job.visitors):
                # what another visitor cancelled is computed again
                job = self._jobs[key] = Job(key)
                self._pool.submit(job.run, work)
            self._jobs.move_to_end(key)
            job.visitors.add(visitor)
            self._drop()
            return job

    def cancel(self, job: Job, visitor: str) -> None:
        """Ask the work to stop at its next report; if others wait for it, only this visitor leaves."""
        with self._lock:
            job.gone.add(visitor)
            if not job.visitors - job.gone:
                job.stop.set()

    def again(self, job: Job, visitor: str) -> None:
        """Let a cancelled job be started again."""
        with self._lock:
            job.gone.discard(visitor)
            if job.stop.is_set() and self._jobs.get(job.key) is job:
                del self._jobs[job.key]

    def forget(self, key: str) -> None:
        """Let a finished job be started again."""
        with self._lock:
            self._jobs.pop(key, None)

    def leave(self, visitor: str, but: str) -> None:
        """Cancel the earlier jobs of a visitor who starts another of the same kind, unless somebody else waits for them.

        The first two parts of a key, divided by colons, are its kind and its question: fewer and more resamples for the
        same question leave each other alone.
        """
        kind, question = but.split(":")[:2]
        with self._lock:
            for job in self._jobs.values():
                other = job.key.split(":")[0] == kind and job.key.split(":")[:2] != [kind, question]
                if other and visitor in job.visitors and not job.finished.is_set():
                    job.visitors.discard(visitor)
                    if not job.visitors - job.gone:
                        job.stop.set()

    def _drop(self) -> None:
        # a cancelled job must not be returned to the next visitor
        gone = [k for k, j in self._jobs.items() if j.stop.is_set() and not j.visitors]
        old = [k for k, j in self._jobs.items() if j.finished.is_set()][: max(0, len(self._jobs) - KEPT)]
        for key in {*gone, *old}:
            del self._jobs[key]


@st.cache_resource
def jobs() -> Jobs:
    """The jobs of this server."""
    return Jobs()


def visitor() -> str:
    """The id of this browser session."""
    if "sigboard.visitor" not in st.session_state:
        st.session_state["sigboard.visitor"] = f"{time.time_ns():x}-{id(st.session_state):x}"
    return str(st.session_state["sigboard.visitor"])


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
