"""All pairs of systems."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sigboard.commands import run_options
from sigboard.commands.arguments import check_correction, common, decisions, drawing, files, metrics_and_tests, settings
from sigboard.commands.loading import load
from sigboard.commands.output import give
from sigboard.reports import families, paper, text
from sigboard.reports.json import matrix_json
from sigboard.reports.tables import Row, matrix_rows
from sigcore import MatrixResult, data
from sigcore.studies import enough, matrix


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems, the metrics, the tests and the correction."""
    files(command)
    metrics_and_tests(command)
    decisions(command)
    drawing(command)
    run_options.add_arguments(command)


def run(args: argparse.Namespace) -> None:
    """All pairs."""
    check_correction(args.correction)
    if run_options.requested(args):
        from sigboard.commands import runs

        runs.run(args)
        return
    loaded, warnings = load(args)
    warnings += run_options.note_on_names([item.system for item in loaded.outputs])
    results = grids(args, loaded)
    warnings += [note for result in results for note in result.notes]
    warnings += families.of_choices(args.metric, args.test, families.within_grids(args.correction))
    give(
        args,
        matrix_json(results, list(dict.fromkeys(warnings))),
        [text.matrix_table(r, args.alpha) for r in results],
        rows=lambda: rows(results, args.alpha),
        latex=lambda: paper.latex(results, args.alpha),
    )


def rows(results: Sequence[MatrixResult], alpha: float) -> list[Row]:
    """The pairs of all grids, with the metric and the test of each."""
    return [
        {"metric": item.setup.metric, "test": item.setup.test, **row}
        for item in results
        for row in matrix_rows(item, alpha)
    ]


def grids(args: argparse.Namespace, loaded: data.Loaded) -> list[MatrixResult]:
    """The grid of every metric and test, from one run of as many resamples as the arguments say."""
    assert loaded.testset is not None
    testset, outputs = loaded.testset, loaded.outputs
    how = common(args, loaded) | {"corrections": [args.correction], "sides": [args.alternative]}

    def read(run: matrix.MatrixRun) -> list[MatrixResult]:
        return [matrix.read(run, m, t, settings(args)) for m in args.metric for t in args.test]

    return read(
        enough.draw(
            lambda resamples: matrix.run(testset, outputs, resamples=resamples, **how),
            args.resamples,
            read,
            args.alpha,
        )
    )
