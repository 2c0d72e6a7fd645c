"""The result of a tuning study: features, weights, scores on both parts, and the tests on the held-out part."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from sigcore import tuning
from sigcore.errors import OptionError, Undefined
from sigcore.formatting import count, p_text
from sigcore.kbest.instances import Instances, joined
from sigcore.kbest.lists import KBest, merged
from sigcore.kbest.scaling import Scale
from sigcore.results import freeze
from sigcore.studies import units
from sigcore.studies.runs import RunsTest
from sigcore.studies.tuning.statistics import Rows
from sigcore.testset import Outputs, Testset
from sigcore.tuning import Method, Step
from sigcore.types import AUTO, DOCUMENT, Bools, Estimator, Floats, Ints, Setup, Unit, Value

# One tuning run: decode, record the development score, extend the lists, tune, and again; the best weights count.

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
class FoundWeights:
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
) -> FoundWeights:
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
    return FoundWeights(problem.scale.weights(best), tuple(course), tuple(dict.fromkeys(notes)))


@dataclass(frozen=True)
class TuningPlan:
    """What is to be tuned, and how; everything that a run needs beside the lists.

    `methods` are (name, options); one name may appear several times with other options. `split` is the share of the segments to tune on, the first ones (whole documents where
    the test set has them). With several `replicates` each is tuned on its own bootstrap resample of these segments,
    unless `resample` is false. `unit` is what the test swaps or draws on
    the held-out segments, by default documents if there are enough. `iterations`, `size` and `policy` matter only where new lists are decoded.

    `sizes` and `policies` are compared: every method is tuned with each of them, on lists of up to this size. Held-out
    lists are the same for all: complete, or of `size` where they are decoded. () compares none.

    `random_start`: tuning begins with random weights, uniform in [-1, 1]; of fixed lists each replicate with its own, for
    z-scores; otherwise all with the same, under which the first lists are decoded (the paper's Fig. 3).
    """

    methods: tuple[tuple[str, dict[str, object]], ...] = (
        ("te_listmle", {}),
        ("listnet", {}),
        ("pro", {}),
        ("mert", {}),
    )
    split: float = 0.5
    replicates: int = 3
    resample: bool = True
    seed: int = 12345
    iterations: int = 10
    size: int = 20
    policy: Policy = "aggregate"
    test: str = "approximate_randomization"
    resamples: int = 10_000
    estimator: Estimator = "valid"
    unit: str | Unit = AUTO
    sizes: tuple[int, ...] = ()
    policies: tuple[Policy, ...] = ()
    random_start: bool = False


@dataclass(frozen=True, eq=False)
class Features:
    """The features (F,) of the development lists, `sparse` where most are 0; one that never varies within a list cannot
    decide and has weight 0."""

    names: tuple[str, ...]
    means: Floats = field(repr=False)
    deviations: Floats = field(repr=False)
    varies: Bools = field(repr=False)
    sparse: bool = False

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, eq=False)
class SplitPart:
    """The scores of fixed choices on one part: the baseline, the oracle (hypotheses chosen with the references for a
    high metric) and its opposite. `hypotheses` are those of the first lists."""

    segments: int
    hypotheses: int
    baseline: float
    oracle: float
    worst: float


@dataclass(frozen=True, eq=False)
class Replicate:
    """One tuning run of one method (with its options, where the plan has it several times): its weights (F,), the scores on both parts (`test` nan without one), its course.

    Weights are () for a choice without weights. `outputs` are its outputs of the held-out segments.
    """

    method: str
    title: str
    number: int
    weights: Floats = field(repr=False)
    dev: float
    test: float
    iterations: tuple[Iteration, ...] = field(default=(), repr=False)
    outputs: Outputs | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def loss_and_metric(self) -> float:
        """Spearman's rank correlation of loss and metric (oriented, larger = better) over the epochs of the last iteration
        that learned; nan without a loss, or where one of them never changes. -1: the lower the loss, the better the metric."""
        steps = next((one.steps for one in reversed(self.iterations) if one.steps), ())
        pairs = np.array([(step.loss, step.value) for step in steps]).reshape(-1, 2)
        if len(pairs) < 3 or not np.isfinite(pairs).all() or (np.ptp(pairs, axis=0) == 0).any():
            return math.nan
        ranks = np.array(
            [np.searchsorted(np.sort(own), own) + np.searchsorted(np.sort(own), own, "right") for own in pairs.T]
        )
        return float(np.corrcoef(ranks)[0, 1])


@dataclass(frozen=True)
class Sweep:
    """Several values of one setting under the same other settings: (value, name of the method in the result), in order of
    value. `title` is the printed name of the method, `setting` that of the setting ("n", or LIST_SIZE)."""

    title: str
    setting: str
    values: tuple[tuple[float, str], ...]


@dataclass(frozen=True, eq=False)
class TuningResult:
    """What tuning did: `replicates` method by method, and `tests` of every method against the baseline on held-out segments.

    `fixed` says that the lists never changed. `tests` are () without held-out segments. `chosen` are the settings that
    the paper does not state, as sentences. `held_out` is the test set of the held-out segments, `baseline_output` the
    baseline's output of them (None without them); `systems` are the outputs of them that were combined. `sweeps` are the settings of which the plan has several values.
    """

    setup: Setup
    plan: TuningPlan
    baseline: str
    features: Features
    dev: SplitPart
    test: SplitPart | None
    replicates: tuple[Replicate, ...]
    tests: tuple[RunsTest, ...]
    options: tuple[tuple[str, dict[str, Value]], ...]
    fixed: bool
    chosen: tuple[str, ...]
    sweeps: tuple[Sweep, ...] = ()
    notes: tuple[str, ...] = ()
    held_out: Testset | None = field(default=None, repr=False)
    baseline_output: Outputs | None = field(default=None, repr=False)
    systems: tuple[Outputs, ...] = field(default=(), repr=False)

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of the methods, in order."""
        return tuple(dict.fromkeys(item.method for item in self.replicates))

    def of(self, method: str) -> tuple[Replicate, ...]:
        """The replicates of one method."""
        return tuple(item for item in self.replicates if item.method == method)

    def average_weights(self, method: str) -> Floats:
        """The weights (F,) of a method times the standard deviations of the features, averaged over its replicates, each
        with length 1: the influence of each feature. () for a choice without weights."""
        rows = [item.weights * self.features.deviations for item in self.of(method) if len(item.weights)]
        return np.mean([row / (np.linalg.norm(row) or 1.0) for row in rows], axis=0) if rows else np.zeros(0)

    def most_influential(self, most: int) -> tuple[int, ...]:
        """The places of at most so many features, those with the largest influence under any method, in their order."""
        columns = [self.average_weights(name) for name in self.methods]
        rows = [np.abs(own) for own in columns if len(own)]
        if not rows or len(self.features.names) <= most:
            return tuple(range(len(self.features.names)))
        return tuple(sorted(np.argsort(-np.max(rows, axis=0), kind="stable")[:most].tolist()))

    def __str__(self) -> str:
        unit, scores = self.setup.metric_title, self.setup.decimals
        if not self.tests:
            best = max(self.replicates, key=lambda item: item.dev if self.setup.better == "higher" else -item.dev)
            return f"{best.title} has {best.dev:.{scores}f} {unit} on the segments tuned on; nothing was tested."
        top = max(self.tests, key=lambda item: item.gain)
        gain, p = f"{top.gain:+.{scores}f} {unit}", p_text(top.adjusted, self.setup.resamples)
        most = f", the most of {len(self.tests)} methods (corrected {p})" if len(self.tests) > 1 else f" ({p})"
        return f"{top.title} gains {gain} on held-out segments{most}."

    def averaged(self) -> str:
        """What the gains of the methods are averages of."""
        runs = max(len(item.gains) for item in self.tests)
        average = f"Gains are averages of {runs} runs" if runs > 1 else "Gains are of one run"
        return f"{average} on {count(self.setup.segments or self.setup.n, 'held-out segment')}."


# The segments to tune on and those held out, and the best and worst choices on a part.

PASSES = 5  # over all lists, after which the oracle is hardly better


def split(testset: Testset, share: float) -> tuple[Ints, Ints]:
    """The positions of the segments to tune on, the first `share` of them, and of those held out.

    Documents are not cut: the border is the one nearest to the share; a document that appears again later counts
    where it appears first.

    Raises: OptionError for a share outside (0, 1]; Undefined where a part would be empty; MismatchError where some
    segments have no document.
    """
    if not 0 < share <= 1:
        raise OptionError(f"split = {share:g}.", "", "It must be above 0 and at most 1; 1 tunes on all segments.")
    every = np.arange(testset.n)
    if share == 1:
        return every, every[:0]
    whole = units.groups(testset, DOCUMENT) if testset.documents else None
    groups = every if whole is None else whole
    sizes = np.cumsum(np.bincount(groups))
    border = int(np.abs(sizes - share * testset.n).argmin())
    dev, test = every[groups <= border], every[groups > border]
    if not len(test) or not len(dev):
        noun = "document" if testset.documents else "segment"
        fix = "Use more segments, another share, or split = 1 to tune on all without a test."
        raise Undefined(f"A split of {share:g} leaves no {noun} on one side.", testset.name, fix)
    return dev, test


def part_of(testset: Testset, segments: Ints, name: str) -> Testset:
    """These segments as a test set."""

    def kept(stream: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(stream[i] for i in segments.tolist()) if stream else ()

    references = tuple(kept(stream) for stream in testset.references)
    return Testset(
        f"{testset.name} ({name})",
        testset.kind,
        len(segments),
        references,
        kept(testset.sources),
        kept(testset.domains),
        kept(testset.documents),
    )


def oracle(instances: Instances, sign: int = 1) -> Ints:
    """A choice (m,) with a high metric (a low one for sign -1), made with the references.

    It begins with the best hypothesis of each list alone; then each list in turn takes the hypothesis that is best for
    the metric of all, until nothing changes. The true optimum may be a little better.
    """
    chosen = _ends(instances, sign * instances.quality)
    total = instances.statistics[chosen].sum(axis=0)
    for _ in range(PASSES):
        before = chosen.copy()
        for i, (start, stop) in enumerate(
            zip(instances.offsets[:-1].tolist(), instances.offsets[1:].tolist(), strict=True)
        ):
            rest = total - instances.statistics[chosen[i]]
            values = sign * instances.objective(rest + instances.statistics[start:stop])
            best = start + int(np.nan_to_num(values, nan=-math.inf).argmax())
            if values[best - start] > values[chosen[i] - start]:
                chosen[i], total = best, rest + instances.statistics[best]
        if (chosen == before).all():
            break
    return chosen


def _ends(instances: Instances, values: Floats) -> Ints:
    return np.array(
        [a + int(values[a:b].argmax()) for a, b in zip(instances.offsets, instances.offsets[1:], strict=False)],
        dtype=np.int64,
    )
