"""The contract of readers: how a format is recognised and read, and the results: items, notices, problems."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Literal, get_args

from sigcore import registry
from sigcore.errors import ReadError, SigError
from sigcore.judgments import Judgments
from sigcore.preferences import Preferences
from sigcore.proof import NONE, Proof
from sigcore.registry import Option, read_options
from sigcore.types import Better, Kind, Role, Value

Options = Mapping[str, Value]
SHARED: tuple[Role, ...] = ("documents", "domains")  # roles that apply to every kind and every file

# How sure a reader is about a file, from its first lines. The surest one reads it; the user may choose another.
NO, FALLBACK, BY_SHAPE, BY_LINES, BY_NAME, BY_LOOK, CERTAIN = 0, 1, 2, 3, 5, 7, 9


# The same in words.
WHY = {
    FALLBACK: "no other format fits", BY_SHAPE: "by the shape of its lines", BY_LINES: "by single lines",
    BY_NAME: "by the name of the file", BY_LOOK: "by its first lines", CERTAIN: "by its content",
}  # fmt: skip


@dataclass(frozen=True)
class Notice:
    """Something about a file that the user should know but need not fix; `line` is 1-based."""

    file: str
    message: str
    line: int | None = None


# What a column, or a whole file, is taken for.
Part = Literal[
    "system", "question", "run", "task", "category", "cluster", "document", "text", "reference", "source", "score", "weight",
    "label", "judge", "measure", "first", "second", "winner", "joined", "ignored",
]  # fmt: skip
PARTS_OF_TABLES: tuple[Part, ...] = get_args(Part)

# What a claim rests on. Only a guess is not enough to test: somebody has to confirm it.
Basis = Literal["said", "program", "heading", "layout", "guess"]


@dataclass(frozen=True)
class Claim:
    """What a column of a file is taken for ("" = the whole file), and why.

    `cells` are its first cells, `direction` which of its scores are better ("" if it has none, or nobody said it).
    """

    file: str
    column: str
    role: Part
    reason: str
    basis: Basis
    direction: str = ""
    cells: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether it rests on more than a guess."""
        return self.basis != "guess"


BY_ITS_NAME = "not data, judging by its name"  # in the note of a file that is set aside
IN_HTML = "a table in HTML, which is not read"  # the same
OF_TASKS = "results of whole tasks (lm-evaluation-harness)"  # the note of a file that has nothing else
ASKED = "answers to questions"  # ends the note of references in the layout of SQuAD, of whatever length they are
SPOKEN = "of recordings"  # ends the note of texts beside a column of recordings: what was recognised


@dataclass(frozen=True)
class Item:
    """One stream of segments with the guesses made about it, all of which the user can correct.

    `role` is one of ROLES, `kind` one of KINDS (see `sigcore.testset` for how its segments are written). `file` is the
    name as given (inside an archive: archive/member), `note` says what it was detected as, `reader` names the member
    that read it. `testset` names the test set it belongs to ("" = the selected one), `measure` the name of
    the scores (COMET, MQM ...; "" if the file does not name them). `keys` are the ids of the segments in their file, all
    different; () if it has none. `better` says which scores are better, if the file or the user says so.
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
    better: Better | Literal[""] = ""


def scores(
    file: str,
    system: str,
    cells: Sequence[str],
    note: str,
    measure: str,
    better: Better | Literal[""],
    keys: tuple[str, ...] = (),
) -> Item:
    """The scores of one system in a file."""
    return Item(system, "system", "scores", tuple(cells), file, note, measure=measure, keys=keys, better=better)


@dataclass
class Found:
    """The content of one file: items, human judgments, preferences, groups of systems, notices, problems of its parts."""

    items: list[Item] = field(default_factory=list)
    judgments: list[Judgments] = field(default_factory=list)
    preferences: list[Preferences] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    problems: list[SigError] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    def add(self, more: Found) -> None:
        """Add the content of another file."""
        self.items += more.items
        self.judgments += more.judgments
        self.preferences += more.preferences
        self.groups |= more.groups
        self.kinds |= more.kinds
        self.notices += more.notices
        self.problems += more.problems
        self.claims += more.claims


@dataclass(frozen=True, eq=False)
class Content:
    """One plain file: its name and bytes, and its text and segments, decoded on first use.

    `keep_bom` leaves a byte order mark in the first segment.
    Raises (`text`, `lines`): ReadError for bytes that are not text.
    """

    file: str
    data: bytes = field(repr=False)
    decode: Callable[[str, bytes], tuple[str, list[Notice]]] = field(repr=False)
    split: Callable[[str, str], tuple[tuple[str, ...], list[Notice]]] = field(repr=False)

    @cached_property
    def decoded(self) -> tuple[str, list[Notice]]:
        """The whole text with "\\n" as its only line end, and notices about the conversion."""
        return self.decode(self.file, self.data)

    @cached_property
    def cut(self) -> tuple[tuple[str, ...], list[Notice]]:
        """The lines, and a notice on characters in them that other programs read as line ends."""
        return self.split(self.file, self.text)

    def with_text(self, text: str) -> Content:
        """The file with another text, such as one without the lines of a log."""
        return replace(self, decode=lambda *_: (text, []))

    @property
    def is_text(self) -> bool:
        """Whether it can be decoded; the error of other bytes is raised where they are read."""
        try:
            return bool(self.decoded)
        except ReadError:
            return False

    @property
    def text(self) -> str:
        """The whole text."""
        return self.decoded[0]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, split at "\\n" only; one final "\\n" ends the last."""
        return self.cut[0]

    @property
    def notices(self) -> list[Notice]:
        """The notices of decoding and splitting."""
        return [*self.decoded[1], *self.cut[1]]

    @property
    def suffix(self) -> str:
        """The last suffix of the name in lower case, without .gz."""
        name = self.file.lower().removesuffix(".gz")
        return name.rpartition(".")[2] if "." in name else ""


@dataclass(frozen=True)
class Reader:
    """One file format.

    `looks(content)` returns how sure it is that the file has its format (NO, FALLBACK, BY_SHAPE, BY_LINES, BY_NAME, BY_LOOK, CERTAIN); it
    may read the text, but raises no errors itself. `read(content, options)` returns the content of the file. `example`
    is the name and the text of a small file of the format, and `proof` says what is in it; a reader without one is refused.
    `table(content)` gives the cells of a text that is read as a table, headings first; [] where it is read otherwise.
    Raises (`read`): ReadError with file, line and fix; a bad part goes to `problems` instead if the rest
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
    proof: Proof = NONE
    table: Callable[[Content], Sequence[Sequence[str]]] | None = None

    def chosen(self, given: Mapping[str, object] | None = None) -> dict[str, Value]:
        """All options with their values (OptionError for an unknown one or a bad value)."""
        return read_options(self.name, self.options, given or {})


# What formats.toml says of a format: its title, its help, and perhaps an example.
described = partial(registry.described, Path(__file__).with_name("formats.toml"))


@dataclass(frozen=True, eq=False)
class Detected:
    """What one plain file was detected as: the reader's name ("" if none could read it), its options, its bytes, and
    why this reader was used."""

    file: str
    reader: str
    options: dict[str, Value]
    packed: bytes = field(repr=False)
    why: str = ""

    @property
    def data(self) -> bytes:
        """The bytes of the file, to read it again as something else."""
        return zlib.decompress(self.packed)


@dataclass(frozen=True)
class Intake:
    """The content of all files, every problem of every file, and what each file was detected as.

    `groups` and `kinds` (system or combination) come from a table, for systems that may be in files loaded later.
    """

    items: tuple[Item, ...] = ()
    notices: tuple[Notice, ...] = ()
    problems: tuple[SigError, ...] = ()
    detected: tuple[Detected, ...] = ()
    judgments: tuple[Judgments, ...] = ()
    preferences: tuple[Preferences, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Limits:
    """Bounds on what is read in one call, all files together; nothing of a file over a bound is read.

    `total_bytes` and `members` bound what archives unpack to. A short line, a cell or an empty list takes one or two bytes
    in a file but fifty in memory, so `lines` and `parts` (PARTS: what separates or opens lines, cells and values, each
    with its weight) are bounded too, in all files. `line` is the most bytes of one line that is unpacked: a line of 200 MB
    takes 200 kB in an archive, and nothing could be done with it.
    """

    total_bytes: int = 512 * 1024 * 1024
    members: int = 5_000
    lines: int = 3_000_000
    parts: int = 16_000_000
    line: int = 10_000_000


PARTS = {**dict.fromkeys((b"\n", b"\t", b",", b";", b":", b"[", b"(", b"<"), 1), b"{": 8}  # a record is a dictionary
# Their options, as options.toml has them, with choices that a format knows by itself.
options_of = partial(registry.options_of, Path(__file__).with_name("options.toml"))
