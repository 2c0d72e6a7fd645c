"""A task, and the questions that several tasks have in common: they are swapped and drawn as one, and their errors are not independent.

Two corpora of the same questions are no two samples of questions. A swap of a whole question in all of its tasks keeps the null
of every one of them, so the p of the average holds, whether or not questions of the same name are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.types import Better, Direction, Floats, Ints, Why


@dataclass(frozen=True, eq=False)
class Task:
    """The scores of the systems on one task: `values` (n, S), and `unit_of` (n,), the question or cluster of each row,
    numbered from 0; `noun` says what a unit is: a segment or a document. `names` (U,) are those of the units, () without."""

    name: str
    measure: str
    better: Better
    systems: tuple[str, ...]
    values: Floats
    unit_of: Ints
    noun: str
    why: Why = "known"
    names: tuple[str, ...] = ()

    @property
    def direction(self) -> Direction:
        """Which scores are better, and why."""
        return Direction(self.better, self.why)

    @property
    def units(self) -> int:
        """The number of units."""
        return int(self.unit_of.max()) + 1 if len(self.unit_of) else 0

    @property
    def clustered(self) -> bool:
        """Whether a unit has several rows."""
        return self.units < len(self.unit_of)


@dataclass(frozen=True, eq=False)
class Shared:
    """The units of all tasks as one list: `places` holds of each task the number of each of its units there, `total` is their
    number, and `parts` are the tasks that have units in common, directly or by way of others."""

    places: tuple[Ints, ...]
    total: int
    parts: tuple[tuple[int, ...], ...]

    @property
    def several(self) -> tuple[tuple[int, ...], ...]:
        """The parts of more than one task."""
        return tuple(part for part in self.parts if len(part) > 1)

    @property
    def connected(self) -> Floats:
        """1 for tasks of one part, 0 for others, (T, T)."""
        tasks = range(len(self.places))
        return np.array(
            [[any({i, j} <= {*part} for part in self.parts) for j in tasks] for i in tasks], dtype=np.float64
        )

    def within(self, part: Sequence[int]) -> tuple[list[Ints], int]:
        """Of each task of a part the numbers of its units among those of the part, and how many these are."""
        every, numbers = np.unique(np.concatenate([self.places[k] for k in part]), return_inverse=True)
        ends = np.cumsum([len(self.places[k]) for k in part])[:-1]
        return list(np.split(numbers.reshape(-1).astype(np.int64), ends)), len(every)

    def summed(self, each: Sequence[Floats]) -> Floats:
        """The sums (total, ...) over the tasks of what their units (U, ...) have."""
        out = np.zeros((self.total, *each[0].shape[1:]))
        for place, one in zip(self.places, each, strict=True):
            out[place] += one
        return out


def shared(tasks: Sequence[Task]) -> Shared:
    """Which units of the tasks are the same: those of one name. Units that are only numbered from 0 or 1, or have no names, are
    the same in tasks of as many units."""
    number: dict[tuple[object, ...], int] = {}
    places = tuple(
        np.array([number.setdefault(key, len(number)) for key in _keys(task)], dtype=np.int64) for task in tasks
    )
    owner = np.full(len(number), -1)
    part = list(range(len(tasks)))
    for k, place in enumerate(places):
        for other in sorted({part[o] for o in owner[place].tolist() if o >= 0} - {part[k]}):
            part = [min(part[k], other) if one in (part[k], other) else one for one in part]
        owner[place] = k
    parts = tuple(tuple(k for k, own in enumerate(part) if own == one) for one in dict.fromkeys(part))
    return Shared(places, len(number), parts)


def _keys(task: Task) -> Iterator[tuple[object, ...]]:
    if not is_counted(task.names):
        return ((name,) for name in task.names)
    first = min(map(int, task.names), default=0)
    return ((task.units, int(name) - first) for name in (task.names or range(task.units)))


def is_counted(names: Sequence[str]) -> bool:
    """Whether the names are the numbers from 0 or 1 on, in any order: they tell a unit from others of its task alone."""
    if not all(name.isascii() and name.isdigit() and len(name) < 10 for name in names):
        return False
    numbers = sorted(map(int, names))
    return numbers == list(range(len(numbers))) or numbers == list(range(1, len(numbers) + 1))


def deviations(task: Task, columns: Floats) -> Floats:
    """Of each unit the sum of the distances of its rows from the mean of each column (n, C), in units of that mean, (U, C)."""
    out = np.zeros((task.units, columns.shape[1]))
    np.add.at(out, task.unit_of, (columns - columns.mean(axis=0)) / len(columns))
    return out


def of_average(
    errors: Floats, apart: Sequence[Floats], known: Shared, freedom: Sequence[float]
) -> tuple[Floats, Floats]:
    """The standard error (C,) of the mean of the tasks and its degrees of freedom (C,), from their errors (T, C) and the
    `deviations` of their units.

    The rows of one unit in several tasks are rows of one cluster (Miller 2024, Section 2.2): the products of their distances
    are added. Tasks without common units are independent.
    """
    squares, within = [], []
    for part in known.parts:
        own = errors[list(part)] ** 2
        places, units = known.within(part)
        together = np.zeros((units, errors.shape[1]))
        alone = np.zeros(errors.shape[1])
        for place, k in zip(places, part, strict=True):
            together[place] += apart[k]
            alone += (apart[k] ** 2).sum(axis=0)
        squares.append(own.sum(axis=0) + (len(part) > 1) * ((together**2).sum(axis=0) - alone))
        within.append(of_part(own, [freedom[k] for k in part], units))
    variance = np.maximum(np.array(squares), 0.0)
    return np.sqrt(variance.sum(axis=0)) / len(errors), satterthwaite(variance, np.array(within))


def of_part(squares: Floats, freedom: Sequence[float], units: int) -> Floats:
    """The degrees of freedom (C,) of tasks with common units: at most those of independent tasks, and of their units."""
    own = np.broadcast_to(np.array(freedom, dtype=np.float64)[:, None], squares.shape)
    return np.fmin(satterthwaite(squares, own), units - 1.0) if len(squares) > 1 else own[0]


def satterthwaite(squares: Floats, freedom: Floats) -> Floats:
    """The degrees of freedom (C,) of sums of independent squared errors (K, C) with these degrees (K, C)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(squares.sum(axis=0) ** 2 / (squares**2 / freedom).sum(axis=0))


def correlations(apart: Sequence[Floats], known: Shared) -> Floats:
    """Of each column the correlations (C, T, T) of the means of the tasks; 1 where tasks have common units, but one does not vary."""
    columns, tasks = apart[0].shape[1], len(apart)
    out = np.zeros((columns, tasks, tasks))
    for part in known.parts:
        places, units = known.within(part)
        of_unit, has = np.zeros((len(part), units, columns)), np.zeros((len(part), units))
        for row, (place, k) in enumerate(zip(places, part, strict=True)):
            of_unit[row, place], has[row, place] = apart[k], 1
        products = np.einsum("iuc,juc->cij", of_unit, of_unit)
        size = np.sqrt(np.einsum("cii->ci", products))
        scale = size[:, :, None] * size[:, None, :]
        some = np.clip(np.divide(products, scale, out=np.ones_like(products), where=scale > 0), -1.0, 1.0)
        out[np.ix_(range(columns), part, part)] = np.where(has @ has.T > 0, some, 0.0)
    return out
