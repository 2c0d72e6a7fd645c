"""The queries of the lessons; each runs as a job."""

from __future__ import annotations

from typing import Any

from sigboard.ui import cache, inputs, jobs, session
from sigboard.ui.queries import chosen, drawn_how, gold_of, job_key
from sigcore import Outputs, Testset
from sigcore.studies import learn

Pair = tuple[str, str]


def _pair(visit: session.Visit, pair: Pair) -> tuple[Testset, Outputs, Outputs]:
    """The test set and the outputs of the two systems."""
    loaded = inputs.sound(visit, 2)
    by_name = {outputs.system: outputs for outputs in loaded.outputs}
    return loaded.testset, by_name[pair[0]], by_name[pair[1]]


def _key(kind: str, testset: Testset, outputs: tuple[Outputs, ...], *parts: object) -> str:
    """The key of a lesson's numbers, of everything that changes them."""
    now = chosen()
    files = [(o.system, o.digest) for o in outputs]
    return job_key(f"learn {kind}", gold_of(testset), files, now.asked, now.unit, now.seed, *parts)


def usual_pair(visit: session.Visit) -> Pair:
    """The pair that is shown until another is chosen."""
    loaded, now, statistics = inputs.sound(visit, 2), chosen(), cache.statistics()

    def work(job: jobs.Job) -> Pair:
        return learn.usual_pair(loaded.testset, loaded.outputs, now.asked, now.unit, statistics, job.report)

    pair: Pair = jobs.result(_key("pair", loaded.testset, tuple(loaded.outputs)), work)
    return pair


def steps(visit: session.Visit, pair: Pair) -> learn.Steps:
    """The pair under the tests of the lessons, and single resamples."""
    testset, *both = _pair(visit, pair)
    now, statistics = chosen(), cache.statistics()

    def work(job: jobs.Job) -> learn.Steps:
        return learn.steps(testset, *both, now.asked, **drawn_how(now, statistics, job))

    numbers: learn.Steps = jobs.result(_key("steps", testset, tuple(both)), work)
    return numbers


QUERIES: dict[str, Any] = {"shuffle": steps}
