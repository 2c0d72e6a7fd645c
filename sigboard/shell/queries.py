"""The queries of the pages; each runs as a job whose key contains only what changes its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import streamlit as st

from sigboard.server import cache, jobs, limits, processes
from sigboard.shell import inputs, session
from sigboard.shell.settings import ALPHAS, Chosen
from sigcore import (
    CompareResult,
    Judgments,
    MatrixResult,
    Missing,
    Outputs,
    Runtime,
    Settings,
    Study,
    TestResult,
    corrections,
    data,
    digest_of,
    formatting,
    readers,
    significance,
)
from sigcore import best_first as ranked
from sigcore.studies import compare, enough, human, matrix, runs, scores, statistics, strip
from sigcore.types import ALL_PAIRS, AUTO, SIDES, Comparisons

Run = TypeVar("Run")
Drawn = TypeVar("Drawn", bound=enough.Counted)
Result = TypeVar("Result")
Draw = Callable[[int, Drawn | None], Drawn]

# A large grid is drawn for the asked side alone, as three sides count five times as many gains. It
# has a first look: so many gains are scored for it, some seconds of work, at least LOOK resamples, and only where
# LEAST_LATER times as many follow. Nothing is shown between, as the browser takes longer to draw it than a step of it.
LOOKED_AT, LOOK, LEAST_LATER = 100_000_000, 200, 4

# Finished grids that are stored with a sample or in a project: nobody waits for drawing.


def sample_runs(visit: session.Visit, asked: Study) -> Mapping[int, matrix.MatrixRun]:
    """The stored runs by their number of resamples, if a sample or a project is loaded and they answer the question of
    the sidebar."""
    collection, plain = visit.collection, not chosen().options
    of_sample = cache.once(readers.finished_grid, collection.name) if collection.sample and plain else None
    family = replace(asked.family, late=False)
    bare = replace(asked, settings=Settings(), family=family, alpha=0.05, resamples=1, unit=asked.drawn[0])
    out = dict[int, matrix.MatrixRun]()
    for content in (visit.finished, of_sample):
        if content:
            out |= cache.once(matrix.load, content, bare)
    return out


def chosen() -> Chosen:
    """The settings of the sidebar on this run.

    Raises: SigError for more resamples than this server allows.
    """
    settings: Chosen = st.session_state[session.CHOSEN]
    if settings.resamples != AUTO:
        limits.RESAMPLES.check(float(settings.resamples))
    return settings


def study(visit: session.Visit, missing: Missing | None = None) -> Study:
    """What the sidebar asks about all systems that are loaded."""
    loaded = inputs.sound(visit, 2, missing)
    return chosen().study(loaded.testset, loaded.outputs)


def alone(visit: session.Visit) -> Study:
    """The same for a page without a family: documents are the unit from as many on as a single test needs."""
    return replace(study(visit, inputs.KEEP), among=1)


def family_of(system: str, baseline: str) -> Comparisons:
    """The family of the grid that the pair is one of: the sidebar's, or all pairs where that does not have it."""
    asked = chosen().family
    return asked if asked.has(system, baseline) else ALL_PAIRS


def of_pair(visit: session.Visit, system: str, baseline: str, planned: bool = False) -> Study:
    """What the sidebar asks about one pair, over the unit of its family; of a planned pair that is the pair alone."""
    asked = replace(study(visit), family=family_of(system, baseline), among=1 if planned else 0)
    of = {outputs.system: outputs for outputs in asked.outputs}
    return asked.of_pair(of[system], of[baseline])


@dataclass(frozen=True)
class Draws:
    """What is drawn where the sidebar's test and settings do not count: how many resamples, and with which seed."""

    resamples: int
    seed: int


def key_of(kind: str, *records: object) -> str:
    """The key of a job of that kind, which depends on everything in these records."""
    return f"{kind}:{digest_of(*records)}"


def drawing_key(kind: str, asked: Study, *plan: object) -> str:
    """The key of a job that draws: its kind and its question, and then how many resamples. While more are drawn for a
    question, the page asks for fewer again, which must not end that job."""
    return f"{key_of(kind, replace(asked, resamples=1).draws, *plan)}:{asked.resamples}"


def best_first(visit: session.Visit) -> list[str]:
    """The systems from best to worst under the chosen metric. What is not in the cache is computed, so that an address opens
    the same pair on every server."""
    asked, known, runtime = study(visit), cache.statistics(), running()
    name, options = asked.metrics[0]

    def found() -> list[Outputs] | None:
        return ranked(asked.testset, asked.outputs, name, options, known)

    def work(job: jobs.Job) -> bool:
        processes.extract(job.report, asked.testset, asked.outputs, asked.metrics)
        statistics.measure(asked.testset, asked.outputs, asked.metrics, runtime(job))
        return True

    best = found()
    if best is None:
        jobs.result(key_of("scored", asked.testset, asked.outputs, asked.metrics), work)
        best = found()
    return [outputs.system for outputs in best or ()]


def matrix_run(
    visit: session.Visit,
    whole: bool = False,
    resamples: int | None = None,
    family: Comparisons | None = None,
    metric: str = "",
) -> matrix.MatrixRun:
    """The pairs of the family (None: that of the sidebar) under the chosen metric and test, with this number of resamples
    (None: that of the sidebar); with `whole` no partial result is returned. `metric` is another one, with its usual
    options."""
    asked = study(visit)
    asked = replace(asked, metrics=((metric, {}),)) if metric else asked
    asked = replace(asked, family=chosen().family if family is None else family)
    stored = sample_runs(visit, asked)

    def work(resamples: int, so_far: matrix.MatrixRun | None) -> matrix.MatrixRun:
        if resamples in stored and stored[resamples].prepared_for(asked):
            _remember(asked, stored[resamples])
            return replace(stored[resamples], family=asked.family)
        return _looked_at(replace(asked, resamples=resamples), so_far, whole)

    if resamples is not None:
        run: matrix.MatrixRun = work(resamples, None)
    elif chosen().resamples == AUTO and not asked.joint:
        run = _settled(work(enough.START, None), asked)
    else:
        run = _refined(work, lambda run: [matrix_read(run)], enough.first(asked))
    if is_final(run) and not metric:
        session.finished(run)
    return run


def first_look(tests: int, resamples: int) -> int:
    """The resamples of the first look at a grid of so many tests; 0 where the whole run takes little longer."""
    few = max(LOOK, LOOKED_AT // max(tests, 1))
    return few if LEAST_LATER * few <= resamples else 0


def more_grids(visit: session.Visit) -> list[MatrixResult]:
    """The grids of the further metrics of this visit, under the settings of the sidebar."""
    return [matrix_read(matrix_run(visit, whole=True, metric=name)) for name in chosen().also]


def _remember(asked: Study, run: matrix.MatrixRun) -> None:
    """Keep the statistics of a stored run as those that were extracted: other pages order the systems by them."""
    known = cache.statistics()
    for item in run.measured:
        for outputs, system in zip(asked.outputs, item.systems, strict=True):
            known[statistics.key(asked.testset, outputs, system.signature)] = system.values


def _refined(work: Draw[Drawn], read: enough.Read[Drawn], first: int = enough.START) -> Drawn:
    """The run of the chosen number of resamples; if it is automatic, of as many as the verdicts need, `first` of so many.

    While more are drawn, the run of fewer is shown.
    """
    now = chosen()
    if now.resamples != AUTO:
        return work(enough.fixed(now.resamples), None)
    run, drawn = work(first, None), first
    while run.resamples == drawn and (more := _allowed(enough.wanted(run, read(run), now.alpha), drawn)):
        larger, drawn = work(more, run), more
        run = max(run, larger, key=lambda one: one.resamples)
    return run


def _settled(run: matrix.MatrixRun, asked: Study) -> matrix.MatrixRun:
    """The run in which each pair has as many resamples as its verdict needs; while more are drawn, the run so far is
    shown."""
    now, runtime = chosen(), running()
    while run.resamples >= enough.START and (step := _step(run, now)):
        before, for_pairs = run, formatting.count(len(step.pairs), "pair")
        why = f"{step.resamples:,} resamples for {for_pairs}, because some verdicts need them. "

        def work(job: jobs.Job, before: matrix.MatrixRun = before, step: matrix.Step = step) -> matrix.MatrixRun:
            return matrix.go_on(before, step, now.alpha, runtime(job))

        key = drawing_key("matrix pairs", replace(asked, resamples=enough.START), now.alpha)
        run = jobs.result(f"{key}:{digest_of(before.drawn, step)}", work, so_far=before, why=why)
        if run is before:
            break
    return run


def _step(run: matrix.MatrixRun, now: Chosen) -> matrix.Step | None:
    """Which pairs go on, and how far, under the settings of the sidebar and within what this server allows."""
    return matrix.next_step(run, [matrix_read(run)], now.alpha, int(min(enough.MOST, limits.RESAMPLES.most)))


def _allowed(more: int, drawn: int) -> int:
    """As many of the resamples that verdicts need as this server allows; 0 if they are drawn already."""
    most = int(min(more, limits.RESAMPLES.most))
    return most if most > drawn else 0


def _looked_at(asked: Study, so_far: matrix.MatrixRun | None, whole: bool) -> matrix.MatrixRun:
    """All pairs of the study; of a large grid that is drawn a first look until then, but with `whole`."""
    few = first_look(asked.size, enough.fixed(asked.resamples)) if asked.many and not asked.undrawn else 0
    if few and not (so_far or whole):
        so_far = _all_pairs("matrix", replace(asked, resamples=few))
    return _all_pairs("matrix", asked, so_far, whole)


def _all_pairs(
    kind: str, asked: Study, so_far: matrix.MatrixRun | None = None, whole: bool = False
) -> matrix.MatrixRun:
    """All pairs of the study, as a job of that kind."""
    sides = (asked.settings.side,) if asked.many and asked.joint else SIDES
    # over bootstrap resamples the joint null is that of the whole run
    swaps = all(significance.get(test).draws == "swap" for test in asked.tests or ())
    runtime = running(publishes=(so_far is None or not asked.many) and (not asked.joint or swaps))

    def work(job: jobs.Job) -> matrix.MatrixRun:
        processes.extract(job.report, asked.testset, asked.outputs, asked.metrics)
        return matrix.run(asked, runtime(job), sides=sides)

    why = _why(enough.fixed(asked.resamples), so_far)
    plan = () if sides == SIDES else sides
    return jobs.result(drawing_key(kind, asked, *plan), work, whole=whole, so_far=so_far, why=why)


def running(publishes: bool = False) -> Callable[[jobs.Job], Runtime]:
    """How a job of this page runs, with the cache as the page has it; only if it `publishes`, partial results are shown."""
    statistics = cache.statistics()

    def of(job: jobs.Job) -> Runtime:
        shown = job.publish if publishes else None
        return Runtime(cache.executor(), statistics, job.report, shown, job.stop.is_set)

    return of


def _drawing(asked: Study, run: Callable[..., Drawn], kind: str, *plan: object) -> Draw[Drawn]:
    """What draws the study, and its plan if it has one, with a number of resamples, as a job of that kind; meanwhile the
    run so far is shown."""
    runtime = running()

    def work(resamples: int, so_far: Drawn | None) -> Drawn:
        one = replace(asked, resamples=resamples)
        why = _why(resamples, so_far)

        def draw(job: jobs.Job) -> Drawn:
            return run(one, *plan, runtime(job))

        return jobs.result(drawing_key(kind, one, *plan), draw, so_far=so_far, why=why)

    return work


def _why(resamples: int, so_far: object) -> str:
    """What a run of more resamples is for."""
    return f"{resamples:,} resamples, because some verdicts need them. " if so_far is not None else ""


def matrix_result(visit: session.Visit, whole: bool = False, family: Comparisons | None = None) -> MatrixResult:
    """The grid under the settings of the sidebar, of its family where none is given; with `whole` never a partial one."""
    return matrix_read(matrix_run(visit, whole, family=family))


def matrix_read(run: matrix.MatrixRun) -> MatrixResult:
    """The grid of a run under the settings of the sidebar."""
    now = chosen()
    return cache.once(matrix.read, run, run.measured[0].metric.name, now.test, now.settings)


def is_final(run: matrix.MatrixRun) -> bool:
    """Whether the run has as many resamples as the sidebar says, or needs none: no job draws more."""
    now = chosen()
    if not run.resamples:  # every p is exact
        return True
    if now.resamples != AUTO:
        return run.resamples >= enough.fixed(now.resamples)
    result = matrix_read(run)
    together = corrections.get(result.setup.correction).needs_joint
    if run.resamples < (enough.opening(len(run.pairs), len(run.summed)) if together else enough.START):
        return False
    return not enough.wanted(run, [result], now.alpha) if together else _step(run, now) is None


def gain_grid(visit: session.Visit) -> MatrixResult:
    """The grid of the gain page, uncorrected; a picture has no verdicts that more resamples would settle."""
    now = chosen()
    run = matrix_run(visit, resamples=enough.fixed(now.resamples), family=ALL_PAIRS)
    return cache.once(matrix.read, run, now.metric, now.test, replace(now.settings, correction="none"))


def compare_result(
    visit: session.Visit,
    system: str,
    baseline: str,
    resamples: int | None = None,
    margin: float | None = None,
    exact: bool = False,
    planned: bool = False,
) -> CompareResult:
    """One pair under every test, with this number of resamples (None: that of the sidebar), and whether the two are equal
    within a margin. `exact`: p of its grid is exact, so that its own is, too. `planned`: it is not one of a grid."""
    limits.RESAMPLES.check(resamples or 0)
    now = chosen()
    asked = replace(of_pair(visit, system, baseline, planned), tests=None)
    work = _drawing(asked, compare.run, "compare")

    def read(run: compare.CompareRun) -> CompareResult:
        # where the p of a grid is counted on draws, that of a pair of the grid is counted on the same ones
        rules = now.settings if resamples is None or exact else replace(now.settings, exact=False)
        return cache.once(compare.read, run, now.metric, rules, SIDES, margin)

    def verdict(run: compare.CompareRun) -> list[TestResult]:
        return [
            item for item in read(run).results if (item.setup.test, item.setup.side) == (now.test, now.settings.side)
        ]

    return read(_refined(work, verdict) if resamples is None else work(resamples, None))


def strip_result(
    visit: session.Visit, system: str, baseline: str, resamples: int, exact: bool = True, planned: bool = False
) -> strip.StripResult | None:
    """A pair under every test and unit, and what other programs print; None while they are computed. `exact` and `planned`
    are as in `compare_result`."""
    limits.RESAMPLES.check(resamples)
    asked, runtime = of_pair(visit, system, baseline, planned), running()
    rules = replace(asked.settings, exact=exact and asked.settings.exact)
    asked = replace(asked, resamples=resamples, settings=rules)

    def work(job: jobs.Job) -> strip.StripResult:
        return strip.run(asked, runtime(job), resamples)

    return jobs.result(key_of("strip", asked), work, so_far=False) or None


def without_joint(settings: Settings) -> Settings:
    """The settings with the usual correction in place of one that needs a joint null: the shuffle of runs has none."""
    joint = settings.correction != AUTO and corrections.get(settings.correction).needs_joint
    return replace(settings, correction=AUTO) if joint else settings


def runs_result(
    visit: session.Visit, systems: Mapping[str, Sequence[str]], shuffle: str = "exact", metric: str = ""
) -> runs.RunsResult:
    """All pairs of systems with several runs each; `systems` has the names of the outputs that are its runs. `metric` is
    another one than that of the sidebar, with its usual options."""
    now, asked = chosen(), replace(study(visit), among=1)
    asked = replace(asked, metrics=((metric, {}),)) if metric else asked
    by_name = {o.system: o for o in asked.outputs}
    given = {name: tuple(by_name[one] for one in own) for name, own in systems.items()}
    settings = without_joint(now.settings)

    def read(run: runs.RunsRun) -> runs.RunsResult:
        return cache.once(runs.read, run, metric or now.metric, settings)

    work = _drawing(replace(asked, settings=Settings(), tests=()), runs.run, "runs", runs.RunsPlan(given, shuffle))
    return read(_refined(work, lambda run: [read(run).grid]))


def strip_of_runs(
    visit: session.Visit, systems: Mapping[str, Sequence[str]], shuffle: str, resamples: int
) -> strip.StripResult | None:
    """The strip of two systems with several runs each; None while it is computed."""
    limits.RESAMPLES.check(resamples)
    by_name = {outputs.system: outputs for outputs in inputs.sound(visit, 2).outputs}
    plan = runs.RunsPlan({name: tuple(by_name[one] for one in own) for name, own in systems.items()}, shuffle)
    asked, runtime = replace(study(visit), tests=(), resamples=resamples, among=1), running()
    key = key_of("strip of runs", asked, plan, tuple(systems))  # a dict has no order there
    return jobs.result(key, lambda job: strip.of_runs(asked, plan, runtime(job), resamples)[0], so_far=False) or None


@dataclass(frozen=True)
class ScoresPlan:
    """Whether each row is one set, and how W treats rows on which both systems have the same score."""

    own_sets: bool
    zeros: str


def scores_run(visit: session.Visit, plan: ScoresPlan, draws: int) -> scores.ScoresRun:
    """All pairs of the score matrix of what is loaded, a row for each unit, with the rank tests."""
    limits.RESAMPLES.check(draws)
    asked, runtime = replace(alone(visit), tests=(), settings=Settings(), resamples=draws), running()

    def work(job: jobs.Job) -> scores.ScoresRun:
        built = scores.build(asked.testset, asked.outputs, asked.metrics, asked.unit, runtime(job))
        matrix = scores.with_rows(built, plan.own_sets)
        return scores.run(matrix, resamples=draws, seed=asked.seed, zeros=plan.zeros, runtime=runtime(job))

    return jobs.result(key_of("scores", asked.draws, plan), work)


def counted(
    kind: str,
    of: object,
    make: Callable[[Runtime], Any],
    run: Callable[..., Run],
    read: Callable[..., Result],
    usual: int = enough.START,
) -> Result:
    """What a study that draws for itself finds in `make`, under the settings of the sidebar; `of` is all that this depends on, and
    `usual` how many resamples it draws where nobody asks for a number."""
    now, runtime = chosen(), running()
    plan = Draws(usual if now.resamples == AUTO else enough.fixed(now.resamples), now.seed)
    limits.RESAMPLES.check(plan.resamples)

    def work(job: jobs.Job) -> Run:
        how = runtime(job)
        return run(make(how), resamples=plan.resamples, seed=plan.seed, runtime=how)

    correction = "holm" if now.settings.correction == AUTO else now.settings.correction
    return cache.once(read, jobs.result(key_of(kind, of, plan), work), now.alpha, correction)


@dataclass(frozen=True, eq=False)
class HumanAsked:
    """The settings of the human page: ratings under the names of the outputs, and how they are used."""

    judgments: Judgments
    matched: human.Match
    standard: str
    dimensions: tuple[str, ...]
    control: float | None
    metrics: tuple[tuple[str, Mapping[str, object]], ...]
    tests: tuple[str, ...]


def people(asked: HumanAsked) -> human.People:
    """The conclusions of people on every pair of systems."""
    how = asked.judgments, asked.standard, asked.dimensions, asked.control
    key = key_of("people", replace(asked, metrics=(), tests=()))
    return jobs.result(key, lambda job: human.people(*how, progress=job.report))


def usual_people(visit: session.Visit) -> human.People | None:
    """The conclusions of people, as the human page has them before any choice; None without ratings, and where they are
    what is tested."""
    collection = visit.collection
    if data.are_mean_ratings(collection.items):
        return None
    names = [outputs.system for outputs in collection.loaded().outputs]
    ratings = human.of_outputs(collection.ratings, names, collection.renamed)
    if ratings is None:
        return None
    usual = human.default_standard(ratings)
    return people(HumanAsked(ratings, human.match((), ()), usual, (), None, (), ()))


def human_result(visit: session.Visit, asked: HumanAsked, judged: human.People) -> human.HumanResult:
    """Metrics and tests compared with people, at the alphas of the paper and of the sidebar."""
    loaded, now = inputs.sound(visit, 2), chosen()
    judged = cache.once(human.within, judged, loaded.testset, loaded.ids)
    outputs = human.judged_outputs(judged, loaded.outputs)
    rules = replace(now.settings, correction="none")
    study = replace(now.study(loaded.testset, outputs), metrics=asked.metrics, tests=asked.tests, settings=rules)
    study = replace(study, resamples=enough.fixed(now.resamples))
    run = _all_pairs("human", study)
    # at all alphas of the sidebar, so that a change of alpha computes nothing
    alphas = sorted({*human.ALPHAS, *ALPHAS, now.alpha}, reverse=True)
    key = key_of("agreement", replace(study, alpha=0.05, unit=study.drawn[0]), asked, judged.notes, alphas)
    result = jobs.result(key, lambda job: human.read(judged, run, alphas, rules, asked.matched))
    return cache.once(human.HumanResult.at, result, tuple(sorted({*human.ALPHAS, now.alpha}, reverse=True)))
