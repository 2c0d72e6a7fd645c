"""Every error a user can meet: what is wrong, where, and how to fix it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

MOST_SHOWN = 4  # names of places beside the first one


class SigError(Exception):
    """A problem that can be explained: what is wrong, where, and how to fix it; `asks` where roles of columns answer it."""

    asks: bool = False

    def __init__(self, what: str, where: str = "", fix: str = "") -> None:
        super().__init__(what, where, fix)
        self.what, self.where, self.fix = what, where, fix

    def __reduce__(self) -> tuple[object, ...]:
        """How it goes to another process: as it is, not made again from its message by a subclass."""
        return _same, (type(self), self.args, dict(vars(self)))

    def __str__(self) -> str:
        place = f" [{self.where}]" if self.where else ""
        return f"{self.what}{place}" + (f" {self.fix}" if self.fix else "")


def _same(kind: type[SigError], args: tuple[object, ...], fields: dict[str, object]) -> SigError:
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    return error


class ReadError(SigError):
    """A file cannot be read as what it should be; `file` and, where known, the 1-based `line`.

    `proposed` asks about other readings of the same file, which nobody has tried yet; `settled` says that there are none.
    """

    proposed: ReadError | None = None
    settled: bool = False

    def __init__(self, what: str, file: str = "", line: int | None = None, fix: str = "") -> None:
        where = file if line is None else f"{file}, line {line}" if file else f"line {line}"
        super().__init__(what, where, fix)
        self.file, self.line = file, line


class Asking(ReadError):
    """A question about a file, which roles of its columns answer."""

    asks = True


class Settled(Asking):
    """A question about a file that has no other readings: no search has to find them."""

    settled = True


class MismatchError(SigError):
    """Two things that must agree in length or kind do not."""


class UnknownMember(SigError):
    """A metric, test or correction of that name does not exist; the message names the nearest ones."""

    def __init__(self, family: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
        others = f"Known: {', '.join(known)}." if known else "There are none."
        fix = f"Did you mean {' or '.join(near)}?" if near else others
        super().__init__(f"There is no {family} named {name!r}.", "", fix)


class OptionError(SigError):
    """An option does not exist, or its value is out of range."""


class Undefined(SigError):
    """The requested number does not exist (no segments, no pairs, a score that cannot be computed)."""


class Cancelled(SigError):
    """The user stopped the computation."""

    def __init__(self) -> None:
        super().__init__("The computation was cancelled.")


def refuse(problems: Sequence[SigError]) -> None:
    """Raise the only problem, or all of them as one SigError; nothing without problems.

    What is said of several files in the same words is said once, with the names of the others.
    """
    if len(problems) == 1:
        raise problems[0]
    if not problems:
        return
    alike: dict[tuple[str, str], list[SigError]] = {}
    for problem in problems:
        alike.setdefault((str(getattr(problem, "why", problem.what)), problem.fix), []).append(problem)
    whole = SigError("\n".join(map(_once, alike.values())))
    whole.asks = any(problem.asks for problem in problems)
    raise whole


def _once(problems: Sequence[SigError]) -> str:
    """The first of several equal problems, and where else it is."""
    others = list(dict.fromkeys(problem.where for problem in problems[1:] if problem.where))
    shown = ", ".join(others[:MOST_SHOWN])
    more = f" and {len(others) - MOST_SHOWN} more" if len(others) > MOST_SHOWN else ""
    return "\n".join([str(problems[0]), *([f"The same holds for: {shown}{more}."] if others else [])])
