"""What a server writes of its visits, and when: one second or byte to either side of each bound, and what others delete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from sigboard.server import limits
from sigboard.server import store as server_store
from sigboard.server.store import FILES, GRID, SHARED, Keeper, bounds, fits, grid_bytes
from sigboard.server.visits import Visit, Visits, size_of
from sigcore import SigError, project
from sigcore.storage.database import Bounds, Kept
from tests.made_visits import HOUR, visit


@dataclass
class Store:
    """A store in memory that notes what is asked of it."""

    problem: str = ""
    healed: float = 5.0
    stamp: str = "1"
    kept: dict[str, tuple[Kept, dict[str, bytes]]] = field(default_factory=dict)
    puts: list[tuple[Kept, set[str]]] = field(default_factory=list)
    asked: list[Any] = field(default_factory=list)
    deleted: set[str] = field(default_factory=set)
    stamps: dict[str, str] = field(default_factory=dict)
    can_delete: bool = True

    def put(self, kept: Kept, parts: Mapping[str, bytes], most: Bounds) -> str:
        self.puts.append((kept, set(parts)))
        assert most == bounds()
        if self.stamp:
            own = self.kept.get(kept.token, (kept, {}))[1] | parts
            self.kept[kept.token] = replace(kept, stamp=self.stamp), own
        return self.stamp

    def get(self, token: str) -> tuple[Kept, dict[str, bytes]] | None:
        return self.kept.get(token)

    def use(self, expires: Mapping[str, float]) -> None:
        self.asked.append(dict(expires))

    def changes(self, since: float) -> tuple[set[str], dict[str, str]]:
        self.asked.append(since)
        return self.deleted, self.stamps

    def expire(self) -> None:
        self.asked.append("expire")

    def delete(self, token: str) -> bool:
        if self.can_delete:
            self.kept.pop(token, None)
        return self.can_delete

    def copies(self, token: str) -> list[str]:
        return [own for own, (kept, _) in self.kept.items() if own != token and token in kept.sources]

    def is_owner(self, token: str, owner: str) -> bool:
        return token in self.kept and self.kept[token][0].owner == owner

    def listed(self, owner: str) -> list[str]:
        return [token for token, (kept, _) in self.kept.items() if kept.owner == owner]

    def why_gone(self, token: str) -> str | None:
        return "full" if token == "dropped" else None


@dataclass
class Server:
    """A server with that store, and clocks that a test turns: one of its own and one of the day."""

    store: Store
    now: list[float]
    day: list[float]
    visits: Visits
    keeper: Keeper

    def loads(self, token: str, own: Visit, run: Any = None, **settings: str) -> None:
        """A page shows the visit."""
        self.visits.put(token, own, "me")
        self.keeper.note(token, own, "me", "title", settings, run)

    def rests(self, seconds: float = 10.0) -> None:
        self.now[0] += seconds
        self.day[0] += seconds
        self.keeper.flush()

    @property
    def parts(self) -> list[set[str]]:
        """The parts that were written since the last look."""
        found = [parts for _, parts in self.store.puts]
        self.store.puts.clear()
        return found


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    own, now, day = Store(), [100.0], [10_000.0]
    monkeypatch.setattr(server_store.time, "time", lambda: day[0])
    known = Visits(lambda: day[0])
    return Server(own, now, day, known, Keeper(known, own, lambda: now[0]))  # type: ignore[arg-type]


# ---- what is written


def test_only_what_has_changed_is_written(server: Server) -> None:
    """Files with their grid, a grid alone, or neither; the links of borrowed files each time."""
    own = visit("a", "b")
    server.loads("t", own)
    server.rests()
    assert server.parts == [{FILES, GRID}]
    server.loads("t", own, metric="bleu")
    server.rests()
    assert server.parts == [set()]
    server.loads("t", own, b"grid", metric="bleu")
    server.rests()
    assert server.parts == [{GRID}]
    server.loads("t", own, metric="ter")
    server.rests()
    assert server.parts == [set()]
    own.collection.add([("c.txt", b"a ship\nc\n")])
    server.loads("t", own, b"grid", metric="ter")
    server.rests()
    assert server.parts == [{FILES, GRID}]
    own.borrow("link")
    server.loads("t", own, b"grid", metric="chrf")
    server.rests()
    assert server.parts == [{SHARED}]
    server.loads("t", own, b"grid", metric="chrf")
    server.rests()
    assert server.parts == []


def test_settings_in_another_order_are_the_same(server: Server) -> None:
    own = visit()
    server.loads("t", own, metric="bleu", alpha="0.05")
    server.rests()
    server.loads("t", own, alpha="0.05", metric="bleu")
    server.rests()
    assert len(server.parts) == 1


def test_what_is_written_of_an_analysis(server: Server) -> None:
    """Its page, settings, links, when it was written and when it expires."""
    server.loads("t", visit("a", page="matrix", sources=frozenset({"x"})), b"grid", metric="bleu")
    server.rests(5.0)
    kept, parts = server.store.kept["t"]
    assert (kept.token, kept.owner, kept.title, kept.page) == ("t", "me", "title", "matrix")
    assert (kept.settings, kept.sources, kept.created) == ({"metric": "bleu"}, frozenset({"x"}), 10_005.0)
    assert kept.expires == 10_000 + HOUR * limits.HOURS.most
    assert parts[GRID] == b"grid"
    opened = project.attempt(parts[FILES])
    assert not isinstance(opened, SigError)
    assert opened is not None
    assert [item.name for item in opened.collection.items] == ["a"]


@pytest.mark.parametrize(("rest", "written"), [(0.9, 0), (1.0, 1), (1.1, 1)])
def test_unless_asked_otherwise_what_rests_for_a_second_is_written(server: Server, rest: float, written: int) -> None:
    server.loads("t", visit())
    server.rests(rest)
    assert len(server.parts) == written
    assert server.keeper.is_kept("t") is bool(written)


def test_a_change_begins_the_rest_anew(server: Server) -> None:
    """The same page again does not."""
    own = visit()
    server.loads("t", own, metric="bleu")
    server.rests(0.6)
    server.loads("t", own, metric="bleu")
    server.rests(0.6)
    assert len(server.parts) == 1
    server.loads("t", own, metric="ter")
    server.rests(0.6)
    server.loads("t", own, metric="chrf")
    server.rests(0.6)
    assert server.parts == []
    assert not server.keeper.is_kept("t")


@pytest.mark.parametrize(("problem", "again"), [("", 1), ("It is full.", 2)])
def test_what_cannot_be_written_is_tried_again_while_the_store_is_away(
    server: Server, problem: str, again: int
) -> None:
    """One that the store has refused is not."""
    server.store.stamp, server.store.problem = "", problem
    server.loads("t", visit())
    server.rests()
    server.rests()
    assert len(server.parts) == again
    assert not server.keeper.is_kept("t")
    assert (server.keeper.problem, server.keeper.healed) == (problem, 5.0)


def test_a_visit_that_is_gone_is_not_written(server: Server) -> None:
    """Nor tried again; one whose files are too large neither."""
    server.loads("t", visit())
    server.visits.forget("t")
    server.rests()
    server.loads("large", visit())
    assert server.keeper._notes.keys() == {"large"}


def test_files_that_are_too_large_are_not_written(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    own = visit("a", "b")
    size = size_of(own.collection) + 8 * sum(len(item.segments) + len(item.keys) for item in own.collection.items)
    assert [fits(own.collection, most) for most in (size - 1, size, size + 1)] == [False, True, True]
    monkeypatch.setattr(server_store, "LARGEST_FILES", size - 1)
    server.loads("t", own)
    server.rests()
    assert (server.parts, server.keeper._notes) == ([], {})
    monkeypatch.setattr(server_store, "LARGEST_FILES", size)
    server.loads("t", own)
    server.rests()
    assert server.parts == [{FILES, GRID}]


@pytest.mark.parametrize(("later", "prolonged"), [(59.0, False), (60.0, False), (61.0, True)])
def test_an_expiry_that_moves_by_more_than_a_minute_is_written(server: Server, later: float, prolonged: bool) -> None:
    """And then counts from there."""
    server.loads("t", visit())
    server.rests(0.0)
    server.rests(2.0)
    (kept, _) = server.store.kept["t"]
    server.day[0] = 10_000 + later
    server.visits.use("t")
    server.keeper.flush()
    assert server.store.asked == [{"t": kept.expires + later}] * prolonged
    server.visits.use("t")
    server.keeper.flush()
    assert len(server.store.asked) == prolonged


def test_what_has_left_the_memory_is_read_again(server: Server) -> None:
    """Where somebody follows its link; until then the server knows nothing of it."""
    server.loads("t", visit("a", "b", page="matrix"), b"grid")
    server.rests()
    assert server.keeper.is_kept("t")
    server.visits.forget("t")
    server.rests()
    assert not server.keeper.is_kept("t")
    assert server.keeper.restored("t")
    found = server.visits.get("t")
    assert found is not None
    assert ([item.name for item in found.collection.items], found.page, found.finished) == (
        ["a", "b"],
        "matrix",
        b"grid",
    )
    assert server.keeper.is_kept("t")
    server.keeper.note("t", found, "me", "title", {}, None)
    server.rests()
    assert server.parts == [{FILES, GRID}]


# ---- what other processes do


def test_what_another_process_has_written_is_read_again(server: Server) -> None:
    """Not what it has not, nor what waits here to be written."""
    for token in ("same", "other", "waits"):
        server.loads(token, visit())
    server.rests()
    server.loads("waits", visit("new"))
    server.store.stamps = {"same": "1", "other": "2", "waits": "2", "unknown": "2"}
    server.keeper.follow()
    assert [server.visits.get(token) is None for token in ("same", "other", "waits")] == [False, True, False]
    assert [server.keeper.is_kept(token) for token in ("same", "other", "waits")] == [True, False, False]


def test_what_another_process_has_deleted_is_deleted(server: Server) -> None:
    server.loads("t", visit())
    server.rests()
    server.store.deleted = {"t", "unknown"}
    server.keeper.follow()
    assert server.visits.get("t") is None
    assert server.keeper.why_gone("t") == "deleted"
    assert not server.keeper.is_kept("t")


@pytest.mark.parametrize("problem", ["", "It is away."])
def test_changes_are_those_since_the_last_look_that_worked(server: Server, problem: str) -> None:
    """And two minutes more, by which clocks may differ."""
    server.loads("t", visit())
    server.rests(30.0)
    server.store.asked.clear()
    server.store.problem = problem
    server.keeper.follow()
    server.day[0] += 7
    server.keeper.follow()
    first, last = (one for one in server.store.asked if one != "expire")
    assert (first, last) == (10_000 - 120, (10_000 if problem else 10_030) - 120)


@pytest.mark.parametrize(("passed", "times"), [(59.0, 1), (60.0, 1), (61.0, 2)])
def test_what_has_expired_is_removed_every_minute(server: Server, passed: float, times: int) -> None:
    server.loads("t", visit())
    server.rests()
    server.keeper.follow()
    server.day[0] += passed
    server.keeper.follow()
    assert server.store.asked.count("expire") == times


@pytest.mark.parametrize("passed", [0.0, 59.0, 60.0])
def test_a_server_that_keeps_something_looks_around_at_once(server: Server, passed: float) -> None:
    server.keeper._stamps["t"] = "1"
    server.now[0] += passed
    server.keeper.follow()
    assert server.store.asked != []


# ---- what is deleted


@pytest.mark.parametrize("owner", ["me", "you"])
def test_only_an_owner_deletes(server: Server, owner: str) -> None:
    """Here, or where only the store knows whose it is; what nobody has is nobody's."""
    server.loads("t", visit())
    server.rests()
    assert server.keeper.delete("t", owner) is (owner == "me")
    assert ("t" in server.store.kept) is (owner != "me")
    server.loads("u", visit())
    server.rests()
    server.visits.forget("u")
    assert server.keeper.delete("u", owner) is (owner == "me")
    assert ("u" in server.store.kept) is (owner != "me")
    assert not server.keeper.delete("none", owner)


def test_what_could_not_be_deleted_is_tried_until_it_is(server: Server) -> None:
    server.loads("t", visit())
    server.rests()
    server.store.can_delete = False
    server.keeper.delete("t", "me")
    server.rests()
    assert "t" in server.store.kept
    server.store.can_delete = True
    server.rests()
    assert "t" not in server.store.kept
    assert server.keeper._undeleted == set()


def test_copies_lose_the_files_of_a_link_that_is_deleted(server: Server) -> None:
    """Those with files of their own stay, under a title of their own; a copy alone is not written again."""
    server.loads("t", visit("a"))
    for token, more in (("copy", []), ("more", [("mine.txt", b"a raft\nmine\n")])):
        own = visit("a", sources=frozenset({"t"}))
        own.borrow("t")
        own.collection.add(more)
        server.loads(token, own, b"grid")
    server.rests()
    server.store.puts.clear()
    server.keeper.delete("t", "me")
    ((kept, parts),) = server.store.puts
    assert (kept.token, kept.title, kept.sources, parts) == (
        "more", server_store.OWN_FILES, frozenset(), {FILES, GRID, SHARED},
    )  # fmt: skip
    assert server.store.kept["more"][1][GRID] == b""
    assert server.store.kept["more"][1][SHARED] == b"{}"
    opened = project.attempt(server.store.kept["more"][1][FILES])
    assert not isinstance(opened, SigError)
    assert opened is not None
    assert [item.name for item in opened.collection.items] == ["mine"]


def test_copies_in_memory_lose_the_files_of_a_link_that_is_deleted() -> None:
    """Those with files of their own stay, and are as large as these; a copy alone goes with its link."""
    known = Visits()
    known.put("t", visit("a", sources=frozenset({"t"})), "me")
    for token, more in (("copy", []), ("more", [("mine.txt", b"a raft\nmine\n")])):
        own = visit("a", sources=frozenset({"t"}))
        own.borrow("t")
        own.collection.add(more)
        known.put(token, own, "you")
    known.delete("t")
    assert [known.why_gone(token) for token in ("t", "copy", "more")] == ["deleted", "deleted", None]
    found = known.get("more")
    assert found is not None
    assert [item.name for item in found.collection.items] == ["mine"]
    assert known._kept["more"].size == size_of(found.collection)


def test_what_became_of_a_visit(server: Server) -> None:
    """The server knows, or else the store."""
    server.loads("t", visit())
    server.rests()
    assert [server.keeper.why_gone(token) for token in ("t", "dropped", "none")] == [None, "full", None]
    assert (server.keeper.listed("me"), server.keeper.listed("you")) == (["t"], [])
    without = Keeper(Visits(), None)
    assert (without.why_gone("dropped"), without.listed("me"), without.problem, without.healed) == (None, [], "", 0.0)
    assert not without.restored("t")


def test_the_bounds_of_a_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gigabyte for each visitor at home, 100 MB where hosted, of four gigabytes."""
    for hosted, most in (("0", 1_000), ("1", 100)):
        monkeypatch.setenv(limits.VARIABLE, hosted)
        assert bounds() == Bounds(most * 10**6, 4_000 * 10**6)


def test_the_size_of_a_grid_is_that_of_all_its_statistics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight bytes for each number: of every system, unit and column."""
    monkeypatch.setattr(server_store.matrix, "save", lambda grids: b"saved")
    systems = [SimpleNamespace(n=5, columns=("a", "b")), SimpleNamespace(n=7, columns=("a",))]
    run: Any = SimpleNamespace(measured=[SimpleNamespace(systems=systems)] * 2, gain_intervals=[1])
    size = 2 * (5 * 2 + 7) * 8
    for most, saved in ((size - 1, b""), (size, b"saved")):
        monkeypatch.setattr(server_store, "LARGEST_GRID", most)
        assert grid_bytes(run) == saved
