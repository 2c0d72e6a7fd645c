"""Methods of tuning: one file each, listed by name, and one call that runs any of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sigcore.kbest.instances import Instances
from sigcore.kbest.permutations import NOWHERE
from sigcore.kbest.sparse import Features, Sparse
from sigcore.registry import member
from sigcore.registry import members as _members
from sigcore.tuning.contract import Batch, Method, Options, Step, StepReport, Tuned, whole
from sigcore.types import Bools, Floats, Ints, Value

__all__ = ["EPSILON", "RHO", "Method", "Step", "StepReport", "Tuned", "get", "members", "tune"]

# The minimum of a listwise loss: AdaDelta on mini-batches, and the epoch with the best metric.

RHO, EPSILON = 0.95, 1e-6  # of AdaDelta (Zeiler 2012); the paper names neither


def tune(
    method: Method,
    instances: Instances,
    start: Floats,
    options: dict[str, Value],
    rng: np.random.Generator,
    report: StepReport = lambda step: None,
) -> Tuned:
    """The weights that the method finds, starting from `start` (F,).

    The result depends only on the arguments and the state of `rng`. `report` may raise Cancelled.
    """
    if method.tune is not None:
        return method.tune(instances, start, options, rng, report)
    assert method.loss is not None
    return _minimum(method, instances, start, options, rng, report)


class AdaDelta:
    """The steps of AdaDelta: each weight has its own rate, made of running means of squared gradients and steps.

    Source: Zeiler 2012.
    """

    def __init__(self, size: int) -> None:
        self.gradients, self.steps = np.zeros(size), np.zeros(size)

    def step(self, gradient: Floats) -> Floats:
        """The change of the weights for this gradient."""
        self.gradients = RHO * self.gradients + (1 - RHO) * gradient**2
        change = -np.sqrt((self.steps + EPSILON) / (self.gradients + EPSILON)) * gradient
        self.steps = RHO * self.steps + (1 - RHO) * change**2
        return np.asarray(change)


class Ordered:
    """The lists of instances, each in the order of quality, so that a batch is a selection of rows."""

    def __init__(self, instances: Instances) -> None:
        self.features, self.lengths = instances.features, instances.lengths
        inside = np.arange(int(self.lengths.max())) < self.lengths[:, None]  # (m, longest)
        quality = np.where(inside, instances.quality[instances.padded], NOWHERE)
        order = np.argsort(-quality, axis=1, kind="stable")
        self.rows: Ints = np.take_along_axis(instances.padded, order, axis=1)
        self.quality: Floats = np.take_along_axis(quality, order, axis=1)

    def batch(self, lists: NDArray[np.intp]) -> tuple[Features, Batch, Bools]:
        """The features (B, k, F) of these lists, or sparse ones (B k, F), what the loss needs of them, and which places are
        in a list (B, k)."""
        lengths = self.lengths[lists]
        width = int(lengths.max())
        inside = np.arange(width) < lengths[:, None]
        rows = self.rows[lists, :width]
        features = self.features[rows.reshape(-1) if isinstance(self.features, Sparse) else rows]
        return features, Batch(self.quality[lists, :width], lengths), inside


def batches(m: int, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """The m lists in a random order, `size` at a time."""
    order = rng.permutation(m)
    return (order[start : start + size] for start in range(0, m, size))


def gradient(
    method: Method,
    ordered: Ordered,
    lists: NDArray[np.intp],
    weights: Floats,
    options: Options,
    rng: np.random.Generator,
) -> tuple[float, Floats]:
    """The loss of these lists, summed, and its gradient with respect to the weights (F,)."""
    assert method.loss is not None
    features, batch, inside = ordered.batch(lists)
    scores = np.where(inside, (features @ weights).reshape(inside.shape), NOWHERE)  # (B, k)
    values, slopes = method.loss(scores, batch, options, rng)
    slopes = np.where(inside, slopes, 0.0)
    rows = features if isinstance(features, Sparse) else features.reshape(-1, features.shape[-1])
    return float(values.sum()), slopes.reshape(-1) @ rows


def _minimum(
    method: Method, instances: Instances, start: Floats, options: Options, rng: np.random.Generator, report: StepReport
) -> Tuned:
    """The weights after the epoch with the best metric on the lists, the earliest of equal ones.

    Source: Chen et al. 2017, algorithm 2.
    """
    ordered, rule = Ordered(instances), AdaDelta(len(start))
    weights = start.astype(np.float64)
    best, most = weights, -np.inf
    course = []
    for epoch in range(1, whole(options, "epochs") + 1):
        total = 0.0
        for lists in batches(instances.m, whole(options, "batch"), rng):
            loss, slope = gradient(method, ordered, lists, weights, options, rng)
            weights = weights + rule.step(slope)
            total += loss
        step = Step(epoch, total / instances.m, instances.value(instances.best(weights)))
        course.append(step)
        report(step)
        if step.value > most:
            best, most = weights, step.value
    return Tuned(best, tuple(course))


def members() -> dict[str, Method]:
    """All methods by name."""
    return _members(__name__, "METHOD")


def get(name: str) -> Method:
    """The method of that name (UnknownMember, with the nearest names)."""
    method: Method = member(__name__, "METHOD", "method", name)
    return method
