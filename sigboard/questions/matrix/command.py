"""All pairs of systems."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from sigboard.render import paper, sentences, text
from sigboard.render.grid import DRAWN_LIMIT
from sigboard.render.json import matrix_json, too_large
from sigboard.render.tables import pair_columns
from sigboard.terminal import arguments
from sigboard.terminal.arguments import check_correction, decisions, drawing, files, metrics_and_tests
from sigboard.terminal.loading import load
from sigboard.terminal.output import coloured, give, terminal_width
from sigcore import MatrixResult, Study
from sigcore.results import Row, matrix_rows
from sigcore.studies import matrix


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems, the metrics, the tests and the correction."""
    files(command)
    metrics_and_tests(command)
    decisions(command)
    arguments.family(command, several=True)
    arguments.methods(command)
    drawing(command)
    arguments.add_arguments(command)
    arguments.binary(command)


def run(args: argparse.Namespace) -> None:
    """All pairs."""
    check_correction(args.correction)
    family = arguments.family_of(args, args.baseline)
    if arguments.requested(args):
        arguments.check_all_pairs(family)
        from sigboard.terminal import runs

        runs.run(args)
        return
    loaded, warnings = load(args)
    arguments.check_rivals(args, loaded.outputs)
    study = replace(arguments.study_of(args, loaded), family=family)
    _check_size(args, study)
    results = matrix.results(study, arguments.runtime(args))
    warnings = sentences.of_grids(warnings, results, args.correction)
    # tables of very many systems take minutes: where columns are written, they are all
    columns_alone = bool(args.parquet or args.npz) and len(loaded.outputs) > DRAWN_LIMIT
    shown = [] if args.json is not None or columns_alone else results
    notes = [{"notes": list(result.notes)} for result in results]
    tables = [coloured(text.matrix_table(r, args.alpha, args.methods, terminal_width())) for r in shown]
    give(
        args,
        {"warnings": list(warnings), "results": notes}
        if args.json is None
        else matrix_json(results, warnings, args.alpha, args.baseline),
        tables + text.several_tables(shown, args.alpha, args.baseline),
        rows=lambda: rows(results, args.alpha),
        latex=lambda: paper.latex(results, args.alpha, args.baseline),
        columns=lambda: pair_columns(results, args.alpha),
    )


def _check_size(args: argparse.Namespace, study: Study) -> None:
    """Raise SigError for a text of more pairs than is useful, before they are computed."""
    problem = too_large(len(study.outputs), len(study.metrics) * len(study.tests or ()))
    if problem and (args.json or args.csv or args.latex):
        raise problem


def rows(results: Sequence[MatrixResult], alpha: float) -> list[Row]:
    """The pairs of all grids, with the metric and the test of each."""
    return [
        {"metric": item.setup.metric, "test": item.setup.test, **row}
        for item in results
        for row in matrix_rows(item, alpha)
    ]
