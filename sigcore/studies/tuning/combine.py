"""Combination: the outputs of the loaded systems as confusion networks, whose decoder gives new lists for new weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sigcore import executors
from sigcore.errors import MismatchError, OptionError, Undefined
from sigcore.kbest import beam
from sigcore.kbest.language_model import BigramModel
from sigcore.kbest.lists import KBest
from sigcore.kbest.network import Network, network
from sigcore.studies.tuning.compute import Report, Side, tasks
from sigcore.studies.tuning.finish import result
from sigcore.studies.tuning.loop import Advance, idle
from sigcore.studies.tuning.parts import part_of, split
from sigcore.studies.tuning.result import Plan, TuningResult
from sigcore.studies.tuning.statistics import Progress, Rows, Target
from sigcore.sufficient import oriented
from sigcore.testset import Outputs, Testset, check_agreement
from sigcore.types import Floats, Ints

FEWEST_WORDS = 2.0  # words per segment below which outputs have no words that could be combined


@dataclass(frozen=True, eq=False)
class Combination:
    """The networks of one part, and the names of the systems."""

    networks: tuple[Network, ...]
    systems: tuple[str, ...]
    size: int
    name: str
    fixed: bool = False

    def decode(self, weights: Floats, step: Advance = idle) -> KBest:
        """The lists of up to `size` paths under the weights."""
        return beam.decode(self.networks, self.systems, weights, self.size, self.name, step)

    def sized(self, size: int) -> Combination:
        """The same networks, searched for up to `size` paths."""
        return replace(self, size=size)


def run(
    outputs: Sequence[Outputs],
    testset: Testset,
    target: Target,
    plan: Plan,
    *,
    model: BigramModel | None = None,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> TuningResult:
    """Methods by replicates on combinations of the systems; the baseline is the system with the best metric on the
    development segments, whose outputs are also the skeletons. A language `model` adds a feature.

    Raises: Undefined for fewer than two systems or outputs without words; OptionError for a target or a method that
    needs fixed lists; MismatchError for outputs of different lengths.
    """
    _check(outputs, testset, target, plan)
    dev, test = split(testset, plan.split)
    rows = Rows(part_of(testset, dev, "dev"), target)
    scores = [target.score(rows.extracted(_at(item, dev)).sum(axis=0)) for item in outputs]
    best = int(np.argmax(oriented(np.array(scores), target.metric.better_of(target.options))))
    start = beam.hand_weights(len(outputs), model is not None)
    sides = [_side(outputs, best, dev, rows, plan, start, model, progress)]
    if len(test):
        sides.append(
            _side(outputs, best, test, Rows(part_of(testset, test, "test"), target), plan, start, model, progress)
        )
    name = outputs[best].system
    hand = sides[-1]
    notes = [
        f"The baseline is {name}, the best single system on the development segments; the others are aligned to it.",
        f"Tuning begins with weights set by hand, which give {_score(hand, start):.2f} {target.title} on "
        f"{'the held-out' if len(test) else 'these'} segments.",
    ]
    own = tuple(Outputs(item.system, _at(item, test)) for item in outputs) if len(test) else ()
    done = result(sides, plan, start, name, notes=notes, executor=executor, progress=progress, report=report)
    return replace(done, systems=own)


def _check(outputs: Sequence[Outputs], testset: Testset, target: Target, plan: Plan) -> None:
    faults = check_agreement(testset, outputs)
    if faults:
        raise faults[0] if len(faults) == 1 else MismatchError(" ".join(map(str, faults)))
    if len(outputs) < 2:
        raise Undefined("Combination needs at least two systems.", testset.name, "Load more outputs.")
    words = np.mean([len(text.split()) for item in outputs for text in item.segments])
    if words < FEWEST_WORDS:
        raise Undefined("The outputs have no words separated by spaces.", testset.name, "Segment them into words.")
    if target.column:
        raise OptionError(f"Combination has no column {target.column}.", "", "Choose a metric, or give k-best lists.")
    for task in tasks(plan):
        if task.method.column is not None:
            fix = "Leave it out, or give k-best lists."
            raise OptionError(f"{task.method.title} chooses from fixed lists.", "", fix)


def _at(item: Outputs, segments: Ints) -> tuple[str, ...]:
    return tuple(item.segments[i] for i in segments.tolist())


def _side(
    outputs: Sequence[Outputs],
    best: int,
    segments: Ints,
    rows: Rows,
    plan: Plan,
    start: Floats,
    model: BigramModel | None,
    progress: Progress | None,
) -> Side:
    show = progress or (lambda stage, done, total: None)
    words = [[text.split() for text in _at(item, segments)] for item in outputs]
    networks = []
    for i in range(len(segments)):
        show("aligning", i, len(segments))
        networks.append(network([own[i] for own in words], best, model))
    systems = tuple(item.system for item in outputs)
    decoder = Combination(tuple(networks), systems, plan.size, rows.testset.name)
    first = decoder.decode(start, lambda done, total: show("decoding", done, total))
    own = _at(outputs[best], segments)
    return Side(decoder, rows, first, own, rows.extracted(own))


def _score(side: Side, weights: Floats) -> float:
    """The metric of the best paths of the first lists."""
    instances = side.rows.instances(side.first, side.first.features)
    return side.rows.target.score(instances.statistics[instances.best(weights)].sum(axis=0))
