"""Proofs of methods of tuning: worked examples and oracles, slopes by differences of the loss, and broken methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from sigcore import tuning
from sigcore.kbest.instances import Instances
from sigcore.kbest.lists import offsets_of
from sigcore.kbest.permutations import NOWHERE
from sigcore.proof import Learned, Lost, Named
from sigcore.tuning import Method, Tuned
from sigcore.tuning.contract import Batch
from sigcore.types import Floats
from tests import proofs
from tests.made_lists import made_instances
from tests.proofs import Break, meets, near, oracle

# Settings under which a method can be followed: few epochs, the lists in their order, a minimum that is reached, no draws.
SETTINGS = {"epochs": 3, "shuffle": False, "iterations": 500, "restarts": 2, "exact": 7}
KAPPA = 6.0
LENGTHS = (7, 4, 1)  # longer than the places that a loss may count
STEP = 1e-6
WEIGHTS = 1e-3  # how near two optimizers come to one minimum


def chosen(method: Method, **more: Any) -> dict[str, Any]:
    """The method's options, those of SETTINGS as they are there."""
    known = {option.name for option in method.options}
    return method.chosen({name: value for name, value in (SETTINGS | more).items() if name in known})


def loss_options(method: Method) -> dict[str, Any]:
    """A small kappa, so that no place has all the probability."""
    return chosen(method, kappa=KAPPA)


@cache
def lists() -> tuple[Floats, Batch]:
    """Scores (3, 7) and the batch of three lists of different lengths, in the order of quality."""
    rng = np.random.default_rng(1)
    scores, quality = rng.normal(size=(3, 7)), -np.sort(-rng.random((3, 7)), axis=1)
    outside = np.arange(7) >= np.array(LENGTHS)[:, None]
    scores[outside] = quality[outside] = NOWHERE
    return scores, Batch(quality, np.array(LENGTHS))


@cache
def hypotheses() -> Instances:
    """Lists of two hypotheses each, whose qualities are far enough from each other to learn from."""
    made = made_instances(n=40, k=2, features=3, seed=4)
    apart = [abs(np.subtract(*made.quality[made.offsets[i] :][:2])) for i in range(made.m)]
    return made.of([i for i in range(made.m) if made.lengths[i] == 2 and apart[i] > 0.1][:12])


def lost(method: Method, scores: Floats, batch: Batch, options: dict[str, Any]) -> tuple[Floats, Floats]:
    """The loss of each list and its slopes."""
    assert method.loss is not None
    return method.loss(scores, batch, options, np.random.default_rng(0))


def weights(method: Method, instances: Instances, options: dict[str, Any], start: Floats | None = None) -> Floats:
    """The weights that an optimizer finds."""
    start = np.full(instances.features.shape[1], 0.1) if start is None else start
    return tuning.tune(method, instances, start, options, np.random.default_rng(0)).weights


def faults(method: Method) -> Iterator[str]:
    """One sentence for each number that is not that of the proof."""
    for example in method.proof.examples:
        yield from _of_example(method, example)
    if not method.proof.oracle:
        return
    right = oracle(method.proof.oracle)
    if method.loss is not None:
        (scores, batch), options = lists(), loss_options(method)
        for k, length in enumerate(LENGTHS):
            found = float(lost(method, scores, batch, options)[0][k])
            expected = right(scores[k, :length].tolist(), batch.quality[k, :length].tolist(), options)
            if not near(found, expected):
                yield f"{method.name} loses {found} on a list of {length}, its oracle {expected}."
    if method.tune is not None:
        options = chosen(method)
        found, expected = (
            weights(method, hypotheses(), options),
            expected_weights(method.proof.oracle, (*options.items(),)),
        )
        if not np.allclose(found, expected, rtol=WEIGHTS, atol=WEIGHTS):
            yield f"{method.name} finds {found.tolist()}, its oracle {list(expected)}."


@cache
def expected_weights(name: str, options: tuple[tuple[str, Any], ...]) -> list[float]:
    """What an oracle finds on the lists of two hypotheses."""
    found: list[float] = oracle(name)(hypotheses(), [0.1] * 3, dict(options))
    return found


def _of_example(method: Method, example: Any) -> Iterator[str]:
    """One sentence if a worked example does not hold."""
    if isinstance(example, Named):
        assert method.column is not None
        found = method.column(method.chosen(example.options))
        if found != example.column:
            yield f"{method.name} chooses by {found!r}, not by {example.column!r}: {example.origin}"
        return
    value = example_value(method, example)
    figure = example.loss if isinstance(example, Lost) else example.quality
    if not meets(value, figure):
        yield f"{method.name} gives {value}, not {figure}: {example.origin}"


def example_value(method: Method, example: Lost | Learned) -> float:
    """The loss of the list, or the mean quality that the found weights choose."""
    if isinstance(example, Lost):
        batch = Batch(np.array([example.quality]), np.array([len(example.quality)]))
        return float(lost(method, np.array([example.scores]), batch, chosen(method, **example.options))[0][0])
    made = instances_of(example)
    found = weights(method, made, chosen(method, **example.options), opposed(made))
    return made.value(made.best(found))


def instances_of(example: Learned) -> Instances:
    """The lists of a worked example; the metric is the mean quality of what is chosen."""
    every = [hypothesis for one in example.lists for hypothesis in one]
    quality = np.array([value for _, value in every])
    counted = np.column_stack([quality, np.ones(len(every))])
    features = np.array([row for row, _ in every], dtype=float)
    return Instances(features, counted, quality, offsets_of([len(one) for one in example.lists]), _mean)


def _mean(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def opposed(instances: Instances) -> Floats:
    """Weights that prefer what correlates with low quality."""
    centred = instances.features - instances.features.mean(axis=0)
    return np.asarray(-0.01 * (instances.quality - instances.quality.mean()) @ centred)


def wrong_slopes(method: Method) -> Iterator[str]:
    """One sentence if the slopes of a loss are not the differences of the loss, whatever its author has written down."""
    if method.loss is None:
        return
    (scores, batch), options = lists(), loss_options(method)
    slopes = lost(method, scores, batch, options)[1]
    for k, length in enumerate(LENGTHS):
        for place in range(length):
            up, down = scores.copy(), scores.copy()
            up[k, place] += STEP
            down[k, place] -= STEP
            slow = (lost(method, up, batch, options)[0][k] - lost(method, down, batch, options)[0][k]) / (2 * STEP)
            if abs(slow - slopes[k, place]) > 1e-6:
                yield f"{method.name} has the slope {slopes[k, place]} at place {place}, its loss rises by {slow}."


def same(method: Method, broken: Method) -> bool:
    """Whether the break changes nothing, so that nothing could notice it."""
    if method.column is not None:
        assert broken.column is not None
        given = [example.options for example in method.proof.examples if isinstance(example, Named)]
        return all(method.column(method.chosen(o)) == broken.column(method.chosen(o)) for o in ({}, *given))
    if method.loss is not None:
        one, other = (lost(m, *lists(), loss_options(method))[0] for m in (method, broken))
        return bool(np.allclose(one, other, rtol=1e-9))
    one, other = (weights(m, hypotheses(), chosen(method)) for m in (method, broken))
    return bool(np.allclose(one, other, rtol=WEIGHTS, atol=WEIGHTS))


def breaks(method: Method) -> list[Break]:
    """The usual ways to break a method."""
    if method.column is not None:
        column = method.column
        found: dict[str, Any] = {"the first hypothesis": lambda options: "first", "no column": lambda options: ""}
        found["the column of other options"] = lambda options: column(method.chosen())
        return [Break(name, replace(method, column=change)) for name, change in found.items()]
    changes = OF_LOSS if method.loss is not None else OF_TUNED
    field = "loss" if method.loss is not None else "tune"
    own = method.loss or method.tune
    return [Break(name, replace(method, **{field: change(own)})) for name, change in changes.items()]


Change = Callable[[Any], Callable[..., Any]]


def _lost(change: Callable[[Floats, Floats, Batch], Any]) -> Change:
    """The loss of other scores or another batch."""
    return lambda loss: lambda scores, batch, options, rng: loss(*change(scores, batch.quality, batch), options, rng)


def _value(change: Callable[[Floats, Batch], Floats]) -> Change:
    """Another value of the loss."""

    def changed(loss: Any) -> Callable[..., Any]:
        def broken(scores: Floats, batch: Batch, options: Any, rng: Any) -> tuple[Floats, Floats]:
            values, slopes = loss(scores, batch, options, rng)
            return change(values, batch), slopes

        return broken

    return changed


OF_LOSS: dict[str, Change] = {
    "the loss is 0": _value(lambda values, batch: 0 * values),
    "the sign of the loss": _value(lambda values, batch: -values),
    "the mean over the list": _value(lambda values, batch: values / batch.lengths),
    "the mean over one more": _value(lambda values, batch: values * batch.lengths / (batch.lengths + 1)),
    "the loss in bits": _value(lambda values, batch: values / np.log(2)),
    "scores with the other sign": _lost(
        lambda scores, quality, batch: (np.where(scores > NOWHERE, -scores, NOWHERE), batch)
    ),
    "scores of half the size": _lost(
        lambda scores, quality, batch: (np.where(scores > NOWHERE, scores / 2, NOWHERE), batch)
    ),
    "the worst first": _lost(lambda scores, quality, batch: (_reversed(scores, batch), batch)),
    "the last hypothesis is left out": _lost(
        lambda scores, quality, batch: (scores, replace(batch, lengths=np.maximum(batch.lengths - 1, 1)))
    ),
}


def _reversed(scores: Floats, batch: Batch) -> Floats:
    """Every list in the opposite order."""
    out = scores.copy()
    for row, length in zip(out, batch.lengths, strict=True):
        row[:length] = row[:length][::-1].copy()
    return out


def _tuned(change: Callable[[Tuned, Floats], Floats]) -> Change:
    """Other weights than those that were found."""

    def changed(tune: Any) -> Callable[..., Any]:
        def broken(instances: Any, start: Floats, options: Any, rng: Any, report: Any) -> Tuned:
            return Tuned(change(tune(instances, start, options, rng, report), start))

        return broken

    return changed


def _turned(instances: Instances) -> Instances:
    """The instances with all that is good called bad."""
    objective = instances.objective
    return replace(instances, quality=-instances.quality, objective=lambda sums: -objective(sums), cost=None)


OF_TUNED: dict[str, Change] = {
    "the weights stay as they were": _tuned(lambda found, start: start),
    "the weights are 0": _tuned(lambda found, start: 0 * start),
    "the sign of the weights": _tuned(lambda found, start: -found.weights),
    "the weights in the opposite order": _tuned(lambda found, start: found.weights[::-1]),
    "low quality is good": lambda tune: lambda instances, *rest: tune(_turned(instances), *rest),
}


def unnoticed(method: Method) -> list[str]:
    """The breaks that its proof does not notice."""
    return proofs.unnoticed(method, breaks(method), faults, same)
