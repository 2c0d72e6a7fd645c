"""The mean scores and gains of systems on several tasks and their macro average: resampled, and by formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from sigcore import executors
from sigcore.errors import MismatchError, OptionError, Undefined
from sigcore.registry import SEED
from sigcore.resampling.blocks import Block, blocks, generator, steps
from sigcore.resampling.pvalues import tolerance
from sigcore.resampling.weights import strips
from sigcore.results import freeze
from sigcore.studies.tasks.formulas import standard_error
from sigcore.types import Better, Floats, Ints

Progress = Callable[[str, int, int], None]
RESAMPLES = 10_000
MOST_RESAMPLES = 1_000_000
MOST_HELD = 50_000_000  # numbers in the drawn scores


@dataclass(frozen=True, eq=False)
class Task:
    """The scores of the systems on one task: `values` (n, S), and `unit_of` (n,), the question or cluster of each row,
    numbered from 0; `noun` says what a unit is: a segment or a document."""

    name: str
    measure: str
    better: Better
    systems: tuple[str, ...]
    values: Floats
    unit_of: Ints
    noun: str

    @property
    def units(self) -> int:
        """The number of units."""
        return int(self.unit_of.max()) + 1 if len(self.unit_of) else 0

    @property
    def clustered(self) -> bool:
        """Whether a unit has several rows."""
        return self.units < len(self.unit_of)


@dataclass(frozen=True, eq=False)
class TasksRun:
    """What was computed for T tasks and the macro average after them (index T): `scores` (T + 1, S) and their standard
    errors by formula; for P pairs `gains` (T + 1, P), positive where the first is better, their errors by formula, and
    `counts` (T + 1, P) of random swaps whose gain is at least as large in absolute value; `drawn` (T + 1, R, S) scores."""

    tasks: tuple[Task, ...]
    systems: tuple[str, ...]
    pairs: Ints
    scores: Floats
    errors: Floats
    gains: Floats
    gain_errors: Floats
    counts: Ints
    drawn: Floats
    resamples: int
    seed: int

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, eq=False)
class _Part:
    """Sums over the units: (U, S) of scores, (U,) of rows, and (U, P) of what a swap turns, in units of the gain."""

    sums: Floats
    rows: Floats
    turned: Floats


def run(
    tasks: Sequence[Task],
    *,
    resamples: int = RESAMPLES,
    seed: int = 12345,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
) -> TasksRun:
    """All pairs of systems on each task and on average, with R bootstrap draws and R random swaps of the units.

    The draws and swaps of a task are those of `compare` on that task. For the macro average each task has its own
    stream, so tasks are drawn independently of each other.
    Raises: Undefined without tasks, units or two systems; MismatchError if tasks have other systems or directions;
    OptionError for a number of resamples or a seed out of range; Cancelled from `progress`. Cost: O(R n P).
    """
    systems = _check(tasks, resamples, seed)
    pairs = np.column_stack(np.triu_indices(len(systems), k=1)).astype(np.int64)
    sign = 1.0 if tasks[0].better == "higher" else -1.0
    parts = [_part(task, pairs, sign) for task in tasks]
    scores = np.array([task.values.mean(axis=0) for task in tasks])
    errors = np.array([standard_error(task.values, task.unit_of) for task in tasks])
    gains = sign * (scores[:, pairs[:, 0]] - scores[:, pairs[:, 1]])
    differences = [task.values[:, pairs[:, 0]] - task.values[:, pairs[:, 1]] for task in tasks]
    gain_errors = np.array([standard_error(d, task.unit_of) for d, task in zip(differences, tasks, strict=True)])
    whole = [np.vstack([table, average]) for table, average in (
        (scores, scores.mean(axis=0)), (gains, gains.mean(axis=0)),
        (errors, _averaged(errors)), (gain_errors, _averaged(gain_errors)),
    )]  # fmt: skip
    out = blocks(resamples)
    step = steps(progress, "drawing questions", len(out))
    drawn, counts = [], np.zeros(whole[1].shape, dtype=np.int64)
    for of_block, beyond in (executor or executors.local()).map(partial(_block, parts, whole[1], seed), out):
        drawn.append(of_block)
        counts += beyond
        step()
    return TasksRun(
        tasks=tuple(tasks),
        systems=systems,
        pairs=pairs,
        scores=whole[0],
        errors=whole[2],
        gains=whole[1],
        gain_errors=whole[3],
        counts=counts,
        drawn=np.concatenate(drawn, axis=1),
        resamples=resamples,
        seed=seed,
    )


def _averaged(errors: Floats) -> Floats:
    """The standard error of the mean of independent tasks."""
    return np.asarray(np.sqrt((errors**2).sum(axis=0)) / len(errors))


def _check(tasks: Sequence[Task], resamples: int, seed: int) -> tuple[str, ...]:
    """The systems of all tasks."""
    if not tasks:
        raise Undefined("There are no tasks.", "", "Load the scores of two or more systems.")
    systems = tasks[0].systems
    if len(systems) < 2:
        raise Undefined("There is only one system.", tasks[0].name, "Load the scores of another one.")
    for task in tasks:
        if task.systems != systems:
            message = (
                f"{task.name} has the systems {', '.join(task.systems)}, but {tasks[0].name} has {', '.join(systems)}."
            )
            raise MismatchError(message, "", "Give all systems on all tasks.")
        if task.better != tasks[0].better:
            message = f"On {task.name} {task.better} scores are better, on {tasks[0].name} {tasks[0].better} ones."
            raise MismatchError(message, "", "Choose measures of one direction.")
        if task.units < 2:
            raise Undefined(f"{task.name} has only one {task.noun}.", "", "Load the complete results.")
    if not 1 <= resamples <= MOST_RESAMPLES or resamples * len(systems) * (len(tasks) + 1) > MOST_HELD:
        message = f"resamples is {resamples:,}, but must be from 1 to {MOST_RESAMPLES:,}, and fewer with many systems."
        raise OptionError(message, "", f"{RESAMPLES:,} is usual.")
    SEED.read(seed)
    return systems


def _part(task: Task, pairs: Ints, sign: float) -> _Part:
    sums = np.zeros((task.units, len(task.systems)))
    np.add.at(sums, task.unit_of, task.values)
    rows = np.bincount(task.unit_of, minlength=task.units).astype(np.float64)
    turned = sign * (sums[:, pairs[:, 0]] - sums[:, pairs[:, 1]]) / len(task.values)
    return _Part(sums, rows, turned)


def _block(parts: Sequence[_Part], gains: Floats, seed: int, block: Block) -> tuple[Floats, Ints]:
    """The drawn scores (T + 1, size, S) of a block, and how many of its swaps reach the gains, (T + 1, P)."""
    own = [_drawn(part, seed, block) for part in parts]
    apart = [_drawn(part, seed, block, 1 + k) for k, part in enumerate(parts)]
    together = np.concatenate([part.turned for part in parts]) / len(parts)
    turned = [part.turned for part in parts] + [together]
    beyond = [_reached(one, gain, seed, block) for one, gain in zip(turned, gains, strict=True)]
    return np.array([*own, np.mean(apart, axis=0)]), np.array(beyond)


def _drawn(part: _Part, seed: int, block: Block, *stream: int) -> Floats:
    """The scores (size, S) on the drawn units."""
    out: list[Any] = []
    for weights in strips(generator(seed, "bootstrap", block.index, *stream), "bootstrap", block.size, len(part.rows)):
        drawn = weights.astype(np.float64)
        out.append((drawn @ part.sums) / (drawn @ part.rows)[:, None])
    return np.concatenate(out)


def _reached(turned: Floats, gains: Floats, seed: int, block: Block) -> Ints:
    """How many random swaps of a block have a gain at least as large in absolute value as that of each pair, (P,)."""
    slack = tolerance(np.abs(gains), np.abs(turned).max(axis=0))
    count = np.zeros(len(gains), dtype=np.int64)
    for mask in strips(generator(seed, "swap", block.index), "swap", block.size, len(turned)):
        pseudo = (1.0 - 2.0 * mask.astype(np.float64)) @ turned
        count += (np.abs(pseudo) >= np.abs(gains) - slack).sum(axis=0)
    return count
