"""What files hold: a test set with its references, the outputs of systems on it, and what people said of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sigcore.errors import MismatchError, SigError, UnknownMember
from sigcore.types import BETTER, KINDS, Better, Floats, Kind, Names


def digest(*streams: Sequence[str]) -> str:
    """SHA-256 (hex) of one or more streams of segments, in order; lengths are part of it."""
    sha = hashlib.sha256()
    for stream in streams:
        sha.update(f"{len(stream)}\x1e".encode())
        for segment in stream:
            # "surrogatepass": a segment is hashed as it is, whatever it holds
            data = segment.encode("utf-8", "surrogatepass")
            sha.update(f"{len(data)}\x1f".encode())
            sha.update(data)
    return sha.hexdigest()


@dataclass(frozen=True, eq=False)
class Outputs:
    """What one system (in one run) gave for every segment of a test set.

    For a test set of kind "scores" each segment is the score as text, so that a fault can be
    reported with its line.
    """

    system: str
    segments: tuple[str, ...]
    run: str = ""
    group: str = ""
    digest: str = field(default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "segments", tuple(self.segments))
        if not self.system:
            raise SigError("A system has no name.", "", "Give every system a name.")
        if not self.digest:
            object.__setattr__(self, "digest", digest(self.segments))

    @property
    def n(self) -> int:
        """The number of segments."""
        return len(self.segments)


@dataclass(frozen=True, eq=False)
class Testset:
    """The gold side of a comparison: n segments with zero or more references.

    `references` holds one stream of n segments per reference; `sources`, `domains` and
    `documents` are empty or hold n entries. Kind "scores" has no references.

    Raises: MismatchError where two streams differ in length.
    """

    name: str
    kind: Kind
    n: int
    references: tuple[tuple[str, ...], ...] = ()
    sources: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    digest: str = field(default="")

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SigError(f"A test set of kind {self.kind!r} is not known.", self.name, f"Known: {', '.join(KINDS)}.")
        object.__setattr__(self, "references", tuple(tuple(stream) for stream in self.references))
        named = [(f"reference {k + 1}", stream) for k, stream in enumerate(self.references)]
        named += [("sources", self.sources), ("domains", self.domains), ("documents", self.documents)]
        for name, stream in named:
            if len(stream) not in ((self.n,) if name.startswith("reference") else (0, self.n)):
                raise length_mismatch(name, stream, self.name, self.n)
        if not self.digest:
            object.__setattr__(self, "digest", digest([self.kind, str(self.n)], *self.references))

    @cached_property
    def documents_digest(self) -> str:
        """SHA-256 (hex) of the documents, which the digest of the test set leaves out: they change no statistics."""
        return digest(self.documents)


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of n documents by S systems: `values` (n, S), nan = the document was not scored for that system.

    `humans` names the systems that are people; `sets` is empty or names the set of documents each row belongs to.
    `better` is "higher" or "lower"; `title` says what the scores are.
    Raises: SigError for values of another shape, infinite ones, names that stand twice; UnknownMember for a human that
    is no system.
    """

    name: str
    documents: tuple[str, ...]
    systems: tuple[str, ...]
    values: Floats
    humans: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    better: Better = "higher"
    title: str = "score"
    digest: str = field(default="")

    def __post_init__(self) -> None:
        for name in ("documents", "systems", "humans", "sets"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        values = np.array(self.values, dtype=np.float64, order="C")
        _check_matrix(self, values)
        values.setflags(write=False)
        object.__setattr__(self, "values", values)
        if not self.digest:
            cells = [cell.hex() for cell in values.ravel().tolist()]
            mark = digest([self.better, self.title], self.documents, self.systems, self.sets, cells)
            object.__setattr__(self, "digest", mark)

    @property
    def n(self) -> int:
        """The number of documents."""
        return len(self.documents)

    @property
    def missing(self) -> int:
        """The number of cells without a score."""
        return int(np.isnan(self.values).sum())

    @property
    def means(self) -> Floats:
        """The mean score of every system over the documents it has, (S,); nan for one without scores."""
        present = ~np.isnan(self.values)
        count = present.sum(axis=0)
        sums = np.where(present, self.values, 0.0).sum(axis=0)
        return np.where(count > 0, sums / np.maximum(count, 1), np.nan)

    @property
    def human(self) -> NDArray[np.bool_]:
        """Whether each system is a person, (S,)."""
        marked = set(self.humans)
        return np.array([system in marked for system in self.systems], dtype=bool)

    def marked(self, humans: Iterable[str]) -> ScoreMatrix:
        """The same scores with these systems marked as people."""
        return replace(self, humans=tuple(humans))


def _check_matrix(matrix: ScoreMatrix, values: Floats) -> None:
    shape = (len(matrix.documents), len(matrix.systems))
    if values.shape != shape:
        raise SigError(f"Scores of shape {values.shape} for {shape[0]} documents and {shape[1]} systems.", matrix.name)
    if len(matrix.sets) not in (0, shape[0]):
        raise length_mismatch("document sets", matrix.sets, matrix.name, shape[0])
    if matrix.better not in BETTER:
        raise SigError(f"better = {matrix.better!r} is neither 'higher' nor 'lower'.", matrix.name)
    for what, names in (("document", matrix.documents), ("system", matrix.systems)):
        twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
        if twice is not None:
            raise SigError(f"The {what} {twice!r} stands twice.", matrix.name, "Give each a name of its own.")
    if np.isinf(values).any():
        row, column = np.argwhere(np.isinf(values))[0]
        where = f"{matrix.name}, document {matrix.documents[row]}, system {matrix.systems[column]}"
        raise SigError("A score is infinite.", where, "Give a finite number, or leave the cell empty.")
    for name in matrix.humans:
        if name not in matrix.systems:
            raise UnknownMember("system", name, matrix.systems)


# What a rating was given to. Only the first two rate the output of the system that is named; the others are there to
# see whether the judge can be trusted, or are of a kind that is not known.
RATINGS = {
    "ordinary": "the output of a system",
    "repeat": "the same output, shown once more to the same judge",
    "reference": "the reference in place of the output",
    "degraded": "a text made worse on purpose",
    "other": "something else",
}
COUNTED = ("ordinary", "repeat")
DIMENSIONS = ("adequacy", "fluency")
NUMERIC = ("score", "z")  # columns of numbers; the others hold names


@dataclass(frozen=True, eq=False)
class Judgments:
    """What people said of the outputs of systems: N ratings, each array (N,) with one entry per rating.

    `judge` holds "" where nobody is named, `document` where segments need none; a segment is known by document and
    segment together. `dimension` is what was asked for (adequacy, fluency ...), `kind` one of RATINGS. A higher `score`
    is better. `z` are scores that the file itself gives as standardised, nan where it gives none. `absolute` scores
    (MQM points, averages over judges) mean the same from everybody and need no standardising. `file` is where they are
    from. Left empty, documents and judges are "", dimensions adequacy, kinds ordinary, z nan.

    Raises: SigError without ratings, for a score that is no number, a system without a name, an unknown kind;
    MismatchError where two arrays differ in length.
    """

    name: str
    system: Names
    segment: Names
    score: NDArray[np.float64]
    judge: Names = field(default_factory=lambda: np.array([], dtype=np.str_))
    document: Names = field(default_factory=lambda: np.array([], dtype=np.str_))
    dimension: Names = field(default_factory=lambda: np.array([], dtype=np.str_))
    kind: Names = field(default_factory=lambda: np.array([], dtype=np.str_))
    z: NDArray[np.float64] = field(default_factory=lambda: np.array([]))
    absolute: bool = False
    file: str = ""
    digest: str = field(default="")

    def __post_init__(self) -> None:
        n = len(self.score)
        if not n:
            raise SigError("There are no ratings.", self.name, "Load a file with one rating per line.")
        blank: dict[str, ArrayLike] = {"judge": "", "document": "", "dimension": "adequacy", "kind": "ordinary"}
        for column in ("system", "segment", *blank, "score", "z"):
            given = getattr(self, column)
            kept = given if len(given) or column not in (*blank, "z") else np.full(n, blank.get(column, np.nan))
            array = np.array(kept, dtype=np.float64 if column in NUMERIC else np.str_)
            if array.shape != (n,):
                what = f"{n} scores, but {len(array)} entries in {column}."
                raise MismatchError(what, self.name, "Give every rating one entry in each.")
            array.setflags(write=False)
            object.__setattr__(self, column, array)
        self._check()
        if not self.digest:
            object.__setattr__(self, "digest", self._digest())

    def _check(self) -> None:
        if not np.isfinite(self.score).all():
            at = int(np.flatnonzero(~np.isfinite(self.score))[0])
            raise SigError("A score is no finite number.", f"{self.name}, rating {at + 1}", "Leave the rating out.")
        if (self.system == "").any():
            raise SigError("A rating names no system.", self.name, "Say of each rating which system it is about.")
        unknown = set(self.kind.tolist()) - set(RATINGS)
        if unknown:
            raise SigError(f"Ratings of kind {sorted(unknown)[0]!r}.", self.name, f"Known: {', '.join(RATINGS)}.")

    def _digest(self) -> str:
        names = (self.judge, self.system, self.segment, self.document, self.dimension, self.kind)
        numbers = [(array + 0.0).tobytes().hex() for array in (self.score, self.z)]
        return digest([str(self.absolute), *numbers], *(column.tolist() for column in names))

    @property
    def n(self) -> int:
        """The number of ratings."""
        return len(self.score)

    @property
    def counted(self) -> NDArray[np.bool_]:
        """(N,): whether a rating is about the output of the system it names."""
        return np.isin(self.kind, COUNTED)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What was rated: adequacy and fluency first, then the others as they come."""
        found = list(dict.fromkeys(self.dimension.tolist()))
        return tuple(sorted(found, key=lambda d: DIMENSIONS.index(d) if d in DIMENSIONS else len(DIMENSIONS)))


def judgments(name: str, columns: Mapping[str, Sequence[Any]], absolute: bool = False, file: str = "") -> Judgments:
    """Judgments from columns by name, given as any sequences (see Judgments for which, and for what it raises)."""
    given: dict[str, Any] = {c: np.array(v, np.float64 if c in NUMERIC else np.str_) for c, v in columns.items()}
    return Judgments(name, absolute=absolute, file=file, **given)


def gathered(parts: Sequence[Judgments], name: str = "") -> Judgments:
    """The ratings of several files as one; alike ratings of one judge stay two.

    Raises: SigError without parts, and where scores that need standardising meet scores that do not.
    """
    if not parts:
        raise SigError("There are no ratings.", name, "Load a file with one rating per line.")
    if len({part.absolute for part in parts}) > 1:
        where = ", ".join(part.name for part in parts)
        fix = "Look at them one after the other."
        raise SigError("Some of these ratings are points that need no standardising, others are not.", where, fix)
    if len(parts) == 1:
        return parts[0]
    columns = ("system", "segment", "score", "judge", "document", "dimension", "kind", "z")
    joined: dict[str, Any] = {c: np.concatenate([getattr(part, c) for part in parts]) for c in columns}
    return Judgments(name or ", ".join(part.name for part in parts), absolute=parts[0].absolute, **joined)


def length_mismatch(name: str, stream: Sequence[str], other: str, n: int) -> MismatchError:
    """The error for two files of different length: both counts and the first suspicious line."""
    hints = []
    blank = next((i for i, segment in enumerate(stream) if not segment.strip()), None)
    if blank is not None:
        hints.append(f"first blank line in {name}: {blank + 1}")
    inner = next((i for i, s in enumerate(stream) if any(c in s for c in "\r\u2028\u0085\x0b\x0c")), None)
    if inner is not None:
        hints.append(f"line {inner + 1} of {name} holds a character that some programs take for a line break")
    if not hints:
        hints.append(
            f"{name} has no blank line, so a line was probably cut off or added at line {min(len(stream), n) + 1}"
        )
    return MismatchError(
        f"{name} has {len(stream)} line{'' if len(stream) == 1 else 's'}, {other} has {n}.",
        "; ".join(hints),
        "Every file must have one line per segment, in the same order: fix the file, or leave it out.",
    )


def check_agreement(testset: Testset, outputs: Sequence[Outputs]) -> list[SigError]:
    """All faults between a test set and the outputs on it: lengths that differ, names given twice."""
    faults: list[SigError] = []
    seen: set[tuple[str, str]] = set()
    for item in outputs:
        if item.n != testset.n:
            faults.append(length_mismatch(item.system, item.segments, testset.name, testset.n))
        if (item.system, item.run) in seen:
            faults.append(
                MismatchError(f"Two systems are named {item.system!r}.", "", "Give each system a name of its own.")
            )
        seen.add((item.system, item.run))
    return faults + (_other_columns(testset, outputs) if testset.kind == "statistics" else [])


def _other_columns(testset: Testset, outputs: Sequence[Outputs]) -> list[SigError]:
    """Systems whose statistics have other names than those of the first."""
    names = {item.system: [part.partition("=")[0] for part in item.segments[0].split()] for item in outputs if item.n}
    first = next(iter(names), "")
    return [
        MismatchError(
            f"{system} has the columns {', '.join(found) or '(none)'}; {first} has {', '.join(names[first]) or '(none)'}.",
            testset.name,
            "Give every system the same names: they are one kind of statistics.",
        )
        for system, found in names.items()
        if sorted(found) != sorted(names[first])
    ]


def identical(outputs: Sequence[Outputs]) -> list[tuple[str, ...]]:
    """Groups of two or more systems whose segments are the same throughout."""
    groups: dict[str, list[str]] = {}
    for item in outputs:
        groups.setdefault(item.digest, []).append(item.system)
    return [tuple(names) for names in groups.values() if len(names) > 1]


def renamed(outputs: Outputs, system: str, group: str = "") -> Outputs:
    """The same outputs under another name and group."""
    return replace(outputs, system=system, group=group)
