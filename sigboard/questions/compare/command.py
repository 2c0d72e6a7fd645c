"""One pair of systems."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from sigboard.questions.compare import report
from sigboard.render import sentences, text
from sigboard.render.json import compare_json, strips_json
from sigboard.terminal import arguments
from sigboard.terminal.arguments import decisions, drawing, files, metrics_and_tests
from sigboard.terminal.loading import load
from sigboard.terminal.output import give
from sigcore import CompareResult, OptionError, Outputs, Runtime, SigError, Study, data
from sigcore.results import InGrids, Row, alone, compare_rows
from sigcore.studies import compare, enough, matrix, pairwise, strip
from sigcore.studies import runs as runs_study
from sigcore.types import ALL_PAIRS, PLANNED_PAIR, Comparisons


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The two systems, the metrics and the tests."""
    files(command)
    metrics_and_tests(command)
    decisions(command)
    arguments.family(command, several=False)
    command.add_argument(
        "--planned",
        action="store_true",
        help="the pair of --pair is a single comparison, planned before any score was known",
    )
    command.add_argument(
        "--margin",
        type=float,
        metavar="M",
        help="also test whether the two are equal within M points of the metric (two one-sided tests)",
    )
    command.add_argument(
        "--strip",
        action="store_true",
        help="also show every test over every unit, and what other programs print for the pair",
    )
    drawing(command)
    arguments.add_arguments(command)


def run(args: argparse.Namespace) -> None:
    """One pair, the first system against the second; or every system against a baseline."""
    if arguments.requested(args):
        of_runs(args)
        return
    loaded, warnings = load(args)
    names = [item.system for item in loaded.outputs]
    pairs, family = chosen(args, names)
    warnings += sentences.note_on_names(names)
    runtime = arguments.runtime(args)
    each, in_grids = compute(args, loaded, pairs, family, runtime)
    strips = strips_of(args, loaded, each, family, in_grids, runtime)
    results = [result for found in each for result in found]
    warnings += [note for result in results for note in result.notes]
    metrics = [result.setup.metric for result in results]
    warnings += sentences.of_choices(metrics, args.test, _within(in_grids, args.correction))
    of = {outputs.system: outputs for outputs in loaded.outputs}
    beside = [pairwise.mcnemar(loaded.testset, of[one], of[other]) for one, other in pairs]
    warnings += [str(found) for found in beside if found is not None]
    show(args, each, list(dict.fromkeys(warnings)), in_grids, strips)


def of_runs(args: argparse.Namespace) -> None:
    """Two systems with several runs each, and their verdict strips where they are asked for."""
    from sigboard.terminal import runs

    def beside(made: runs.Made) -> runs.Beside:
        plan, drawn = runs_study.RunsPlan(made.systems, args.shuffle), made.results[0].resamples
        strips = strip.of_runs(made.study, plan, arguments.runtime(args), drawn)
        return [report.strip_table(one) for one in strips], strips_json(strips)

    runs.run(args, most=2, beside=beside if args.strip else None)


def compute(
    args: argparse.Namespace,
    loaded: data.Ready,
    pairs: Sequence[tuple[str, str]],
    family: Comparisons,
    runtime: Runtime,
) -> tuple[list[list[CompareResult]], InGrids | None]:
    """The results of each pair under every metric, and the grids that they are part of, if they are."""
    study = arguments.study_of(args, loaded)
    in_grids, drawn = None, dict[tuple[str, str], int]()
    if family != PLANNED_PAIR:
        in_grids = InGrids(tuple(matrix.results(replace(study, family=family), runtime)))
        # a pair has the draws that it has in its grid, and its p is exact where that of the grid is
        drawn = {pair: max(grid.resamples_of(*pair) for grid in in_grids.grids) or enough.START for pair in pairs}
    counted = replace(study.settings, exact=_exact(study, in_grids))
    of = {outputs.system: outputs for outputs in loaded.outputs}
    found = []
    for one, other in pairs:
        asked = replace(study, resamples=drawn[one, other], settings=counted) if drawn else study
        found.append(compare.results(_of_pair(asked, family, of[one], of[other]), runtime, margin=args.margin))
    return found, in_grids


def _of_pair(study: Study, family: Comparisons, one: Outputs, other: Outputs) -> Study:
    """What is asked about a pair, over the unit of its family; a planned pair is a family of its own."""
    if family == PLANNED_PAIR:
        return replace(study, outputs=(one, other), family=family)
    return replace(study, family=family).of_pair(one, other)


def _exact(study: Study, in_grids: InGrids | None) -> bool:
    """Whether an exact p replaces the counted one: that of a grid is the p of its pairs."""
    return study.settings.exact and (in_grids is None or all(grid.setup.exact for grid in in_grids.grids))


def strips_of(
    args: argparse.Namespace,
    loaded: data.Ready,
    each: Sequence[Sequence[CompareResult]],
    family: Comparisons,
    in_grids: InGrids | None,
    runtime: Runtime,
) -> list[list[strip.StripResult]]:
    """The verdict strips of every pair, from as many resamples as its results have; none unless they were asked for."""
    if not args.strip:
        return []
    study, of = arguments.study_of(args, loaded), {outputs.system: outputs for outputs in loaded.outputs}
    exact = _exact(study, in_grids)
    strips = []
    for found in each:
        drawn = max((item.drawn for result in found for item in result.results), default=0) or enough.START
        asked = replace(study, resamples=drawn, settings=replace(study.settings, exact=exact))
        pair = of[found[0].system], of[found[0].baseline]
        strips.append(strip.results(_of_pair(asked, family, *pair), runtime, drawn))
    return strips


def show(
    args: argparse.Namespace,
    each: Sequence[list[CompareResult]],
    warnings: list[str],
    in_grids: InGrids | None,
    strips: Sequence[Sequence[strip.StripResult]] = (),
) -> None:
    """Print or write the results of each pair."""
    results = [result for found in each for result in found]
    tests = len({result.setup.metric for result in results}) * len(set(args.test))
    beside = strips or [()] * len(each)
    documents = [
        compare_json(found, warnings, args.alternative, in_grids, args.alpha, own)
        for found, own in zip(each, beside, strict=True)
    ]
    give(
        args,
        {"comparisons": documents, "warnings": warnings} if args.baseline else documents[0],
        [
            *(text.compare_table(r, args.alpha, tests, in_grids) for r in results),
            *(report.strip_table(one) for own in beside for one in own),
        ],
        notes=[note for result in results for note in result.notes],
        rows=lambda: _rows(results, args.alpha, in_grids),
    )


def chosen(args: argparse.Namespace, names: Sequence[str]) -> tuple[list[tuple[str, str]], Comparisons]:
    """The pairs (system, baseline) that are shown, and the family whose tests they are.

    Two systems alone are a planned pair. A pair among more is one of all pairs, unless it was planned.

    Raises: SigError where more than two systems were given, and none of them named; OptionError for a wrong name.
    """
    asked = arguments.family_of(args, args.baseline)
    if len(args.pair) > 1:
        raise OptionError("compare shows one --pair.", "", "Use matrix for several.")
    if args.planned and not args.pair and len(names) > 2:
        raise OptionError("--planned belongs to one pair.", "", "Name it: --pair SYSTEM BASELINE.")
    if asked.whole and len(names) != 2:
        fix = "Name the pair: --pair SYSTEM BASELINE. Or --baseline NAME for all others against one. Use matrix for all pairs."
        fix = " ".join([fix, *sentences.note_on_names(names)])
        raise SigError(f"compare takes two systems, but {len(names)} were given.", "", fix)
    shown = [(names[i], names[j]) for i, j in asked.directed(names)]
    if len(names) == 2 or args.planned:
        return shown, PLANNED_PAIR
    return shown, asked if args.baseline else ALL_PAIRS


def _within(in_grids: InGrids | None, correction: str) -> str:
    """What is corrected: the beginning of a note on choices."""
    alone = "Each p-value is for a single comparison, not corrected"
    return alone if in_grids is None else sentences.within_grids(correction)


def _rows(results: Sequence[CompareResult], alpha: float, in_grids: InGrids | None) -> list[Row]:
    """The tests of all metrics."""
    families = in_grids or alone
    return [{"metric": item.setup.metric, **row} for item in results for row in compare_rows(item, alpha, families)]
