"""The tasks, and the scores and gains of all systems on them: resampled, and their standard errors by formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from sigcore import metrics
from sigcore.data import Collection, answered, assemble, choices, of_whole_tasks
from sigcore.errors import MismatchError, OptionError, SigError, Undefined, UnknownMember
from sigcore.formatting import count
from sigcore.readers import Item
from sigcore.registry import SEED
from sigcore.resampling.blocks import Block, blocks, generator, steps, strips
from sigcore.resampling.inversion import INVERTED
from sigcore.resampling.pvalues import tolerance
from sigcore.results import DIRECTED, freeze, from_toml
from sigcore.significance import Resampling
from sigcore.studies.exact import exact_swaps
from sigcore.studies.statistics import measure
from sigcore.studies.tasks.files import as_tasks, layout, unclear
from sigcore.studies.tasks.shared import Shared, Task, deviations, of_average, shared
from sigcore.studies.units import Groups, groups, summed
from sigcore.study import LOCAL, Runtime, chosen_unit
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, DOCUMENT, HIGHER, SIDES, Direction, Floats, Ints, Missing, Unit

# Standard errors by formula: of a mean, of a mean of clustered scores, of a paired difference. Source: Miller 2024,
# Adding Error Bars to Evals (arXiv 2411.00640), Sections 2 and 4.


def standard_error(scores: Floats, unit_of: Ints | None = None) -> Floats:
    """The standard error of the mean of each column of `scores` (n, C); (C,), nan for fewer than two units.

    Without clusters: sqrt(sum (s_i - s)^2 / (n - 1) / n), the central limit theorem. With `unit_of` (n,), the number of
    the cluster of each score: the square root of that variance plus 1/n^2 times the sum, over all clusters, of the products
    (s_i - s)(s_j - s) of different scores of one cluster. Differences of two systems are columns like any others: that is
    the paired standard error.
    """
    n = len(scores)
    if n < 2:
        return np.full(scores.shape[1], np.nan)
    centred = scores - scores.mean(axis=0)
    squares = (centred**2).sum(axis=0)
    variance = squares / (n - 1) / n
    if unit_of is not None:
        units = int(unit_of.max()) + 1
        if units < 2:
            return np.full(scores.shape[1], np.nan)
        sums = np.zeros((units, scores.shape[1]))
        np.add.at(sums, unit_of, centred)
        variance = variance + ((sums**2).sum(axis=0) - squares) / n**2
    return np.sqrt(np.maximum(variance, 0.0))


# The mean scores and gains of systems on several tasks and their macro average: resampled, and by formula.

RESAMPLES = 10_000
MOST_RESAMPLES = 1_000_000
MOST_HELD = 50_000_000  # numbers in the drawn scores
MOST_USUAL, SPARE = 100_000, 5  # resamples that nobody asked for; how many times as many as the smallest p needs


TASKS = from_toml(__file__, "tasks", replace(DIRECTED, of="direction"), rows={"of": lambda task: len(task.values)})


@dataclass(frozen=True, eq=False)
class TasksRun:
    """What was computed for T tasks and the macro average after them (index T): `scores` (T + 1, S) and their standard
    errors by formula; for P pairs `gains` (T + 1, P), positive where the first is better, their errors by formula, and
    `counts` (T + 1, P) of random swaps whose gain is at least as large in absolute value; `drawn` (T + 1, R, S) scores.

    `exact` (T + 1, P) are the p of all ways to swap the units of a task, as `compare` gives them; nan where they cost too much,
    and for the average. `swapped` (T + 1, P, R') are the gains of the first swaps and `signs` (T + 1, R') their mean signs, for intervals; R' is 0
    where they would be more than MOST_HELD numbers. `freedom` (T + 1, P) are the degrees of freedom of the errors of the gains,
    and `shared` says which units several tasks have."""

    tasks: tuple[Task, ...]
    shared: Shared
    systems: tuple[str, ...]
    pairs: Ints
    scores: Floats
    errors: Floats
    gains: Floats
    gain_errors: Floats
    freedom: Floats
    counts: Ints
    exact: Floats
    drawn: Floats
    swapped: Floats
    signs: Floats
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
    runtime: Runtime = LOCAL,
    exact: bool = True,
) -> TasksRun:
    """All pairs of systems on each task and on average, with R bootstrap draws and R random swaps of the units; with `exact` p is
    that of all ways to swap the units of a task where these cost little, as in `compare` without a number of resamples.

    The draws and swaps of a task are those of `compare` on that task. For the macro average tasks are drawn independently of
    each other, but those with common questions together: a question is drawn, and swapped, in all of its tasks at once.
    Raises: Undefined without tasks, units or two systems; MismatchError if tasks have other systems or directions;
    OptionError for a number of resamples or a seed out of range; Cancelled from `runtime`. Cost: O(R n P).
    """
    systems = _check(tasks, resamples, seed)
    pairs = np.column_stack(np.triu_indices(len(systems), k=1)).astype(np.int64)
    sign = 1.0 if tasks[0].better == "higher" else -1.0
    parts, common = [_part(task, pairs, sign) for task in tasks], shared(tasks)
    scores = np.array([task.values.mean(axis=0) for task in tasks])
    gains = sign * (scores[:, pairs[:, 0]] - scores[:, pairs[:, 1]])
    scores, gains = (np.vstack([table, table.mean(axis=0)]) for table in (scores, gains))
    errors, _ = _errors(tasks, [task.values for task in tasks], common)
    differences = [task.values[:, pairs[:, 0]] - task.values[:, pairs[:, 1]] for task in tasks]
    gain_errors, freedom = _errors(tasks, differences, common)
    out = blocks(resamples)
    step = steps(runtime.report, "drawing questions", len(out))
    drawn, counts, swapped, signs = [], np.zeros(gains.shape, dtype=np.int64), [], []
    used = min(resamples, INVERTED) if min(resamples, INVERTED) * gains.size <= MOST_HELD else 0
    for of_block, beyond, pseudo, sign_of in runtime.mapper.map(partial(_block, parts, common, gains, seed, used), out):
        drawn.append(of_block)
        swapped.append(pseudo)
        signs.append(sign_of)
        counts += beyond
        step()
    return TasksRun(
        tasks=tuple(tasks),
        shared=common,
        systems=systems,
        pairs=pairs,
        scores=scores,
        errors=errors,
        gains=gains,
        gain_errors=gain_errors,
        freedom=freedom,
        counts=counts,
        exact=np.array([*(_exact(task, pairs, exact) for task in tasks), np.full(len(pairs), np.nan)]),
        drawn=np.concatenate(drawn, axis=1),
        swapped=np.concatenate(swapped, axis=2),
        signs=np.concatenate(signs, axis=1),
        resamples=resamples,
        seed=seed,
    )


def _errors(tasks: Sequence[Task], columns: Sequence[Floats], common: Shared) -> tuple[Floats, Floats]:
    """The standard errors (T + 1, C) of the means of these columns (n, C) of each task, and of their average last, and the degrees
    of freedom (T + 1, C)."""
    own = [task.units - 1.0 for task in tasks]
    errors = np.array([standard_error(one, task.unit_of) for one, task in zip(columns, tasks, strict=True)])
    apart = [deviations(task, one) for one, task in zip(columns, tasks, strict=True)]
    error, freedom = of_average(errors, apart, common, own)
    each = np.repeat(np.array(own)[:, None], errors.shape[1], axis=1)
    return np.vstack([errors, error]), np.vstack([each, freedom])


def enough(tasks: Sequence[Task], alpha: float) -> int:
    """The usual number of resamples: RESAMPLES, or as many as let the smallest p stay below alpha when it is multiplied by the number of
    gains, but at most MOST_USUAL and what memory holds."""
    if not tasks:
        return RESAMPLES
    systems = len(tasks[0].systems)
    gains = len(tasks) * systems * (systems - 1) // 2
    needed = math.ceil(SPARE * gains / alpha / RESAMPLES) * RESAMPLES
    held = MOST_HELD // max(systems * (len(tasks) + 1), 1)
    return max(1, min(max(needed, RESAMPLES), MOST_USUAL, held))


def _exact(task: Task, pairs: Ints, asked: bool) -> Floats:
    """The exact two-sided p (P,) of a task; nan where all ways to swap its units cost too much, or nobody asked for it."""
    parts = tuple(summed(statistics(task, place), task.unit_of) for place in range(len(task.systems)))
    found = exact_swaps(Resampling((parts,), (), pairs.astype(np.intp), 0, 0), 0) if asked else None
    return np.full(len(pairs), np.nan) if found is None else found[SIDES.index("two-sided")]


def statistics(task: Task, place: int) -> SufficientStatistics:
    """The scores of a system on a task as statistics whose score is their mean."""
    values = np.column_stack([task.values[:, place], np.ones(len(task.values))])
    return SufficientStatistics(task.systems[place], ("score", "rows"), values, _mean, task.better, "mean")


def _mean(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


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
        if task.names and len({*task.names}) != task.units:
            message = (
                f"{task.name} has {count(task.units, task.noun)}, but {len({*task.names})} different names of them."
            )
            raise MismatchError(message, "", "Give every one its own name, or none.")
    if not 1 <= resamples <= MOST_RESAMPLES or resamples * len(systems) * (len(tasks) + 1) > MOST_HELD:
        message = f"resamples is {resamples:,}, but must be from 1 to {MOST_RESAMPLES:,}, and fewer with many systems."
        raise OptionError(message, "", f"{RESAMPLES:,} is usual.")
    SEED.read(seed)
    return systems


def sums_of(task: Task) -> tuple[Floats, Floats]:
    """Over every unit of a task the sums (U, S) of the scores, and the number (U,) of its rows."""
    sums = np.zeros((task.units, len(task.systems)))
    np.add.at(sums, task.unit_of, task.values)
    return sums, np.bincount(task.unit_of, minlength=task.units).astype(np.float64)


def _part(task: Task, pairs: Ints, sign: float) -> _Part:
    sums, rows = sums_of(task)
    turned = sign * (sums[:, pairs[:, 0]] - sums[:, pairs[:, 1]]) / len(task.values)
    return _Part(sums, rows, turned)


def _block(
    parts: Sequence[_Part], common: Shared, gains: Floats, seed: int, used: int, block: Block
) -> tuple[Floats, Ints, Floats, Floats]:
    """The drawn scores (T + 1, size, S) of a block, how many of its swaps reach the gains, (T + 1, P), and, where the block is
    among the first `used` swaps, their gains (T + 1, P, size) and mean signs (T + 1, size)."""
    own = [_drawn(part, seed, block) for part in parts]
    apart = [drawn for part in common.parts for drawn in _drawn_together(parts, common, part, seed, block)]
    turned = [part.turned for part in parts]
    turned.append(common.summed(turned) / len(parts))
    shares = [part.rows / part.rows.sum() for part in parts]
    shares.append(common.summed(shares) / len(parts))
    found = [_swapped(one, share, seed, block) for one, share in zip(turned, shares, strict=True)]
    beyond = [_reached(one, pseudo, gain) for one, (pseudo, _), gain in zip(turned, found, gains, strict=True)]
    size = block.size if block.start < used else 0
    kept, signs = np.array([pseudo[:, :size] for pseudo, _ in found]), np.array([sign[:size] for _, sign in found])
    return np.array([*own, np.mean(apart, axis=0)]), np.array(beyond), kept, signs


def _drawn(part: _Part, seed: int, block: Block) -> Floats:
    """The scores (size, S) on the drawn units."""
    out: list[Any] = []
    for weights in strips(generator(seed, "bootstrap", block.index), "bootstrap", block.size, len(part.rows)):
        drawn = weights.astype(np.float64)
        out.append((drawn @ part.sums) / (drawn @ part.rows)[:, None])
    return np.concatenate(out)


def _drawn_together(
    parts: Sequence[_Part], common: Shared, which: Sequence[int], seed: int, block: Block
) -> list[Floats]:
    """The scores (size, S) of each of these tasks on the drawn units of all of them; its own where none of its units is drawn."""
    places, units = common.within(which)
    out: list[list[Any]] = [[] for _ in which]
    stream = generator(seed, "bootstrap", block.index, 1 + which[0])
    for weights in strips(stream, "bootstrap", block.size, units):
        for at, k in enumerate(which):
            drawn = weights[:, places[at]].astype(np.float64)
            rows = (drawn @ parts[k].rows)[:, None]
            whole = parts[k].sums.sum(axis=0) / parts[k].rows.sum()
            out[at].append(np.where(rows > 0, drawn @ parts[k].sums / np.maximum(rows, 1.0), whole))
    return [np.concatenate(one) for one in out]


def _swapped(turned: Floats, shares: Floats, seed: int, block: Block) -> tuple[Floats, Floats]:
    """The gains (P, size) of all random swaps of a block, and the mean signs (size,) of the units with these shares."""
    gains, signs = [], []
    for mask in strips(generator(seed, "swap", block.index), "swap", block.size, len(turned)):
        sign = 1.0 - 2.0 * mask.astype(np.float64)
        gains.append((sign @ turned).T)
        signs.append(sign @ shares)
    return np.concatenate(gains, axis=1), np.concatenate(signs)


def _reached(turned: Floats, pseudo: Floats, gains: Floats) -> Ints:
    """How many of the swapped gains (P, size) are at least as large in absolute value as that of each pair, (P,)."""
    slack = tolerance(np.abs(gains), np.abs(turned).max(axis=0))
    return np.asarray((np.abs(pseudo) >= (np.abs(gains) - slack)[:, None]).sum(axis=1))


# Tasks from test sets of scores: their values by system, and what is resampled.


def task(
    testset: Testset,
    outputs: Sequence[Outputs],
    direction: Direction = HIGHER,
    measure: str = "",
    unit: str | Unit = AUTO,
    name: str = "",
    ids: Sequence[str] = (),
) -> Task:
    """The task of a test set of kind "scores", its systems sorted by name; `ids` name its segments.

    The unit is the document (the question, where several samples of it are its segments) if the files name documents and a
    document has several segments; else the segment.
    Raises: MismatchError for another kind of test set; what `units.groups` raises.
    """
    if testset.kind != "scores":
        raise MismatchError(f"{testset.name} has no scores.", "", "Load scores of systems, one per question.")
    values = [[float(cell) for cell in one.segments] for one in outputs]
    return _of_values(testset, [one.system for one in outputs], values, direction, measure, unit, name, ids)


def _of_values(
    testset: Testset,
    systems: Sequence[str],
    values: Sequence[Sequence[float]],
    direction: Direction,
    measure: str,
    unit: str | Unit,
    name: str,
    ids: Sequence[str],
) -> Task:
    """The task of the values (S, n) of the segments of a test set, which `ids` name."""
    if unit == AUTO:
        unit = DOCUMENT if 1 < len(set(testset.documents)) < testset.n else AUTO
    resampled, _ = chosen_unit(testset, unit)
    of_unit = groups(testset, resampled)
    ordered = sorted(range(len(systems)), key=systems.__getitem__)
    return Task(
        name=name or testset.name,
        measure=measure,
        better=direction.better,
        systems=tuple(systems[k] for k in ordered),
        values=np.array([values[k] for k in ordered], dtype=np.float64).reshape(len(ordered), testset.n).T,
        unit_of=np.arange(testset.n, dtype=np.int64) if of_unit is None else of_unit.astype(np.int64),
        noun=resampled.kind,
        why=direction.why,
        names=tuple(dict.fromkeys(testset.documents)) if resampled.kind == "document" else _if_each(of_unit, ids),
    )


def _if_each(of_unit: Groups | None, ids: Sequence[str]) -> tuple[str, ...]:
    """The names of the segments, where each is a unit."""
    return tuple(ids) if of_unit is None else ()


def _no_scores(collection: Collection, items: Sequence[Item]) -> SigError:
    """The error for files without scores, which says what they have instead."""
    fix = "Load scores per question, or the logs of evaluations."
    if collection.ratings:
        fix = (
            "The files hold ratings by people. To compare them as scores, say their format: --format csv (tsv, jsonl)."
        )
    return SigError("There are no scores of systems.", "", of_whole_tasks(items) or fix)


def of_collection(
    collection: Collection,
    names: Sequence[str] = (),
    measures: Sequence[str] = (),
    missing: Missing = "refuse",
    unit: str | Unit = AUTO,
) -> list[Task]:
    """The tasks of a collection: its test sets of scores, or those of these `names`, each under the first of `measures` that
    it has.

    Files that may each be a task or a measure (see `files.layout`) are what `names` and `measures` say.

    Raises: UnknownMember for a task that is not there; SigError if there are none, for a task with several measures where
    none is said, for files of which nobody says what they are, and for everything that is wrong with the files of a task.
    """
    items = collection.edited()
    known = testsets(items)
    if not known:
        raise _no_scores(collection, items)
    found = layout(items, known)
    if found.files == "unclear" and not names and not measures:
        raise unclear(found)
    if found.names and not measures and (names or found.files == "tasks"):
        items, known = as_tasks(items), [*found.names]
    for name in names:
        if name not in known:
            raise UnknownMember("task", name, known)
    return [_of_testset(collection, items, name, measures, missing, unit) for name in (names or sorted(known))]


def testsets(items: Sequence[Item]) -> list[str]:
    """The names of the test sets that are tasks: those with scores, or else those with outputs and right answers."""
    kinds, gold = {name: choices(items, name).kinds for name in choices(items).testsets or ("",)}, answered(items)
    scored = [name for name, own in kinds.items() if "scores" in own]
    return scored or [name for name, own in kinds.items() if own[:1] == ("text",) and {name, ""} & gold]


def _of_testset(
    collection: Collection,
    items: Sequence[Item],
    name: str,
    measures: Sequence[str],
    missing: Missing,
    unit: str | Unit,
) -> Task:
    if "scores" not in choices(items, name).kinds:
        return _of_answers(collection, items, name, unit)
    measure = _measure(name or "The task", choices(items, name, "scores").measures or ("",), measures)
    loaded = assemble(items, collection.name, "scores", name, measure, missing, collection.codes).sound()
    return task(
        loaded.testset,
        loaded.outputs,
        loaded.direction,
        loaded.measure,
        unit,
        name or loaded.measure or "scores",
        loaded.ids,
    )


ANSWERS = ("labels", "single words", "answers", "long answers")  # what is right or wrong, or near it, one by one


def _of_answers(collection: Collection, items: Sequence[Item], name: str, unit: str | Unit) -> Task:
    """The task of labels or short answers beside the right ones, by the usual metric of these, which is a mean over segments.

    Raises: SigError for other texts, whose metrics are no means.
    """
    loaded = assemble(items, collection.name, "text", name, "", "refuse", collection.codes).sound()
    if loaded.texts.kind not in ANSWERS:
        message = f"{name or 'The task'} has outputs and references, whose metrics are no means over questions."
        raise SigError(message, "", "Compare each test set alone: `sigboard matrix --testset NAME`.")
    found = measure(loaded.testset, loaded.outputs, [(metrics.usual("text", loaded.texts.kind), {})])[0]
    values = [np.asarray(one.score(one.values), dtype=np.float64).tolist() for one in found.systems]
    systems, title = [one.system for one in found.systems], found.title
    return _of_values(loaded.testset, systems, values, HIGHER, title, unit, name or title, loaded.ids)


def _measure(task: str, available: Sequence[str], wanted: Sequence[str]) -> str:
    """The first of the measures that a task has; its only one where none is said."""
    measure = next((one for one in wanted if one in available), None)
    if measure is not None:
        return measure
    if len(available) > 1:
        fix = f"Choose one with --measure, or on the page: {', '.join(available)}."
        raise SigError(f"{task} has {len(available)} measures.", "", fix)
    if wanted:
        raise SigError(f"{task} does not have the measure {wanted[0]!r}.", "", f"It has {available[0] or '(no name)'}.")
    return available[0]
