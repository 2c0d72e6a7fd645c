"""The result of a tuning study: features, weights, scores on both parts, and the tests on the held-out part."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from sigcore.formatting import p_text
from sigcore.registry import Value
from sigcore.results import freeze
from sigcore.studies.runs import RunsTest
from sigcore.studies.tuning.loop import Iteration, Policy
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, Bools, Estimator, Floats, Setup, Unit


@dataclass(frozen=True)
class Plan:
    """What is to be tuned, and how; everything that a run needs beside the lists.

    `methods` are (name, options); one name may appear several times with other options. `split` is the share of the segments to tune on, the first ones (whole documents where
    the test set has them). With several `replicates` each is tuned on its own bootstrap resample of these segments,
    unless `resample` is false. `unit` is what the test swaps or draws on
    the held-out segments, by default documents if there are enough. `iterations`, `size` and `policy` matter only where new lists are decoded.

    `sizes` and `policies` are compared: every method is tuned with each of them, on lists of up to this size. Held-out
    lists are the same for all: complete, or of `size` where they are decoded. () compares none.
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


@dataclass(frozen=True, eq=False)
class Features:
    """The features (F,) of the development lists; one that never varies within a list cannot decide and has weight 0."""

    names: tuple[str, ...]
    means: Floats = field(repr=False)
    deviations: Floats = field(repr=False)
    varies: Bools = field(repr=False)

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, eq=False)
class Part:
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
    plan: Plan
    baseline: str
    features: Features
    dev: Part
    test: Part | None
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

    def __str__(self) -> str:
        unit, scores = self.setup.metric_title, self.setup.decimals
        if not self.tests:
            best = max(self.replicates, key=lambda item: item.dev if self.setup.better == "higher" else -item.dev)
            return f"{best.title} has {best.dev:.{scores}f} {unit} on the segments tuned on; nothing was tested."
        top = max(self.tests, key=lambda item: item.gain)
        runs = f"on average of {len(top.gains)} runs " if len(top.gains) > 1 else ""
        return (
            f"{top.title} gains {top.gain:+.{scores}f} {unit} {runs}over the baseline ({self.baseline}) on "
            f"{self.setup.segments:,} held-out segments, the most of {len(self.tests)} methods; "
            f"{p_text(top.adjusted, self.setup.resamples)} after Holm's correction."
        )
