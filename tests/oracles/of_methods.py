"""What methods of tuning compute, by definition: the loss of one list in the order of quality, or the weights found.

A method's proof names its function here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any

from tests.oracles import listwise

Options = Mapping[str, Any]
Column = Sequence[float]


def listnet(scores: Column, quality: Column, options: Options) -> float:
    """The cross entropy of the probabilities to be first."""
    return listwise.listnet(scores, [options["kappa"] * value for value in quality])


def listmle(scores: Column, quality: Column, options: Options) -> float:
    """Every place costs the same."""
    return listwise.weighted(scores, range(len(scores)), [1.0] * len(scores))


def top_n(scores: Column, quality: Column, options: Options) -> float:
    """Only the first n places cost anything."""
    return listwise.weighted(scores, range(len(scores)), [float(j < options["n"]) for j in range(len(scores))])


def te_listmle(scores: Column, quality: Column, options: Options) -> float:
    """Costs fall with the place."""
    return listwise.weighted(scores, range(len(scores)), listwise.costs(len(scores)))


def listnet_te(scores: Column, quality: Column, options: Options) -> float:
    """The expectation over all orders."""
    target = [options["kappa"] * value for value in quality]
    return listwise.listnet_te(scores, target, listwise.costs(len(scores)))


def kb_mira(instances: Any, start: Column, options: Options) -> list[float]:
    """The averaged weights of the best epoch, one hypothesis at a time, the lists in their order."""
    found = mira_epochs(instances, start, options)
    return max(found, key=lambda weights: instances.value(instances.best(weights)))


def mira_epochs(instances: Any, start: Column, options: Options) -> list[list[float]]:
    """The average weights after each epoch."""
    weights, background, seen, out = list(start), [1.0] * instances.statistics.shape[1], list[Column](), []
    for _ in range(options["epochs"]):
        for begin, end in zip(instances.offsets[:-1], instances.offsets[1:], strict=True):
            rows = range(begin, end)
            cost = {i: float(instances.cost(instances.statistics[i] + background)) for i in rows}
            score = {i: sum(w * x for w, x in zip(weights, instances.features[i], strict=True)) for i in rows}
            hope, fear = max(rows, key=lambda i: score[i] + cost[i]), max(rows, key=lambda i: score[i] - cost[i])
            if hope != fear and cost[hope] > cost[fear]:
                apart = [a - b for a, b in zip(instances.features[hope], instances.features[fear], strict=True)]
                loss = cost[hope] - cost[fear] - (score[hope] - score[fear])
                if loss > 0:
                    seen.append(list(weights))
                    size = min(options["step"], loss / sum(x * x for x in apart))
                    weights = [w + size * x for w, x in zip(weights, apart, strict=True)]
                kept = options["decay"]
                background = [kept * b + s for b, s in zip(background, instances.statistics[hope], strict=True)]
        every = [*seen, weights]
        out.append([sum(column) / len(every) for column in zip(*every, strict=True)])
    return out


def pro(instances: Any, start: Column, options: Options) -> list[float]:
    """The classifier's weights for lists of two hypotheses, where every kept pair of a list has the same difference."""
    return newton(_differences(instances), options["kept"], options["penalty"])


def _differences(instances: Any) -> list[list[float]]:
    """The features of the better of two hypotheses minus those of the worse one, list by list."""
    out = []
    for begin in instances.offsets[:-1]:
        better, worse = sorted((begin, begin + 1), key=lambda i: -instances.quality[i])
        out.append([a - b for a, b in zip(instances.features[better], instances.features[worse], strict=True)])
    return out


def newton(differences: Sequence[Column], times: int, penalty: float) -> list[float]:
    """The minimum of a penalised logistic loss, in which each difference and its reverse count so many times: Newton's
    method in plain numbers, one coordinate after the other until nothing moves."""
    weights = [0.0] * len(differences[0])
    moved = 1.0
    while moved > 1e-7:
        moved = 0.0
        for k in range(len(weights)):
            slope, bend = penalty * weights[k], penalty
            for row in differences:
                wrong = 1 / (1 + exp(sum(w * x for w, x in zip(weights, row, strict=True))))
                slope -= 2 * times * wrong * row[k]
                bend += 2 * times * wrong * (1 - wrong) * row[k] ** 2
            weights[k] -= slope / bend
            moved = max(moved, abs(slope / bend))
    return weights
