"""The queries of the pages after Berg-Kirkpatrick et al. 2012: mixtures of systems, sizes, domains; each runs as a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from sigboard.server import cache as memory
from sigboard.server import jobs
from sigboard.shell import inputs, session
from sigboard.shell import tuned as tuning_queries
from sigboard.shell.queries import chosen, gain_grid, key_of, running
from sigcore import GainResult, MatrixResult, Outputs, Setup, SigError, Study, Testset, data, formatting
from sigcore.studies import domains, enough, gain, matrix, pairs, prepared, size, statistics

# The other test sets that are loaded beside the selected one, for pages that compare several.

KEPT = "sigboard.test_sets"


def others(visit: session.Visit) -> tuple[str, ...]:
    """The names of the other test sets of the selected kind, as they first appear."""
    collection = visit.collection
    own = (item.testset for item in collection.edited() if item.role == "system" and item.kind == collection.kind)
    return tuple(dict.fromkeys(name for name in own if name and name != collection.testset))


def loaded_sets(visit: session.Visit, name: str, least: int = 2) -> data.Ready:
    """The test set of that name and its outputs, as if it were selected; the selection stays as it is.

    Raises: SigError if it has fewer than `least` systems that can be compared.
    """
    state = visit.collection.state
    kept: tuple[object, dict[str, data.Loaded]] = st.session_state.get(KEPT, ((), {}))
    if kept[0] != state:
        kept = st.session_state[KEPT] = (state, {})
    if name not in kept[1]:
        other = visit.collection.copy()
        other.select(testset=name)
        kept[1][name] = other.loaded()
    found = kept[1][name].ready
    if found is None or len(found.outputs) < least:
        fix = "Select it on the page Files: its errors are listed there."
        raise SigError(f"The test set {name} has fewer than {least} systems that can be compared.", "", fix)
    return found


def kinds_of(visit: session.Visit) -> tuple[tuple[str, str], ...]:
    """(system, kind) of the systems whose kind the person gave, in a table or on the gain page.

    Raises: SigError for a word that is not a kind.
    """
    gain.check_kinds(visit.collection.kinds, "the table of groups")
    return tuple(sorted(item for item in visit.collection.kinds.items() if item[1]))


def points(visit: session.Visit) -> GainResult:
    """The grid of the gain page as points, uncorrected."""
    return memory.once(_as_points, gain_grid(visit), kinds_of(visit))


def _as_points(grid: MatrixResult, kinds: tuple[tuple[str, str], ...]) -> GainResult:
    return gain.read(grid, dict(kinds))


@dataclass(frozen=True, eq=False)
class StudyOfKinds:
    """What is asked about mixtures, parts and drawn test sets: the study, and the kinds of its systems."""

    study: Study
    kinds: tuple[tuple[str, str], ...]

    @property
    def how(self) -> pairs.How:
        """The test of the page, as the commands have it."""
        return pairs.How.of(self.study)

    @property
    def systems(self) -> tuple[Testset, Sequence[Outputs], statistics.Asked]:
        """What the studies are of."""
        return self.study.testset, self.study.outputs, self.study.metrics


def _asked(visit: session.Visit, found: tuple[Testset, Sequence[Outputs]] | None = None) -> StudyOfKinds:
    """What the sidebar asks about these systems, by default those of the page. Alpha is applied without another draw."""
    now, (testset, outputs) = chosen(), found or inputs.sound(visit, 2).systems
    rules = replace(now.settings, correction="none")
    whole = replace(now.study(testset, outputs), settings=rules, alpha=0.05, resamples=enough.fixed(now.resamples))
    return StudyOfKinds(whole, kinds_of(visit))


def mixtures(visit: session.Visit, real: GainResult, each: int) -> GainResult | None:
    """All pairs of mixtures, `each` of them of each of the usual pairs of systems; None while there are none to show."""
    asked, runtime = _asked(visit), running()

    def work(job: jobs.Job) -> GainResult:
        unit, kinds = asked.study.unit, dict(asked.kinds)
        whole = prepared.prepare(*asked.systems, asked.how, unit=unit, kinds=kinds, runtime=runtime(job))
        systems = whole.measured.systems
        made = gain.mix(systems, gain.bases(systems), each, asked.study.seed)
        return gain.read_mixtures(made, whole.unit_of, real.setup, asked.how, runtime(job))

    return jobs.result(key_of("mixtures", asked, each), work, so_far=False) or None


def _sets(visit: session.Visit) -> Iterator[tuple[Testset, Sequence[Outputs]]]:
    """All loaded test sets of the kind of the page, the selected one first."""
    loaded = inputs.sound(visit, 2)
    yield replace(loaded.testset, name=visit.collection.testset), loaded.outputs
    for name in others(visit):
        other = loaded_sets(visit, name)
        yield replace(other.testset, name=name), other.outputs


@dataclass(frozen=True)
class Over:
    """What is drawn over the pairs of the page: another metric, or the pairs of another loaded test set, or of the retuned
    systems of the tuning page."""

    metric: str = ""
    testset: str = ""
    retuned: bool = False

    def loaded(self, visit: session.Visit) -> tuple[Testset, Sequence[Outputs]]:
        """The test set and the outputs."""
        if self.retuned and (tuned := retuned(visit)) is not None:
            return tuned
        found = loaded_sets(visit, self.testset) if self.testset else inputs.sound(visit, 2)
        return found.systems


def retuned(visit: session.Visit) -> tuple[Testset, Sequence[Outputs]] | None:
    """The held-out test set and the outputs of all tuning runs that the tuning page has shown; None without two."""
    result = tuning_queries.finished()
    if result is None or result.held_out is None or visit.collection.kind != result.held_out.kind:
        return None
    outputs = gain.retuned_outputs(item.outputs for item in result.replicates if item.outputs is not None)
    return (result.held_out, outputs) if len(outputs) > 1 else None


def overlay(visit: session.Visit, over: Over) -> GainResult | None:
    """All pairs of another metric, test set or kind of system, tested as those of the page; None while there are none."""
    asked, runtime = _asked(visit, over.loaded(visit)), running()
    study = replace(asked.study, metrics=((over.metric, {}),)) if over.metric else asked.study

    def work(job: jobs.Job) -> GainResult:
        grid = matrix.read(matrix.run(study, runtime(job)), study.named[0], asked.how.test, study.settings)
        found = gain.read(grid, dict(asked.kinds))
        return gain.as_retuned(found) if over.retuned else found

    key = key_of("overlay", replace(asked, study=study), over)
    return jobs.result(key, work, so_far=False) or None


def sizes(visit: session.Visit, plan: size.SizePlan) -> size.SizeRun:
    """All pairs on parts of the test set; alpha and the planned gain are read from it without another draw."""
    asked, runtime = _asked(visit), running(publishes=True)
    unit, kinds = asked.study.unit, dict(asked.kinds)
    work = partial(size.draw, *asked.systems, plan, asked.how, unit=unit, kinds=kinds)
    key = key_of("size", asked, replace(plan, alpha=0.5, gain=None))
    return jobs.result(key, lambda job: work(runtime=runtime(job)))


@dataclass(frozen=True)
class Power:
    """A pair whose power is simulated on test sets of this many segments."""

    pair: tuple[str, str]
    segments: int
    alpha: float


def simulated(visit: session.Visit, run: size.SizeRun, of: Power) -> size.Simulated | None:
    """The power of the pair by simulation, so far; None while there is none to show."""
    runtime = running(publishes=True)
    power = partial(size.simulate, run, of.pair, of.segments, of.alpha)
    key = key_of("simulated", _asked(visit), of)
    return jobs.result(key, lambda job: power(runtime=runtime(job)), so_far=False) or None


def over_domains(visit: session.Visit, plan: domains.DomainsPlan) -> domains.DomainsResult:
    """Signs, replicability and the calibration; alpha is applied without another draw. Without domains in the plan, those
    are all loaded test sets."""
    asked, runtime = _asked(visit), running(publishes=True)
    sets = () if plan.domain_of else tuple(_sets(visit))

    def work(job: jobs.Job) -> domains.DomainsResult:
        unit, kinds, metrics, how = asked.study.unit, dict(asked.kinds), asked.study.metrics, asked.how
        if not sets:
            return domains.run(*asked.systems, plan, how, unit=unit, kinds=kinds, runtime=runtime(job))
        return domains.run_sets(sets, metrics, plan, how, unit=unit, kinds=kinds, runtime=runtime(job))

    key = key_of("domains", asked, replace(plan, alpha=0.5), sets)
    return memory.once(domains.at_alpha, jobs.result(key, work), plan.alpha)


MIXTURES = (
    "Synthetic systems: mixtures of each of up to three pairs of these systems. A mixture takes every segment from one "
    "of the two. Their pairs are hollow in the figure."
)
EACH, MOST_EACH = 20, 50  # mixtures of each pair of systems


def threshold_cells(item: size.Size, setup: Setup) -> dict[str, str]:
    """The threshold of a class and its interval as cells of a table."""
    own, title = item.threshold, f"threshold ({setup.metric_title})"
    if item.reason:
        return {title: "none", "95% interval": ""}
    interval = formatting.format_interval((own.low, own.high), setup.decimals)
    return {title: formatting.format_size(own.threshold, setup.decimals), "95% interval": interval}
