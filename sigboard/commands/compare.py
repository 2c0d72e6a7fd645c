"""One pair of systems."""

from __future__ import annotations

import argparse

from sigboard.commands.arguments import common, decisions, drawing, files, metrics_and_tests, settings
from sigboard.commands.loading import load
from sigboard.commands.output import give
from sigboard.reports import text
from sigboard.reports.json import compare_json
from sigcore import SigError
from sigcore.studies import compare


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The two systems, the metrics and the tests."""
    files(command)
    metrics_and_tests(command)
    decisions(command)
    drawing(command)


def run(args: argparse.Namespace) -> None:
    """One pair: the first system against the second."""
    loaded, warnings = load(args)
    assert loaded.testset is not None
    if len(loaded.outputs) != 2:
        raise SigError(f"compare takes two systems, but {len(loaded.outputs)} were given.", "", "Use matrix for more.")
    counted = compare.run(loaded.testset, *loaded.outputs, **common(args, loaded))
    results = [compare.read(counted, m, settings(args)) for m in args.metric]
    warnings += [note for result in results for note in result.notes]
    give(
        args,
        compare_json(results, list(dict.fromkeys(warnings)), args.alternative),
        [text.compare_table(r, args.alpha) for r in results],
    )
