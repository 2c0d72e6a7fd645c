"""Preferences: which of two outputs a judge found better, one entry per comparison."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import MismatchError, SigError
from sigcore.formatting import count
from sigcore.testset import digest
from sigcore.types import Floats, Names


@dataclass(frozen=True, eq=False)
class Preferences:
    """N comparisons of two systems; each array is (N,), one entry per comparison.

    `outcome` is 1 where the judge preferred `first`, 0 where the judge preferred `second`, 0.5 for a tie; numbers
    between are preferences of a graded judge. `question` names what both answered; comparisons of one question
    are not independent. `judge` is "" if no judge is named. `file` is the file they come from.

    Raises: SigError if there are no comparisons, for an outcome outside 0 to 1, a system without a name, or one that is
    compared with itself; MismatchError if two arrays differ in length.
    """

    name: str
    first: Names = field(repr=False)
    second: Names = field(repr=False)
    outcome: Floats = field(repr=False)
    question: Names = field(repr=False)
    judge: Names = field(default_factory=lambda: np.array([], dtype=np.str_), repr=False)
    file: str = ""
    digest: str = field(default="")

    def __post_init__(self) -> None:
        n = len(self.outcome)
        if not n:
            raise SigError(
                "There are no comparisons.", self.name, "Load a file with one comparison of two systems per row."
            )
        for column in ("first", "second", "question", "judge", "outcome"):
            given = getattr(self, column)
            kept = given if len(given) or column != "judge" else np.full(n, "")
            array = np.array(kept, dtype=np.float64 if column == "outcome" else np.str_)
            if array.shape != (n,):
                message = f"{count(n, 'outcome')}, but {len(array)} entries in {column}."
                raise MismatchError(message, self.name, "Give one entry per comparison in each.")
            array.setflags(write=False)
            object.__setattr__(self, column, array)
        self._check()
        if not self.digest:
            names = (self.first, self.second, self.question, self.judge)
            mark = digest([self.outcome.tobytes().hex()], *(column.tolist() for column in names))
            object.__setattr__(self, "digest", mark)

    def _check(self) -> None:
        bad = np.flatnonzero(~((self.outcome >= 0) & (self.outcome <= 1)))
        if len(bad):
            where = f"{self.name}, comparison {int(bad[0]) + 1}"
            raise SigError("An outcome is not between 0 and 1.", where, "Write 1 (first), 0 (second) or 0.5 (a tie).")
        if ((self.first == "") | (self.second == "")).any():
            raise SigError("A comparison names only one system.", self.name, "Name both systems of every comparison.")
        own = np.flatnonzero(self.first == self.second)
        if len(own):
            message = f"{self.first[own[0]]} is compared with itself."
            raise SigError(message, f"{self.name}, comparison {int(own[0]) + 1}", "Leave the comparison out.")

    @property
    def n(self) -> int:
        """The number of comparisons."""
        return len(self.outcome)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, sorted."""
        return tuple(sorted({*self.first.tolist(), *self.second.tolist()}))


def preferences(name: str, rows: Iterable[tuple[str, str, float | None, str, str]], file: str = "") -> Preferences:
    """Preferences from rows (first, second, outcome, question, judge); see Preferences for errors."""
    first, second, outcome, question, judge = [*zip(*rows, strict=True)] or [()] * 5
    texts = {"first": first, "second": second, "question": question, "judge": judge}
    columns: dict[str, Names] = {column: np.array(cells, dtype=np.str_) for column, cells in texts.items()}
    return Preferences(name, outcome=np.array(outcome, dtype=np.float64), file=file, digest="", **columns)


def gathered_preferences(parts: Sequence[Preferences], name: str = "") -> Preferences:
    """The comparisons of several files in one.

    Raises: SigError without parts.
    """
    if not parts:
        raise SigError("There are no comparisons.", name, "Load a file with one comparison of two systems per row.")
    if len(parts) == 1:
        return parts[0]
    columns = ("first", "second", "outcome", "question", "judge")
    joined: dict[str, NDArray[Any]] = {c: np.concatenate([getattr(part, c) for part in parts]) for c in columns}
    return Preferences(name or ", ".join(part.name for part in parts), file="", digest="", **joined)
