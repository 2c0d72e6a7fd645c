"""Scores of documents by systems, as one matrix."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from sigcore.errors import SigError, UnknownMember
from sigcore.testset import digest, length_mismatch
from sigcore.types import BETTER, Better, Bools, Direction, Floats, Why


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Scores of n documents by S systems: `values` (n, S), nan = the document was not scored for that system.

    `humans` names the systems that are people; `sets` is empty or names the set of documents each row belongs to.
    `better` and `why` say which scores are better; `title` says what the scores are, and `row` what a row is: a document, a
    segment or a block.
    Raises: SigError for values of another shape, infinite ones, repeated names; UnknownMember for a human that
    is not one of the systems.
    """

    name: str
    documents: tuple[str, ...] = field(repr=False)
    systems: tuple[str, ...]
    values: Floats = field(repr=False)
    humans: tuple[str, ...] = ()
    sets: tuple[str, ...] = field(default=(), repr=False)
    better: Better = "higher"
    title: str = "score"
    digest: str = field(default="")
    row: str = "document"
    why: Why = "known"

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
    def direction(self) -> Direction:
        """Which scores are better, and why."""
        return Direction(self.better, self.why)

    @property
    def n(self) -> int:
        """The number of documents."""
        return len(self.documents)

    @property
    def rows(self) -> str:
        """The noun for several rows: "documents", "segments", "blocks"."""
        return f"{self.row}s"

    @property
    def row_sets(self) -> str:
        """What Kruskal-Wallis compares: sets of documents (one document is a set too), sets of segments, or segments."""
        if self.row == "document":
            return "document sets"
        return f"sets of {self.rows}" if self.sets else self.rows

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
    def order(self) -> list[int]:
        """The systems from best to worst mean score; those without scores last."""
        upward = self.means if self.better == "lower" else -self.means
        return [int(k) for k in np.argsort(upward, kind="stable")]

    @property
    def human(self) -> Bools:
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
            raise SigError(f"The {what} {twice!r} appears twice.", matrix.name, "Give each its own name.")
    if np.isinf(values).any():
        row, column = np.argwhere(np.isinf(values))[0]
        where = f"{matrix.name}, document {matrix.documents[row]}, system {matrix.systems[column]}"
        raise SigError("A score is infinite.", where, "Give a finite number, or leave the cell empty.")
    for name in matrix.humans:
        if name not in matrix.systems:
            raise UnknownMember("system", name, matrix.systems)
