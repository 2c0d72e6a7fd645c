"""Background jobs as a page sees them: a result, or until then its progress and Cancel."""

from __future__ import annotations

import logging
import os
import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from sigcore import Cancelled

# The background jobs of a server: equal requests share one, visitors take turns, and a job ends with its visitors.

Progress = Callable[[str, int, int], None]
Work = Callable[["Job"], Any]
Made = TypeVar("Made")

# Jobs that run at once (each uses all cores, so more would only slow down the pages), and finished jobs that are kept.
AT_ONCE, KEPT = 2, 64
JOB = "sigboard-job"  # the name of every thread that computes
# Seconds: the turn of a job while others wait, and how long a visitor may be away before their jobs end.
TURN, AWAY = 0.5, 10.0
# How much lower the priority of computing is than the priority of pages, and the lowest that there is.
NICE, LOWEST = 5, 19


@dataclass(eq=False)
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
    work: Work | None = None  # until it begins
    jobs: Jobs | None = None

    def report(self, phase: str, done: int, total: int) -> None:
        """Record progress, and let others have their turn; called by the work. Raises Cancelled after Cancel was pressed."""
        if self.stop.is_set():
            raise Cancelled
        if phase != self.phase:
            self.phase, self.started = phase, time.monotonic()
        self.done, self.total = done, total
        if self.jobs is not None:
            self.started += self.jobs.give_turns(self)

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

    @property
    def waiting(self) -> set[str]:
        """The visitors who wait for its result."""
        return self.visitors - self.gone


def kind_of(key: str) -> str:
    """The first part of a key or of a question."""
    return key.partition(":")[0]


def question_of(key: str) -> str:
    """The first two parts of a key, divided by colons: its kind and its question. Fewer and more resamples for the same
    question leave each other alone."""
    return ":".join(key.split(":")[:2])


class Jobs:
    """All jobs of this server. Each visitor has one worker at most; the next turn is for the visitor who has waited longest."""

    def __init__(
        self,
        at_once: int = AT_ONCE,
        is_here: Callable[[str], bool] = lambda visitor: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once, self._is_here, self._clock = at_once, is_here, clock
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._queue: list[Job] = []
        self._running: dict[Job, tuple[str, float]] = {}  # the visitor whose turn it is, and when it began
        self._served: dict[str, int] = {}  # when each visitor last had a turn
        self._turns = count(1)
        self._missing: dict[str, float] = {}
        self._lock = threading.Condition(threading.RLock())

    def ask(self, key: str, work: Work, visitor: str) -> Job:
        """The job of that key, started if there is none; equal questions share one."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None or (job.stop.is_set() and visitor not in job.visitors):
                # what another visitor cancelled is computed again
                job = self._jobs[key] = Job(key, work=work, jobs=self)
                self._queue.append(job)
            self._jobs.move_to_end(key)
            job.visitors.add(visitor)
            self._hand_out()
            self._drop()
            return job

    def has(self, key: str) -> bool:
        """Whether the result of that key is known: nobody waits for it."""
        with self._lock:
            job = self._jobs.get(key)
            return job is not None and job.finished.is_set() and job.error is None

    def knows(self, key: str) -> bool:
        """Whether there is a job of that key, which was not cancelled."""
        with self._lock:
            job = self._jobs.get(key)
            return job is not None and not job.stop.is_set()

    def cancel(self, job: Job, visitor: str) -> None:
        """Ask the work to stop at its next report; if others wait for it, only this visitor leaves."""
        with self._lock:
            job.gone.add(visitor)
            self._stop_unless_waited_for(job)

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

    def leave(self, visitor: str, asked: Collection[str]) -> None:
        """Cancel the jobs of a visitor for other questions of the same kinds as those asked for, unless somebody else waits."""
        kinds = set(map(kind_of, asked))
        with self._lock:
            for job in self._unfinished():
                if kind_of(job.key) in kinds and question_of(job.key) not in asked:
                    self._leave(job, visitor)

    def discard(self, visitor: str) -> None:
        """Cancel the jobs of a visitor, and forget the results that only this visitor uses."""
        with self._lock:
            for job in self._unfinished():
                self._leave(job, visitor)
            for key in [key for key, job in self._jobs.items() if job.finished.is_set()]:
                self._jobs[key].visitors.discard(visitor)
                if not self._jobs[key].visitors:
                    del self._jobs[key]

    def sweep(self) -> None:
        """Cancel the jobs of visitors who have been away for some seconds; those of visitors who are back go on."""
        now = self._clock()
        with self._lock:
            away = {v for job in self._unfinished() for v in job.waiting if not self._is_here(v)}
            self._missing = {visitor: self._missing.get(visitor, now) for visitor in away}
            for visitor, since in self._missing.items():
                for job in self._unfinished() if now - since >= AWAY else ():
                    self._leave(job, visitor)
            asking = {visitor for job in self._unfinished() for visitor in job.visitors}
            self._served = {v: turn for v, turn in self._served.items() if v in asking or self._is_here(v)}
            self._hand_out()

    def give_turns(self, job: Job) -> float:
        """Let others work if this job has had its turn, or while all who asked for it are away, and wait for the next one; the
        seconds that this took.

        Raises: Cancelled if the job was cancelled in the meantime.
        """
        with self._lock:
            now = self._clock()
            if job in self._running:
                others_wait = now - self._running[job][1] >= TURN and any(map(self._is_wanted, self._queue))
                if self._is_wanted(job) and not others_wait:
                    return 0.0
                del self._running[job]
                self._queue.append(job)
                self._hand_out()
            self._lock.wait_for(lambda: job in self._running or job.stop.is_set())
            if job.stop.is_set():
                if job in self._queue:  # where a worker would be given to it
                    self._queue.remove(job)
                raise Cancelled
            return self._clock() - now

    def _is_wanted(self, job: Job) -> bool:
        """Whether somebody who waits for it is here."""
        return any(map(self._is_here, job.waiting))

    def _unfinished(self) -> list[Job]:
        # a job that was started again has taken the place of the cancelled one
        return [job for job in {*self._jobs.values(), *self._queue, *self._running} if not job.finished.is_set()]

    def _leave(self, job: Job, visitor: str) -> None:
        if visitor in job.visitors:
            job.visitors.discard(visitor)
            self._stop_unless_waited_for(job)

    def _stop_unless_waited_for(self, job: Job) -> None:
        if not job.waiting:
            job.stop.set()
            if job in self._queue:
                self._queue.remove(job)
                if job.work is not None:  # never begun
                    job.run(job.work)
            self._lock.notify_all()

    def _hand_out(self) -> None:
        """Give free workers to the waiting jobs, first to the visitors whose last turn is longest ago; nothing is computed
        for those who are away."""
        while len(self._running) < self._at_once:
            served = {visitor for visitor, _ in self._running.values()}
            turns = [
                (self._served.get(visitor, 0), place, visitor)
                for place, job in enumerate(self._queue)
                for visitor in sorted(job.waiting - served)
                if self._is_here(visitor)
            ]
            if not turns:
                return
            _, place, visitor = min(turns)
            self._begin(self._queue.pop(place), visitor)

    def _begin(self, job: Job, visitor: str) -> None:
        self._running[job] = visitor, self._clock()
        self._served[visitor] = next(self._turns)
        work, job.work = job.work, None
        if work is None:
            self._lock.notify_all()
        else:
            threading.Thread(target=self._do, args=(job, work), name=JOB, daemon=True).start()

    def _do(self, job: Job, work: Work) -> None:
        yield_to_pages()
        try:
            job.run(work)
        finally:
            with self._lock:
                self._running.pop(job, None)
                self._hand_out()

    def _drop(self) -> None:
        # a cancelled job must not be returned to the next visitor
        gone = [k for k, j in self._jobs.items() if j.stop.is_set() and not j.visitors]
        old = [k for k, j in self._jobs.items() if j.finished.is_set()][: max(0, len(self._jobs) - KEPT)]
        for key in {*gone, *old}:
            del self._jobs[key]


def yield_to_pages() -> None:
    """Let the threads that draw pages go first on a busy machine: the priority of this thread, and of those that it starts, is
    lower, where the system has one for each thread."""
    if sys.platform == "linux":
        this = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, this, min(os.getpriority(os.PRIO_PROCESS, this) + NICE, LOWEST))


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


ASKED = "sigboard.asked"  # the questions that the page has asked since its run began


@contextmanager
def run_of_page() -> Iterator[None]:
    """One run of a page: at its end the visitor's jobs of the same kinds that it has not asked for are cancelled. A run that
    another one interrupts has not asked for everything yet."""
    st.session_state[ASKED] = set()
    try:
        yield
    except StopException:
        jobs().leave(visitor(), st.session_state[ASKED])
        raise
    jobs().leave(visitor(), st.session_state[ASKED])


def _note(of_server: Jobs, key: str) -> None:
    """Note what the page asks for. Where it is new, the page has changed its question: the job for the old one ends at once."""
    asked: set[str] = st.session_state.setdefault(ASKED, set())
    asked.add(question_of(key))
    if not of_server.knows(key):
        of_server.leave(visitor(), {one for one in asked if kind_of(one) == kind_of(key)})


def result(
    key: str, work: Callable[[Job], Made], ends: bool = True, whole: bool = False, so_far: Any = None, why: str = ""
) -> Made:
    """The result of the work; while it runs, a progress bar is shown and the partial result is returned.

    While there is nothing to show, the script of the page stops here; with `ends=False` it continues with None, and a
    cancellation is raised like any error. With `whole` a partial result is nothing to show. `so_far` is returned until the
    work has more (False: nothing, and the page continues), and `why` says what it is for.
    Raises: what the work raised.
    """
    of_server = jobs()
    _note(of_server, key)
    job = of_server.ask(key, work, visitor())
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
            of_server.again(job, visitor())
            raise Cancelled
        _cancelled(job, bool(shown))
        if shown is None:
            st.stop()
        return shown
    if job.error is not None:
        # computed again once the cause is fixed
        of_server.forget(key)
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
        text += f": {min(99, 100 * job.done // job.total)}%"
    if job.left is not None:
        text += f", about {max(1, round(job.left))} s left"
    return text


def _cancelled(job: Job, shown: bool) -> None:
    so_far = "What was computed so far is shown below. " if shown else ""
    st.info(f"Cancelled. {so_far}Results for other settings are still available.", icon=":material/stop_circle:")
    st.button("Run again", icon=":material/replay:", on_click=jobs().again, args=(job, visitor()), type="primary")
