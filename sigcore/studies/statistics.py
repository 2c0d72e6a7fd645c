"""The sufficient statistics of all systems under the chosen metrics, computed once per file and metric."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sigcore import metrics
from sigcore.errors import MismatchError, OptionError, SigError, Undefined
from sigcore.metrics import Metric
from sigcore.significance import LEAST_UNITS
from sigcore.study import LOCAL, Runtime
from sigcore.sufficient import SufficientStatistics, oriented, right_together
from sigcore.testset import Outputs, Testset, check_agreement
from sigcore.types import Bools, Cache, Ints, Progress, Value

Asked = Sequence[tuple[str, Mapping[str, object]]]

# Increase it when the extraction changes its numbers, so that old statistics are not used as new ones.
EXTRACTION = 1


@dataclass(frozen=True, eq=False)
class Measured:
    """One metric with its options, and the statistics of every system."""

    metric: Metric
    options: dict[str, Value]
    systems: tuple[SufficientStatistics, ...]

    @property
    def title(self) -> str:
        """The metric's name as the field writes it."""
        return self.metric.title_of(self.options)

    @property
    def decimals(self) -> int:
        """How many decimals its scores and gains are printed with."""
        return self.metric.decimals_of(self.options)

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The corpus score of every system, (S,)."""
        return np.array([item.corpus_score for item in self.systems])

    def remarks(self) -> list[str]:
        """The metric's remarks about the rows, such as segments that were left out."""
        if self.metric.remarks is None:
            return []
        rows = {" ".join(part for part in (s.system, s.run) if part): s.values for s in self.systems}
        return list(self.metric.remarks(rows, self.options))


def key(testset: Testset, outputs: Outputs, signature: str) -> str:
    """The key under which statistics are cached: the contents of both files, and how the rows are computed."""
    text = "\n".join((testset.digest, outputs.digest, signature, str(EXTRACTION)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def measure(testset: Testset, outputs: Sequence[Outputs], asked: Asked, runtime: Runtime = LOCAL) -> list[Measured]:
    """The statistics of all systems for each requested metric (name, options).

    Raises: Undefined without systems; MismatchError if lengths differ; OptionError for a metric requested twice; what
    the metric raises.
    """
    if not outputs:
        raise Undefined("There are no systems.", testset.name, "Add at least one system's output.")
    faults = check_agreement(testset, outputs)
    if faults:
        raise faults[0] if len(faults) == 1 else MismatchError(" ".join(map(str, faults)))
    names = [name for name, _ in asked]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise OptionError(
            f"{twice[0]} is requested twice.", testset.name, "Request each metric once; run other settings separately."
        )
    out = []
    for name, given in asked:
        metric = metrics.get(name)
        out.append(_measure(testset, outputs, metric, metric.chosen(given), runtime))
    return out


def _measure(
    testset: Testset, outputs: Sequence[Outputs], metric: Metric, options: dict[str, Value], runtime: Runtime
) -> Measured:
    extract, systems = None, []
    cache = {} if runtime.cache is None else runtime.cache
    signature = metric.signature(testset.references, options)
    total = testset.n * len(outputs)
    for s, item in enumerate(outputs):
        name = key(testset, item, signature)
        values = cache.get(name)
        if values is None:
            extract = extract or metrics.extractor(metric, testset, options, len(outputs) - s, runtime.report)
            values = extract(item, _reporter(metric.title_of(options), s * testset.n, total, runtime.report)).values
            cache[name] = values
        systems.append(metrics.from_values(metric, options, item, values, signature, testset.references))
    undefined = [item.system for item in systems if not np.isfinite(item.corpus_score)]
    if undefined:
        raise Undefined(f"{metric.title_of(options)} is not defined for {', '.join(undefined)}.", testset.name)
    return Measured(metric, options, tuple(systems))


def best_first(
    testset: Testset, outputs: Sequence[Outputs], name: str, given: Mapping[str, object], cache: Cache
) -> list[Outputs] | None:
    """The systems from best to worst score under a metric if all their statistics are in the cache; else None, since
    nothing is extracted for this."""
    metric = metrics.get(name)
    options = metric.chosen(given)
    signature = metric.signature(testset.references, options)
    scores = []
    for item in outputs:
        values = cache.get(key(testset, item, signature))
        if values is None:
            return None
        statistics = metrics.from_values(metric, options, item, values, signature, testset.references)
        scores.append(statistics.corpus_score)
    upward = oriented(np.array(scores), metric.better_of(options))
    return [outputs[i] for i in np.argsort(-upward, kind="stable")]


def _reporter(title: str, before: int, total: int, progress: Progress | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda done: progress(f"statistics for {title}", before + done, total)


def read_asked(pairs: Sequence[str], names: Sequence[str]) -> list[tuple[str, dict[str, object]]]:
    """Metric names with their options, given as `metric.name=value` texts.

    Raises: SigError for a text in another format, or for a metric that is not among the names.
    """
    asked: dict[str, dict[str, object]] = {name: {} for name in names}
    for pair in pairs:
        left, equals, value = pair.partition("=")
        name, dot, option = left.partition(".")
        if not (equals and dot and option):
            raise SigError(f"{pair!r} is not an option.", "", "Write metric.name=value, for example bleu.tokenize=zh.")
        if name not in asked:
            raise SigError(f"{pair!r} is for {name!r}, which is not requested.", "", f"Requested: {', '.join(asked)}.")
        asked[name][option] = value
    return list(asked.items())


def too_few(differing: Ints) -> Bools:
    """Where two systems differ, but on too few units for a bootstrap: units on which they do not differ add nothing."""
    return np.asarray((differing > 0) & (differing < LEAST_UNITS))


def differing(systems: Sequence[SufficientStatistics]) -> Ints:
    """On how many rows (segments, or other units) each two systems have different statistics, (S, S).

    Cost: O(S^2 n K).
    """
    first = _whole_numbers(systems[0]) if systems else np.zeros((0, 0), dtype=np.int64)
    varied = np.flatnonzero(
        sum(((_whole_numbers(item) != first).any(axis=1) for item in systems), np.zeros(len(first)))
    )
    if len(varied) == 1 and (right := _two_values(systems, int(varied[0]))) is not None:
        both, total = right_together(right)
        return np.asarray(total[:, None] + total - 2 * both, dtype=np.int64)
    rows = [_whole_numbers(item) for item in systems]
    out = np.zeros((len(rows), len(rows)), dtype=np.int64)
    for i, row in enumerate(rows[:-1]):
        out[i, i + 1 :] = out[i + 1 :, i] = [np.count_nonzero((row != one).any(axis=0)) for one in rows[i + 1 :]]
    return out


def _whole_numbers(item: SufficientStatistics) -> Ints:
    """The statistics (K, n) as whole numbers: undefined ones are equal, too. Adding 0 turns -0.0, which some score files hold,
    into 0.0."""
    return np.ascontiguousarray(item.values.T + 0.0).view(np.int64)


def _two_values(systems: Sequence[SufficientStatistics], column: int) -> Bools | None:
    """Where a column has the higher of its two values, (S, n), as right and wrong answers have them; None for other columns.
    One system at a time, since thousands take more memory than their answers."""
    ends = [(row.min(), row.max()) for row in (_whole_numbers(item)[column] for item in systems)]
    low, high = min(least for least, _ in ends), max(most for _, most in ends)
    out = np.empty((len(systems), systems[0].n), dtype=bool)
    for right, row in zip(out, (_whole_numbers(item)[column] for item in systems), strict=True):
        right[:] = row == high
        if not (right | (row == low)).all():
            return None
    return out
