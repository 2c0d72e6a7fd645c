"""A matrix of scores from the loaded data: a test set of scores, or a metric computed per unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sigcore import metrics, readers
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies.statistics import Asked, Cache, Measured, Progress, measure
from sigcore.studies.units import Groups, chosen, groups, in_units
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, Better, Floats, Unit


def build(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    unit: str | Unit = AUTO,
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> ScoreMatrix:
    """The matrix of a test set: its scores as they are, or the first requested metric (name, options) for any other kind.

    The rows are segments, documents or blocks. A unit's score is the metric of the sum over its segments; for scores
    it is their mean, without the missing ones.
    Raises: what `measure` and `units.groups` raise.
    """
    if testset.kind == "scores":
        metric = metrics.get(asked[0][0])
        options = metric.chosen(asked[0][1])
        return from_scores(testset, outputs, metric.better_of(options), metric.title_of(options), unit)
    return from_metric(testset, measure(testset, outputs, asked[:1], cache, progress)[0], unit)


def from_scores(
    testset: Testset,
    outputs: Sequence[Outputs],
    better: Better = "higher",
    title: str = "score",
    unit: str | Unit = AUTO,
) -> ScoreMatrix:
    """The matrix of a test set of kind "scores", one column per system; a segment that is not a number is missing."""
    columns = [[_number(cell) for cell in item.segments] for item in outputs]
    values = np.array(columns, dtype=np.float64).reshape(len(outputs), testset.n).T
    unit, _ = chosen(testset, unit)
    unit_of = groups(testset, unit)
    if unit_of is not None:
        values = _means(values, unit_of)
    return _matrix(testset, tuple(item.system for item in outputs), values, better, title, unit)


def from_metric(testset: Testset, measured: Measured, unit: str | Unit = AUTO) -> ScoreMatrix:
    """The matrix of a metric, scored on each unit alone; a score that is not defined there is missing."""
    unit, _ = chosen(testset, unit)
    in_rows = in_units(measured, groups(testset, unit))
    scores = [np.asarray(item.score(item.values), dtype=np.float64) for item in in_rows.systems]
    values = np.column_stack([np.where(np.isfinite(column), column, np.nan) for column in scores])
    systems = tuple(item.system for item in measured.systems)
    return _matrix(testset, systems, values, measured.systems[0].better, measured.title, unit)


def humans_among(outputs: Sequence[Outputs]) -> tuple[str, ...]:
    """The systems that are people, judging by names and groups: the group, or the start of the name, is human."""
    return tuple(o.system for o in outputs if "human" in (o.group.lower(), o.system.lower()[:5]))


def with_rows(matrix: ScoreMatrix, own_sets: bool) -> ScoreMatrix:
    """The matrix with its document sets, or with each row as its own set."""
    return replace(matrix, sets=(), digest="") if own_sets else matrix


def _number(cell: str) -> float:
    return float(cell) if readers.is_number(cell) else float("nan")


def _means(values: Floats, unit_of: Groups) -> Floats:
    """The mean of the scores of every unit, (units, S), over those that are not missing."""
    present = ~np.isnan(values)
    sums, counts = (np.zeros((int(unit_of.max(initial=-1)) + 1, values.shape[1])) for _ in range(2))
    np.add.at(sums, unit_of, np.where(present, values, 0.0))
    np.add.at(counts, unit_of, present)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _matrix(
    testset: Testset, systems: tuple[str, ...], values: Floats, better: Better, title: str, unit: Unit
) -> ScoreMatrix:
    """The matrix with its rows named.

    Segments are named after their documents if each has its own, and otherwise belong to the set of their document;
    documents belong to the set of their domain.
    """
    named, sets, row = testset.documents, tuple[str, ...](), unit.kind
    if unit.kind == "document":
        rows = tuple(dict.fromkeys(named))
        sets = _domains_of(testset, rows)
    elif unit.kind == "segment":
        are_named = bool(named) and len(set(named)) == testset.n and all(named)
        row = "document" if are_named else "segment"
        rows = named if are_named else tuple(str(k + 1) for k in range(testset.n))
        sets = testset.domains if are_named or not named else named
    else:
        starts = range(0, testset.n, unit.length)
        rows = tuple(f"{start + 1}-{min(start + unit.length, testset.n)}" for start in starts)
    return ScoreMatrix(testset.name, rows, systems, values, (), sets, better, title, row=row)


def _domains_of(testset: Testset, documents: Sequence[str]) -> tuple[str, ...]:
    """The domain of every document; none if a document has several, or the test set has none."""
    if not testset.domains:
        return ()
    domain: dict[str, str] = {}
    for document, name in zip(testset.documents, testset.domains, strict=True):
        if domain.setdefault(document, name) != name:
            return ()
    return tuple(domain[name] for name in documents)
