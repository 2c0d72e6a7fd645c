"""Analyses kept in a database under unguessable ids: with an owner, an expiry, a size, and parts that are bytes."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from sigcore.errors import OptionError
from sigcore.storage import location
from sigcore.storage.database import Bounds, Gone, Kept

if TYPE_CHECKING:
    from sigcore.storage.database import Database

__all__ = ["FILE", "VARIABLE", "Bounds", "Gone", "Kept", "Store", "from_settings"]

VARIABLE = "SIGBOARD_STORE"
FILE = "store.sqlite"  # in the cache folder; as in database, which is imported late
# Seconds for which a database that could not be opened is left alone: no page waits for it again and again.
PAUSE = 15.0

Result = TypeVar("Result")


class Store:
    """Kept analyses; several threads and processes may share a store.

    No method raises because of the database: what cannot be read is as if it was not kept, what cannot be written is not
    kept, and `problem` says why. Times are seconds since 1970.
    """

    def __init__(self, url: str, pause: float = PAUSE) -> None:
        self._url, self._pause = url, pause
        path = url.removeprefix("sqlite:///").partition("?")[0] if url.startswith("sqlite:///") else ""
        self._file = Path(path) if path not in ("", ":memory:") and not path.startswith("file:") else None
        self._database: Database | None = None
        self._file_opened: tuple[int, int] | None = None
        self._rests, self._problem, self._healed = 0.0, "", 0.0
        self._lock = Lock()

    @property
    def problem(self) -> str:
        """Why nothing can be kept at the moment, for any visitor; "" while the store works. The log says more."""
        return self._problem

    @property
    def healed(self) -> float:
        """When this process set a damaged file aside, in seconds since 1970; 0 if it did not."""
        return self._healed

    def put(self, kept: Kept, parts: Mapping[str, bytes], bounds: Bounds) -> str:
        """Keep an analysis; parts that are not given stay as they are. What was used longest ago, first of the same
        owner, is removed where the bounds would be exceeded. The new stamp; "" if it was not kept: it is too large, or it
        or one of its sources was deleted."""
        return self._do(lambda database: database.put(kept, parts, bounds), "", creates=True)

    def get(self, token: str) -> tuple[Kept, dict[str, bytes]] | None:
        """The analysis and its parts; None if it is not kept, has expired, or is damaged."""
        return self._do(lambda database: database.get(token, time.time()), None)

    def listed(self, owner: str) -> list[Kept]:
        """What that owner keeps, the last used first."""
        return self._do(lambda database: database.listed(owner, time.time()), [])

    def use(self, expires: Mapping[str, float]) -> None:
        """Set when these analyses expire; none is set to an earlier time."""
        self._do(lambda database: database.use(expires), None)

    def hand_over(self, token: str, owner: str, to: str) -> None:
        """Give the analysis of that owner to another."""
        self._do(lambda database: database.hand_over(token, owner, to), None)

    def is_owner(self, token: str, owner: str) -> bool:
        """Whether the analysis is kept and belongs to that owner."""
        return self._do(lambda database: database.is_owner(token, owner), False)

    def delete(self, token: str) -> bool:
        """Remove the analysis, and every one whose files came from its link; neither can be kept again. Whether that was
        done."""
        return self._do(lambda database: database.delete(token), False, creates=True)

    def copies(self, token: str) -> list[str]:
        """The ids of what has files from the link of that analysis."""
        return self._do(lambda database: database.copies(token), [])

    def expire(self) -> None:
        """Remove what has expired, and damaged files that were set aside long ago."""
        self._do(lambda database: database.expire(time.time()), None)
        if self._file is not None and self._healed:
            from sigcore.storage import database

            database.remove_old(self._file, time.time())

    def why_gone(self, token: str) -> Gone | None:
        """What became of an analysis that was removed; None for one that is kept, or was never known."""
        return self._do(lambda database: database.why_gone(token), None)

    def changes(self, since: float) -> tuple[frozenset[str], dict[str, str]]:
        """The ids that were deleted since then, and the stamps of what was written since then, by any process."""
        nothing: tuple[frozenset[str], dict[str, str]] = frozenset(), {}
        return self._do(lambda database: database.changes(since), nothing)

    def _do(self, work: Callable[[Database], Result], otherwise: Result, creates: bool = False) -> Result:
        """What the work returns; where the database fails, the other value, and the problem is noted. A file is made only
        for work that creates it."""
        if not creates and self._file is not None and not self._file.exists():
            return otherwise
        from sigcore.storage import database  # a third of a second, which only who keeps something pays

        with self._lock:
            if self._database is None and time.monotonic() < self._rests:
                return otherwise
        try:
            try:
                result = work(self._opened(database.Database))
            except database.FAULTS as fault:
                if not database.is_damage(fault) or not self._heal():
                    raise
                # the work begins again, on a file that it makes if there is none
                result = work(self._opened(database.Database)) if creates else otherwise
        except database.FAULTS as fault:
            self._note(database.words_for_visitors(fault), database.words(fault, self._url))
            return otherwise
        self._problem = ""
        return result

    def _opened(self, kind: type[Database]) -> Database:
        from sigcore.storage.database import identity

        with self._lock:
            if self._database is not None and self._file is not None and identity(self._file) != self._file_opened:
                self._close()  # another process has set the file aside: what is written to it now would be lost
            if self._database is None:
                self._rests = time.monotonic() + self._pause
                self._database = kind(self._url)
                self._file_opened = None if self._file is None else identity(self._file)
            return self._database

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database = None

    def _heal(self) -> bool:
        """Set a damaged file aside; whether the work can begin again."""
        from sigcore.storage.database import set_aside

        if self._file is None or not self._file.exists():
            return False
        with self._lock:
            was_open = self._database is not None
            self._close()
            self._rests = 0.0  # there is nothing to wait for
            target = set_aside(self._file)
            if target is not None:
                self._healed = time.time()
                logging.getLogger("sigboard").warning("The store %s was damaged; it is now %s.", self._file, target)
            return target is not None or was_open

    def _note(self, problem: str, more: str) -> None:
        if problem != self._problem:
            logging.getLogger("sigboard").warning("Analyses are not kept: %s", more)
        self._problem = problem


def from_settings() -> Store | None:
    """The store of SIGBOARD_STORE: an SQLAlchemy URL; without it a file in the cache folder. None if it is off.

    Raises: OptionError for a SIGBOARD_STORE that is neither off nor a URL, or a SIGBOARD_CACHE that cannot be read.
    """
    url = os.environ.get(VARIABLE, "").strip()
    if url.lower() == "off":
        return None
    if not url:
        asked = location.setting()
        return None if asked is None else Store(f"sqlite:///{asked.folder / FILE}")
    if "://" not in url:
        fix = "Set it to off, or to a URL such as sqlite:////srv/sigboard/store.sqlite."
        raise OptionError(f"{VARIABLE} is not the URL of a database.", "", fix)
    return Store(url)
