"""Who is first, and who is tied: a range of ranks for each system, and clusters, from the verdicts of a grid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from sigcore.formatting import count, format_gain
from sigcore.results.fields import UNDEFINED, Field, Fields
from sigcore.results.grid import SCORES, Cell, Grid, MatrixResult
from sigcore.results.pair import ALPHA
from sigcore.types import Ints, Setup


@dataclass(frozen=True, eq=False)
class Ranks:
    """The ranks of the systems of a grid at alpha.

    All ranges hold together with probability at least 1 - alpha where the correction bounds the chance of any false
    verdict by alpha (not: none, or a false discovery rate). Without verdicts every range is 1 to S.
    Source: Mogstad, Romano, Shaikh & Wilhelm 2024.
    """

    result: MatrixResult
    alpha: float = ALPHA

    @cached_property
    def grid(self) -> Grid:
        """The grid that the ranks are read from, best system first."""
        return Grid.of(self.result, self.alpha)

    @property
    def better(self) -> Ints:
        """(S,): how many systems are significantly better than each, best score first."""
        return (self.grid.levels < 0).sum(axis=1)

    @property
    def worse(self) -> Ints:
        """(S,): how many systems are significantly worse than each, best score first."""
        return (self.grid.levels > 0).sum(axis=1)

    @property
    def systems(self) -> list[Ranked]:
        """Every system, from the best to the worst score."""
        size = len(self.grid.cells)
        ends = zip((1 + self.better).tolist(), (size - self.worse).tolist(), strict=True)
        return [Ranked(self, place, low, high) for place, (low, high) in enumerate(ends)]

    @property
    def clusters(self) -> list[list[str]]:
        """The systems between two lines of the grid: every one above a line beats every one below it (WMT's rule)."""
        names, ends = self.grid.names, (0, *self.grid.lines, len(self.grid.cells))
        return [names[start:end] for start, end in pairwise(ends) if start < end]

    @property
    def tied(self) -> list[str]:
        """The systems that no system beats significantly, best score first."""
        return [one.system for one in self.systems if one.tied_with_best]

    def __str__(self) -> str:
        systems = self.systems
        if len(systems) < 2:
            return "There is one system, so no ranks." if systems else "There are no systems."
        if self.grid.no_verdict:
            return "No verdict on any pair, so no rank is certain."
        if len(self.tied) == 1:
            return f"{self.tied[0]} is first."
        if len(self.tied) == 2:
            return f"{self.tied[0]} and {self.tied[1]} share first place."
        return f"{self.tied[0]} and {count(len(self.tied) - 1, 'other')} share first place."


@dataclass(frozen=True, eq=False)
class Ranked:
    """One system: its place by score, counted from 0, and the lowest and highest rank that the verdicts leave it."""

    ranks: Ranks
    place: int
    rank_low: int
    rank_high: int

    @property
    def own(self) -> Cell:
        """The system against itself."""
        return self.ranks.grid.cells[self.place][self.place]

    @property
    def setup(self) -> Setup:
        """How the grid was made."""
        return self.ranks.result.setup

    @property
    def system(self) -> str:
        """Its name."""
        return self.own.system

    @property
    def score(self) -> float:
        """Its score."""
        return float(self.ranks.result.scores[self.own.row])

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of its score."""
        low, high = self.ranks.result.score_intervals[self.own.row].tolist()
        return low, high

    @property
    def tied_with_best(self) -> bool:
        """Whether no system is significantly better."""
        return self.rank_low == 1

    @property
    def range(self) -> tuple[int, int]:
        """Both ends of the range of ranks."""
        return self.rank_low, self.rank_high

    @property
    def next(self) -> Cell | None:
        """The system against the next one by score; of two one-sided tests, the one whose p is of being better."""
        cells = self.ranks.grid.cells
        if self.place + 1 == len(cells):
            return None
        one, other = self.place, self.place + 1
        return cells[other][one] if self.setup.side == "less" else cells[one][other]

    @property
    def gain_to_next(self) -> float | None:
        """How much better it scores than the next one, 0 or more; None for the last."""
        return None if self.next is None else abs(self.next.of(self.ranks.result.gains))

    @property
    def adjusted_to_next(self) -> float | None:
        """The adjusted p of that gain; None for the last, and where the pair is not one of the tests."""
        return None if self.next is None or not self.next.asked else self.next.of(self.ranks.result.adjusted)


def _gain(one: Ranked) -> str:
    return UNDEFINED if one.gain_to_next is None else format_gain(one.gain_to_next, one.setup.decimals)


def _p(one: Ranked) -> str:
    return UNDEFINED if one.next is None or not one.next.asked else one.next.adjusted


RANKS = Fields(
    "ranks",
    Field("system", "text", "The system.", "name", "system"),
    Field("score", "number?", "Its score.", "score", "score"),
    SCORES["interval_low"].named("low").read(lambda one: one.interval[0]),
    SCORES["interval_high"].named("high").read(lambda one: one.interval[1]),
    Field("interval", "number", "Both ends.", "interval", "95 % interval", data=False),
    Field("rank_low", "whole", "Best rank that the verdicts leave it."),
    Field("rank_high", "whole", "Worst rank that the verdicts leave it."),
    Field("range", "whole", "Both ends.", "places", "rank", data=False),
    Field("tied_with_best", "flag", "Whether no system is significantly better."),
    Field(
        "gain_to_next", "number?", "Its gain over the next system; null for the last.", "", "gain to next", text=_gain
    ),
    Field("adjusted_to_next", "number?", "The adjusted p of that gain.", "", "adjusted p", text=_p),
)
