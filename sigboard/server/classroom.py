"""Class rooms: a code, the predictions of phones without an account, one reveal for all; nothing is kept after it closes."""

from __future__ import annotations

import re
import secrets
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import RLock

from sigcore import SigError

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without those that look alike
CODE_LENGTH, NAME_LENGTH = 6, 24
PHONES, ROOMS = 60, 30  # phones of a room, rooms of a server
SECONDS = 2 * 3600.0  # after it was opened a room closes by itself
CHANGES = 20  # predictions of one phone
TRIES, WINDOW = 600, 60.0  # codes that are not those of a room, of all visitors together, in so many seconds

Own = Callable[[int], tuple[int, int]]  # seed -> (shuffles that count, shuffles)


@dataclass
class Phone:
    """One phone: its name as it is shown, its seed, its prediction, and what its own shuffles count."""

    name: str
    seed: int
    guess: int | None = None
    own: tuple[int, int] | None = None
    changes: int = 0


@dataclass(frozen=True)
class Seen:
    """What everybody in a room may see: predictions without names, and after the reveal the truth and everyone's shuffles."""

    code: str
    title: str
    question: str
    of: int
    joined: int
    guesses: tuple[int, ...]
    is_revealed: bool
    truth: int | None
    nearest: tuple[str, ...] = ()
    owns: tuple[tuple[int, int], ...] = ()


@dataclass
class _Room:
    title: str
    question: str
    of: int
    truth: int
    own: Own | None
    secret: str
    expires: float
    phones: dict[str, Phone] = field(default_factory=dict)
    is_revealed: bool = False


def plain_name(name: str) -> str:
    """The name without characters that are not seen or turn the line around, of at most NAME_LENGTH characters."""
    kept = "".join(c for c in name if not unicodedata.category(c).startswith("C"))
    return re.sub(r"\s+", " ", kept).strip()[:NAME_LENGTH].rstrip()


class Rooms:
    """The rooms of one server, in memory alone; every method may be called by any thread. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, RLock()
        self._rooms: dict[str, _Room] = {}
        self._missed: list[float] = []

    def open(self, title: str, question: str, of: int, truth: int, own: Own | None = None) -> tuple[str, str]:
        """The code of a new room, and the secret of its teacher; `own` counts the shuffles of a phone's seed.

        Raises: SigError where the server has no place for another room.
        """
        with self._lock:
            self._tidy()
            if len(self._rooms) >= ROOMS:
                fix = "Try again later, or close a room."
                raise SigError(f"This server has {ROOMS} class rooms at most, and all are open.", "", fix)
            drawn = iter(lambda: "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH)), "")
            code = next(made for made in drawn if made not in self._rooms)
            secret = secrets.token_urlsafe(24)
            self._rooms[code] = _Room(title, question, of, truth, own, secret, self._clock() + SECONDS)
            return code, secret

    def join(self, code: str, name: str = "") -> str:
        """The token of a phone that has joined.

        Raises: SigError for a code without a room, for a full room, and while too many wrong codes arrive.
        """
        with self._lock:
            room = self._found(code)
            if len(room.phones) >= PHONES:
                raise SigError(
                    f"The class room {code} is full: it has {PHONES} phones.", "", "Look on with a neighbour."
                )
            token = secrets.token_urlsafe(16)
            shown = plain_name(name) or f"Phone {len(room.phones) + 1}"
            room.phones[token] = Phone(shown, secrets.randbelow(2**31))
            return token

    def say(self, code: str, token: str, guess: int) -> None:
        """Keep the prediction of a phone; the last one before the reveal counts.

        Raises: SigError for an unknown room or phone, a number that is not possible, after the reveal, and for a phone that
        changes its prediction too often.
        """
        with self._lock:
            room, phone = self._phone(code, token)
            if room.is_revealed:
                raise SigError("The answer is on the screen already.", "", "Wait for the next question.")
            if not 0 <= guess <= room.of:
                raise SigError(f"{guess} is not possible.", "", f"Say a number from 0 to {room.of}.")
            if phone.changes >= CHANGES:
                raise SigError("This phone has changed its prediction too often.", "", "The last one counts.")
            phone.guess, phone.changes = guess, phone.changes + 1
            own, seed = room.own, phone.seed
        # the shuffles take a moment: other phones need not wait for them
        if own is not None and phone.own is None:
            phone.own = own(seed)

    def reveal(self, code: str, secret: str) -> None:
        """Show the truth to everybody. Raises: SigError for anyone but the teacher."""
        with self._lock:
            self._taught(code, secret).is_revealed = True

    def close(self, code: str, secret: str) -> None:
        """Forget the room and all that was said in it; one that is closed already stays so.

        Raises: SigError for anyone but the teacher.
        """
        with self._lock:
            if self.has(code):
                self._taught(code, secret)
                del self._rooms[code]

    def has(self, code: str) -> bool:
        """Whether there is a room of that code."""
        with self._lock:
            self._tidy()
            return code in self._rooms

    def seen(self, code: str) -> Seen:
        """What everybody may see. Raises: SigError for a code without a room, and while too many wrong codes arrive."""
        with self._lock:
            room = self._found(code)
            said = [phone for phone in room.phones.values() if phone.guess is not None]
            guesses = tuple(sorted(phone.guess for phone in said if phone.guess is not None))
            seen = Seen(code, room.title, room.question, room.of, len(room.phones), guesses, room.is_revealed, None)
            if not room.is_revealed:
                return seen
            by = sorted(said, key=lambda phone: abs((phone.guess or 0) - room.truth))
            owns = tuple(phone.own for phone in said if phone.own is not None)
            nearest = tuple(phone.name for phone in by[:3])
            return replace(seen, truth=room.truth, nearest=nearest, owns=owns)

    def mine(self, code: str, token: str) -> Phone:
        """The phone of that token. Raises: SigError for an unknown room or phone."""
        with self._lock:
            return self._phone(code, token)[1]

    def _phone(self, code: str, token: str) -> tuple[_Room, Phone]:
        room = self._found(code)
        if token not in room.phones:
            raise SigError("This phone is not in the class room.", "", "Join again with the code.")
        return room, room.phones[token]

    def _taught(self, code: str, secret: str) -> _Room:
        room = self._found(code)
        if not secrets.compare_digest(room.secret, secret):
            raise SigError("Only the teacher who opened a class room can do this.")
        return room

    def _found(self, code: str) -> _Room:
        self._tidy()
        now = self._clock()
        if code not in self._rooms:
            self._missed = [one for one in self._missed if now - one < WINDOW]
            if len(self._missed) >= TRIES:
                raise SigError("Too many wrong codes were tried.", "", "Wait a minute.")
            self._missed.append(now)
            raise SigError(
                f"There is no class room {code[:CODE_LENGTH]!r}.", "", "Check the code, or ask your teacher."
            )
        return self._rooms[code]

    def _tidy(self) -> None:
        now = self._clock()
        self._rooms = {code: room for code, room in self._rooms.items() if room.expires > now}


ROOM = Rooms()  # of this server


def read_code(text: str) -> str:
    """A code as it is typed: capital letters without blanks."""
    return re.sub(r"[^A-Z0-9]", "", text.upper())[: 2 * CODE_LENGTH]
