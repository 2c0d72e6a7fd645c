"""The queries of the lessons; each runs as a job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sigboard.ui import cache, inputs, jobs, memory, session, workers
from sigboard.ui.learn_game import Predictions
from sigboard.ui.queries import chosen, drawn_how, gold_of, job_key
from sigcore import Outputs, SufficientStatistics
from sigcore.studies import learn

Pair = tuple[str, str]


def _job(kind: str, visit: session.Visit, names: Sequence[str], work: Callable[..., Any], *parts: object) -> Any:
    """The result of `work(testset, outputs, job)` on the systems of these names (all of them for none)."""
    loaded, now = inputs.sound(visit, 2), chosen()
    by_name = {outputs.system: outputs for outputs in loaded.outputs}
    outputs = [by_name[name] for name in names] or list(loaded.outputs)
    files = [(o.system, o.digest) for o in outputs]
    key = job_key(f"learn {kind}", gold_of(loaded.testset), files, now.asked, now.unit, now.seed, *parts)
    return jobs.result(key, lambda job: work(loaded.testset, outputs, job))


def _data(visit: session.Visit, names: Sequence[str] = ()) -> learn.Data:
    """The statistics of these systems, or of all."""
    now, statistics = chosen(), cache.statistics()

    def work(testset: Any, outputs: Sequence[Outputs], job: jobs.Job) -> learn.Data:
        return learn.data(testset, outputs, now.asked, now.unit, statistics, job.report)

    of: learn.Data = _job("data", visit, names, work)
    return of


def both(visit: session.Visit, pair: Pair) -> tuple[SufficientStatistics, ...]:
    """The statistics of the two systems."""
    return _data(visit, pair).measured.systems


def usual_pair(visit: session.Visit) -> Pair:
    """The pair that is shown until another is chosen."""
    return memory.once(learn.usual_pair, _data(visit))


def steps(visit: session.Visit, pair: Pair) -> learn.Steps:
    """The pair under the tests of the lessons, and single resamples."""
    now, statistics = chosen(), cache.statistics()

    def work(testset: Any, outputs: Sequence[Outputs], job: jobs.Job) -> learn.Steps:
        system, baseline = outputs
        return learn.steps(testset, system, baseline, now.asked, **drawn_how(now, statistics, job))

    numbers: learn.Steps = _job("steps", visit, pair, work)
    return numbers


def tail(visit: session.Visit, pair: Pair, rule: learn.Rule, size: learn.Size) -> learn.Lab:
    """The pair and the errors in the long run under a rule, and under the sound rule."""
    systems, now = both(visit, pair), chosen()

    def drawn(how: learn.Draw) -> learn.Drawn:
        def work(testset: Any, outputs: Any, job: jobs.Job) -> learn.Drawn:
            return learn.draw(systems, how, size, now.seed, job.report)

        result: learn.Drawn = _job("tail", visit, pair, work, how, size)
        return result

    usual = drawn(learn.Draw(rule.draw.kind))
    return memory.once(learn.lab, rule, drawn(rule.draw), usual, now.alpha)


def null(visit: session.Visit, pair: Pair, is_null: bool) -> learn.Factory:
    """The p of many data sets drawn from the pair."""
    systems, now = both(visit, pair), chosen()

    def work(testset: Any, outputs: Any, job: jobs.Job) -> learn.Factory:
        return learn.factory(systems, now.seed, is_null, job.report)

    numbers: learn.Factory = _job("null", visit, pair, work, is_null)
    return numbers


def mean(visit: session.Visit, pair: Pair) -> learn.Mean:
    """The pair under the metric and under the mean of single scores."""
    of, now = _data(visit, pair), chosen()

    def work(testset: Any, outputs: Any, job: jobs.Job) -> learn.Mean:
        return learn.mean(of, now.seed, job.report)

    numbers: learn.Mean = _job("mean", visit, pair, work)
    return numbers


def many(visit: session.Visit, pair: Pair) -> learn.Many:
    """Worlds of artificial systems without a difference, made of all systems."""
    of, now = _data(visit), chosen()

    def work(testset: Any, outputs: Any, job: jobs.Job) -> learn.Many:
        executor, report = workers.executor(), job.report
        return learn.many(of, now.seed, executor=executor, progress=report, partial_result=job.publish)

    numbers: learn.Many = _job("many", visit, (), work)
    return numbers


def _rounds(visit: session.Visit) -> tuple[learn.Round, ...]:
    of, now = _data(visit), chosen()

    def work(testset: Any, outputs: Any, job: jobs.Job) -> tuple[learn.Round, ...]:
        return learn.rounds(of, now.seed, job.report)

    drawn: tuple[learn.Round, ...] = _job("rounds", visit, (), work)
    return drawn


def predictions(visit: session.Visit) -> Predictions:
    """The predictions of this visit on what is loaded, under this metric, unit and seed."""
    loaded, now = inputs.sound(visit, 2), chosen()
    files = [(o.system, o.digest) for o in loaded.outputs]
    return Predictions(job_key("game", gold_of(loaded.testset), files, now.asked, now.unit, now.seed), learn.ROUNDS)


def predict(visit: session.Visit, pair: Pair) -> learn.Game:
    """The game: rounds of all systems, and the predictions so far."""
    said = predictions(visit)
    return memory.once(learn.game, _data(visit), _rounds(visit), said.answers, said.at, chosen().alpha)


QUERIES: dict[str, Callable[..., Any]] = {
    "shuffle": steps,
    "bootstrap": steps,
    "three": steps,
    "tail": tail,
    "null": null,
    "mean": mean,
    "many": many,
    "predict": predict,
}
