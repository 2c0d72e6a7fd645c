"""Proofs of metrics: worked examples and oracles against statistics, their sum and its score; and broken metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from sigcore.metrics import Metric, extractor
from sigcore.proof import Scored
from sigcore.testset import Outputs, Testset
from sigcore.types import Floats
from tests import proofs
from tests.made import sample_of
from tests.proofs import Break, meets, near, number, oracle

Rows = Callable[..., Floats]
KINDS_WITHOUT_REFERENCES = ("scores", "statistics")
# Labels, since half of all segments of a text with slips are no label that a reference has.
LABELS = ("yes", "no", "no", "maybe", "yes", "no", "no", "yes", "maybe", "no", "yes", "no")
GIVEN = ("yes", "no", "yes", "no", "yes", "maybe", "no", "yes", "maybe", "no", "no", "no")


@cache
def samples(kind: str) -> list[tuple[Testset, Outputs]]:
    """Small test sets on which breaks show, each with one system."""
    testset, outputs = sample_of(kind)
    found = [(testset, item) for item in outputs[:2]]
    if kind == "text":
        found.append((Testset("labels", "text", len(LABELS), (LABELS,)), Outputs("A", GIVEN)))
        two = (testset.references[0], outputs[2].segments)
        found.append((Testset("two references", "text", testset.n, two), outputs[1]))
    return found


def scored(metric: Metric, testset: Testset, outputs: Outputs, **options: Any) -> float:
    """The score by the public path."""
    return extractor(metric, testset, metric.chosen(options))(outputs).corpus_score


def of_example(metric: Metric, example: Scored) -> float:
    """The metric's score of a worked example."""
    outputs, *references = zip(*example.segments, strict=True)
    testset = Testset("example", metric.kind, len(outputs), tuple(map(tuple, references)))
    return scored(metric, testset, Outputs("A", tuple(outputs)), **example.options)


@cache
def expected(name: str, kind: str) -> list[float]:
    """What an oracle gives for the samples."""
    return [float(oracle(name)(item.segments, testset.references)) for testset, item in samples(kind)]


def faults(metric: Metric) -> Iterator[str]:
    """One sentence for each number that is not that of the proof."""
    for example in metric.proof.examples:
        assert isinstance(example, Scored), f"A metric's examples are Scored(...): {example}"
        found = of_example(metric, example)
        if not meets(found, example.score):
            yield f"{metric.name} gives {found}, not {example.score} = {number(example.score)}: {example.origin}"
    if metric.proof.oracle:
        values = expected(metric.proof.oracle, metric.kind)
        for (testset, item), value in zip(samples(metric.kind), values, strict=True):
            found = scored(metric, testset, item)
            if not near(found, value):
                yield f"{metric.name} gives {found}, its oracle {value}, for {item.system} on {testset.name}."


def same(metric: Metric, broken: Metric) -> bool:
    """Whether the break changes no score at all, so that nothing could notice it: a metric that counts the same from both
    sides, a column that no score uses, a test set of which every segment has the same size."""
    pairs = [pair for pair in samples(metric.kind) if len(pair[0].references) < 2]  # a break looks at the first alone
    cases = [lambda m, pair=pair: scored(m, *pair) for pair in pairs]
    cases += [lambda m, e=example: of_example(m, e) for example in metric.proof.examples if isinstance(example, Scored)]
    return all(near(case(metric), case(broken)) for case in cases)


def with_rows(metric: Metric, change: Callable[[Rows, tuple[str, ...], Any], Floats]) -> Metric:
    """The metric with rows that `change(rows, segments, references)` makes; `rows(segments, references)` are its own."""

    def statistics(segments: Any, prepared: Any, options: Any, done: Any) -> Floats:
        def rows(segments: Any, references: Any = prepared) -> Floats:
            return metric.statistics(tuple(segments), metric.prepare(references, options), options, None)

        return change(rows, tuple(segments), prepared)

    return replace(metric, prepare=lambda references, options: references, statistics=statistics)


def breaks(metric: Metric) -> list[Break]:
    """The usual ways to break a metric."""
    testset, item = samples(metric.kind)[0]
    columns = extractor(metric, testset, metric.chosen())(item).values.shape[1]
    found = [
        Break(
            "every output counts as the next one", with_rows(metric, lambda rows, own, gold: rows(own[1:] + own[:1]))
        ),
        Break("the last segment is left out", with_rows(metric, _without_last)),
        Break("the mean of the segments' scores", _mean_of_segments(metric)),
        Break("a share instead of percent", _rescored(metric, lambda score: score / 100)),
        Break("the share that is missing", _rescored(metric, lambda score: 100 - score)),
        Break("1 is added to every column", with_rows(metric, lambda rows, own, gold: rows(own) + 1)),
    ]
    found += [Break(f"1 is added to column {k}", with_rows(metric, _plus(k))) for k in range(columns)]
    found += [Break(f"column {k} is twice as large", with_rows(metric, _twice(k))) for k in range(columns)]
    if metric.kind not in KINDS_WITHOUT_REFERENCES:
        found += _of_sides(metric, columns)
    return found


def _of_sides(metric: Metric, columns: int) -> list[Break]:
    """Breaks in what is taken from the output and what from the reference."""
    found = [
        Break("the output counts as perfect", with_rows(metric, lambda rows, own, gold: rows(gold[0]))),
        Break("output and reference are swapped", with_rows(metric, lambda rows, own, gold: rows(gold[0], (own,)))),
    ]
    for (name, mix), k in product(MIXED.items(), range(columns)):
        found.append(Break(f"column {k} is that of {name}", with_rows(metric, _mixed(k, mix))))
    if columns <= 4:
        for k, j in product(range(columns), repeat=2):
            union = _mixed(k, lambda own, gold, rows, j=j: own + gold - rows[:, j])
            found.append(Break(f"column {k} is that of both sides without column {j}", with_rows(metric, union)))
    return found


# What a wrong denominator counts: a column of the output against itself, and of the reference against itself.
MIXED: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "the output alone": lambda own, gold, rows: own,
    "the reference alone": lambda own, gold, rows: gold,
    "the larger side": lambda own, gold, rows: np.maximum(own, gold),
    "the smaller side": lambda own, gold, rows: np.minimum(own, gold),
    "both sides together": lambda own, gold, rows: own + gold,
}


def _mixed(column: int, mix: Callable[[Floats, Floats, Floats], Floats]) -> Callable[..., Floats]:
    def change(rows: Rows, own: tuple[str, ...], gold: Any) -> Floats:
        out = np.array(rows(own))
        ours, theirs = rows(own, (own,)), rows(gold[0], (gold[0],))
        out[:, column] = mix(ours[:, column], theirs[:, column], np.array(out))
        return out

    return change


def _plus(column: int) -> Callable[..., Floats]:
    return lambda rows, own, gold: rows(own) + np.eye(rows(own).shape[1])[column]


def _twice(column: int) -> Callable[..., Floats]:
    return lambda rows, own, gold: rows(own) * (1 + np.eye(rows(own).shape[1])[column])


def _without_last(rows: Rows, own: tuple[str, ...], gold: Any) -> Floats:
    out = np.array(rows(own))
    out[-1] = 0
    return out


def _rescored(metric: Metric, change: Callable[[Floats], Floats]) -> Metric:
    return replace(metric, score=lambda sums, options: change(metric.score(sums, options)))


def _mean_of_segments(metric: Metric) -> Metric:
    def statistics(segments: Any, prepared: Any, options: Any, done: Any) -> Floats:
        scores = np.nan_to_num(metric.score(metric.statistics(segments, prepared, options, None), options))
        return np.column_stack([scores, np.ones(len(scores))])

    return replace(
        metric,
        statistics=statistics,
        columns=("score", "segments"),
        columns_from=None,
        score=lambda sums, options: sums[..., 0] / np.maximum(sums[..., 1], 1),
    )


def unnoticed(metric: Metric) -> list[str]:
    """The breaks that its proof does not notice."""
    return proofs.unnoticed(metric, breaks(metric), faults, same)
