"""Methods by replicates: tuned on development segments, tested on held-out ones."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sigcore import executors, tuning
from sigcore.errors import OptionError, Undefined
from sigcore.kbest.instances import first_of_largest
from sigcore.kbest.lists import KBest
from sigcore.kbest.scaling import scale_of
from sigcore.studies.pairs import generator
from sigcore.studies.tuning.result import (
    Advance,
    Decoder,
    FoundWeights,
    Policy,
    Problem,
    Replicate,
    SplitPart,
    Sweep,
    TuningPlan,
    oracle,
    search,
)
from sigcore.studies.tuning.statistics import Rows
from sigcore.study import LOCAL, Runtime
from sigcore.testset import Outputs
from sigcore.tuning import Method, Step
from sigcore.types import Floats, Ints, Progress, Value

# (method, replicate from 1, iteration, step): what a run reports while it works
CourseReport = Callable[[str, int, int, Step], None]

LIST_SIZE = "k"  # the size of the lists, in the label of a run

# The streams of child seeds: of development resamples, of methods, and of random starts.
SAMPLES, METHODS, STARTS = 10, 11, 12


@dataclass(frozen=True, eq=False)
class Side:
    """One part of the segments: how its lists are decoded, its statistics, and the output of the baseline.

    `first` are its lists under the start weights; `output` is that of the baseline, `baseline` (n, K) its statistics.
    """

    decoder: Decoder
    rows: Rows
    first: KBest
    output: tuple[str, ...] = field(repr=False)
    baseline: Floats = field(repr=False)


@dataclass(frozen=True)
class Task:
    """One tuning run: a method with its options, and the number of the replicate, from 0.

    `label` is the name of the method, followed by the options that differ where the plan has it several times ("top_n n:2"), and by
    the size of the lists and by the policy where the plan compares them (`size`, `policy`; None where it does not).
    """

    label: str
    method: Method
    options: dict[str, Value]
    replicate: int
    size: int | None = None
    policy: Policy | None = None

    @property
    def title(self) -> str:
        """The printed name of the method, with the options of its label."""
        return self.method.title + self.label.removeprefix(self.method.name)


def tasks(plan: TuningPlan) -> list[Task]:
    """All runs of a plan; a choice without weights has one.

    Raises: OptionError for numbers out of range, or a method named twice with the same options; UnknownMember; what the
    options raise.
    """
    _check(plan)
    chosen = [(tuning.get(name), tuning.get(name).chosen(given)) for name, given in plan.methods]
    out = dict[str, list[Task]]()
    for method, options in chosen:
        name = method.name
        written = _different(options, [own for other, own in chosen if other is method])
        for size, policy in _compared(plan, method):
            marks = [f"{LIST_SIZE}:{size}"] * (size is not None) + [f"{policy}"] * (policy is not None)
            label = " ".join(part for part in (name, written, *marks) if part)
            if label in out:
                raise OptionError(f"{label} is selected twice.", "", "Select each once, or with other options.")
            replicates = range(1 if method.column else plan.replicates)
            out[label] = [Task(label, method, options, r, size, policy) for r in replicates]
    return [task for group in out.values() for task in group]


def _different(options: dict[str, Value], among: Sequence[dict[str, Value]]) -> str:
    """Those options in which the selections of one method differ, as `name:value|...`."""
    return "|".join(f"{name}:{value}" for name, value in options.items() if any(own[name] != value for own in among))


def _check(plan: TuningPlan) -> None:
    if not plan.methods:
        raise Undefined("No method was selected.", "", f"Choose from: {', '.join(tuning.members())}.")
    sizes = [("size", size, 2) for size in (plan.size, *plan.sizes)]
    for name, value, low in (("replicates", plan.replicates, 1), ("iterations", plan.iterations, 1), *sizes):
        if value < low:
            raise OptionError(f"{name} = {value}.", "", f"It must be at least {low}.")


def _compared(plan: TuningPlan, method: Method) -> list[tuple[int | None, Policy | None]]:
    """The list sizes and policies under which a method is tuned; a choice without weights ignores both, and methods
    without a listwise loss always merge."""
    if method.column is not None:
        return [(None, None)]
    policies: tuple[Policy | None, ...] = plan.policies if method.aggregates and plan.policies else (None,)
    return [(size, policy) for size in plan.sizes or (None,) for policy in policies]


def sample(plan: TuningPlan, replicate: int, n: int) -> NDArray[np.intp]:
    """The development segments of a replicate: all of them, or as many drawn with replacement."""
    if plan.replicates == 1 or not plan.resample:
        return np.arange(n)
    return np.sort(generator(plan.seed, SAMPLES, replicate).integers(0, n, n))


def problem_of(dev: Side, plan: TuningPlan, start: Floats, progress: Progress | None) -> Problem:
    """The problem of the development side, with z-scores over its first lists."""
    scale = scale_of(dev.first.features, dev.first.segment_of)
    first = dev.rows.instances(dev.first, scale.applied(dev.first.features), progress)
    return Problem(dev.decoder, dev.rows, dev.first, start, scale, first, plan.iterations, plan.policy)


def problems_of(
    problem: Problem, dev: Side, plan: TuningPlan, start: Floats, progress: Progress | None
) -> dict[int | None, Problem]:
    """The problem (None), and that with lists of each size that the plan compares, which has its own z-scores."""
    out: dict[int | None, Problem] = {None: problem}
    show = progress or (lambda stage, done, total: None)
    for size in plan.sizes:
        decoder = dev.decoder.sized(size)
        first = decoder.decode(start, lambda done, total: show("decoding", done, total))
        out[size] = problem_of(replace(dev, decoder=decoder, first=first), plan, start, progress)
    return out


@dataclass(frozen=True, eq=False)
class Run:
    """One finished run, and the statistics (n, K) of its output of the held-out segments (None without them)."""

    replicate: Replicate
    values: Floats | None
    notes: tuple[str, ...] = ()


def run_all(
    problems: Mapping[int | None, Problem],
    dev: Side,
    test: Side | None,
    plan: TuningPlan,
    runtime: Runtime = LOCAL,
    report: CourseReport | None = None,
    starts: Sequence[Floats] = (),
) -> list[Run]:
    """Every run of the plan with its scores on both parts; `problems` has one for each size of lists (see `problems_of`).

    `starts` are the weights that each replicate begins with, where they are not those of the problem.

    A run depends only on the lists, the plan's seed, its method and its number: not on other methods or the executor.
    """
    todo, out = tasks(plan), list[Run]()
    where = runtime.mapper
    shown = _inside(where, runtime.report)

    def alive(done: int, total: int) -> None:
        """Report the finished runs again: the callback may raise to end the work inside a run."""
        shown("tuning", len(out), len(todo))

    def work(task: Task) -> Run:
        method = task.method
        if method.column is not None:
            column = method.column(task.options)
            return _run(task, np.zeros(0), None, [_highest(column, side) for side in (dev, test) if side is not None])
        # the same for all options of a method, so that a sweep compares them on the same draws
        rng = generator(plan.seed, METHODS, task.replicate, zlib.crc32(method.name.encode()))
        problem = problems[task.size]
        start = starts[task.replicate] if starts else _start_of(problem, plan, task.replicate)
        problem = replace(problem, policy=task.policy or problem.policy, start=start)
        drawn = sample(plan, task.replicate, problem.first.m)

        def steps(iteration: int, step: Step) -> None:
            alive(0, 0)
            if report is not None:
                report(task.label, task.replicate + 1, iteration, step)

        found = search(problem, method, task.options, drawn, rng, steps, alive)
        chosen = [_under(found.weights, side, alive) for side in (dev, test) if side is not None]
        return _run(task, found.weights, found, chosen)

    for done, run in enumerate(where.map(work, todo), start=1):
        out.append(run)
        if runtime.report is not None:
            runtime.report("tuning", done, len(todo))
    return out


def _start_of(problem: Problem, plan: TuningPlan, replicate: int) -> Floats:
    """The weights that a replicate begins with: of fixed lists random ones for each, where the plan wants such."""
    if not (plan.random_start and problem.decoder.fixed):
        return problem.start
    return problem.scale.weights(random_weights(plan, len(problem.start), replicate))


def random_weights(plan: TuningPlan, features: int, replicate: int = 0) -> Floats:
    """Weights (F,) that tuning may begin with, uniform in [-1, 1]: the same for all methods."""
    return generator(plan.seed, STARTS, replicate).uniform(-1, 1, features)


def _inside(where: executors.Executor, progress: Progress | None) -> Progress:
    """What runs may call: nothing where they are on other machines, which cannot report to this one."""
    return (lambda stage, done, total: None) if progress is None or hasattr(where, "near") else progress


Choice = tuple[float, Floats, tuple[str, ...]]


def _run(task: Task, weights: Floats, found: FoundWeights | None, choices: Sequence[Choice]) -> Run:
    number = task.replicate + 1
    held_out = choices[1] if len(choices) > 1 else None
    replicate = Replicate(
        method=task.label,
        title=task.title,
        number=number,
        weights=weights,
        dev=choices[0][0],
        test=math.nan if held_out is None else held_out[0],
        iterations=() if found is None else found.iterations,
        outputs=None if held_out is None else Outputs(task.label, held_out[2], str(number)),
    )
    notes = () if found is None else tuple(f"{task.title}: {note}" for note in found.notes)
    return Run(replicate, None if held_out is None else held_out[1], notes)


def _under(weights: Floats, side: Side, advance: Advance) -> Choice:
    """The metric, the statistics and the output of a part under weights of the features as they are."""
    lists = side.decoder.decode(weights, advance)
    return _of(lists, first_of_largest(lists.features @ weights, lists.offsets), side)


def _highest(column: str, side: Side) -> Choice:
    """The metric, the statistics and the output of a part if the highest value in a column is chosen; "" is the score of
    the list.

    Raises: Undefined for scores that some hypotheses do not have.
    """
    values = side.first.column(column) if column else side.first.scores
    if np.isnan(values).any():
        fix = "Name another column (by), or leave best of n out."
        raise Undefined("Some hypotheses have no score to choose by.", side.first.name, fix)
    return _of(side.first, first_of_largest(values, side.first.offsets), side)


def _of(lists: KBest, chosen: Ints, side: Side) -> Choice:
    values = side.rows.of(lists)[chosen]
    return side.rows.target.score(values.sum(axis=0)), values, lists.outputs(chosen)


def part(side: Side) -> SplitPart:
    """The scores of the fixed choices on one part."""
    target, lists = side.rows.target, side.first
    instances = side.rows.instances(lists, lists.features)

    def score(chosen: Ints) -> float:
        return target.score(instances.statistics[chosen].sum(axis=0))

    baseline = target.score(side.baseline.sum(axis=0))
    return SplitPart(lists.n, lists.size, baseline, score(oracle(instances)), score(oracle(instances, -1)))


# The settings of which a plan has several values: n of top-n ListMLE (Chen et al. 2017, Fig. 2), the size of the lists
# (Table 4).

SweepSettings = dict[str, Value]


def sweeps(todo: Sequence[Task]) -> tuple[Sweep, ...]:
    """Every number that differs between runs of one method whose other settings are equal."""
    labels = {task.label: task for task in todo}
    by_method: dict[str, dict[str, SweepSettings]] = {}
    for label, task in labels.items():
        settings = {**task.options, LIST_SIZE: task.size, "policy": task.policy}
        by_method.setdefault(task.method.name, {})[label] = settings
    return tuple(
        sweep for runs in by_method.values() for setting in _numbers(runs) for sweep in _along(setting, runs, labels)
    )


def _numbers(runs: dict[str, SweepSettings]) -> list[str]:
    """The settings that are numbers with several values."""
    return [
        name
        for name in next(iter(runs.values()))
        if len({values[name] for values in runs.values()}) > 1
        and all(isinstance(values[name], int | float) for values in runs.values())
    ]


def _along(setting: str, runs: dict[str, SweepSettings], labels: dict[str, Task]) -> list[Sweep]:
    """The runs in groups that differ in this setting alone."""
    groups: dict[str, list[tuple[float, str]]] = {}
    for label, values in runs.items():
        number = values[setting]
        assert isinstance(number, int | float)
        rest = {name: value for name, value in values.items() if name != setting}
        groups.setdefault(repr(sorted(rest.items(), key=lambda item: item[0])), []).append((float(number), label))
    several = [sorted(group) for group in groups.values() if len(group) > 1]
    return [Sweep(_title(setting, group, labels, len(several) > 1), setting, tuple(group)) for group in several]


def _title(setting: str, group: Sequence[tuple[float, str]], labels: dict[str, Task], several: bool) -> str:
    """The printed name of the method, and of several groups the other marks of the label ("top-n ListMLE k:20")."""
    label = group[0][1]
    title = labels[label].method.title
    marks = [part for mark in label.split()[1:] for part in mark.split("|") if not part.startswith(f"{setting}:")]
    return " ".join([title, *marks]) if several else title
