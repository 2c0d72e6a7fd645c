"""What the report page asks beyond the grid."""

from __future__ import annotations

from collections.abc import Mapping

from sigboard.ui import cache, inputs, jobs, session
from sigboard.ui.queries import chosen, drawn_how, gold_of, job_key
from sigcore import TestResult
from sigcore.studies import report


def pictures(visit: session.Visit, resamples: int) -> Mapping[report.Of, TestResult] | None:
    """The histograms of all pairs under the chosen metric and test; None while they are drawn. Only one job of a visit
    runs at a time, so call it when the grid is final."""
    loaded, now = inputs.sound(visit, 2), chosen()
    files = [(o.system, o.digest) for o in loaded.outputs]
    key = job_key(
        "pictures", gold_of(loaded.testset), files, now.asked, now.test, now.unit, now.seed, now.settings, resamples
    )
    statistics = cache.statistics()

    def work(job: jobs.Job) -> Mapping[report.Of, TestResult]:
        how = drawn_how(now, statistics, job)
        shown = how.pop("progress")
        return report.pictures(
            loaded.testset, loaded.outputs, now.asked, (now.test,), now.settings, resamples, shown, **how
        )

    drawn: Mapping[report.Of, TestResult] | None = jobs.result(key, work, ends=False)
    return drawn
