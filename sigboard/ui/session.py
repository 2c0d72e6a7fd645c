"""The state of each visit, and the shelf on which a reload or a link finds it again."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock

import streamlit as st

from sigcore import data, readers

KEY = "sigboard"
TOKEN = "sigboard.token"  # the id of the visit in the URL
STATE = "sigboard.state"  # the state that was put on the shelf last
CHOSEN = "sigboard.chosen"  # the settings of the sidebar on this run
LANDING = "sigboard.landing"
LINK = "analysis"
BORROWED = "sigboard.borrowed"  # the visit was opened by a link and has not been changed yet
KEPT = 64


@dataclass
class Visit:
    """One person's visit: what they have loaded, the page they are on, and the finished runs of a project they opened."""

    collection: data.Collection = field(default_factory=data.Collection)
    page: str = ""
    finished: bytes = b""

    def copy(self) -> Visit:
        """An independent visit with the same content."""
        return Visit(self.collection.copy(), self.page, self.finished)


class Shelf:
    """Visits by unguessable id, so that a reload of the page finds its files again; the least recently used are dropped."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Visit] = OrderedDict()
        self._lock = Lock()

    def get(self, token: str) -> Visit | None:
        """The visit of that id, or None."""
        with self._lock:
            if token in self._kept:
                self._kept.move_to_end(token)
            return self._kept.get(token)

    def put(self, token: str, visit: Visit) -> None:
        """Store a visit."""
        with self._lock:
            self._kept[token] = visit
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


@st.cache_resource
def shelf() -> Shelf:
    """The shelf of this server."""
    return Shelf()


def visit() -> Visit:
    """The state of this visit: the one in the session, else the one of the link, else a new one with a sample."""
    if KEY not in st.session_state:
        _begin(str(st.query_params.get(LINK, "")))
    current: Visit = st.session_state[KEY]
    if current.collection.sample:
        # a sample needs no link; the URL stays short
        st.query_params.pop(LINK, None)
    else:
        st.query_params[LINK] = _shelved(current)
    return current


def _begin(token: str) -> None:
    """Put the visit of the link into the session, or a new one."""
    followed = shelf().get(token)
    if followed is None:
        token, own = secrets.token_urlsafe(12), first_visit()
    else:
        # a copy: a visitor who follows a link can rename, add and clear without changing what others see
        own = followed.copy()
        st.session_state[STATE] = own.collection.state
        st.session_state[BORROWED] = True
    st.session_state[KEY], st.session_state[TOKEN] = own, token


def _shelved(current: Visit) -> str:
    """The id of the visit on the shelf, where its current state is stored."""
    state = current.collection.state
    changed = st.session_state.get(STATE) != state
    if changed and st.session_state.pop(BORROWED, False):
        # a changed visit gets a new link; the link that was followed still shows what it showed before
        st.session_state[TOKEN] = secrets.token_urlsafe(12)
    token: str = st.session_state[TOKEN]
    if changed or shelf().get(token) is None:
        shelf().put(token, current)
        st.session_state[STATE] = state
    return token


def first_visit() -> Visit:
    """A new visit, with the first sample loaded."""
    fresh = Visit()
    for name in readers.sample_names()[:1]:
        fresh.collection.add_sample(name)
    return fresh


def title(collection: data.Collection) -> str:
    """The name of the test set as pages show it: the given one, else that of the folder or archive, else "your files"."""
    folders = {item.file.replace("\\", "/").partition("/")[0] for item in collection.items if "/" in item.file}
    folder = folders.pop().removesuffix(".zip") if len(folders) == 1 else ""
    return collection.name or collection.testset or folder or "your files"
