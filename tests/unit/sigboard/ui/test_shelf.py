"""The shelf of visits: owners, expiry, deletion everywhere, and what is dropped where it is full."""

from __future__ import annotations

import pytest

from sigboard.server import limits
from sigboard.server.visits import Shelf, Visit
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
    """Make the shelf as small as this."""
    monkeypatch.setattr(limits, "VISITS", limits.Limit("visits", visits, visits))
    monkeypatch.setattr(limits, "KEPT", limits.Limit("MB", megabytes, megabytes))


def test_a_followed_link_is_a_copy() -> None:
    """What is found on the shelf is another visit: clearing it, or the one that was stored, changes nothing there."""
    shelf, stored = Shelf(), visit()
    shelf.put("t", stored, "owner")
    stored.collection.clear()
    followed = shelf.get("t")
    assert followed is not None
    assert followed.collection.items
    followed.collection.clear()
    again = shelf.get("t")
    assert again is not None
    assert again.collection.items


def test_the_least_recently_used_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full shelf drops the one that was used longest ago: not the newest, not one that was looked at, and only one."""
    full(monkeypatch, 3, 1)
    shelf = Shelf()
    for token in "abc":
        shelf.put(token, visit(), "owner")
    shelf.get("a")
    shelf.put("d", visit(), "owner")
    assert [token for token in "abcd" if shelf.get(token)] == ["a", "c", "d"]
    assert shelf.why_gone("b") is None


def test_the_files_on_the_shelf_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the bound in bytes the oldest are dropped; one visit alone is kept, however large."""
    full(monkeypatch, 64, 0.002)
    shelf = Shelf()
    for token in "abc":
        shelf.put(token, visit("b" * 900 + "\n"), "owner")
    assert [token for token in "abc" if shelf.get(token)] == ["b", "c"]
    shelf.put("large", visit("b" * 9000 + "\n"), "owner")
    assert [token for token in ("b", "c", "large") if shelf.get(token)] == ["large"]


def test_a_visit_expires_after_its_last_use() -> None:
    """Each use begins the time anew; after it the visit is gone, and the shelf says that it expired."""
    clock = Clock()
    shelf, life = Shelf(clock), limits.HOURS.most * HOUR
    shelf.put("t", visit(), "owner")
    clock.now += life - 1
    assert shelf.use("t") == clock.now + life
    clock.now += life - 1
    assert shelf.get("t") is not None
    clock.now += life
    assert shelf.why_gone("t") == "expired"
    assert shelf.get("t") is None
    assert shelf.use("t") is None


def test_upkeep_alone_removes_what_has_expired() -> None:
    """Files are removed at their time even if nobody comes."""
    clock = Clock()
    shelf = Shelf(clock)
    shelf.put("t", visit(), "owner")
    clock.now += limits.HOURS.most * HOUR
    shelf.expire()
    assert not shelf._kept


def test_deleting_takes_the_copies_with_it() -> None:
    """A visit that was made from a deleted link goes with it; others stay. Both are remembered as deleted."""
    shelf = Shelf()
    shelf.put("first", visit(sources=("first",)), "one")
    shelf.put("copy", visit(sources=("first", "copy")), "two")
    shelf.put("other", visit(sources=("other",)), "three")
    shelf.delete("first")
    assert [token for token in ("first", "copy", "other") if shelf.get(token)] == ["other"]
    assert [shelf.why_gone(token) for token in ("first", "copy", "other")] == ["deleted", "deleted", None]


def test_only_the_holder_of_the_secret_owns_a_visit() -> None:
    """The secret decides, and it is handed over only by who has it."""
    shelf = Shelf()
    shelf.put("t", visit(), "secret")
    assert shelf.is_owner("t", "secret")
    assert not shelf.is_owner("t", "other")
    shelf.hand_over("t", "other", "mine")
    assert not shelf.is_owner("t", "mine")
    shelf.hand_over("t", "secret", "mine")
    assert shelf.is_owner("t", "mine")
    assert not shelf.is_owner("unknown", "mine")


def test_deleting_empties_what_is_open() -> None:
    """Files that another browser has open under the deleted link leave the memory at once; those of others stay."""
    shelf, reader, other = Shelf(), visit(sources=("t",)), visit(sources=("other",))
    shelf.put("t", visit(sources=("t",)), "owner")
    shelf.watch(reader)
    shelf.watch(other)
    shelf.delete("t")
    assert not reader.collection.items
    assert not reader.collection.detected
    assert other.collection.items
