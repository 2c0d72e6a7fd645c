"""A class room: codes, predictions, one reveal for all, and the bounds of its phones."""

from __future__ import annotations

import threading

import pytest

from sigboard.server import classroom
from sigboard.server.classroom import Rooms
from sigcore import SigError


class Clock:
    """A clock that a test turns."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def opened(own: classroom.Own | None = None, clock: Clock | None = None) -> tuple[Rooms, str, str]:
    """Rooms with one that asks for a number up to 1,000, whose answer is 40."""
    rooms = Rooms(clock or Clock())
    return rooms, *rooms.open("One shuffle", "How many?", 1000, 40, own)


def test_the_answer_is_hidden_until_the_reveal() -> None:
    """Before it nobody sees the truth, names or shuffles; after it everybody does, the nearest name first."""
    rooms, code, secret = opened(lambda seed: (seed % 7, 200))
    phones = [rooms.join(code, name) for name in ("Ann", "Bo", "")]
    for token, guess in zip(phones, (300, 45, 0), strict=True):
        rooms.say(code, token, guess)
    before = rooms.seen(code)
    assert (before.joined, before.guesses, before.truth, before.nearest, before.owns) == (3, (0, 45, 300), None, (), ())
    rooms.reveal(code, secret)
    after = rooms.seen(code)
    assert after.truth == 40
    assert after.nearest == ("Bo", "Phone 3", "Ann")
    assert sorted(after.owns) == sorted((rooms.mine(code, token).seed % 7, 200) for token in phones)
    with pytest.raises(SigError, match="on the screen already"):
        rooms.say(code, phones[0], 40)


def test_only_the_teacher_reveals_and_closes() -> None:
    """A phone cannot; a closed room is gone with all that was said in it."""
    rooms, code, secret = opened()
    token = rooms.join(code)
    for act in (rooms.reveal, rooms.close):
        with pytest.raises(SigError, match="Only the teacher"):
            act(code, token)
    rooms.close(code, secret)
    rooms.close(code, secret)
    assert not rooms.has(code)
    assert rooms._rooms == {}
    with pytest.raises(SigError, match="no class room"):
        rooms.mine(code, token)


def test_a_room_ends_by_itself() -> None:
    """However often phones look, two hours after it was opened it is forgotten."""
    clock = Clock()
    rooms, code, _ = opened(clock=clock)
    clock.now = classroom.SECONDS - 1
    assert rooms.seen(code).joined == 0
    clock.now = classroom.SECONDS
    assert not rooms.has(code)
    assert rooms._rooms == {}


def test_floods_are_bounded() -> None:
    """More than 60 phones, 30 rooms, 20 changes of a phone, or 600 wrong codes in a minute are refused; those inside go on."""
    clock = Clock()
    rooms, code, _ = opened(clock=clock)
    phones = [rooms.join(code) for _ in range(classroom.PHONES)]
    with pytest.raises(SigError, match="full"):
        rooms.join(code)
    for k in range(classroom.CHANGES):
        rooms.say(code, phones[0], k)
    with pytest.raises(SigError, match="too often"):
        rooms.say(code, phones[0], 1)
    for guess in (-1, 1001):
        with pytest.raises(SigError, match="not possible"):
            rooms.say(code, phones[1], guess)
    with pytest.raises(SigError, match="not in the class room"):
        rooms.say(code, "another", 1)
    for _ in range(classroom.ROOMS - 1):
        rooms.open("t", "q", 10, 1)
    with pytest.raises(SigError, match="all are open"):
        rooms.open("t", "q", 10, 1)
    for _ in range(classroom.TRIES):
        with pytest.raises(SigError, match="no class room"):
            rooms.join("WRONG1")
    with pytest.raises(SigError, match="Too many wrong codes"):
        rooms.join("WRONG1")
    rooms.say(code, phones[1], 7)
    clock.now = classroom.WINDOW
    with pytest.raises(SigError, match="no class room"):
        rooms.join("WRONG1")


def test_hostile_names_are_plain() -> None:
    """Control characters, marks that turn a line around and line feeds are left out; a name has an end."""
    assert classroom.plain_name("\u202eAnn\x00\n  B\u200b") == "Ann B"
    assert classroom.plain_name(" a \t b ") == "a b"
    assert len(classroom.plain_name("x" * 500)) == classroom.NAME_LENGTH
    assert classroom.plain_name("\u202e") == ""
    assert classroom.read_code(" ab-c2 3\n") == "ABC23"


def test_many_threads_may_speak_at_once() -> None:
    """Sixty phones join and say their numbers from as many threads, and none is lost."""
    rooms, code, _ = opened(lambda seed: (1, 200))

    def phone(k: int) -> None:
        token = rooms.join(code, f"phone {k}")
        for guess in (k, k + 1):
            rooms.say(code, token, guess)

    threads = [threading.Thread(target=phone, args=(k,)) for k in range(classroom.PHONES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rooms.seen(code).guesses == tuple(range(1, classroom.PHONES + 1))


def test_codes_are_easy_to_read_and_hard_to_guess() -> None:
    """Six letters or digits that do not look alike, of more than 500 million codes."""
    rooms = Rooms(Clock())
    codes = {rooms.open("t", "q", 10, 1)[0] for _ in range(classroom.ROOMS)}
    assert len(codes) == classroom.ROOMS
    assert all(len(code) == 6 and set(code) <= set(classroom.LETTERS) for code in codes)
    assert not set("01OIL") & set(classroom.LETTERS)
    assert len(classroom.LETTERS) ** classroom.CODE_LENGTH > 500_000_000


def test_the_largest_count_is_possible() -> None:
    """All shuffles may reach the gain: 0 and `of` can be said, one more cannot."""
    rooms = Rooms()
    code, _ = rooms.open("A lesson", "How many?", 10, 3)
    phone = rooms.join(code)
    for guess in (0, 10):
        rooms.say(code, phone, guess)
        assert rooms.mine(code, phone).guess == guess
    with pytest.raises(SigError, match="11 is not possible"):
        rooms.say(code, phone, 11)
