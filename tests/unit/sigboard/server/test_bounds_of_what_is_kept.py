"""What a server keeps, for how long and how much of it: one second, byte or visit to either side of each bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sigboard.server import cache, classroom, limits, visits
from sigboard.server import store as server_store
from sigboard.server.cache import Statistics
from sigboard.server.classroom import Rooms
from sigboard.server.limits import Limit
from sigboard.server.store import FILES, GRID, SHARED, Keeper, bounds, fits, grid_bytes
from sigboard.server.visits import Visit, Visits, size_of
from sigcore import Collection, OptionError, SigError, project
from sigcore.readers import Item
from sigcore.storage.database import Bounds, Kept

HOUR = 3600.0
TEXT = "a small boat\n"


def collection(*names: str) -> Collection:
    found = Collection()
    found.add([(f"{name}.txt", f"{TEXT}{name}\n".encode()) for name in names or ("ref",)])
    return found


def visit(*names: str, **more: Any) -> Visit:
    return Visit(collection(*names), **more)


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


# ---- visits in memory


def few(monkeypatch: pytest.MonkeyPatch, count: float = 64, megabytes: float = 1000) -> None:
    monkeypatch.setattr(limits, "VISITS", Limit("visits", count, count))
    monkeypatch.setattr(limits, "KEPT", Limit("MB", megabytes, megabytes))


def test_a_full_memory_holds_exactly_as_much_as_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two visits, or their bytes; a byte less, and one goes."""
    size = size_of(visit().collection)
    for count, bytes_, left in ((2, 10**9, 2), (1, 10**9, 1), (9, 2 * size, 2), (9, 2 * size - 1, 1), (9, 0, 1)):
        few(monkeypatch, count, bytes_ / limits.MB)
        known = Visits(lambda: 0.0)
        for token in "ab":
            known.put(token, visit(), "me")
        assert list(known.expiries()) == ["a", "b"][-left:]


def test_the_size_of_files_is_of_their_bytes_texts_and_numbers() -> None:
    """Eight bytes for each number."""
    texts = Item("A", "system", "text", ("abc", "de"), "A.txt", "")
    numbers = Item("B", "system", "scores", (0.5, 1.0, 2.0), "B.txt", "")  # type: ignore[arg-type]
    assert size_of(Collection(items=(texts, numbers))) == 5 + 3 * 8
    found = collection("a")
    (detected,) = found.detected
    assert size_of(found) == len(detected.packed) + len("a small boat") + len("a")


@pytest.mark.parametrize(("seconds", "here"), [(-1.0, True), (0.0, False), (1.0, False)])
def test_a_visit_ends_at_its_time(seconds: float, here: bool) -> None:
    """At that very second, counted from its last use."""
    now = [0.0]
    known, life = Visits(lambda: now[0]), HOUR * limits.HOURS.most
    known.put("t", visit(), "me")
    now[0] = 5.0
    assert known.use("t") == 5.0 + life
    assert known.expiries() == {"t": 5.0 + life}
    now[0] = 5.0 + life + seconds
    known.expire()
    assert ("t" in known.expiries()) is here
    assert known.why_gone("t") == (None if here else "expired")
    assert (known.use("t") is not None) is here


def test_so_many_visits_are_remembered_as_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest is forgotten first."""
    monkeypatch.setattr(visits, "REMEMBERED", 2)
    known = Visits()
    for token in "abc":
        known.put(token, visit(), "me")
    known.delete("a")
    known.delete("b")
    assert [known.why_gone(token) for token in "abc"] == ["deleted", "deleted", None]
    known.delete("c")
    assert [known.why_gone(token) for token in "abc"] == [None, "deleted", "deleted"]


def test_a_secret_is_handed_over_by_its_holder_alone() -> None:
    known = Visits()
    known.put("t", visit(), "me")
    known.hand_over("none", "me", "you")
    known.hand_over("t", "you", "you")
    assert (known.is_owner("t", "me"), known.is_owner("t", "you"), known.is_owner("none", "me")) == (True, False, False)
    known.hand_over("t", "me", "you")
    assert (known.is_owner("t", "me"), known.is_owner("t", "you")) == (False, True)


@pytest.mark.parametrize(
    ("name", "most", "allowed", "above"),
    [
        ("SYSTEMS", 2, (2, 9, 9), (3, 1, 1)),
        ("SEGMENTS", 4, (9, 4, 9), (1, 5, 1)),
        ("LENGTH", 6, (9, 9, 6), (1, 1, 7)),
        ("FILES", 1e-3, (1, 1, 999), (1, 1, 1000)),  # and a reference of one letter
    ],
)
def test_files_are_refused_by_what_is_too_much_of_them(
    name: str,
    most: float,
    allowed: tuple[int, int, int],
    above: tuple[int, int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Systems, segments, letters of a segment, or bytes; all that is allowed is taken."""
    unlimited = {one: Limit(one.lower(), np.inf, np.inf) for one in ("SYSTEMS", "SEGMENTS", "LENGTH", "FILES")}
    for one, limit in unlimited.items():
        monkeypatch.setattr(limits, one, limit)

    def item(role: str, segments: int, letters: int) -> Item:
        return Item("A", role, "text", ("a" * letters, *("b",) * (segments - 1)), "A.txt", "")  # type: ignore[arg-type]

    def refused(systems: int, segments: int, letters: int) -> str:
        items = [item("system", segments, letters) for _ in range(systems)]
        error = visits.refusal([*items, item("reference", 1, 1)], (), Collection())
        return "" if error is None else str(error)

    assert refused(9, 9, 9) == ""
    monkeypatch.setattr(limits, name, Limit(name.lower(), most, most))
    assert refused(*allowed) == ""
    assert name.lower() in refused(*above)


# ---- limits


@pytest.mark.parametrize(
    ("number", "shown"), [(101, "101"), (100.6, "101"), (100.4, "100.400"), (100.0004, "100.000"), (2_500, "2,500")]
)
def test_a_number_above_a_bound_does_not_look_like_it(number: float, shown: str) -> None:
    """It has decimals where it would."""
    error = Limit("things", 100, 100, "Take fewer.").refusal(number)
    assert error is not None
    assert error.what == f"This server allows at most 100 things; requested: {shown}."


def test_a_bound_of_a_hosted_server_says_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = Limit("things", 1, 1, "Take fewer.")
    for hosted, fix in (("0", "Take fewer."), ("1", f"Take fewer. {limits.ELSEWHERE}")):
        monkeypatch.setenv(limits.VARIABLE, hosted)
        error = limit.refusal(2)
        assert error is not None
        assert error.fix == fix


@pytest.mark.parametrize(
    ("text", "hosted"), [("", False), ("0", False), (" 0 ", False), ("1", True), (" 1\n", True), ("2", None), ("01", None)]
)  # fmt: skip
def test_the_switch_of_a_hosted_server(text: str, hosted: bool | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.VARIABLE, text)
    if hosted is None:
        with pytest.raises(OptionError):
            limits.hosted()
    else:
        assert limits.hosted() is hosted


@pytest.mark.parametrize(
    ("hours", "said"), [(2, "2 hours"), (47, "47 hours"), (48, "2 days"), (49, "2 days"), (71, "2 days"), (72, "3 days")]
)  # fmt: skip
def test_a_lifetime_in_words(hours: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In whole days from two of them on."""
    monkeypatch.setattr(limits, "HOURS", Limit("hours", hours, hours))
    assert limits.lifetime() == said


@pytest.mark.parametrize(
    ("names", "refused"), [([], True), (["*"], True), (["a.org", "*"], True), (["a.org"], False), (["*.a.org"], False)]
)
def test_a_hosted_server_has_names(names: list[str], refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.VARIABLE, "0")
    limits.check_hosts(names)
    monkeypatch.setenv(limits.VARIABLE, "1")
    if refused:
        with pytest.raises(SigError, match="needs the names"):
            limits.check_hosts(names)
    else:
        limits.check_hosts(names)


# ---- statistics in memory


def numbers(count: int) -> np.ndarray:
    """Numbers that take eight bytes each, however they are kept."""
    return np.full(count, 1 / 3)


@pytest.mark.parametrize(("most", "left"), [(72, "abc"), (71, "bc"), (48, "bc"), (47, "c"), (24, "c"), (1, "c")])
def test_statistics_of_so_many_bytes_are_held(most: int, left: str) -> None:
    """The last is held however large it is."""
    held = Statistics(most)
    for name in "abc":
        held[name] = numbers(3)
    assert "".join(held) == left
    assert held._size == 24 * len(left)


def test_what_is_stored_again_counts_once() -> None:
    """And what is used goes last."""
    held = Statistics(100)
    for name in "abca":
        held[name] = numbers(4)
    assert (held._size, "".join(held)) == (96, "bca")
    held["a"] = numbers(2)
    assert held._size == 80
    assert held["b"].tolist() == numbers(4).tolist()
    held["d"] = numbers(4)
    assert (held._size, "".join(held)) == (80, "abd")
    assert len(held) == 3


def test_what_a_larger_store_has_is_found_there() -> None:
    """Then it is held; a key that nobody has is an error."""
    below = {"deep": numbers(2)}
    held = Statistics(1000, below)
    assert (len(held), held._size) == (1, 0)
    assert held["deep"].tolist() == numbers(2).tolist()
    assert (len(held), held._size) == (1, 16)
    held["new"] = numbers(1)
    assert set(below) == {"deep", "new"}
    del held["new"]
    assert (set(below), held._size) == ({"deep"}, 16)
    for name in ("new", "none"):
        with pytest.raises(KeyError):
            held[name]
        with pytest.raises(KeyError):
            del held[name]
    alone = Statistics(1000)
    with pytest.raises(KeyError):
        alone["none"]
    with pytest.raises(KeyError):
        del alone["none"]


def test_what_was_used_last_is_made_again_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two that are kept, the one that was asked for in between stays."""
    monkeypatch.setattr(cache, "MOST", 2)
    cache._memory_made.clear()
    made: list[int] = []

    def make(value: int) -> list[int]:
        made.append(value)
        return [value]

    first = cache.once(make, 1)
    cache.once(make, 2)
    assert cache.once(make, 1) is first
    cache.once(make, 3)
    assert cache.once(make, 1) is first
    cache.once(make, 2)
    assert made == [1, 2, 3, 2]
    cache._memory_made.clear()


# ---- class rooms


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_nearest_three_are_named() -> None:
    """The one who said it first where two are as near; a phone without a number is not among them."""
    rooms = Rooms(Clock())
    code, secret = rooms.open("t", "q", 100, 40)
    for name, guess in (("far", 60), ("over", 43), ("none", None), ("under", 37), ("", 40), ("zero", 0)):
        phone = rooms.join(code, name)
        if guess is not None:
            rooms.say(code, phone, guess)
    before = rooms.seen(code)
    assert (before.joined, before.guesses, before.truth, before.nearest) == (6, (0, 37, 40, 43, 60), None, ())
    rooms.reveal(code, secret)
    after = rooms.seen(code)
    assert (after.truth, after.nearest, after.owns) == (40, ("Phone 5", "over", "under"), ())


def test_own_shuffles_are_counted_once_for_each_phone() -> None:
    seeds: list[int] = []
    rooms = Rooms(Clock())
    code, _ = rooms.open("t", "q", 100, 40, lambda seed: (seeds.append(seed) or 7, 100))
    phone = rooms.join(code)
    for guess in (1, 2, 3):
        rooms.say(code, phone, guess)
    assert len(seeds) == 1
    assert seeds == [rooms.mine(code, phone).seed]
    assert (rooms.mine(code, phone).own, rooms.mine(code, phone).guess, rooms.mine(code, phone).changes) == (
        (7, 100), 3, 3,
    )  # fmt: skip


def test_a_phone_may_say_twenty_numbers() -> None:
    rooms = Rooms(Clock())
    code, _ = rooms.open("t", "q", 100, 40)
    phone = rooms.join(code)
    for guess in range(20):
        rooms.say(code, phone, guess)
    with pytest.raises(SigError, match="too often"):
        rooms.say(code, phone, 20)
    assert rooms.seen(code).guesses == (19,)


@pytest.mark.parametrize(("passed", "refused"), [(59.0, True), (60.0, False), (61.0, False)])
def test_wrong_codes_count_for_a_minute(passed: float, refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """After it another one is only wrong."""
    monkeypatch.setattr(classroom, "TRIES", 2)
    clock = Clock()
    rooms = Rooms(clock)
    for match in ("no class room", "no class room", "Too many"):
        with pytest.raises(SigError, match=match):
            rooms.seen("WRONG1")
    clock.now = passed
    with pytest.raises(SigError, match="Too many" if refused else "no class room"):
        rooms.seen("WRONG1")


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a" * 24, "a" * 24), ("a" * 25, "a" * 24), ("a" * 23 + " b", "a" * 23), (" a\u200b\n b ", "a b"), ("\u200b", "Phone 1")],
)  # fmt: skip
def test_names_of_phones_have_24_letters(name: str, shown: str) -> None:
    rooms = Rooms(Clock())
    code, _ = rooms.open("t", "q", 100, 40)
    assert rooms.mine(code, rooms.join(code, name)).name == shown


def test_codes_as_they_are_typed() -> None:
    """Of more letters than two codes nothing is read, and a wrong one is shown as long as a code."""
    assert classroom.read_code("ab c-d2 3") == "ABCD23"
    assert classroom.read_code("a" * 13) == "A" * 12
    with pytest.raises(SigError, match="There is no class room 'ABCDEF'"):
        Rooms(Clock()).seen("ABCDEFG")


@pytest.mark.parametrize(("passed", "open_"), [(7199.0, True), (7200.0, False)])
def test_a_place_is_free_when_a_room_has_ended(passed: float, open_: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """After two hours."""
    monkeypatch.setattr(classroom, "ROOMS", 1)
    clock = Clock()
    rooms = Rooms(clock)
    code, secret = rooms.open("t", "q", 100, 40)
    clock.now = passed
    assert rooms.has(code) is open_
    if open_:
        with pytest.raises(SigError, match="1 class rooms at most"):
            rooms.open("t", "q", 100, 40)
    rooms.close(code, secret)
    rooms.close(code, "whoever")
    assert rooms.open("t", "q", 100, 40)[0] != code
