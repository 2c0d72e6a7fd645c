"""What every reader is (a file's look, and how it is read), and what comes back: items, notices, problems."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sigcore.errors import SigError
from sigcore.judgments import Judgments
from sigcore.registry import Option, Value, read_options
from sigcore.types import KINDS, ROLES, Kind, Role

__all__ = [
    "KINDS",
    "ROLES",
    "SHARED",
    "Content",
    "Detected",
    "Found",
    "Intake",
    "Item",
    "Limits",
    "Notice",
    "Options",
    "Reader",
]

Options = Mapping[str, Value]
SHARED: tuple[Role, ...] = ("documents", "domains")  # roles that serve every kind and every file alike

# How sure a reader is of a file, from its look. The surest one reads it; a person may choose another.
NO, FALLBACK, BY_NAME, BY_LOOK, CERTAIN = 0, 1, 5, 7, 9


@dataclass(frozen=True)
class Notice:
    """Something about a file that a person should know but need not fix; `line` is 1-based."""

    file: str
    message: str
    line: int | None = None


@dataclass(frozen=True)
class Item:
    """One stream of segments with the guesses made about it, all open to correction.

    `role` is one of ROLES, `kind` one of KINDS (see `sigcore.testset` for how its segments are written). `file` is the
    name as given (inside an archive: archive/member), `note` says what it was detected as, `reader` names the member
    that read it. `testset` names the test set it belongs to ("" = whichever is looked at), `measure` what scores
    measure (COMET, MQM ...; "" where the file does not say). `keys` are what the segments are called in their file, one
    for each, all different; () where it does not say.
    """

    name: str
    role: Role
    kind: Kind
    segments: tuple[str, ...] = field(repr=False)
    file: str
    note: str
    group: str = ""
    testset: str = ""
    measure: str = ""
    reader: str = ""
    keys: tuple[str, ...] = field(default=(), repr=False)


@dataclass
class Found:
    """What one file holds: items, judgments of people, the groups it gives to systems, notices, problems of its parts."""

    items: list[Item] = field(default_factory=list)
    judgments: list[Judgments] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    problems: list[SigError] = field(default_factory=list)

    def add(self, more: Found) -> None:
        """Add what another file gave."""
        self.items += more.items
        self.judgments += more.judgments
        self.groups |= more.groups
        self.notices += more.notices
        self.problems += more.problems


@dataclass(frozen=True, eq=False)
class Content:
    """One plain file: its name and bytes, and its text and segments, decoded when first asked for.

    `keep_bom` leaves a byte order mark in the first segment.
    Raises (`text`, `lines`): ReadError for bytes that are not text.
    """

    file: str
    data: bytes = field(repr=False)
    decode: Callable[[str, bytes], tuple[str, list[Notice]]] = field(repr=False)
    split: Callable[[str, str], tuple[tuple[str, ...], list[Notice]]] = field(repr=False)

    @cached_property
    def decoded(self) -> tuple[str, list[Notice]]:
        """The whole text with "\\n" as its only line end, and what was done to get it."""
        return self.decode(self.file, self.data)

    @cached_property
    def cut(self) -> tuple[tuple[str, ...], list[Notice]]:
        """The lines, and a notice on characters in them that other programs read as line ends."""
        return self.split(self.file, self.text)

    @property
    def text(self) -> str:
        """The whole text."""
        return self.decoded[0]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, cut at "\\n" only; one final "\\n" ends the last."""
        return self.cut[0]

    @property
    def notices(self) -> list[Notice]:
        """What decoding and cutting noticed."""
        return [*self.decoded[1], *self.cut[1]]

    @property
    def suffix(self) -> str:
        """The last suffix of the name in small letters, without .gz."""
        name = self.file.lower().removesuffix(".gz")
        return name.rpartition(".")[2] if "." in name else ""


@dataclass(frozen=True)
class Reader:
    """One format of files.

    `looks(content)` says how sure it is that the file is its own (NO, FALLBACK, BY_NAME, BY_LOOK, CERTAIN) and may
    read the text, but raises nothing of its own. `read(content, options)` gives what the file holds. `example` is the
    name and the text of a small file of the format.
    Raises (`read`): ReadError with file, line and fix; a part that is bad goes to `problems` instead where the rest
    can be read.
    """

    name: str
    title: str
    kinds: tuple[str, ...]
    looks: Callable[[Content], int]
    read: Callable[[Content, Options], Found]
    options: tuple[Option, ...] = ()
    help: str = ""
    example: tuple[str, str] = ("", "")

    def chosen(self, given: Mapping[str, object] | None = None) -> dict[str, Value]:
        """All options with their values (OptionError for an unknown one or a bad value)."""
        return read_options(self.name, self.options, given or {})


@dataclass(frozen=True, eq=False)
class Detected:
    """What one plain file was detected as: the reader's name ("" where none could read it), its options, its bytes."""

    file: str
    reader: str
    options: dict[str, Value]
    packed: bytes = field(repr=False)

    @property
    def data(self) -> bytes:
        """The bytes of the file, to read it again as something else."""
        return zlib.decompress(self.packed)


@dataclass(frozen=True)
class Intake:
    """Everything that came out of the files, every problem of every file at once, and what each was detected as.

    `groups` are those that a table gave to systems, which may be in files that come later.
    """

    items: tuple[Item, ...] = ()
    notices: tuple[Notice, ...] = ()
    problems: tuple[SigError, ...] = ()
    detected: tuple[Detected, ...] = ()
    judgments: tuple[Judgments, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Limits:
    """Bounds on what archives may unpack to in one reading: bytes in all, and members in all."""

    total_bytes: int = 512 * 1024 * 1024
    members: int = 5_000
