"""The visits of a server by unguessable id, each with its owner and its expiry, so that a link finds them again."""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from weakref import WeakSet

from sigboard.server import limits
from sigcore import SigError, data, readers, store

Gone = store.Gone
WITHDRAWN = "The files of a link were deleted by the visitor who loaded them. What you have added is left."
REMEMBERED = 10_000  # tokens of visits that are gone, to say what became of them


@dataclass(eq=False)
class Visit:
    """One person's visit: what they have loaded, and the page they are on. `sources` are the links its files came from,
    `shared` the marks of the files that were behind each, `finished` the runs of a project that they opened."""

    collection: data.Collection = field(default_factory=data.Collection)
    page: str = ""
    sources: frozenset[str] = frozenset()
    finished: bytes = b""
    shared: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def copy(self) -> Visit:
        """An independent visit with the same content."""
        return Visit(self.collection.copy(), self.page, self.sources, self.finished, self.shared)

    def borrow(self, token: str) -> None:
        """Note that all its files came from that link."""
        self.shared = {**self.shared, token: frozenset(marks(self.collection).values())}

    def withdraw(self, token: str) -> bool:
        """Remove the files that came from that link; whether others are left, which this visitor has added. Where it is not
        known which came from it, all are removed."""
        collection = self.collection
        if token in self.shared:
            collection.remove({file for file, mark in marks(collection).items() if mark in self.shared[token]})
        if token not in self.shared or not (collection.items or collection.ratings or collection.preferences):
            collection.clear()
            return False
        self.sources -= {token}
        self.shared = {other: marks for other, marks in self.shared.items() if other != token}
        self.finished = b""
        collection.notices = (*collection.notices, readers.Notice("", WITHDRAWN))
        return True


@dataclass
class _Kept:
    visit: Visit
    owner: str
    expires: float  # seconds of the clock
    size: int  # bytes of its files


def size_of(collection: data.Collection) -> int:
    """About how many bytes the files of a collection take: as they were dropped, compressed, and as they were read."""
    packed = sum(len(one.packed) for one in collection.detected)
    return packed + sum(
        len(each) if isinstance(each, str) else 8 for item in collection.items for each in item.segments
    )


def marks(collection: data.Collection) -> dict[str, str]:
    """By name of a file that is loaded, a digest of its name and its bytes, however it is read and edited."""
    packed = {one.file: one.packed for one in collection.detected}
    read = (one.file for part in (collection.items, collection.ratings, collection.preferences) for one in part)
    return {
        file: hashlib.sha256(file.encode("utf-8", "replace") + b"\0" + packed.get(file, b"")).hexdigest()
        for file in {*packed, *read}
    }


def refusal(
    items: Sequence[readers.Item], detected: Sequence[readers.Detected], held: data.Collection
) -> SigError | None:
    """Why this server does not take these files, beside those that the visitor holds: more, longer or larger than it
    allows; None if it takes them."""
    found = [limits.SYSTEMS.refusal(sum(item.role == "system" for item in (*items, *held.items)))]
    for item in items:
        longest = max((len(each) for each in item.segments if isinstance(each, str)), default=0)
        found += [limits.SEGMENTS.refusal(len(item.segments), item.file), limits.LENGTH.refusal(longest, item.file)]
    new = data.Collection(items=tuple(items), detected=tuple(detected))
    found.append(limits.FILES.refusal((size_of(held) + size_of(new)) / limits.MB))
    return next(filter(None, found), None)


class Visits:
    """Visits by id; expired ones are removed, and the least recently used where there are too many or too large ones."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._gone: OrderedDict[str, Gone] = OrderedDict()
        self._open: WeakSet[Visit] = WeakSet()
        self._clock, self._lock = clock, Lock()

    def get(self, token: str) -> Visit | None:
        """A copy of the visit of that id, or None; this is a use of it."""
        with self._lock:
            kept = self._used(token)
            return None if kept is None else kept.visit.copy()

    def put(self, token: str, visit: Visit, owner: str) -> None:
        """Store a visit as it is now; the visit that is stored is never dropped for another."""
        with self._lock:
            self._kept[token] = _Kept(visit.copy(), owner, 0.0, size_of(visit.collection))
            if self._gone.get(token) == "expired":
                del self._gone[token]
            self._used(token)
            while len(self._kept) > 1 and self._is_full():
                self._kept.popitem(last=False)

    def _is_full(self) -> bool:
        size = sum(kept.size for kept in self._kept.values())
        return len(self._kept) > limits.VISITS.most or size > limits.KEPT.most * limits.MB

    def use(self, token: str) -> float | None:
        """When the visit expires, in seconds since 1970, now that it is used; None if it is not here."""
        with self._lock:
            kept = self._used(token)
            return None if kept is None else kept.expires

    def _used(self, token: str) -> _Kept | None:
        self._expire()
        kept = self._kept.get(token)
        if kept is not None:
            self._kept.move_to_end(token)
            kept.expires = self._clock() + 3600 * limits.HOURS.most
        return kept

    def is_owner(self, token: str, owner: str) -> bool:
        """Whether the visit is here and belongs to the holder of that secret."""
        with self._lock:
            return token in self._kept and self._kept[token].owner == owner

    def hand_over(self, token: str, owner: str, to: str) -> None:
        """Give the visit of that owner another secret."""
        with self._lock:
            if token in self._kept and self._kept[token].owner == owner:
                self._kept[token].owner = to

    def forget(self, token: str) -> None:
        """Drop the visit without a trace: another process has a newer one."""
        with self._lock:
            self._kept.pop(token, None)

    def expiries(self) -> dict[str, float]:
        """When each visit expires."""
        with self._lock:
            return {token: kept.expires for token, kept in self._kept.items()}

    def watch(self, visit: Visit) -> None:
        """Note a visit that is open in a browser: what is deleted is removed there, too."""
        with self._lock:
            self._open.add(visit)

    def delete(self, token: str) -> None:
        """Remove the visit, and its files from every visit that has them from its link, also where it is open; a visit
        without any others is removed."""
        with self._lock:
            for visit in self._open:
                if token in visit.sources:
                    visit.withdraw(token)
            copies = {other: kept for other, kept in self._kept.items() if token in kept.visit.sources}
            for other, kept in copies.items():
                if other != token and kept.visit.withdraw(token):
                    kept.size = size_of(kept.visit.collection)
                else:
                    self._remove(other, "deleted")
            self._remove(token, "deleted")

    def why_gone(self, token: str) -> Gone | None:
        """What became of a visit that was removed; None for one that is kept, or was never known."""
        with self._lock:
            self._expire()
            return self._gone.get(token)

    def expire(self) -> None:
        """Remove what has expired."""
        with self._lock:
            self._expire()

    def _expire(self) -> None:
        now = self._clock()
        for token in [token for token, kept in self._kept.items() if 0 < kept.expires <= now]:
            self._remove(token, "expired")

    def _remove(self, token: str, why: Gone) -> None:
        self._kept.pop(token, None)
        self._gone[token] = why
        while len(self._gone) > REMEMBERED:
            self._gone.popitem(last=False)
