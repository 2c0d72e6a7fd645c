"""A visit saved as a project file, and opened from one."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from sigboard import questions
from sigboard.ui import address, session, shelf
from sigcore import Collection, ReadError, SigError, metrics, project
from sigcore.studies import matrix

# Settings that are not in the sidebar: the length of blocks, and those of the report page.
MORE = ("block", "unseen", "daggers")


def maker(visit: session.Visit, run: matrix.MatrixRun) -> Callable[[], bytes]:
    """A function that makes the project file of the visit: what is loaded, the settings, and the run of the grid where it
    can be stored. It is called when a button is pressed, where there is no session any more."""
    collection, settings = visit.collection.copy(), address.settings()

    def content() -> bytes:
        can_be_stored = bool(run.gain_intervals) and not any(run.prepared)
        grid = matrix.save([run]) if can_be_stored else b""
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
    refusal = shelf.refusal(opened.collection.items, opened.collection.detected, Collection())
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
    return name in (*questions.SETTINGS, *MORE) or option.removesuffix(".lower") in own
