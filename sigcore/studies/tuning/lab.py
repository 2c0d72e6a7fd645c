"""The lab: development lists, several test sets, sets of features side by side, and every row against every other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sigcore import tuning
from sigcore.errors import MismatchError, OptionError, Undefined, UnknownMember
from sigcore.formatting import count, listed
from sigcore.kbest.instances import first_of_largest
from sigcore.kbest.lists import KBest, offsets_of
from sigcore.kbest.sparse import stacked
from sigcore.significance import LEAST_UNITS
from sigcore.studies import units
from sigcore.studies.matrix import LEVEL
from sigcore.studies.runs import mixed
from sigcore.studies.signature import signature
from sigcore.studies.tuning.compute import CourseReport, Side, Task, problem_of, problems_of, run_all, tasks
from sigcore.studies.tuning.finish import Fixed, about_lists, about_methods, choices, prepared, searchable
from sigcore.studies.tuning.result import Replicate, TuningPlan, part_of, split
from sigcore.studies.tuning.rows import (
    AVERAGE,
    FIRST,
    SHORT,
    START,
    FeatureSet,
    LabPlan,
    LabResult,
    LabRow,
    ListSet,
    Place,
    compared,
)
from sigcore.studies.tuning.statistics import RANDOM, Rows, Target, named_start, start_of, uneven
from sigcore.study import LOCAL, Runtime, check_numbers, chosen_unit
from sigcore.testset import Outputs, Testset, digest
from sigcore.types import Floats, Ints, Setup

# What is tuned: lists that fit each other, and their features.


def together(sets: Sequence[ListSet], sparse: bool) -> tuple[KBest, Testset]:
    """The lists of all sets as one, one set after the other, and their test set.

    Raises: MismatchError for sets with other features (unless sparse) or other numbers of references.
    """
    name = " + ".join(one.name for one in sets)
    names = tuple(dict.fromkeys(feature for one in sets for feature in one.lists.names))
    lists = [aligned(one.lists, names, sets[0].name, sparse) for one in sets]
    joined = replace(
        lists[0],
        name=name,
        texts=tuple(text for one in lists for text in one.texts),
        offsets=offsets_of(np.concatenate([one.lengths for one in lists])),
        features=stacked([one.features for one in lists]),
        scores=np.concatenate([one.scores for one in lists]),
        values=np.concatenate([one.values for one in lists]),
    )
    return joined, _testset([one.testset for one in sets], name)


def _testset(sets: Sequence[Testset], name: str) -> Testset:
    """All segments of the test sets, one set after the other; documents of different sets are different ones."""
    if len(sets) == 1:
        return sets[0]
    numbers = {len(one.references) for one in sets}
    if len(numbers) > 1:
        what = f"The development lists have {listed([str(number) for number in sorted(numbers)])} references."
        raise MismatchError(what, name, "Give all as many.")

    def whole(streams: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(line for stream in streams for line in stream) if all(streams) else ()

    references = tuple(map(whole, zip(*(one.references for one in sets), strict=True)))
    documents = whole([tuple(f"{one.name}: {document}" for document in one.documents) for one in sets])
    sources = whole([one.sources for one in sets])
    return Testset(name, sets[0].kind, sum(one.n for one in sets), references, sources, (), documents)


def aligned(lists: KBest, names: Sequence[str], other: str, sparse: bool) -> KBest:
    """The lists with these features; a missing one is 0 if sparse.

    Raises: MismatchError for a feature that only one side has, unless sparse.
    """
    own, wanted = set(lists.names), set(names)
    missing = [name for name in names if name not in own]
    extra = [name for name in lists.names if name not in wanted]
    if (missing or extra) and not sparse:
        what = (
            f"{lists.name} has no feature {missing[0]}, {other} has."
            if missing
            else f"{lists.name} has the feature {extra[0]}, {other} has not."
        )
        fix = "Give all lists the same features, or read them as sparse (--sparse): then a missing feature is 0."
        raise MismatchError(what, lists.name, fix)
    return lists.under(names)


# Every row: what is tuned, and what is chosen without tuning.


@dataclass(eq=False)
class _Made:
    """A row while it is made: the runs with the weights (or the column) that choose, and the names these belong to."""

    label: str
    title: str
    features: str
    names: tuple[str, ...]
    replicates: tuple[Replicate, ...]
    column: str | None = None
    untuned: bool = False

    def chosen(self, lists: KBest, under: KBest, run: int) -> Ints:
        """The hypotheses of a run in lists, given as they are and with the features of the row."""
        if self.label == FIRST:
            return lists.offsets[:-1]
        if self.column is not None:
            values = lists.column(self.column) if self.column else lists.scores
            if np.isnan(values).any():
                raise Undefined("Some hypotheses have no score to choose by.", lists.name, "Leave best of n out.")
            return first_of_largest(values, lists.offsets)
        return first_of_largest(under.features @ self.replicates[run].weights, lists.offsets)


def lab(
    dev: Sequence[ListSet],
    tests: Sequence[ListSet],
    target: Target,
    plan: LabPlan,
    *,
    features: Sequence[str] = (),
    runtime: Runtime = LOCAL,
    report: CourseReport | None = None,
) -> LabResult:
    """Methods by sets of features by replicates, tuned on the development lists; every row tested against every other on
    each test set and on the average of the test sets, all test sets counting the same.

    `features` names built-in features to be added. Lists are fixed, so there are no policies.

    Raises: Undefined without lists, and for a set without features; MismatchError for lists that do not fit each other;
    UnknownMember for a baseline or a start that is no row; OptionError for policies, names used twice, and MERT on sparse
    features; what the methods and the plan raise.
    """
    _check(dev, tests, plan)
    notes: list[str] = []
    ready = _ready([*dev, *tests], target, plan, features, notes, runtime)
    lists, testset = together(ready[: len(dev)], plan.sparse)
    target = target.fitted(lists)
    rows = Rows(testset, target)
    own = rows.of(lists, runtime.report)
    whole = Side(Fixed(lists), rows, lists, lists.outputs(lists.offsets[:-1]), own[lists.offsets[:-1]])
    made = [_Made(FIRST, FIRST, "", (), (), untuned=True), *_started(plan, lists, notes)]
    sets = {one.name: one.chosen(lists.names) for one in plan.sets}
    for one in plan.sets:
        made += _tuned(one, sets[one.name], whole, plan, made, notes, runtime, report)
    notes += _new_features(ready[len(dev) :], lists)
    places = [_place(one, lists, target, plan, runtime) for one in ready[len(dev) :]]
    baseline = SHORT.get(plan.baseline, plan.baseline) or FIRST
    evaluated = _without_copy([_evaluated(row, whole, own, places) for row in made], baseline, notes)
    finished, values = zip(*evaluated, strict=True)
    shown, comparisons = compared(finished, values, places, target, plan, runtime)
    return LabResult(
        setup=_setup(target, lists, places, plan, len(comparisons)),
        plan=plan,
        baseline=baseline,
        places=tuple([*(one.name for one in tests), AVERAGE][: len(tests) + (len(tests) > 1)]),
        sizes=((lists.name, lists.n), *((one.name, one.lists.n) for one in tests)),
        features=sets,
        names=lists.names,
        testsets=tuple(place.rows.testset for place in places),
        rows=shown,
        comparisons=comparisons,
        chosen=choices(target, plan.tuning, True, [name for name, _ in plan.tuning.methods]),
        options=tuple({task.label: task.options for task in tasks(plan.tuning)}.items()),
        notes=tuple(dict.fromkeys([*notes, *about_lists(whole), *_about(places, plan)])),
    )


def _ready(
    sets: Sequence[ListSet], target: Target, plan: LabPlan, features: Sequence[str], notes: list[str], runtime: Runtime
) -> list[ListSet]:
    """The lists without repetitions, with the requested features, and with columns set aside that are not features."""
    return [
        replace(one, lists=prepared(one.lists, one.testset, target, plan.tuning, features, notes, runtime))
        for one in sets
    ]


def halves(one: ListSet, share: float) -> tuple[ListSet, ListSet]:
    """The first share of the lists to tune on, and the others to test on (see `split`).

    Raises: Undefined where nothing is left to test on; what `split` raises.
    """
    dev, test = split(one.testset, share)
    if not len(test):
        raise Undefined("All segments are tuned on, so nothing can be compared.", one.name, "Use a split below 1.")
    first, second = (
        ListSet(name, one.lists.of(segments), part_of(one.testset, segments, name))
        for name, segments in (("tuned on", dev), ("held out", test))
    )
    return first, second


def _labels(plan: LabPlan) -> dict[str, Task]:
    """The first run of every row that is tuned, or chosen by a column, by its label; with several sets "SET:METHOD"."""
    out = dict[str, Task]()
    for one in plan.sets:
        for task in _tasks(one, plan):
            out.setdefault(_label(one, task, plan), task)
    return out


def row_labels(plan: LabPlan) -> list[str]:
    """The label of every row of a plan, in order."""
    return [FIRST, *([START] if plan.start else []), *_labels(plan)]


def _label(one: FeatureSet, task: Task, plan: LabPlan) -> str:
    return task.label if task.method.column is not None else _prefix(one, plan) + task.label


def _tasks(one: FeatureSet, plan: LabPlan) -> list[Task]:
    """The runs on a set; choices without weights are made once, with the first set."""
    own = _own_plan(one, plan)
    return tasks(own) if own.methods else []


def _own_plan(one: FeatureSet, plan: LabPlan) -> TuningPlan:
    kept = [
        (name, options)
        for name, options in plan.tuning.methods
        if (not one.methods or name in one.methods) and (one is plan.sets[0] or tuning.get(name).column is None)
    ]
    return replace(plan.tuning, methods=tuple(kept))


def _check(dev: Sequence[ListSet], tests: Sequence[ListSet], plan: LabPlan) -> None:
    check_numbers(plan.tuning.resamples, plan.tuning.seed)
    tasks(plan.tuning)
    if not dev or not tests:
        what = "There are no development lists." if not dev else "There are no test sets."
        raise Undefined(what, "", "Give lists to tune on, and lists to test on.")
    if plan.tuning.policies:
        what = "Fixed lists are neither aggregated nor merged, so there are no policies to compare."
        raise OptionError(what, "", "Leave them out.")
    _check_names("lists", [one.name for one in (*dev, *tests)])
    _check_names("sets of features", [one.name for one in plan.sets])
    for one in (*dev, *tests):
        if one.lists.n != one.testset.n:
            raise uneven(one.lists, one.testset.n, one.testset.name)
    labels, known = _labels(plan), row_labels(plan)
    if plan.baseline and SHORT.get(plan.baseline, plan.baseline) not in known:
        raise UnknownMember("row", plan.baseline, known)
    _check_starts(plan, labels)


def _check_names(what: str, names: Sequence[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"Two {what} are named {twice!r}.", "", "Give each its own name.")


def _check_starts(plan: LabPlan, labels: Mapping[str, Task]) -> None:
    """Raise OptionError for a set that begins with a row which is not tuned before it."""
    before = list[str]()
    for one in plan.sets:
        if one.start and (one.start not in before or labels[one.start].method.column is not None):
            what = f"The set {one.name} begins with {one.start!r}, which is not tuned before it."
            raise OptionError(
                what, "", f"Name one of the rows tuned before it: {', '.join(before) or 'there are none'}."
            )
        before += [_label(one, task, plan) for task in _tasks(one, plan) if not task.replicate]


def _started(plan: LabPlan, lists: KBest, notes: list[str]) -> list[_Made]:
    """The row of the start weights, if there are some; raises as `named_start`."""
    if not plan.start:
        return []
    weights = named_start(plan.start, lists, notes)
    return [
        _Made(START, START, "", lists.names, (Replicate(START, START, 1, weights, math.nan, math.nan),), untuned=True)
    ]


def _tuned(
    one: FeatureSet,
    names: tuple[str, ...],
    whole: Side,
    plan: LabPlan,
    made: Sequence[_Made],
    notes: list[str],
    runtime: Runtime,
    report: CourseReport | None,
) -> list[_Made]:
    """The rows of one set of features."""
    own = _own_plan(one, plan)
    if not own.methods:
        return []
    methods = [tuning.get(name) for name, _ in own.methods]
    lists, inside = whole.first.under(names), _prefix(one, plan)
    searchable(lists, methods)
    side = replace(whole, decoder=Fixed(lists), first=lists)
    starts, said = _starts_of(one, made, names), list[str]()
    start = _start(one, plan, lists, bool(starts), said)
    problem = problem_of(side, own, start, runtime.report)
    problems = problems_of(problem, side, own, start, runtime.report)
    course = None if report is None else lambda method, *step: report(inside + method, *step)
    runs = run_all(problems, side, None, own, runtime, course, starts)
    notes += [*about_methods(methods, len(names)), *(note for run in runs for note in run.notes)]
    notes += [f"{inside} {note}".strip() for note in said]
    return [
        _of_task(one, task, names, plan, [run.replicate for run in runs]) for task in tasks(own) if not task.replicate
    ]


def _start(one: FeatureSet, plan: LabPlan, lists: KBest, chained: bool, said: list[str]) -> Floats:
    """The weights that the set begins with, unless each replicate has its own, and what is said about them."""
    if chained:
        said.append(f"Tuning begins with the weights of {one.start}, replicate by replicate.")
    elif plan.tuning.random_start:
        said.append(RANDOM)
    elif not plan.start:
        return start_of(lists, said)
    return np.array([plan.start.get(name, 0.0) for name in lists.names])


def _of_task(one: FeatureSet, task: Task, names: tuple[str, ...], plan: LabPlan, runs: Sequence[Replicate]) -> _Made:
    """The row of a method on a set, with its runs."""
    column = None if task.method.column is None else task.method.column(task.options)
    inside = _prefix(one, plan) if column is None else ""
    title = f"{inside} {task.title}".strip()
    own = tuple(run for run in runs if run.method == task.label)
    return _Made(_label(one, task, plan), title, one.name, names, own, column, column is not None)


def _prefix(one: FeatureSet, plan: LabPlan) -> str:
    """What the labels of a set begin with: nothing where all features are tuned together."""
    return f"{one.name}:" if len(plan.sets) > 1 or one.patterns else ""


def _starts_of(one: FeatureSet, made: Sequence[_Made], names: Sequence[str]) -> list[Floats]:
    """The weights of every replicate of the row that the set begins with, for these features; [] without such a row."""
    row = next((row for row in made if one.start and row.label == one.start), None)
    if row is None:
        return []
    known = [dict(zip(row.names, run.weights.tolist(), strict=True)) for run in row.replicates]
    return [np.array([weights.get(name, 0.0) for name in names]) for weights in known]


# The test sets, and what every row scores there.


def _place(one: ListSet, dev: KBest, target: Target, plan: LabPlan, runtime: Runtime) -> Place:
    lists = aligned(one.lists, dev.names, dev.name, plan.sparse)
    rows = Rows(one.testset, target)
    unit, _ = chosen_unit(one.testset, plan.tuning.unit)
    return Place(one.name, lists, rows, rows.of(lists, runtime.report), units.groups(one.testset, unit))


def _new_features(tests: Sequence[ListSet], dev: KBest) -> list[str]:
    """That features of test lists which no development list has are left out: they have no weight."""
    known, out = set(dev.names), []
    for one in tests:
        new = sum(name not in known for name in one.lists.names)
        if new:
            out.append(f"{one.name}: {count(new, 'feature')} not in the development lists, so without a weight.")
    return out


def _evaluated(row: _Made, dev: Side, own: Floats, places: Sequence[Place]) -> tuple[LabRow, list[list[Floats]]]:
    """The row with its scores (the spreads follow), and the statistics (n, K) of every run in every test set."""
    target, runs = dev.rows.target, range(max(1, len(row.replicates)))
    of_dev = [(dev.first, own), *((place.lists, place.statistics) for place in places)]
    scores, outputs, values = [], [], list[list[Floats]]()
    for k, (lists, statistics) in enumerate(of_dev):
        under = lists.under(row.names) if row.names else lists
        chosen = [row.chosen(lists, under, run) for run in runs]
        scores.append([target.score(statistics[one].sum(axis=0)) for one in chosen])
        if k:
            values.append([statistics[one] for one in chosen])
            outputs.append(
                tuple(
                    Outputs(row.label, lists.outputs(one), str(run + 1)) for run, one in zip(runs, chosen, strict=True)
                )
            )
    table = np.array(scores[1:]).T
    if len(places) > 1:
        table = np.column_stack([table, table.mean(axis=1)])
    none = np.full(table.shape[1], np.nan)
    features = row.features
    return LabRow(
        row.label,
        row.title,
        features,
        row.untuned,
        np.array(scores[0]),
        table,
        none,
        none,
        row.replicates,
        tuple(outputs),
    ), values


def _without_copy(
    rows: list[tuple[LabRow, list[list[Floats]]]], baseline: str, notes: list[str]
) -> list[tuple[LabRow, list[list[Floats]]]]:
    """The rows without that of the start weights, where these choose the first hypotheses everywhere: a comparison of equal
    outputs would only make the correction stricter."""
    first, second = rows[0][0], rows[1][0]
    texts = [[one.segments for (one,) in row.outputs] for row in (first, second) if row.untuned]
    if second.label != START or baseline == START or texts[0] != texts[1]:
        return rows
    notes.append("The start weights choose the first hypothesis of every list, so they have no row of their own.")
    return [rows[0], *rows[2:]]


def _setup(target: Target, dev: KBest, places: Sequence[Place], plan: LabPlan, comparisons: int) -> Setup:
    metric, asked = target.metric, plan.tuning
    sizes = [place.lists.n if place.unit_of is None else int(place.unit_of.max()) + 1 for place in places]
    parts = {
        "metric": metric.signature(places[0].rows.testset.references, target.options),
        "test": mixed.NAME,
        "seed": asked.seed,
        "unit": str(chosen_unit(places[0].rows.testset, asked.unit)[0]),
        "replicates": asked.replicates,
        "resampled_dev": asked.resample and asked.replicates > 1,
        "comparisons": comparisons,
        "data": digest([dev.digest, *(place.lists.digest for place in places)])[:12],
    }
    return Setup(
        metric=metric.name,
        metric_title=target.title,
        better=target.better,
        why=metric.why_of(target.options),
        test=mixed.NAME,
        test_title=mixed.TITLE,
        n=sum(sizes),
        segments=sum(place.lists.n for place in places),
        unit=chosen_unit(places[0].rows.testset, asked.unit)[0],
        resamples=0,
        seed=asked.seed,
        correction="holm",
        correction_title="Holm",
        level=LEVEL,
        decimals=metric.decimals_of(target.options),
        by_formula=True,
        signature=signature(parts),
    )


def _about(places: Sequence[Place], plan: LabPlan) -> list[str]:
    """What must be said about runs and test sets."""
    out, runs = [], plan.tuning.replicates
    if runs == 1:
        out.append("One run of each method: how much runs differ is unknown, so p is about other segments alone.")
    if runs == 2:
        out.append("Two runs of a method can hardly show how much its runs differ; give three or more.")
    for place in places:
        unit, reason = chosen_unit(place.rows.testset, plan.tuning.unit)
        n = place.lists.n if place.unit_of is None else int(place.unit_of.max()) + 1
        out += [f"{place.name}: {reason}"] if reason else []
        if n < LEAST_UNITS:
            out.append(f"{place.name} has {n} {unit.noun(n)}: p assumes normal effects, which so few cannot show.")
    return out
