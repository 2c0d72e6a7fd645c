"""The visits of a server: owners, expiry, deletion everywhere, and what is dropped where there are too many."""

from __future__ import annotations

import pytest

from sigboard.server import limits
from sigboard.server.visits import Visit, Visits
from sigcore import Collection

HOUR = 3600.0


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def visit(text: str = "a small boat\n", sources: tuple[str, ...] = ()) -> Visit:
    """A visit with one file."""
    collection = Collection()
    collection.add([("ref.txt", text.encode())])
    return Visit(collection, "data", frozenset(sources))


def full(monkeypatch: pytest.MonkeyPatch, visits: int, megabytes: float) -> None:
    """Allow as few visits as this."""
    monkeypatch.setattr(limits, "VISITS", limits.Limit("visits", visits, visits))
    monkeypatch.setattr(limits, "KEPT", limits.Limit("MB", megabytes, megabytes))


def test_a_followed_link_is_a_copy() -> None:
    """What is found is another visit: clearing it, or the one that was stored, changes nothing there."""
    visits, stored = Visits(), visit()
    visits.put("t", stored, "owner")
    stored.collection.clear()
    followed = visits.get("t")
    assert followed is not None
    assert followed.collection.items
    followed.collection.clear()
    again = visits.get("t")
    assert again is not None
    assert again.collection.items


def test_the_least_recently_used_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full server drops the one that was used longest ago: not the newest, not one that was looked at, and only one."""
    full(monkeypatch, 3, 1)
    visits = Visits()
    for token in "abc":
        visits.put(token, visit(), "owner")
    visits.get("a")
    visits.put("d", visit(), "owner")
    assert [token for token in "abcd" if visits.get(token)] == ["a", "c", "d"]
    assert visits.why_gone("b") is None


def test_the_files_of_visits_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the bound in bytes the oldest are dropped; one visit alone is kept, however large."""
    full(monkeypatch, 64, 0.002)
    visits = Visits()
    for token in "abc":
        visits.put(token, visit("b" * 900 + "\n"), "owner")
    assert [token for token in "abc" if visits.get(token)] == ["b", "c"]
    visits.put("large", visit("b" * 9000 + "\n"), "owner")
    assert [token for token in ("b", "c", "large") if visits.get(token)] == ["large"]


def test_a_visit_expires_after_its_last_use() -> None:
    """Each use begins the time anew; after it the visit is gone, and it is said that it expired."""
    clock = Clock()
    visits, life = Visits(clock), limits.HOURS.most * HOUR
    visits.put("t", visit(), "owner")
    clock.now += life - 1
    assert visits.use("t") == clock.now + life
    clock.now += life - 1
    assert visits.get("t") is not None
    clock.now += life
    assert visits.why_gone("t") == "expired"
    assert visits.get("t") is None
    assert visits.use("t") is None


def test_maintenance_alone_removes_what_has_expired() -> None:
    """Files are removed at their time even if nobody comes."""
    clock = Clock()
    visits = Visits(clock)
    visits.put("t", visit(), "owner")
    clock.now += limits.HOURS.most * HOUR
    visits.expire()
    assert not visits._kept


def test_deleting_takes_the_copies_with_it() -> None:
    """A visit that was made from a deleted link goes with it; others stay. Both are remembered as deleted."""
    visits = Visits()
    visits.put("first", visit(sources=("first",)), "one")
    visits.put("copy", visit(sources=("first", "copy")), "two")
    visits.put("other", visit(sources=("other",)), "three")
    visits.delete("first")
    assert [token for token in ("first", "copy", "other") if visits.get(token)] == ["other"]
    assert [visits.why_gone(token) for token in ("first", "copy", "other")] == ["deleted", "deleted", None]


def test_only_the_holder_of_the_secret_owns_a_visit() -> None:
    """The secret decides, and it is handed over only by who has it."""
    visits = Visits()
    visits.put("t", visit(), "secret")
    assert visits.is_owner("t", "secret")
    assert not visits.is_owner("t", "other")
    visits.hand_over("t", "other", "mine")
    assert not visits.is_owner("t", "mine")
    visits.hand_over("t", "secret", "mine")
    assert visits.is_owner("t", "mine")
    assert not visits.is_owner("unknown", "mine")


def test_deleting_empties_what_is_open() -> None:
    """Files that another browser has open under the deleted link leave the memory at once; those of others stay."""
    visits, reader, other = Visits(), visit(sources=("t",)), visit(sources=("other",))
    visits.put("t", visit(sources=("t",)), "owner")
    visits.watch(reader)
    visits.watch(other)
    visits.delete("t")
    assert not reader.collection.items
    assert not reader.collection.detected
    assert other.collection.items


def test_runs_of_deleted_files_go_with_them() -> None:
    """The finished runs of a copy hold scores of the files that are deleted; the file that was added stays."""
    copied = visit(sources=("t",))
    copied.borrow("t")
    copied.collection.add([("own.txt", b"a large boat\n")])
    copied.finished = b"scores of both"
    assert copied.withdraw("t")
    assert copied.finished == b""
    assert {item.file for item in copied.collection.items} == {"own.txt"}
