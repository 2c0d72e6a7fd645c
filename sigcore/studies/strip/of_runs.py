"""The verdict strip of two systems with several runs each: the tests of runs over every unit, and MultEval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sigcore import significance
from sigcore.formatting import NO_VERDICT
from sigcore.studies import runs
from sigcore.studies.strip.compute import OWN_SCORES, units_of
from sigcore.studies.strip.programs import AR_TRIALS, PROGRAMS, Counted, Program
from sigcore.studies.strip.result import Elsewhere, StripResult, Tile
from sigcore.study import LOCAL, Runtime, Study, chosen_unit
from sigcore.types import SEGMENT, SIDES, Side, Unit

ONE_OUTPUT = "It compares one output of each system, and runs were given."
AS_MANY = "It needs as many runs of each system."
SHUFFLED = "It shuffles runs as the row of its name, without a seed, and ties do not count."
T_TEST = "t test of the runs"


@dataclass(frozen=True, eq=False)
class _Sided:
    """The results of one run of draws on the side of the study, and in the direction of the gain."""

    run: runs.RunsRun
    own: runs.RunsResult
    toward: runs.RunsResult
    alpha: float

    def tile(
        self,
        test: str,
        title: str,
        p: str,
        ends: tuple[float, float] | None = None,
        chosen: bool = False,
        drawn: bool = True,
    ) -> Tile:
        """The tile of one of the tests; `p` names its numbers, and `ends` is the interval of p where there is one."""
        grid, setup = self.own.grid, self.own.shuffle
        value, one_sided = (float(getattr(result, p)[0, 1]) for result in (self.own, self.toward))
        return Tile(
            test=test,
            title=title,
            side=setup.side,
            unit=str(setup.unit),
            drawn=f"{setup.n:,} {setup.unit.noun(setup.n)}",
            units=setup.unit.noun(2),
            n=setup.n,
            gain=float(grid.gains[0, 1]),
            p_value=value,
            p_one_sided=one_sided,
            p_interval=ends or (math.nan, math.nan),
            one_sided_high=math.nan,
            resamples=setup.resamples if drawn else 0,
            exact=False,
            verdict=self.verdict(value, drawn, shuffled=ends is not None),
            chosen=chosen,
        )

    def verdict(self, p: float, drawn: bool, shuffled: bool) -> str:
        """The decision on an uncorrected p."""
        if math.isnan(p):
            return "undefined"
        if drawn and (self.own.shuffle.as_printed or (shuffled and self.own.shuffle.no_verdict(self.alpha))):
            return NO_VERDICT
        return "significant" if p <= self.alpha else "not significant"


def of_runs(
    study: Study, plan: runs.RunsPlan, runtime: Runtime = LOCAL, resamples: int | None = None
) -> list[StripResult]:
    """The strip of two systems with several runs each, under each metric of the study, in the order of the plan.

    Over every unit: the shuffle of runs, MultEval's if each system has as many runs, all runs swapped as one, the
    hierarchical bootstrap and the mixed model. Then comes the t test of the scores of the runs. The chosen one is the mixed
    model over the unit of the study; without a second run of any system, the shuffle of the plan. `resamples` None draws as many as `runs.results`.

    Raises: as `runs.run`. Cost: two of its runs for each unit, and one for MultEval.
    """
    unit, why = chosen_unit(study.testset, study.unit)
    study = replace(study, unit=unit, settings=replace(study.settings, correction="none"))
    number = resamples or runs.results(study, plan, runtime)[0].resamples
    sizes = {len(own) for own in plan.systems.values()}
    shuffles = [plan.shuffle, *(name for name in runs.SHUFFLES if name != plan.shuffle and len(sizes) == 1)]
    drawn = {
        (one, name): runs.run(replace(study, unit=one, resamples=number), runs.RunsPlan(plan.systems, name), runtime)
        for one in units_of(study.testset, unit)
        for name in shuffles
    }
    theirs = _multeval(study, plan.systems, runtime) if len(sizes) == 1 else None
    return [_strip(study, metric, drawn, theirs, (unit, plan.shuffle), (why,) if why else ()) for metric in study.named]


def _multeval(study: Study, systems: Mapping[str, Sequence[object]], runtime: Runtime) -> runs.RunsRun:
    """The draws of MultEval: segments, as many as it shuffles."""
    asked = replace(study, unit=SEGMENT, resamples=AR_TRIALS)
    return runs.run(asked, runs.RunsPlan(systems, "multeval"), runtime)  # type: ignore[arg-type]


def _strip(
    study: Study,
    metric: str,
    drawn: Mapping[tuple[Unit, str], runs.RunsRun],
    theirs: runs.RunsRun | None,
    chosen: tuple[Unit, str],
    notes: tuple[str, ...],
) -> StripResult:
    first = runs.read(drawn[chosen], metric, study.settings)
    toward: Side = "less" if float(first.grid.gains[0, 1]) < 0 else "greater"
    sided = {
        key: _Sided(
            run,
            runs.read(run, metric, study.settings),
            runs.read(run, metric, replace(study.settings, side=toward)),
            study.alpha,
        )
        for key, run in drawn.items()
    }
    tiles = [tile for unit in dict.fromkeys(unit for unit, _ in drawn) for tile in _over(unit, sided, chosen)]
    tiles.append(_t(sided[chosen]))
    grid, counted = first.grid, drawn[chosen].of(metric)
    elsewhere = tuple(_elsewhere(one, theirs, metric, float(grid.gains[0, 1]), study) for one in PROGRAMS)
    shown = [one for one in elsewhere if one.counted is not None]
    return StripResult(
        setup=first.setup,
        system=first.systems[0],
        baseline=first.systems[1],
        scores=(float(first.average[0]), float(first.average[1])),
        gain=float(grid.gains[0, 1]),
        alpha=study.alpha,
        tiles=tuple(tiles),
        elsewhere=elsewhere,
        same=bool(counted.differing[0, 1] == 0),
        runs=drawn[chosen].sizes,
        notes=(*notes, *([OWN_SCORES[1].format("MultEval")] if shown else [])),
    )


def _over(unit: Unit, sided: Mapping[tuple[Unit, str], _Sided], chosen: tuple[Unit, str]) -> Iterator[Tile]:
    """The tests over one unit."""
    own = {name: of for (one, name), of in sided.items() if one == unit}
    any_of = next(iter(own.values()))
    model = any_of.own.setup.by_formula
    for name, of in own.items():
        test = runs.SHUFFLES[name]
        ends = float(of.own.shuffled_low[0, 1]), float(of.own.shuffled_high[0, 1])
        yield of.tile(test.name, test.title, "shuffled_p", ends, not model and (unit, name) == chosen)
    title = f"{significance.get('approximate_randomization').title}, runs swapped as one"
    yield any_of.tile("runs_swapped", title, "swapped_p")
    yield any_of.tile(runs.NESTED.name, runs.NESTED.title, "nested_p")
    yield any_of.tile(runs.mixed.NAME, runs.mixed.TITLE, "mixed_p", chosen=model and unit == chosen[0], drawn=False)


def _t(of: _Sided) -> Tile:
    """The t test of the scores of the runs."""
    sizes = of.run.sizes
    tile = of.tile("runs_t", T_TEST, "run_p", drawn=False)
    number = f"{' + '.join(map(str, sizes))} runs"
    return replace(tile, unit="run", drawn=number, units="runs", n=sum(sizes))


def _elsewhere(program: Program, theirs: runs.RunsRun | None, metric: str, gain: float, study: Study) -> Elsewhere:
    """What a program prints for runs: MultEval alone takes them."""
    if program.name != "MultEval":
        return Elsewhere(program, None, gain, study.alpha, ONE_OUTPUT)
    if metric not in program.metrics or theirs is None:
        return Elsewhere(program, None, gain, study.alpha, AS_MANY if theirs is None else program.otherwise)
    # the counts themselves: where the runs are copies, no shuffle has a larger difference than 0, and that is what it counts
    larger = int(theirs.of(metric).shuffled.counts[SIDES.index("two-sided"), 0, 0])
    return Elsewhere(program, Counted((larger + 1) / (AR_TRIALS + 1), larger, AR_TRIALS), gain, study.alpha, SHUFFLED)
