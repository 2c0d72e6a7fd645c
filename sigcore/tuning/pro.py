"""PRO: a classifier that recognises the better one of two hypotheses, on sampled pairs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sigcore.kbest.instances import Instances
from sigcore.kbest.sparse import Features
from sigcore.proof import Proof
from sigcore.registry import number_of
from sigcore.tuning.contract import Method, Options, Step, StepReport, Tuned, options_of, whole
from sigcore.types import Floats


def pairs(
    quality: Floats, sampled: int, kept: int, least: float, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(better, worse): of `sampled` random pairs of one list those whose qualities differ by at least `least`, at most
    `kept` of them, the largest differences first. A pair may be drawn twice, as in the paper."""
    drawn = rng.integers(0, len(quality), (2, sampled))
    difference = quality[drawn[0]] - quality[drawn[1]]
    size = np.abs(difference)
    chosen = np.flatnonzero((size >= least) & (size > 0))
    chosen = chosen[np.argsort(-size[chosen], kind="stable")[:kept]]
    better = np.where(difference[chosen] > 0, drawn[0, chosen], drawn[1, chosen])
    worse = np.where(difference[chosen] > 0, drawn[1, chosen], drawn[0, chosen])
    return better, worse


def lines(instances: Instances, options: Options, rng: np.random.Generator) -> Features:
    """The features of the better hypothesis minus those of the worse one, for every sampled pair, (P, F)."""
    settings = whole(options, "sampled"), whole(options, "kept"), number_of(options, "least_difference")
    better, worse = list[NDArray[np.intp]](), list[NDArray[np.intp]]()
    for start, stop in zip(instances.offsets[:-1].tolist(), instances.offsets[1:].tolist(), strict=True):
        high, low = pairs(instances.quality[start:stop], *settings, rng)
        better.append(start + high)
        worse.append(start + low)
    first, second = (instances.features[np.concatenate(part)] for part in (better, worse))
    return first - second  # type: ignore[operator]  # both are full, or both sparse


def classifier(
    differences: Features,
    start: Floats,
    penalty: float,
    iterations: int,
    after_step: Callable[[Floats, float], None] = lambda weights, loss: None,
) -> Floats:
    """The weights of a logistic regression on differences (P, F) and their reverses, with a penalty on their squares.

    A difference and its reverse have the same loss, so each is computed once and counted twice, and there is no
    constant. At most `iterations` steps of L-BFGS; the paper used MegaM with as many. `after_step` gets the weights and
    the loss after each step.
    """

    from scipy.optimize import minimize  # half a second, which no other command needs

    def objective(weights: Floats) -> tuple[float, Floats]:
        margins = differences @ weights
        loss = 2 * np.logaddexp(0.0, -margins).sum() + penalty / 2 * float(weights @ weights)
        wrong = np.exp(-np.logaddexp(0.0, margins))  # the probability of the wrong order
        return float(loss), -2 * wrong @ differences + penalty * weights

    def callback(weights: Floats) -> None:
        after_step(weights.copy(), objective(weights)[0])

    limits = {"maxiter": iterations}
    result = minimize(objective, start, jac=True, method="L-BFGS-B", options=limits, callback=callback)
    return np.asarray(result.x)


def tune(instances: Instances, start: Floats, options: Options, rng: np.random.Generator, report: StepReport) -> Tuned:
    """The classifier's weights, interpolated with those of the start; a step is one of the classifier."""
    differences = lines(instances, options, rng)
    if not len(differences):
        least = number_of(options, "least_difference")
        return Tuned(
            start, (), (f"No two hypotheses differ by {least:g} in quality, so the weights stay as they were.",)
        )
    share, course = number_of(options, "interpolation"), list[Step]()

    def after_step(weights: Floats, loss: float) -> None:
        mixed = share * weights + (1 - share) * start
        course.append(Step(len(course) + 1, loss / instances.m, instances.value(instances.best(mixed))))
        report(course[-1])

    # from 0 the result does not depend on the scale of the start, and the first steps are never flat
    zero, settings = np.zeros_like(start), (number_of(options, "penalty"), whole(options, "iterations"))
    found = classifier(differences, zero, *settings, after_step)
    return Tuned(share * found + (1 - share) * start, tuple(course))


METHOD = Method(
    name="pro",
    title="PRO",
    tune=tune,
    options=options_of("pro"),
    help="Logistic regression on pairs of hypotheses, which is to recognise the better one.",
    source="Hopkins & May 2011",
    proof=Proof(oracle="of_methods:pro"),
)
