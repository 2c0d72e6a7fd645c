"""Reranking: weights for the k-best lists that a person has, from any decoder or from samples of a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore import executors
from sigcore.errors import MismatchError, OptionError, Undefined
from sigcore.kbest.lists import KBest
from sigcore.studies.tuning.compute import Report, Side, tasks
from sigcore.studies.tuning.features import with_built_in
from sigcore.studies.tuning.finish import result
from sigcore.studies.tuning.loop import Advance, idle
from sigcore.studies.tuning.parts import part_of, split
from sigcore.studies.tuning.result import Plan, TuningResult
from sigcore.studies.tuning.statistics import Progress, Rows, Target
from sigcore.testset import Testset
from sigcore.types import Floats

EXACT = 1e-3  # how far weights may miss the scores of a list, relative to their spread, to be those that gave them
BASELINE = "first of list"


@dataclass(frozen=True, eq=False)
class Fixed:
    """Lists that are the same under all weights."""

    lists: KBest
    fixed: bool = True

    def decode(self, weights: Floats, step: Advance = idle) -> KBest:
        """The lists."""
        return self.lists

    def sized(self, size: int) -> Fixed:
        """The first `size` hypotheses of every list.

        Raises: OptionError for more than the longest list has.
        """
        longest = int(self.lists.lengths.max())
        if size > longest:
            what = f"A list size of {size}: the longest list to tune on has {longest} hypotheses."
            raise OptionError(what, self.lists.name, f"It must be at most {longest}.")
        return Fixed(self.lists.head(size))


def run(
    lists: KBest,
    testset: Testset,
    target: Target,
    plan: Plan,
    *,
    features: Sequence[str] = (),
    start: Floats | None = None,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> TuningResult:
    """Methods by replicates on fixed lists; the baseline is the first hypothesis of every list.

    `features` names built-in features to be added. `start` are the weights that tuning begins with; by default those
    that reproduce the scores of the lists, if there are such, else 0.

    Raises: MismatchError for another number of segments; OptionError for policies to compare, and for list sizes that no
    list has; UnknownMember, OptionError, Undefined as the parts do.
    """
    notes: list[str] = []
    if plan.policies:
        fix = "Leave them out, or combine systems."
        raise OptionError(
            "Fixed lists are neither aggregated nor merged, so there are no policies to compare.", "", fix
        )
    if lists.n != testset.n:
        what = f"{lists.name} has lists for {lists.n} segments, {testset.name} has {testset.n} segments."
        raise MismatchError(what, "", "Give one reference for each list.")
    lists = _prepared(lists, testset, target, plan, features, notes, progress)
    dev, test = split(testset, plan.split)
    target = target.fitted(lists.of(dev))
    sides = [
        _side(lists.of(segments), part_of(testset, segments, name), target, progress)
        for name, segments in (("dev", dev), ("test", test))
        if len(segments)
    ]
    if start is None:
        start = _start(lists, notes)
    elif start.shape != (len(lists.names),):
        raise MismatchError(f"{len(start)} start weights for {len(lists.names)} features.", lists.name)
    return result(sides, plan, start, BASELINE, notes=notes, executor=executor, progress=progress, report=report)


def _prepared(
    lists: KBest,
    testset: Testset,
    target: Target,
    plan: Plan,
    features: Sequence[str],
    notes: list[str],
    progress: Progress | None,
) -> KBest:
    """The lists without repetitions, with the requested features, and with columns set aside that are not features.

    Raises: Undefined without features.
    """
    distinct = lists.distinct()
    if distinct.size < lists.size:
        notes.append(f"{lists.size - distinct.size:,} of {lists.size:,} hypotheses are repetitions and were left out.")
    lists = with_built_in(distinct, features, testset.sources, progress)
    if target.column:
        lists = lists.aside(target.column)
    for task in tasks(plan):
        name = "" if task.method.column is None else task.method.column(task.options)
        if name.startswith("consensus_") and name not in (*lists.names, *lists.others):
            lists = with_built_in(lists, [name], (), progress).aside(name)
    if not lists.names:
        fix = "Give a list with features, or add built-in ones."
        raise Undefined("The hypotheses have no features.", lists.name, fix)
    return lists


def _side(lists: KBest, testset: Testset, target: Target, progress: Progress | None) -> Side:
    rows = Rows(testset, target)
    statistics = rows.of(lists, progress)
    first = lists.offsets[:-1]
    return Side(Fixed(lists), rows, lists, lists.outputs(first), statistics[first])


def _start(lists: KBest, notes: list[str]) -> Floats:
    """The weights that reproduce the scores of the lists up to a constant, if there are such; else 0."""
    zero = np.zeros(len(lists.names))
    spread = float(lists.scores.std()) if np.isfinite(lists.scores).all() else 0.0
    if not spread:
        return zero
    centred = lists.features - lists.features.mean(axis=0)
    scores = lists.scores - lists.scores.mean()
    weights = np.linalg.lstsq(centred, scores, rcond=None)[0]
    if np.abs(centred @ weights - scores).max() > EXACT * spread:
        return zero
    notes.append("Tuning begins with the weights that reproduce the scores of the list.")
    return np.asarray(weights)
