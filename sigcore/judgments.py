"""Human judgments of system outputs: one entry per rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sigcore.errors import MismatchError, SigError
from sigcore.testset import digest
from sigcore.types import LARGEST, Bools, Floats, Names

# What a rating is about. Only the first two kinds rate the output of the named system; the others check whether the
# judge is reliable, or are of an unknown kind.
RATINGS = {
    "ordinary": "the output of a system", "repeat": "the same output, shown once more to the same judge",
    "reference": "the reference in place of the output", "degraded": "a text made worse on purpose",
    "other": "something else",
}  # fmt: skip
COUNTED = ("ordinary", "repeat")
DIMENSIONS = ("adequacy", "fluency")
NOT_SAID = "quality"  # what readers call the dimension of a file that does not say what was rated
NUMERIC = ("score", "z")  # columns of numbers; the others hold names


def _no_names() -> Names:
    return np.array([], dtype=np.str_)


COLUMNS = ("system", "segment", "score", "judge", "document", "dimension", "kind", "z")


@dataclass(frozen=True, eq=False)
class Judgments:
    """Human judgments of system outputs: N ratings; each array is (N,), one entry per rating.

    `judge` is "" if no judge is named, `document` where segments need none; document and segment together identify
    a segment. `dimension` is what was rated (adequacy, fluency ...), `kind` one of RATINGS. A higher `score` is better.
    `z` holds standardised scores from the file itself, nan where it has none. `absolute` scores (MQM points, averages
    over judges) mean the same for every judge and need no standardising. `file` is the file they come from, and `turned`
    are the dimensions in which it has the scores without the minus that they have here. Defaults:
    documents and judges "", dimensions adequacy, kinds ordinary, z nan.

    Raises: SigError if there are no ratings, for a score that is not a number or too large, a system without a name, an
    unknown kind; MismatchError if two arrays differ in length.
    """

    name: str
    system: Names = field(repr=False)
    segment: Names = field(repr=False)
    score: Floats = field(repr=False)
    judge: Names = field(default_factory=_no_names, repr=False)
    document: Names = field(default_factory=_no_names, repr=False)
    dimension: Names = field(default_factory=_no_names, repr=False)
    kind: Names = field(default_factory=_no_names, repr=False)
    z: Floats = field(default_factory=lambda: np.array([]), repr=False)
    absolute: bool = False
    file: str = ""
    digest: str = field(default="")
    turned: tuple[str, ...] = ()

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
                message = f"{n} scores, but {len(array)} entries in {column}."
                raise MismatchError(message, self.name, "Give one entry per rating in each.")
            array.setflags(write=False)
            object.__setattr__(self, column, array)
        self._check()
        if not self.digest:
            object.__setattr__(self, "digest", self._digest())

    def _check(self) -> None:
        bad = np.flatnonzero(~(np.abs(self.score) <= LARGEST))
        if len(bad):
            why = "too large" if np.isfinite(self.score[bad[0]]) else "not a finite number"
            raise SigError(f"A score is {why}.", f"{self.name}, rating {bad[0] + 1}", "Leave the rating out.")
        if (self.system == "").any():
            raise SigError("A rating names no system.", self.name, "Name the system of every rating.")
        unknown = set(self.kind.tolist()) - set(RATINGS)
        if unknown:
            raise SigError(
                f"Ratings are of an unknown kind: {sorted(unknown)[0]!r}.", self.name, f"Known: {', '.join(RATINGS)}."
            )

    def _digest(self) -> str:
        names = (self.judge, self.system, self.segment, self.document, self.dimension, self.kind)
        numbers = [(array + 0.0).tobytes().hex() for array in (self.score, self.z)]
        return digest([str(self.absolute), *numbers], *(column.tolist() for column in names))

    @property
    def n(self) -> int:
        """The number of ratings."""
        return len(self.score)

    def of(self, chosen: Bools | Sequence[bool]) -> Judgments:
        """The chosen ratings (N,), at least one."""
        which = np.asarray(chosen, dtype=bool)
        return replace(self, digest="", **{name: getattr(self, name)[which] for name in COLUMNS})

    @property
    def written(self) -> Floats:
        """The scores as they are written in the file, (N,)."""
        return np.where(np.isin(self.dimension, self.turned), -self.score, self.score)

    @property
    def counted(self) -> Bools:
        """Whether each rating is about the output of the system it names, (N,)."""
        return np.isin(self.kind, COUNTED)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What was rated: adequacy and fluency first, then the others in order of appearance."""
        rated = list(dict.fromkeys(self.dimension.tolist()))
        return tuple(sorted(rated, key=lambda d: DIMENSIONS.index(d) if d in DIMENSIONS else len(DIMENSIONS)))


def judgments(name: str, columns: Mapping[str, Sequence[Any]], absolute: bool = False, file: str = "") -> Judgments:
    """Judgments from columns by name, given as any sequences (see Judgments for their names and for errors)."""
    given: dict[str, NDArray[Any]] = {
        c: np.array(v, np.float64 if c in NUMERIC else np.str_) for c, v in columns.items()
    }
    return Judgments(name, absolute=absolute, file=file, digest="", turned=(), **given)


def gathered(parts: Sequence[Judgments], name: str = "") -> Judgments:
    """The ratings of several files combined; equal ratings by one judge are all retained.

    Raises: SigError without parts, and if only some of the scores need standardising.
    """
    if not parts:
        raise SigError("There are no ratings.", name, "Load a file with one rating per line.")
    if len({part.absolute for part in parts}) > 1:
        where = ", ".join(part.name for part in parts)
        fix = "Analyse them separately."
        raise SigError("Some of these ratings are points that need no standardising, others are not.", where, fix)
    if len(parts) == 1:
        return parts[0]
    joined: dict[str, NDArray[Any]] = {c: np.concatenate([getattr(part, c) for part in parts]) for c in COLUMNS}
    name = name or ", ".join(part.name for part in parts)
    turned = tuple(dict.fromkeys(dimension for part in parts for dimension in part.turned))
    return Judgments(name, absolute=parts[0].absolute, file="", digest="", turned=turned, **joined)
