"""Visits, limits, statistics and class rooms of a server: one second, byte, letter or visit to either side of each bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from sigboard.server import cache, classroom, limits, visits
from sigboard.server.cache import Statistics
from sigboard.server.classroom import Rooms
from sigboard.server.limits import Limit
from sigboard.server.visits import Visits, size_of
from sigcore import Collection, OptionError, SigError
from sigcore.readers import Item
from tests.made_visits import HOUR, collection, visit

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
