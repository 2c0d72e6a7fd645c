"""A matrix of scores from what is loaded: a test set of scores, or a metric taken document by document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sigcore import metrics, readers
from sigcore.errors import OptionError, Undefined
from sigcore.studies.statistics import Asked, Cache, Measured, Progress, measure
from sigcore.testset import Outputs, ScoreMatrix, Testset

Floats = NDArray[np.float64]

ROWS = ("segments", "documents")


def build(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    rows: str = "segments",
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> ScoreMatrix:
    """The matrix of a test set: its scores as they are, or the first asked metric (name, options) of everything else.

    Raises: what `measure` and `from_metric` raise.
    """
    if testset.kind == "scores":
        metric = metrics.get(asked[0][0])
        options = metric.chosen(asked[0][1])
        return from_scores(testset, outputs, metric.better_of(options), metric.title_of(options))
    return from_metric(testset, measure(testset, outputs, asked[:1], cache, progress)[0], rows)


def from_scores(
    testset: Testset, outputs: Sequence[Outputs], better: str = "higher", title: str = "score"
) -> ScoreMatrix:
    """The matrix of a test set of kind "scores", one column per system; a segment that is no number is missing.

    The rows are named after the documents where each has one row; otherwise the documents are the sets.
    """
    columns = [[_number(cell) for cell in item.segments] for item in outputs]
    values = np.array(columns, dtype=np.float64).reshape(len(outputs), testset.n).T
    return _matrix(testset, tuple(item.system for item in outputs), values, better, title)


def from_metric(testset: Testset, measured: Measured, rows: str = "segments") -> ScoreMatrix:
    """The matrix of a metric, scored for each segment on its own, or for each document from the sum of its segments.

    A score that is not defined there (a segment without words) is missing.
    Raises: OptionError for other rows; Undefined for documents where the test set names none.
    """
    if rows not in ROWS:
        raise OptionError(f"rows = {rows!r}.", "", f"Choose from: {', '.join(ROWS)}.")
    if rows == "documents" and not testset.documents:
        raise Undefined("The test set names no documents.", testset.name, "Take the segments as rows.")
    names = tuple(dict.fromkeys(testset.documents)) if rows == "documents" else ()
    scores = []
    for item in measured.systems:
        values = item.values if rows == "segments" else _sums(item.values, testset.documents, names)
        found = np.asarray(item.score(values), dtype=np.float64)
        scores.append(np.where(np.isfinite(found), found, np.nan))
    systems = tuple(item.system for item in measured.systems)
    matrix = np.column_stack(scores)
    better = measured.systems[0].better
    if rows == "documents":
        return ScoreMatrix(testset.name, names, systems, matrix, (), _sets_of(testset, names), better, measured.title)
    return _matrix(testset, systems, matrix, better, measured.title)


def humans_among(outputs: Sequence[Outputs]) -> tuple[str, ...]:
    """The systems that are people as far as names and groups tell: the group, or the start of the name, is human."""
    return tuple(o.system for o in outputs if "human" in (o.group.lower(), o.system.lower()[:5]))


def with_rows(matrix: ScoreMatrix, own_sets: bool) -> ScoreMatrix:
    """The matrix with its document sets, or with each row as a set of its own."""
    return replace(matrix, sets=(), digest="") if own_sets else matrix


def _number(cell: str) -> float:
    return float(cell) if readers.is_number(cell) else float("nan")


def _sums(values: Floats, documents: Sequence[str], names: Sequence[str]) -> Floats:
    """The statistics (n, K) summed over the segments of each document."""
    place = {name: k for k, name in enumerate(names)}
    sums = np.zeros((len(names), values.shape[1]))
    np.add.at(sums, [place[name] for name in documents], values)
    return sums


def _sets_of(testset: Testset, names: Sequence[str]) -> tuple[str, ...]:
    """The domain of every document as its set; none where a document has several, or the test set names none."""
    if not testset.domains:
        return ()
    domain: dict[str, str] = {}
    for document, name in zip(testset.documents, testset.domains, strict=True):
        if domain.setdefault(document, name) != name:
            return ()
    return tuple(domain[name] for name in names)


def _matrix(testset: Testset, systems: tuple[str, ...], values: Floats, better: str, title: str) -> ScoreMatrix:
    named = testset.documents
    own = bool(named) and len(set(named)) == testset.n and all(named)
    rows = named if own else tuple(str(k + 1) for k in range(testset.n))
    sets = testset.domains if own or not named else named
    return ScoreMatrix(testset.name, rows, systems, values, (), sets, better, title)
