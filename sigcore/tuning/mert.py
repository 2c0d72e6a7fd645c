"""MERT: the weights whose best hypotheses have the best metric, by exact line searches and restarts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sigcore.kbest.instances import Instances
from sigcore.kbest.line_search import crossings, sweep
from sigcore.proof import Learned, Proof
from sigcore.registry import Option
from sigcore.tuning.contract import Method, Options, Report, Step, Tuned, number, whole
from sigcore.types import Floats

MOST_ROUNDS = 1000  # far more than any start needs: every round must gain


def best_on_line(instances: Instances, intercepts: Floats, slopes: Floats) -> tuple[float, float]:
    """(metric, x) of the best point on a line, for the scores (m, k) at x = 0 and their slopes."""
    found = crossings(intercepts, slopes)
    return sweep(found, instances.statistics, instances.padded, instances.objective).best()


def ascend(
    instances: Instances,
    start: Floats,
    random_lines: int,
    least: float,
    rng: np.random.Generator,
    after_round: Callable[[float], None] = lambda value: None,
) -> tuple[float, Floats]:
    """(metric, weights) where no axis, and none of some random lines, improves the metric by more than `least`.

    Of all lines in a round the best one is followed. `after_round` gets the metric after each round. Cost: a round is
    F + `random_lines` line searches.
    """
    # (F, m, k): the slopes along the axes
    axes = np.ascontiguousarray(np.moveaxis(instances.features[instances.padded], -1, 0))
    value, weights = instances.value(instances.best(start)), start.astype(np.float64)
    for _ in range(MOST_ROUNDS):
        scores = np.tensordot(weights, axes, 1)
        lines = [np.eye(len(weights))[k] for k in range(len(weights))]
        lines += list(rng.normal(size=(random_lines, len(weights))))
        best, following = value, weights
        for k, line in enumerate(lines):
            slopes = axes[k] if k < len(weights) else np.tensordot(line, axes, 1)
            reached, x = best_on_line(instances, scores, slopes)
            if reached > best:
                best, following = reached, weights + x * line
        after_round(best)
        if best - value <= least:
            break
        # what the sweep found holds at the exact point; nearly equal scores may fall otherwise after rounding
        value, weights = best, following
    return value, weights


def tune(instances: Instances, start: Floats, options: Options, rng: np.random.Generator, report: Report) -> Tuned:
    """The best weights of all starts: `start`, and random ones, uniform in [-1, 1]; a step is a round of any start."""
    best, most, course = start, -np.inf, list[Step]()

    def after_round(value: float) -> None:
        course.append(Step(len(course) + 1, np.nan, max(most, value)))
        report(course[-1])

    settings = whole(options, "random_lines"), number(options, "least_gain"), rng
    for k in range(1 + whole(options, "restarts")):
        begin = start if k == 0 else rng.uniform(-1, 1, len(start))
        value, weights = ascend(instances, begin, *settings, after_round)
        if value > most:
            best, most = weights, value
    return Tuned(best, tuple(course))


EXAMPLE = Learned(
    (
        (((3.0, 0.0), 0.2), ((0.0, 2.0), 0.9), ((1.0, 1.0), 0.4)),
        (((2.0, 0.0), 0.7), ((0.0, 1.0), 0.3)),
        (((0.0, 3.0), 0.1), ((5.0, 0.0), 0.8)),
    ),
    "(0.9 + 0.7 + 0.8) / 3",
    "by hand: the second, first and second hypotheses win for weights (x, y) with 1.5 x < y < 5 x / 3 and y < 2 x",
)

METHOD = Method(
    name="mert",
    title="MERT",
    tune=tune,
    options=(
        Option("restarts", 20, low=0, high=1000, help="Random starts, beside the given one."),
        Option("random_lines", 5, low=0, high=1000, help="Random lines searched in every round, beside the axes."),
        Option("least_gain", 1e-5, low=0, help="The metric (BLEU: 0 to 100) that a round must gain to go on."),
    ),
    help="Maximises the metric itself by line searches; for at most about 30 features.",
    source="Och 2003; Koehn 2009",
    most=30,
    proof=Proof((EXAMPLE,)),
)
