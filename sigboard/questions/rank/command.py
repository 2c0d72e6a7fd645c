"""Who is first, and who is tied: ranges of ranks and clusters from the verdicts on all pairs."""

from __future__ import annotations

import argparse
from dataclasses import replace

from sigboard.questions.rank import report
from sigboard.render import sentences, text
from sigboard.terminal import arguments
from sigboard.terminal.arguments import check_correction, decisions, drawing, files, metrics_and_tests
from sigboard.terminal.loading import load
from sigboard.terminal.output import give, terminal_width
from sigcore import OptionError
from sigcore.studies import matrix


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems, the metrics, the test and the correction, as in matrix."""
    files(command)
    metrics_and_tests(command)
    decisions(command)
    arguments.family(command, several=True)
    arguments.methods(command)
    drawing(command)


def run(args: argparse.Namespace) -> None:
    """The ranks under every metric."""
    if len(args.test) > 1:
        raise OptionError("rank uses one --test.", "", "Name one.")
    check_correction(args.correction)
    family = arguments.family_of(args, args.baseline)
    loaded, warnings = load(args)
    study = replace(arguments.study_of(args, loaded), family=family)
    results = matrix.results(study, arguments.runtime(args))
    warnings = sentences.of_grids(warnings, results, args.correction)
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
