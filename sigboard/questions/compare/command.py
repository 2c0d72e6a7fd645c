"""One pair of systems."""

from __future__ import annotations

import argparse

from sigboard.render import sentences, text
from sigboard.render.json import compare_json
from sigboard.terminal import arguments
from sigboard.terminal.arguments import decisions, drawing, files, metrics_and_tests
from sigboard.terminal.loading import load
from sigboard.terminal.output import give
from sigcore import CompareResult, SigError
from sigcore.results import Row, compare_rows
from sigcore.studies import compare, pairwise


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The two systems, the metrics and the tests."""
    files(command)
    metrics_and_tests(command)
    decisions(command)
    drawing(command)
    arguments.add_arguments(command)


def run(args: argparse.Namespace) -> None:
    """One pair: the first system against the second."""
    if arguments.requested(args):
        from sigboard.terminal import runs

        runs.run(args, most=2)
        return
    loaded, warnings = load(args)
    testset, outputs = loaded.testset, loaded.outputs
    alike = arguments.note_on_names([item.system for item in outputs])
    if len(outputs) != 2:
        fix = " ".join(["Use matrix for more.", *alike])
        raise SigError(f"compare takes two systems, but {len(outputs)} were given.", "", fix)
    warnings += alike
    study = arguments.study_of(args, loaded).of_pair(*outputs)
    results = compare.results(study, arguments.runtime(args))
    warnings += [note for result in results for note in result.notes]
    warnings += sentences.of_choices(
        study.named, args.test, "Each p-value is that of a single comparison, not corrected"
    )
    beside = pairwise.mcnemar(testset, *outputs)
    warnings += [str(beside)] if beside is not None else []
    tests = len(set(study.named)) * len(set(args.test))
    give(
        args,
        compare_json(results, list(dict.fromkeys(warnings)), args.alternative),
        [text.compare_table(r, args.alpha, tests) for r in results],
        rows=lambda: _rows(results, args.alpha),
    )


def _rows(results: list[CompareResult], alpha: float) -> list[Row]:
    """The tests of all metrics."""
    return [{"metric": item.setup.metric, **row} for item in results for row in compare_rows(item, alpha)]
