"""The calibration of the test of a study: repetitions in blocks, the same for any number of workers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sigcore import corrections, significance
from sigcore.errors import OptionError, Undefined
from sigcore.significance import LEAST_UNITS, Resampling
from sigcore.studies import units
from sigcore.studies.matrix import mark
from sigcore.studies.matrix.compute import cells_of, pairs_of
from sigcore.studies.signature import signature
from sigcore.studies.statistics import Measured, differing, measure, too_few
from sigcore.studies.trust.plan import (
    BASE,
    FLAWED,
    LEVELS,
    RULES,
    UNPAIRED,
    Null,
    TrustPlan,
    covered_shares,
    resamples_of,
)
from sigcore.studies.trust.result import Planted, TrustResult, covering, found_share, rates
from sigcore.studies.trust.worlds import PAIR, World, covered, planted_gain, repeated, unit_scores, world
from sigcore.study import LOCAL, Runtime, Study, check_numbers, settled
from sigcore.testset import Testset
from sigcore.types import DOCUMENT, PLANNED_PAIR, SEGMENT, Setup, Unit

USUAL = "approximate_randomization"
BLOCK = 4  # repetitions of one piece of work
COVERAGE = 1_000  # the stream of child seeds of the first share whose coverage is counted
SHOWN = 40  # repetitions after which what is known so far is shown


def run(study: Study, plan: TrustPlan | None = None, runtime: Runtime = LOCAL) -> TrustResult:
    """How often the first test of the study rejects on the user's own segments where there is no difference.

    Each repetition draws a data set without a difference and runs the test of the study on it, with its unit, side,
    correction and rule for ties. Two systems are one planned pair; of more, at least one rejection in the family counts.
    Repetition k depends on the seed and k alone. `runtime.publish` gets the result so far.

    Raises: Undefined for fewer than two systems, a test that cannot be run on this data or gives no p on so few units, and
    the coverage of a grid; OptionError, MismatchError, UnknownMember; Cancelled from `runtime`.
    Cost: one test of `resamples` draws for each repetition; memory does not grow with them.
    """
    plan = plan or TrustPlan()
    study, measured, unit, why = _asked(study, plan, runtime)
    null, groups = _null(study.testset, "halves" if plan.halves else plan.null, unit)
    of = _world(study, plan, measured, units.groups(study.testset, unit), groups)
    _check(of, measured)
    if plan.coverage and of.units < LEAST_UNITS:
        what = f"{of.units} {unit.noun(of.units)} have no interval, so its coverage cannot be counted."
        raise Undefined(what, study.testset.name, "Choose segments as the unit, or leave it out.")
    setup = _setup(study, measured, of, unit)
    parts = _parts(plan)
    total = plan.repetitions * len(parts)
    report = runtime.report
    done, found = 0, list[list[list[float]]]()

    def so_far() -> TrustResult:
        return _result(setup, of, null, why, plan, found, study)

    for part in parts:
        found.append([])
        for one in _repetitions(of, part, plan.repetitions, runtime):
            found[-1] += one
            done += len(one)
            if report is not None:
                report(part.words, done, total)
            if done % SHOWN == 0:
                runtime.show(so_far())
    return so_far()


@dataclass(frozen=True)
class Part:
    """Repetitions of one kind: with a share of the gain, p of the tests or whether the interval covers; of one stream of
    child seeds."""

    share: float
    stream: int
    coverage: bool = False

    @property
    def words(self) -> str:
        """What is being done."""
        if self.coverage:
            return "intervals of a known gain"
        return "repetitions with a gain" if self.stream else "repetitions without a difference"


def _parts(plan: TrustPlan) -> tuple[Part, ...]:
    """The null first, then what is planted, then what is covered."""
    shares = [0.0, *plan.planted]
    covering = [Part(share, COVERAGE + k, True) for k, share in enumerate(covered_shares(plan))]
    return (*(Part(share, k) for k, share in enumerate(shares)), *covering)


def _repetitions(of: World, part: Part, count: int, runtime: Runtime) -> Iterator[list[list[float]]]:
    """What every repetition gives, block by block."""
    return runtime.mapper.map(partial(block, of, part, count), range(0, count, BLOCK))


def block(of: World, part: Part, count: int, start: int) -> list[list[float]]:
    """What the repetitions of one block give: p of the tests, or whether the interval covers."""
    work = covered if part.coverage else repeated
    return [work(of, number, part.share, part.stream) for number in range(start, min(start + BLOCK, count))]


def _asked(study: Study, plan: TrustPlan, runtime: Runtime) -> tuple[Study, Measured, Unit, str]:
    """The study with one metric, one test and its correction; its statistics, its unit, and why that is not the document."""
    if len(study.outputs) < PAIR:
        raise Undefined("Pairs need at least two systems.", study.testset.name, "Add another system's output.")
    if plan.coverage and len(study.outputs) > PAIR:
        raise Undefined("Coverage is for one pair.", study.testset.name, "Give two systems, or leave it out.")
    if plan.rule and study.settings.side != "two-sided":
        raise OptionError(f"{RULES[plan.rule]} is two-sided.", "", "Leave the side at two-sided.")
    test = BASE if plan.rule else (study.tests or (USUAL,))[0]
    significance.get(test)
    pair = len(study.outputs) == PAIR
    settings = settled(study.settings, test)
    if pair and study.family.whole:
        study = replace(study, family=PLANNED_PAIR)
    if len(cells_of(len(study.outputs), settings.side, _directed(study))[0]) <= 1:
        settings = replace(settings, correction="none")
    elif plan.rule and corrections.get(settings.correction).needs_joint:
        settings = replace(settings, correction="holm")  # a rule has no joint null
    study = replace(study, metrics=study.metrics[:1], tests=(test,), settings=replace(settings, exact=False))
    unit, why = study.drawn
    return study, measure(study.testset, study.outputs, study.metrics, runtime)[0], unit, why


def _directed(study: Study) -> np.ndarray | None:
    return None if study.family.whole else study.family.directed([item.system for item in study.outputs])


def _null(testset: Testset, null: Null, unit: Unit) -> tuple[Unit, units.Groups | None]:
    """What changes sides together, and the group of every segment."""
    documents = units.documents_of(testset)
    if null == "segment":
        return SEGMENT, None
    if null == "halves":
        return unit, units.groups(testset, unit)
    if null == "document":
        return testset.by_document, units.groups(testset, DOCUMENT)
    if documents is not None and 1 < int(documents.max()) + 1 < testset.n:
        return testset.by_document, documents
    return unit, units.groups(testset, unit)


def _world(
    study: Study, plan: TrustPlan, measured: Measured, unit_of: units.Groups | None, null_of: units.Groups | None
) -> World:
    names = tuple(item.system for item in study.outputs)
    directed = _directed(study)
    settings = study.settings
    tests = len(cells_of(len(names), settings.side, directed)[0])
    test = significance.get((study.tests or (USUAL,))[0])
    resamples = resamples_of(plan, settings.correction, tests)
    check_numbers(resamples, study.seed)
    pairs = pairs_of(study.family, names)
    of = world(measured.systems, null_of, unit_of, test, settings, pairs, directed, resamples, study.seed, plan.rule)
    return replace(of, halves=plan.halves)


def _check(of: World, measured: Measured) -> None:
    """Refuse a test that gives no p on this data."""
    systems = [item if of.unit_of is None else units.summed(item, of.unit_of) for item in of.systems]
    if of.rule in UNPAIRED:
        if min(len(unit_scores(item)) for item in systems) < 2 * PAIR:
            what = f"{RULES[of.rule]} needs at least {2 * PAIR} units that have a score."
            raise Undefined(what, "", "Choose segments as the unit, or another metric.")
        return
    question = Resampling((tuple(systems),), (of.test,), of.pairs, of.resamples, of.seed)
    if reason := of.test.unfit(question):
        raise Undefined(f"{of.test.title} cannot be run: {reason}", "", "Choose another test.")
    pairs = tuple(of.pairs.T)
    differ = differing(systems)[pairs]
    if of.test.draws == "bootstrap" and (of.units < LEAST_UNITS or too_few(differ).all()):
        what = f"{of.test.title} gives no p where systems differ on {differ.max()} units"
        raise Undefined(f"{what}, so nothing can be calibrated.", "", "Choose randomization, or segments as the unit.")
    if not differ.any():
        raise Undefined(f"All systems have the same {measured.title} statistics.", "", "Give systems that differ.")


def _setup(study: Study, measured: Measured, of: World, unit: Unit) -> Setup:
    """How the p-values of each repetition are made."""
    settings, test, resamples = study.settings, of.test, 0 if of.rule in UNPAIRED else of.resamples
    title = RULES[of.rule] if of.rule else test.title
    made = {
        "metric": measured.systems[0].signature,
        "test": of.rule or test.name,
        "sides": settings.side,
        "estimator": settings.estimator,
        "ties": settings.ties,
        "correction": settings.correction,
        "resamples": resamples,
        "seed": of.seed,
        "n": study.testset.n,
        "unit": str(unit),
        "systems": len(study.outputs),
        "data": mark(study.testset, study.outputs, unit),
    }
    return Setup(
        metric=measured.metric.name,
        metric_title=measured.title,
        better=measured.systems[0].better,
        why=measured.systems[0].why,
        test=of.rule or test.name,
        test_title=title,
        n=of.units,
        resamples=resamples,
        seed=of.seed,
        side=settings.side,
        unit=unit,
        segments=study.testset.n,
        estimator=settings.estimator,
        ties=settings.ties,
        correction=settings.correction,
        correction_title=corrections.get(settings.correction).title,
        decimals=measured.decimals,
        signature=signature(made),
    )


def _result(
    setup: Setup, of: World, null: Unit, why: str, plan: TrustPlan, found: list[list[list[float]]], study: Study
) -> TrustResult:
    """The result of the repetitions so far."""
    whole = [np.array(part) for part in found]  # (repetitions, tests)
    count = 1 + len(plan.planted)
    p = [np.sort(part.min(axis=1)) if len(part) else np.zeros(0) for part in whole[:count]]
    alphas = tuple(sorted({*LEVELS, study.alpha}, reverse=True))
    planted = tuple(
        Planted(share, planted_gain(of, share), rates(values, alphas), found_share(tests, alphas))
        for share, values, tests in zip(plan.planted, p[1:], whole[1:], strict=False)
        if len(values)
    )
    coverage = tuple(
        covering(share, planted_gain(of, share), part[:, 0])
        for share, part in zip(covered_shares(plan), whole[count:], strict=False)
        if len(part)
    )
    return TrustResult(
        setup=setup,
        testset=study.testset.name,
        systems=tuple(item.system for item in study.outputs),
        null=null,
        changed=of.nulls,
        tests=len(of.cells[0]),
        repetitions=plan.repetitions,
        halves=of.halves,
        p_values=p[0],
        rates=rates(p[0], alphas),
        planted=planted,
        planted_p=tuple(p[1:]),
        coverage=coverage,
        notes=(*filter(None, (why,)), *_notes(of, setup, null, plan)),
    )


def _notes(of: World, setup: Setup, null: Unit, plan: TrustPlan) -> Iterator[str]:
    """What a reader of the rates must know."""
    if of.halves:
        yield (
            f"Each repetition splits the {null.noun(2)} of one system by chance, and the systems take turns. The halves have "
            f"{of.units // 2} {null.noun(of.units // 2)} each, and none in common. So the rate is for systems that were scored on "
            f"different {null.noun(2)}."
        )
        return
    if of.rule in UNPAIRED:
        yield (
            f"{RULES[of.rule]} ignores that the systems have the same {setup.unit.noun(2)}. Where their scores rise and fall "
            "together, it finds less than a paired test."
        )
    if of.coarse:
        yield (
            f"The null exchanges whole {null.noun(2)}, and the test draws smaller units. So the rate shows what it costs to ignore "
            f"that they are alike within {null.noun(2)}. The systems' means were made equal first."
        )
    if null == setup.unit and of.test.draws == "swap" and not of.rule and len(of.cells[0]) == 1:
        yield (
            f"Exchanging {null.noun(2)} is what this test assumes, so it keeps its false-alarm rate at alpha here by construction. That the "
            "outputs could be exchanged under the null remains an assumption."
        )
    if len(of.systems) > PAIR:
        yield (
            f"A repetition rejects where at least one of {len(of.cells[0])} tests does. Holding all pairs equal is one null of many: "
            "where only some systems are equal, rates differ."
        )
    if of.nulls < LEAST_UNITS:
        yield f"{of.nulls} {null.noun(2)} can change sides in {2**of.nulls:,} ways, so repetitions are seldom new."
    if plan.rule == FLAWED:
        yield f"{setup.test_title} is here to be seen to fail. No page and no verdict uses it."
