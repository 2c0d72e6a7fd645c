"""What visitors have loaded and computed, kept in the store: written when it has come to rest, restored by its link.

A page only notes what there is to keep. The server writes it some seconds later, in its own thread, so no click
waits for it.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from weakref import ref

import streamlit as st

from sigboard.server import limits
from sigboard.server.visits import Visit, Visits, size_of
from sigcore import SigError, data, project, store
from sigcore.studies import matrix

REST = 1.0  # seconds without a change before something is written
FILES, GRID, SHARED = "files", "grid", "shared"  # the parts of an analysis
OWN_FILES = "files of your own"  # the title of a copy whose other files were deleted, until its page is drawn
LARGEST_GRID = 128 * 2**20  # bytes of statistics: larger grids are computed again
LARGEST_FILES = 400 * 10**6  # bytes of files: larger ones would not be read again as a project
# Times of other processes may differ by this many seconds; a change is seen twice rather than never.
SLACK, EXPIRY = 120.0, 60.0
LATER = 60.0  # seconds by which an expiry must have moved before it is written, and before a new server looks around

StoredGrid = bytes | matrix.MatrixRun | None


@dataclass(frozen=True)
class _Known:
    """What is known of an analysis: what changes when its files change, its grid, and everything else."""

    files: object
    grid: object
    rest: object


@dataclass(frozen=True, eq=False)
class _Note:
    """What is to be written, and since when it has not changed."""

    visit: Visit
    owner: str
    title: str
    settings: Mapping[str, str]
    grid: StoredGrid
    since: float

    @property
    def known(self) -> _Known:
        """What is known once this is written; a run is not held in memory for it."""
        grid = self.grid if self.grid is None or isinstance(self.grid, bytes) else ref(self.grid)
        rest = (self.owner, self.title, self.visit.page, tuple(sorted(self.settings.items())), self.visit.sources)
        return _Known(self.visit.collection.state, grid, rest)

    def is_in(self, known: _Known) -> bool:
        """Whether nothing of it is new; a visit that has no grid yet, as after a reload, does not remove one."""
        own = self.known
        same = (own.files, own.rest) == (known.files, known.rest)
        return same and (own.grid is None or own.grid == known.grid)


def mark(secret: str) -> str:
    """The owner as the server keeps it: who reads the store does not learn the secret that deletes."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def fits(collection: data.Collection, most: int | None = None) -> bool:
    """Whether the files are not too large for the store. A project has the length of each segment and of each id."""
    most = LARGEST_FILES if most is None else most
    lengths = 8 * sum(len(item.segments) + len(item.keys) for item in collection.items)
    return lengths <= most and lengths + size_of(collection) <= most


def grid_bytes(grid: StoredGrid) -> bytes:
    """The finished runs as `matrix.load` reads them; b"" for none, or where they are larger than is useful."""
    if grid is None or isinstance(grid, bytes):
        return grid or b""
    size = 8 * sum(system.n * len(system.columns) for item in grid.measured for system in item.systems)
    can_be_stored = bool(grid.gain_intervals) and size <= LARGEST_GRID
    return matrix.save([grid]) if can_be_stored else b""


class Keeper:
    """What is kept of the visits of a server; without a store nothing is, and every method does nothing."""

    def __init__(
        self, visits: Visits, kept_in: store.Store | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._visits, self.store, self._clock = visits, kept_in, clock
        self._born = clock()
        self._notes: dict[str, _Note] = {}
        self._written: dict[str, _Known] = {}
        self._stamps: dict[str, str] = {}
        self._expiries: dict[str, float] = {}
        self._seen, self._expired = time.time(), 0.0
        self._undeleted: set[str] = set()  # the store could not be written when they were deleted
        self._lock = Lock()

    def note(
        self,
        token: str,
        visit: Visit,
        owner: str,
        title: str,
        settings: Mapping[str, str],
        run: matrix.MatrixRun | None,
    ) -> None:
        """What a page shows of the visit of that owner, to be kept once it does not change any more."""
        if self.store is None:
            return
        new = _Note(visit.copy(), owner, title, dict(settings), run or visit.finished or None, self._clock())
        with self._lock:
            earlier = self._notes.get(token)
            known = self._written.get(token) if earlier is None else earlier.known
            if known is None or not new.is_in(known):
                self._notes[token] = new

    def restored(self, token: str) -> bool:
        """Put the analysis of that id from the store among the visits; False if it is not kept."""
        found = None if self.store is None else self._read(self.store, token)
        if found is None:
            return False
        kept, visit = found
        self._visits.put(token, visit, kept.owner)
        note = _Note(visit, kept.owner, kept.title, kept.settings, visit.finished or None, 0.0)
        self._is_written(token, note.known, kept.stamp, kept.expires)
        return True

    def _read(self, own: store.Store, token: str) -> tuple[store.Kept, Visit] | None:
        found = own.get(token)
        opened = project.attempt(found[1].get(FILES, b"")) if found is not None else None
        if found is None or opened is None or isinstance(opened, SigError):
            return None
        kept, parts = found
        return kept, Visit(opened.collection, kept.page, kept.sources, parts.get(GRID, b""), _shared(parts))

    def flush(self, least: float = REST) -> None:
        """Write what has not changed for that many seconds, and how long everything is kept."""
        if self.store is None:
            return
        for token in sorted(self._undeleted):
            self._delete(token)
        now = self._clock()
        with self._lock:
            ready = {token: note for token, note in self._notes.items() if now - note.since >= least}
        for token, note in ready.items():
            self._write(self.store, token, note)
        self._prolong(self.store)
        for token in set(self._written) - set(self._visits.expiries()):
            self._forget(token)  # it is read again when somebody follows its link

    def _write(self, own: store.Store, token: str, note: _Note) -> None:
        expires, known = self._visits.expiries().get(token), self._written.get(token)
        new, stamp = note.known, ""
        if expires is not None and fits(note.visit.collection):
            parts = {}
            if known is None or known.files != new.files:
                parts = {FILES: project.save(project.Project(note.visit.collection)), GRID: grid_bytes(note.grid)}
            elif note.grid is not None and known.grid != new.grid:
                parts = {GRID: grid_bytes(note.grid)}
            if note.visit.shared:
                parts[SHARED] = _as_part(note.visit.shared)
            at = (note.visit.page, note.settings, time.time())
            kept = store.Kept(token, note.owner, note.title, expires, *at, sources=note.visit.sources)
            stamp = own.put(kept, parts, bounds())
            if stamp:
                self._is_written(token, new, stamp, expires)
        with self._lock:
            if self._notes.get(token) is note and (stamp or not own.problem):  # else again at the next turn
                del self._notes[token]

    def _is_written(self, token: str, known: _Known, stamp: str, expires: float) -> None:
        with self._lock:
            self._written[token], self._stamps[token], self._expiries[token] = known, stamp, expires

    def _prolong(self, own: store.Store) -> None:
        expires = {
            token: moment
            for token, moment in self._visits.expiries().items()
            if token in self._expiries and moment - self._expiries[token] > LATER
        }
        if expires:
            own.use(expires)
            self._expiries |= expires

    def follow(self) -> None:
        """Take over what other processes have deleted or written, and remove what has expired."""
        if self.store is None:
            return
        if not self._stamps and self._clock() - self._born < LATER:
            return  # the first visitor of a server is not made to wait for a database that they do not use
        began = time.time()
        deleted, stamps = self.store.changes(self._seen - SLACK)
        for token in deleted:
            if self._visits.why_gone(token) != "deleted":
                self._visits.delete(token)
                self._forget(token)
        for token, stamp in stamps.items():
            if self._stamps.get(token, stamp) != stamp and token not in self._notes:
                self._visits.forget(token)
                self._forget(token)
        if not self.store.problem:
            self._seen = began
        if began - self._expired > EXPIRY:
            self._expired = began
            self.store.expire()

    def delete(self, token: str, owner: str) -> bool:
        """Remove what that owner has behind the link, everywhere; False if it is not theirs."""
        theirs = self._visits.is_owner(token, owner) or (self.store is not None and self.store.is_owner(token, owner))
        if theirs:
            # first here: what is being written just now is then removed by the store, or refused
            self._visits.delete(token)
            self._forget(token)
            self._delete(token)
        return theirs

    def _delete(self, token: str) -> None:
        if self.store is not None:
            self._withdraw(self.store, token)
            (self._undeleted.discard if self.store.delete(token) else self._undeleted.add)(token)

    def _withdraw(self, own: store.Store, token: str) -> None:
        """Write copies from that link without its files, where others are in them: what is deleted then does not reach them."""
        for copy in own.copies(token):
            found = self._read(own, copy)
            if found is None or not found[1].withdraw(token):
                continue
            kept, visit = found
            files = project.save(project.Project(visit.collection))
            parts = {FILES: files, GRID: b"", SHARED: _as_part(visit.shared)}
            own.put(replace(kept, sources=visit.sources, title=OWN_FILES), parts, bounds())

    def hand_over(self, token: str, owner: str, to: str) -> None:
        """Give the visit of that owner another secret."""
        self._visits.hand_over(token, owner, to)
        if self.store is not None and token in self._stamps:
            self.store.hand_over(token, owner, to)

    def listed(self, owner: str) -> Sequence[store.Kept]:
        """What that owner keeps, the last used first."""
        return [] if self.store is None else self.store.listed(owner)

    def why_gone(self, token: str) -> store.Gone | None:
        """What became of a visit that is not here."""
        return self._visits.why_gone(token) or (None if self.store is None else self.store.why_gone(token))

    def is_kept(self, token: str) -> bool:
        """Whether the store has the visit as it was noted last."""
        with self._lock:
            return token in self._stamps and token not in self._notes

    @property
    def problem(self) -> str:
        """Why the store cannot be used; "" if it works, or if there is none."""
        return "" if self.store is None else self.store.problem

    @property
    def healed(self) -> float:
        """When a damaged store was set aside, in seconds since 1970; 0 if it was not."""
        return 0.0 if self.store is None else self.store.healed

    def _forget(self, token: str) -> None:
        with self._lock:
            for known in (self._notes, self._written, self._stamps, self._expiries):
                known.pop(token, None)


def _as_part(shared: Mapping[str, frozenset[str]]) -> bytes:
    return json.dumps({source: sorted(marks) for source, marks in shared.items()}).encode()


def _shared(parts: Mapping[str, bytes]) -> dict[str, frozenset[str]]:
    stored: dict[str, list[str]] = json.loads(parts.get(SHARED) or b"{}")
    return {source: frozenset(marks) for source, marks in stored.items()}


def bounds() -> store.Bounds:
    """The bounds of this server."""
    return store.Bounds(int(limits.OWN.most * limits.MB), int(limits.STORED.most * limits.MB))


@st.cache_resource
def visits() -> Visits:
    """The visits of this server."""
    return Visits()


@st.cache_resource
def keeper() -> Keeper:
    """The keeper of this server.

    Raises: OptionError for a SIGBOARD_STORE that cannot be read.
    """
    return Keeper(visits(), store.from_settings())
