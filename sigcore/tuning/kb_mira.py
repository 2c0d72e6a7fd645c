"""k-best batch MIRA: the hypothesis to hope for is to win over the one to fear, by the difference of their quality."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sigcore.kbest.instances import Instances
from sigcore.kbest.sparse import Features, Sparse
from sigcore.proof import Proof
from sigcore.registry import number_of
from sigcore.tuning.contract import Method, Options, Step, StepReport, Tuned, options_of, whole
from sigcore.types import Floats

POINTS = 100.0  # the cost of a difference in quality, where a metric has no background


class Background:
    """A running sum of the statistics of hypotheses that were hoped for, to which those of a hypothesis are added before
    it is scored; for metrics without one the quality itself counts."""

    def __init__(self, instances: Instances, decay: float) -> None:
        self.instances, self.decay = instances, decay
        self.sums = np.ones(instances.statistics.shape[1])

    def qualities(self, start: int, stop: int) -> Floats:
        """The quality of every hypothesis of one list."""
        if self.instances.cost is None:
            return POINTS * self.instances.quality[start:stop]
        return self.instances.cost(self.instances.statistics[start:stop] + self.sums)

    def add(self, hypothesis: int) -> None:
        """Add the statistics of one hypothesis."""
        self.sums = self.decay * self.sums + self.instances.statistics[hypothesis]


def epochs(instances: Instances, start: Floats, options: Options, rng: np.random.Generator) -> Iterator[Floats]:
    """The average of the weights after each epoch."""
    weights, total, updates = start.astype(np.float64), np.zeros(len(start)), 0
    background = Background(instances, number_of(options, "decay"))
    bounds = list(zip(instances.offsets[:-1].tolist(), instances.offsets[1:].tolist(), strict=True))
    for _ in range(whole(options, "epochs")):
        order = rng.permutation(len(bounds)).tolist() if options["shuffle"] else range(len(bounds))
        for i in order:
            begin, end = bounds[i]
            features = instances.features[begin:end]
            scores, costs = features @ weights, background.qualities(begin, end)
            hope, fear = int((scores + costs).argmax()), int((scores - costs).argmax())
            if hope == fear or costs[hope] <= costs[fear]:
                continue
            apart = _row(features, hope) - _row(features, fear)
            loss = costs[hope] - costs[fear] - apart @ weights
            square = float(apart @ apart)
            if loss > 0 and square > 0:
                total, updates = total + weights, updates + 1
                weights = weights + min(number_of(options, "step"), loss / square) * apart
            background.add(begin + hope)
        # the weights of the start count as well, and lists without an update do not, as in Moses
        yield (total + weights) / (updates + 1)


def _row(features: Features, k: int) -> Floats:
    return features.row(k) if isinstance(features, Sparse) else features[k]


def tune(instances: Instances, start: Floats, options: Options, rng: np.random.Generator, report: StepReport) -> Tuned:
    """The averaged weights of the epoch with the best metric on the lists."""
    best, most, course = start, -np.inf, []
    for epoch, weights in enumerate(epochs(instances, start, options, rng), start=1):
        step = Step(epoch, np.nan, instances.value(instances.best(weights)))
        course.append(step)
        report(step)
        if step.value > most:
            best, most = weights, step.value
    return Tuned(best, tuple(course))


METHOD = Method(
    name="kb_mira",
    title="k-best batch MIRA",
    tune=tune,
    options=options_of("kb_mira"),
    help="Large-margin updates for the hypothesis with a high score and quality against one with a high score alone.",
    source="Cherry & Foster 2012",
    proof=Proof(oracle="of_methods:kb_mira"),
)
