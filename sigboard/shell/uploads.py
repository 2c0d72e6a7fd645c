"""Dropped files: read by a job, with progress and Cancel, within the bounds of the server, and then no longer kept twice."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from sigboard import catalogue
from sigboard.server import jobs, limits, processes, visits, worker
from sigboard.shell import address, page, plan, session
from sigcore import Collection, ReadError, SigError, metrics, project, readers
from sigcore.studies import matrix, report

# A visit saved as a project file, and opened from one.

# Settings that are not in the sidebar: the length of blocks, and those of the report page.
MORE = (
    *("block", "unseen", "daggers", "compared", "against", "pairs", "late", "also", "runs", "shuffle"),
    *(f"ack.{name}" for name in report.NAMES),
)


def maker(visit: session.Visit, run: matrix.MatrixRun) -> Callable[[], bytes]:
    """A function that makes the project file of the visit: what is loaded, the settings, and the run of the grid where it
    can be stored. It is called when a button is pressed, where there is no session any more."""
    collection, settings = visit.collection.copy(), address.settings()

    def content() -> bytes:
        grid = matrix.save([run]) if run.gain_intervals else b""
        return project.save(project.Project(collection, settings, grid))

    return content


def open_one(name: str, given: bytes) -> None:
    """Replace the visit by that of a project file, before any widget is drawn; a bad file is a problem of the page."""
    visit: session.Visit = st.session_state[session.KEY]
    problem = _opened(visit, given)
    if problem is not None:
        visit.collection.problems += (ReadError(problem.what, name, None, problem.fix),)
        visit.collection.version += 1


def _opened(visit: session.Visit, given: bytes) -> SigError | None:
    """The problem of the file, None if it was opened."""
    before = visit.collection
    opened = project.attempt(given)
    if isinstance(opened, SigError):
        return opened
    refusal = visits.refusal(opened.collection.items, opened.collection.detected, Collection())
    if refusal is not None:
        return refusal
    opened.collection.version = before.version + 1  # so that every table and the drop zone are drawn again
    visit.collection, visit.finished = opened.collection, opened.grid
    address.replace({name: text for name, text in opened.settings.items() if known(name)})
    return None


def known(name: str) -> bool:
    """Whether a setting of a file is one of the app; others could be keys of the session."""
    metric, dot, option = name.partition(".")
    own = {o.name for o in metrics.members()[metric].options} if dot and metric in metrics.members() else set()
    return name in (*catalogue.SETTINGS, *MORE) or option.removesuffix(".lower") in own


@dataclass(frozen=True)
class Dropped:
    """Files that were dropped; `ratings`: where only human ratings are expected."""

    files: tuple[tuple[str, bytes], ...]
    ratings: bool
    key: str


def take(collection: Collection, key: str, ratings: bool = False) -> None:
    """Take the files from the drop zone of that key, if they are within the bounds; the page reads them when it is drawn."""
    # a second event of a drop that was taken already has no list, or only what is left of removed files
    files = [file for file in st.session_state.get(key) or () if hasattr(file, "getvalue")]
    if not files:
        return
    saved = [file for file in files if file.name.lower().endswith(project.SUFFIX)]
    if saved:
        open_one(saved[-1].name, saved[-1].getvalue())
        _free([str(file.file_id) for file in files])
        return
    size = sum(file.size for file in files) + visits.size_of(collection)
    refusal = limits.FILES.refusal(size / limits.MB)
    if refusal:
        collection.problems += (refusal,)
    else:
        content = tuple((file.name, file.getvalue()) for file in files)
        st.session_state[session.DROPPED] = Dropped(content, ratings, f"read:{secrets.token_hex(8)}")
    # a fresh drop zone; the server's own copies are not needed any more
    collection.settle()
    collection.version += 1
    _free([str(file.file_id) for file in files])


def _free(ids: list[str]) -> None:
    context, kept = get_script_run_ctx(), store()
    if context is not None and kept is not None:
        for each in ids:
            kept.remove_file(context.session_id, each)


def read(collection: Collection) -> None:
    """Add what was dropped, once it is read; until then the page shows how far that is."""
    if session.DROPPED not in st.session_state:
        return
    dropped: Dropped = st.session_state[session.DROPPED]
    waits = False
    with page.guard("data"):
        intake = jobs.result(dropped.key, lambda job: _read(job, dropped), ends=False)
        waits = intake is None
        if not waits:
            jobs.jobs().forget(dropped.key)
            held = Collection() if collection.sample else collection
            refusal = visits.refusal(intake.items, intake.detected, held)
            if refusal is not None:
                raise refusal
            collection.add_intake(intake)
            plan.apply(collection)
    # not before: where the job ends just now, the page begins again from above
    if not waits:
        st.session_state.pop(session.DROPPED, None)


def _read(job: jobs.Job, dropped: Dropped) -> readers.Intake:
    apart = processes.read(job.report, dropped.files, dropped.ratings)
    return worker.read(job.report, dropped.files, dropped.ratings) if apart is None else apart


class Unread:
    """Uploads that no page has read: freed after some time, and the oldest ones where a visitor has too many."""

    def __init__(self, store: Callable[[], object], clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._since: dict[tuple[str, str], float] = {}

    def sweep(self) -> None:
        """Free them."""
        store, now = self._store(), self._clock()
        if not isinstance(store, MemoryUploadedFileManager):
            return
        sizes = {
            (who, name): len(record.data)
            for who, files in list(store.file_storage.items())
            for name, record in list(files.items())
        }
        self._since = {key: self._since.get(key, now) for key in sizes}
        held: dict[str, int] = {}
        for who, name in sorted(sizes, key=self._since.__getitem__, reverse=True):
            held[who] = held.get(who, 0) + sizes[who, name]
            late = now - self._since[who, name] >= limits.UNUSED.most
            if late or held[who] > limits.FILES.most * limits.MB:
                store.remove_file(who, name)


def store() -> MemoryUploadedFileManager | None:
    """Where this server has its uploads; None where there is no server."""
    try:
        kept = runtime.get_instance().uploaded_file_mgr
    except RuntimeError:
        return None
    return kept if isinstance(kept, MemoryUploadedFileManager) else None
