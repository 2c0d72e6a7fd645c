"""Who is first, and who is tied: ranges of ranks and clusters from the verdicts on all pairs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from sigboard.questions.rank import report
from sigboard.render import sentences, text
from sigboard.terminal import arguments
from sigboard.terminal.arguments import check_correction, decisions, drawing, files, metrics_and_tests
from sigboard.terminal.loading import load
from sigboard.terminal.output import give, terminal_width
from sigcore import MatrixResult, OptionError
from sigcore.studies import matrix

Grids = tuple[Sequence[MatrixResult], Sequence[str]]  # of every metric, and the warnings


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems, the metrics, the test and the correction, as in matrix."""
    files(command)
    metrics_and_tests(command)
    decisions(command)
    arguments.family(command, several=True)
    arguments.methods(command)
    drawing(command)
    arguments.add_arguments(command)


def run(args: argparse.Namespace) -> None:
    """The ranks under every metric."""
    if len(args.test) > 1:
        raise OptionError("rank uses one --test.", "", "Name one.")
    check_correction(args.correction)
    results, warnings = (_of_runs if arguments.requested(args) else _of_systems)(args)
    found, columns = report.ranked(results, args.alpha), terminal_width()
    tables = [report.table(ranks, columns, explained=ranks is found.ranks[-1]) for ranks in found.ranks]
    tables += report.several(found, columns)
    if args.methods:
        tables += [text.printable(sentences.methods(result, args.alpha), 0) for result in results]
    give(
        args,
        report.rank_json(found, warnings),
        tables,
        rows=lambda: report.rank_rows(found),
        latex=lambda: report.latex(found),
    )


def _of_runs(args: argparse.Namespace) -> Grids:
    """The verdicts on all pairs of systems with several runs each, and the warnings."""
    arguments.check_all_pairs(arguments.family_of(args, args.baseline))
    from sigboard.terminal import runs

    made = runs.computed(args)
    return [result.grid for result in made.results], made.warnings


def _of_systems(args: argparse.Namespace) -> Grids:
    """The same of outputs of which each is a system."""
    family = arguments.family_of(args, args.baseline)
    loaded, warnings = load(args)
    arguments.check_rivals(args, loaded.outputs)
    study = replace(arguments.study_of(args, loaded), family=family)
    results = matrix.results(study, arguments.runtime(args))
    return results, sentences.of_grids(warnings, results, args.correction)
