"""What is handed in: the check before submission, sentences, tables and one HTML file."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from sigboard.commands import matrix, runs
from sigboard.commands.arguments import (
    asked,
    check_correction,
    common,
    decisions,
    drawing,
    files,
    metrics_and_tests,
    settings,
)
from sigboard.commands.loading import collect, load
from sigboard.commands.output import as_text, progress, write, write_tables
from sigboard.reports import families, paper
from sigboard.reports.command_line import command_line
from sigboard.reports.report import Report, check_lines, report_json
from sigboard.reports.text import printable
from sigcore import MatrixResult, SigError, TestResult, data
from sigcore.studies import report
from sigcore.types import AUTO


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems, the metrics, the tests, the correction, and what is written."""
    files(command)
    metrics_and_tests(command)
    decisions(command)
    drawing(command)
    add = command.add_argument
    add("--out", metavar="FILE", help="write the report as one HTML file that needs no server")
    add("--baseline", default="", metavar="NAME", help="the system that the daggers of the table of scores refer to")
    add("--unseen", action="store_true", help="say that the test set was not used to build, tune or select a system")
    help = (
        "a report for each test set (language pair) in the files; its name is added to the names of the written files"
    )
    add("--each-testset", action="store_true", help=help)
    add("--check", action="store_true", help="end with exit code 1 if a check is red")


def run(args: argparse.Namespace) -> None:
    """The report.

    Raises: SystemExit(1) with --check if a check is red, after everything is written.
    """
    check_correction(args.correction)
    collection = collect(args)
    red = _each(args, collection) if args.each_testset else _one(args, collection)
    if args.check and red:
        print(f"red: {' '.join(red)}", file=sys.stderr)
        raise SystemExit(1)


def _each(args: argparse.Namespace, collection: data.Collection) -> list[str]:
    """The red checks of the reports on all test sets, which are written one after the other."""
    collection.refuse_problems()
    testsets, red = collection.choices.testsets, list[str]()
    if not testsets:
        fix = "Name the language pair in the files or folders (wmt22.cs-en.ref.en), or leave out --each-testset."
        raise SigError("The files do not say which test sets they belong to.", "--each-testset", fix)
    for done, name in enumerate(testsets):
        if sys.stderr.isatty():
            progress()("Reports", done, len(testsets))
        own = {"testset": name, "each_testset": False, "name": name or args.name}
        own |= {of: _with(path, name) for of in ("out", "json", "csv", "latex") if (path := getattr(args, of))}
        red += [f"{name}: {question}" for question in _one(argparse.Namespace(**{**vars(args), **own}), collection)]
    return red


def _with(path: str, name: str) -> str:
    """The path with the name of the test set before its suffix; standard output stays."""
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-.")
    return path if path == "-" or not plain else str(Path(path).with_suffix(f".{plain}{Path(path).suffix}"))


def _one(args: argparse.Namespace, collection: data.Collection) -> list[str]:
    """The red checks of the report on one test set, which is written or printed."""
    loaded, warnings = load(args, collection)
    warnings += runs.note_on_names([item.system for item in loaded.outputs])
    results = matrix.grids(args, loaded)
    warnings += [note for result in results for note in result.notes]
    warnings += families.of_choices(args.metric, args.test, families.within_grids(args.correction))
    made = _made(args, loaded, results, tuple(dict.fromkeys(warnings)))
    if args.out is not None:
        from sigboard.reports.html import report_html  # it imports the figures, which take a second

        write(args.out, report_html(made))
    if args.json is not None:
        write(args.json, as_text(report_json(made)))
    taken = write_tables(
        args, partial(matrix.rows, results, args.alpha), lambda: paper.latex(results, args.alpha, args.baseline)
    )
    if not any((taken, args.json, args.out)):
        lines = [*check_lines(made.checks), "", made.verdict, "", made.methods, "", made.command]
        print("\n".join(printable(line, 0) for text in lines for line in text.split("\n")))
    return [check.question for check in made.checks if check.state == "red"]


def _made(
    args: argparse.Namespace, loaded: data.Loaded, results: list[MatrixResult], warnings: tuple[str, ...]
) -> Report:
    """The report of these results; histograms are drawn only if there is a page for them."""
    assert loaded.testset is not None
    most = max(result.setup.resamples for result in results)
    case = report.Case(
        loaded.testset,
        loaded.outputs,
        results,
        args.alpha,
        len(set(args.metric)),
        len(set(args.test)),
        unseen=args.unseen,
        findings=loaded.findings,
    )
    if args.baseline and args.baseline not in results[0].systems:
        fix = f"Write the name of one of the systems: {', '.join(results[0].systems)}."
        raise SigError(f"There is no system named {args.baseline!r}.", "--baseline", fix)
    drawn: Mapping[report.Of, TestResult] = {}
    if args.out is not None:
        how = common(args, loaded)
        del how["asked"], how["tests"], how["progress"]
        drawn = report.pictures(
            loaded.testset,
            loaded.outputs,
            asked(args, loaded),
            args.test,
            settings(args),
            most,
            progress() if sys.stderr.isatty() else None,
            **how,
        )
    resamples = most if args.resamples == AUTO and most else args.resamples
    return Report(
        args.name,
        tuple(results),
        report.check(case),
        args.alpha,
        command_line({**vars(args), "resamples": resamples}),
        args.baseline,
        warnings,
        drawn,
    )
