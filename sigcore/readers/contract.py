"""What every reader gives back: items, notices and problems, together an intake."""

from __future__ import annotations

from dataclasses import dataclass

from sigcore.errors import SigError
from sigcore.testset import KINDS

__all__ = ["KINDS", "ROLES", "Intake", "Item", "Limits", "Notice"]

ROLES = ("reference", "source", "system", "documents", "domains", "ignored")


@dataclass(frozen=True)
class Notice:
    """Something about a file that a person should know but need not mend; `line` is 1-based."""

    file: str
    message: str
    line: int | None = None


@dataclass(frozen=True)
class Item:
    """One stream of segments with the guesses made about it, all open to correction.

    `role` is one of ROLES, `kind` one of KINDS (scores stay text, so that a fault keeps its line).
    `file` is the name as given (inside an archive: archive/member), `note` says what it was taken for.
    """

    name: str
    role: str
    kind: str
    segments: tuple[str, ...]
    file: str
    note: str
    group: str = ""


@dataclass(frozen=True)
class Intake:
    """Everything that came out of the files, and every problem of every file at once."""

    items: tuple[Item, ...] = ()
    notices: tuple[Notice, ...] = ()
    problems: tuple[SigError, ...] = ()


@dataclass(frozen=True)
class Limits:
    """Bounds on what archives may unpack to in one reading: bytes in all, and members in all."""

    total_bytes: int = 512 * 1024 * 1024
    members: int = 5_000
