"""Computes the verdict strip: the pair under every test, over every unit of the data, and the rules of other programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sigcore.results import CompareResult
from sigcore.significance import LEAST_UNITS
from sigcore.studies import compare, enough, units
from sigcore.studies.statistics import Measured, measure
from sigcore.studies.strip.programs import PROGRAMS, Pair, Program, why_not
from sigcore.studies.strip.result import Elsewhere, StripResult, Tile
from sigcore.study import LOCAL, Runtime, Study
from sigcore.testset import Testset
from sigcore.types import AUTO, DOCUMENT, PLANNED_PAIR, SEGMENT, Side, Unit

STEPS = 40  # of the rules of other programs, about
OWN_SCORES = {
    1: "The rule of {} is applied to the scores shown here. The program computes its own, from text that is split into words.",
    2: "The rules of {} are applied to the scores shown here. The programs compute their own, from text that is split into words.",
}
NO_P = f"A bootstrap gives no p where the outputs differ on fewer than {LEAST_UNITS} units."
COMPUTE_OWN = ("MultEval", "compare-mt")


def units_of(testset: Testset, chosen: Unit) -> tuple[Unit, ...]:
    """Segments; documents, where every segment has one and some have several; and the unit of the study where it is another."""
    documents = units.documents_of(testset)
    several = documents is not None and 1 < int(documents.max()) + 1 < testset.n
    found = [SEGMENT, *([DOCUMENT] if several else []), chosen]
    return tuple(dict.fromkeys(found))


def results(study: Study, runtime: Runtime = LOCAL, resamples: int | None = None) -> list[StripResult]:
    """The strip of the two systems of the study under each of its metrics.

    `resamples` None are as many as the study's own tests need over its own unit; all tests and units draw as many.

    Raises: as `compare.run`. Cost: a comparison for each unit, and the draws of the programs.
    """
    study = replace(study, family=PLANNED_PAIR)
    unit, why = study.drawn
    number = resamples or _settled(replace(study, unit=unit), runtime)
    every = [replace(study, unit=one, tests=None, resamples=number) for one in units_of(study.testset, unit)]
    found = [compare.results(one, runtime) for one in every]
    measured = measure(study.testset, study.outputs, study.metrics, runtime)
    chosen = (study.tests or ("",))[0]
    notes = (why,) if why else ()
    return [
        _strip(study, [one[k] for one in found], of, (chosen, unit), runtime, notes) for k, of in enumerate(measured)
    ]


def run(study: Study, runtime: Runtime = LOCAL, resamples: int | None = None) -> StripResult:
    """The strip under the first metric of the study; see `results`."""
    return results(replace(study, metrics=study.metrics[:1]), runtime, resamples)[0]


def _settled(study: Study, runtime: Runtime) -> int:
    """As many resamples as the study draws."""
    if study.resamples != AUTO:
        return enough.fixed(study.resamples)
    found = compare.results(study, runtime, [study.settings.side])
    drawn = max((item.drawn for result in found for item in result.results), default=0)
    return drawn or enough.START


def _strip(
    study: Study,
    found: Sequence[CompareResult],
    measured: Measured,
    chosen: tuple[str, Unit],
    runtime: Runtime,
    notes: tuple[str, ...],
) -> StripResult:
    first = next((one for one in found if one.setup.unit == chosen[1]), found[0])
    side = study.settings.side
    toward: Side = "less" if first.gain < 0 else "greater"
    tiles = tuple(
        Tile.of(item, result.result(item.setup.test, toward), study.alpha, chosen == (item.setup.test, item.setup.unit))
        for result in found
        for item in result.results
        if item.setup.side == side
    )
    system, baseline = measured.systems
    elsewhere = tuple(_elsewhere(program, measured, first.gain, study, runtime) for program in PROGRAMS)
    own = [one.program.name for one in elsewhere if one.counted is not None and one.program.name in COMPUTE_OWN]
    return StripResult(
        setup=first.setup,
        system=first.system,
        baseline=first.baseline,
        scores=first.scores,
        gain=first.gain,
        alpha=study.alpha,
        tiles=tiles,
        elsewhere=elsewhere,
        same=bool(np.array_equal(system.values, baseline.values)),
        notes=(*notes, *_notes(tiles, own)),
    )


def _notes(tiles: Sequence[Tile], own: Sequence[str]) -> Iterator[str]:
    """What a reader must know; `own` are the programs that compute scores of their own."""
    if any(math.isnan(tile.p_value) and "bootstrap" in tile.test for tile in tiles):
        yield NO_P
    if own:
        yield OWN_SCORES[len(own)].format(" and ".join(own))


def _elsewhere(program: Program, measured: Measured, gain: float, study: Study, runtime: Runtime) -> Elsewhere:
    system, baseline = measured.systems
    if reason := why_not(program, measured.metric.name, system.n):
        return Elsewhere(program, None, gain, study.alpha, reason)
    done, report = 0, runtime.report

    def step() -> None:
        nonlocal done
        done += 1
        if report is not None:
            report(f"the rule of {program.title}", done, max(done, STEPS))

    return Elsewhere(program, program.rule(Pair(system, baseline, study.seed, step)), gain, study.alpha)
