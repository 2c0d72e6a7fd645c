"""The nulls of all pairs as histograms, for a report: the first resamples of the draws of the grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sigcore.results import TestResult
from sigcore.studies import compare
from sigcore.studies.matrix import Settings
from sigcore.studies.statistics import Asked, Progress
from sigcore.testset import Outputs, Testset

DRAWN = 10_000  # the most resamples of a histogram: more do not change its shape
MOST_PAIRS = 120  # of more pairs none has a histogram: 16 systems


@dataclass(frozen=True)
class Of:
    """What a histogram belongs to: a pair under a metric and a test."""

    metric: str
    test: str
    system: str
    baseline: str


def pictures(
    testset: Testset,
    outputs: Sequence[Outputs],
    asked: Asked,
    tests: Sequence[str],
    settings: Settings,
    resamples: int,
    progress: Progress | None = None,
    **how: Any,
) -> Mapping[Of, TestResult]:
    """Every pair under every metric and test, with its histogram, in the order of the outputs; none of more than
    MOST_PAIRS pairs.

    `how` is as of `compare.run`. At most DRAWN resamples are drawn, so p is not always that of the grid.
    Raises: what `compare.run` raises; Cancelled from `progress`.
    """
    pairs = list(combinations(outputs, 2))
    out: dict[Of, TestResult] = {}
    for done, (system, baseline) in enumerate(pairs if len(pairs) <= MOST_PAIRS else []):
        if progress is not None:
            progress("Histograms of pairs", done, len(pairs))
        drawn = min(max(resamples, 1), DRAWN)
        run = compare.run(testset, system, baseline, asked, tests, resamples=drawn, **how)
        for metric, _ in asked:
            result = compare.read(run, metric, settings, [settings.side])
            out |= {Of(metric, one.setup.test, one.system, one.baseline): one for one in result.results}
    return out
