"""One tuning run: decode, record the development score, extend the lists, tune, and again; the best weights count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from sigcore import tuning
from sigcore.kbest.instances import Instances, joined
from sigcore.kbest.lists import KBest, merged
from sigcore.kbest.scaling import Scale
from sigcore.registry import Value
from sigcore.studies.tuning.statistics import Rows
from sigcore.tuning import Method, Step
from sigcore.types import Floats

# What becomes of the lists of earlier iterations: separate instances, or one list for each segment.
Policy = Literal["aggregate", "merge"]
POLICIES: tuple[Policy, ...] = get_args(Policy)


# (done, total): called while lists are decoded; it may raise to end that
Advance = Callable[[int, int], None]


def idle(done: int, total: int) -> None:
    """Do nothing, where nobody waits for progress."""


class Decoder(Protocol):
    """Anything that gives k-best lists for weights; `fixed` says that they are always the same."""

    @property
    def fixed(self) -> bool:
        """Whether weights change nothing."""
        ...

    def decode(self, weights: Floats, step: Advance = idle) -> KBest:
        """The lists under the weights (F,), the best hypothesis of each first, unless the lists are fixed.

        `step(done, total)` is called while it works, and may raise to end it.
        """
        ...

    def sized(self, size: int) -> Decoder:
        """The same decoder with lists of up to `size` hypotheses."""
        ...


@dataclass(frozen=True)
class Iteration:
    """One iteration: the metric of the lists under the weights it began with, and the course of its optimization.

    `lists` is the number of lists that were learned from; 0 in the last one, which only evaluates.
    """

    number: int
    dev: float
    lists: int
    steps: tuple[Step, ...] = field(repr=False)


@dataclass(frozen=True, eq=False)
class Found:
    """The best weights (F,), for features as they are, with the course that led to them, and sentences about it."""

    weights: Floats
    iterations: tuple[Iteration, ...] = field(repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Problem:
    """What all runs share: the development lists of the first iteration, and how to make new ones.

    `start` (F,) are weights of the features as they are; methods see z-scores by `scale`, which stays that of the first
    lists. `first` are the instances of the first lists.
    """

    decoder: Decoder
    rows: Rows
    lists: KBest
    start: Floats
    scale: Scale
    first: Instances
    iterations: int
    policy: Policy

    def instances(self, lists: KBest) -> Instances:
        """The lists as instances, with z-scores for features."""
        return self.rows.instances(lists, self.scale.applied(lists.features))


class Pool:
    """The lists of all iterations so far, for the segments of a sample."""

    def __init__(self, problem: Problem, aggregate: bool, sample: NDArray[np.intp]) -> None:
        self.problem, self.aggregate, self.sample = problem, aggregate, sample
        self.parts: list[Instances] = []
        self.union: KBest | None = None

    def add(self, lists: KBest, instances: Instances) -> Instances:
        """Everything to learn from, with these lists (whose instances are those of the sample) added."""
        if self.aggregate:
            self.parts.append(instances)
            return joined(self.parts)
        if self.union is None:
            self.union = lists
            return instances
        self.union = merged(self.union, lists)
        return self.problem.instances(self.union).of(self.sample)


def search(
    problem: Problem,
    method: Method,
    options: dict[str, Value],
    sample: NDArray[np.intp],
    rng: np.random.Generator,
    report: Callable[[int, Step], None] = lambda iteration, step: None,
    advance: Advance = idle,
) -> Found:
    """The weights with the best metric on the development segments of the `sample` (positions, repeats allowed).

    `advance` is called while lists are decoded. With fixed lists there is one iteration, and aggregating is merging. Methods without a listwise loss always merge.
    Source: Chen et al. 2017, algorithm 1.
    """
    weights = problem.scale.scaled(problem.start)
    pool = Pool(problem, method.aggregates and problem.policy == "aggregate", sample)
    rounds = 1 if problem.decoder.fixed else problem.iterations
    best, most = weights, -np.inf
    course, notes = list[Iteration](), list[str]()
    lists, every = problem.lists, problem.first
    for number in range(rounds + 1):
        if number and not problem.decoder.fixed:
            lists = problem.decoder.decode(problem.scale.weights(weights), advance)
            every = problem.instances(lists)
        current = every.of(sample)
        value = current.value(current.best(weights))
        if value > most:
            best, most = weights, value
        dev = problem.rows.target.score(current.statistics[current.best(weights)].sum(axis=0))
        if number == rounds:
            course.append(Iteration(number, dev, 0, ()))
            break
        pooled = pool.add(lists, current)
        found = tuning.tune(method, pooled, weights, options, rng, lambda step, at=number: report(at, step))  # type: ignore[misc]
        course.append(Iteration(number, dev, pooled.m, found.course))
        notes += found.notes
        weights = found.weights
    return Found(problem.scale.weights(best), tuple(course), tuple(dict.fromkeys(notes)))
