"""A test set with its references, the outputs of systems on it, and whether they agree."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sigcore.errors import MismatchError, SigError
from sigcore.formatting import count
from sigcore.types import DOCUMENT, KINDS, Kind, Unit

TOGETHER = 8_192  # segments that are hashed in one step


def _hashed(segment: str) -> bytes:
    """A segment as it is hashed, even with lone surrogates: its length in bytes, and the bytes."""
    data = segment.encode("utf-8", "surrogatepass")
    return b"%d\x1f%b" % (len(data), data)


def digest(*streams: Sequence[str]) -> str:
    """SHA-256 (hex) of one or more streams of segments, in order; lengths are part of it."""
    sha = hashlib.sha256()
    for stream in streams:
        sha.update(f"{len(stream)}\x1e".encode())
        for start in range(0, len(stream), TOGETHER):
            part = stream[start : start + TOGETHER]
            known = {segment: _hashed(segment) for segment in set(part)}  # labels and scores repeat
            sha.update(b"".join([known[segment] for segment in part]))
    return sha.hexdigest()


@dataclass(frozen=True, eq=False)
class Outputs:
    """The output of one system (in one run) for every segment of a test set.

    For a test set of kind "scores" each segment is the score as text, so that an error can be
    reported with its line.
    """

    system: str
    segments: tuple[str, ...] = field(repr=False)
    run: str = ""
    group: str = ""
    digest: str = field(default="")

    def __post_init__(self) -> None:
        if not isinstance(self.segments, tuple):  # a column of a table is one, and a copy of thousands is large
            object.__setattr__(self, "segments", tuple(self.segments))
        if not self.system:
            raise SigError("A system has no name.", "", "Give every system a name.")
        if not self.digest:
            object.__setattr__(self, "digest", digest(self.segments))

    @property
    def n(self) -> int:
        """The number of segments."""
        return len(self.segments)

    @property
    def identity(self) -> str:
        """SHA-256 (hex) of the segments and the names."""
        return digest([self.system, self.run, self.group, self.digest])


@dataclass(frozen=True, eq=False)
class Testset:
    """The gold side of a comparison: n segments with zero or more references.

    `references` holds one stream of n segments per reference; `sources`, `domains` and
    `documents` are empty or hold n entries. `by_document` is the unit of a document, with what the data call it. Kind "scores" has no references.

    Raises: MismatchError if two streams differ in length.
    """

    name: str
    kind: Kind
    n: int
    references: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    sources: tuple[str, ...] = field(default=(), repr=False)
    domains: tuple[str, ...] = field(default=(), repr=False)
    documents: tuple[str, ...] = field(default=(), repr=False)
    by_document: Unit = field(default=DOCUMENT, repr=False)
    digest: str = field(default="")

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SigError(f"Test sets of kind {self.kind!r} do not exist.", self.name, f"Known: {', '.join(KINDS)}.")
        object.__setattr__(self, "references", tuple(tuple(stream) for stream in self.references))
        named = [(f"reference {k + 1}", stream) for k, stream in enumerate(self.references)]
        named += [("sources", self.sources), ("domains", self.domains), ("documents", self.documents)]
        for name, stream in named:
            if len(stream) not in ((self.n,) if name.startswith("reference") else (0, self.n)):
                raise length_mismatch(name, stream, self.name, self.n)
        if not self.digest:
            object.__setattr__(self, "digest", digest([self.kind, str(self.n)], *self.references))

    @cached_property
    def identity(self) -> str:
        """SHA-256 (hex) of everything, also of what changes no statistics."""
        named = self.by_document.called or ()
        return digest(
            [self.name, self.kind, str(self.n), self.digest, *named], self.sources, self.domains, self.documents
        )

    @cached_property
    def documents_digest(self) -> str:
        """SHA-256 (hex) of the documents, which the digest of the test set leaves out: they change no statistics."""
        return digest(self.documents)


def length_mismatch(name: str, stream: Sequence[str], other: str, n: int, found: str = "") -> MismatchError:
    """The error for two files of different length: both counts and the first suspicious line, or what was `found` about it."""
    hints = [found] if found else []
    blank = next((i for i, segment in enumerate(stream) if not segment.strip()), None)
    if blank is not None:
        hints.append(f"first blank line in {name}: {blank + 1}")
    inner = next((i for i, s in enumerate(stream) if any(c in s for c in "\r\u2028\u0085\x0b\x0c")), None)
    if inner is not None:
        hints.append(f"line {inner + 1} of {name} contains a character that some programs treat as a line break")
    if not hints:
        hints.append(f"{name} has no blank line, so lines were probably cut off or added")
    return MismatchError(
        f"{name} has {count(len(stream), 'line')}, {other} has {n:,}.",
        "; ".join(hints),
        "Every file must have one line per segment, in the same order: fix the file, or leave it out.",
    )


def check_agreement(testset: Testset, outputs: Sequence[Outputs]) -> list[SigError]:
    """All conflicts between a test set and the outputs on it: lengths that differ, duplicate names."""
    faults: list[SigError] = []
    seen: set[tuple[str, str]] = set()
    for item in outputs:
        if item.n != testset.n:
            faults.append(length_mismatch(item.system, item.segments, testset.name, testset.n))
        if (item.system, item.run) in seen:
            faults.append(
                MismatchError(f"Two systems are named {item.system!r}.", "", "Give each system its own name.")
            )
        seen.add((item.system, item.run))
    return faults + (_other_columns(testset, outputs) if testset.kind == "statistics" else [])


def _other_columns(testset: Testset, outputs: Sequence[Outputs]) -> list[SigError]:
    """Systems whose statistics have other names than those of the first."""
    names = {item.system: [part.partition("=")[0] for part in item.segments[0].split()] for item in outputs if item.n}
    first = next(iter(names), "")
    return [
        MismatchError(
            f"{system} has the columns {', '.join(own) or '(none)'}; {first} has {', '.join(names[first]) or '(none)'}.",
            testset.name,
            "Give every system the same column names.",
        )
        for system, own in names.items()
        if sorted(own) != sorted(names[first])
    ]


def identical(outputs: Sequence[Outputs]) -> list[tuple[str, ...]]:
    """Groups of two or more systems whose segments are all the same."""
    groups: dict[str, list[str]] = {}
    for item in outputs:
        groups.setdefault(item.digest, []).append(item.system)
    return [tuple(names) for names in groups.values() if len(names) > 1]


def renamed(outputs: Outputs, system: str, group: str = "") -> Outputs:
    """The same outputs under another name and group."""
    return replace(outputs, system=system, group=group)
