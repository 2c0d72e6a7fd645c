"""What is handed in: the check before submission, sentences, tables and one HTML file."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sigboard.questions.report.report import WRITERS, Report, check_lines, figures, report_json
from sigboard.render import sentences
from sigboard.render.bibtex import command_line
from sigboard.render.runs import multeval_latex
from sigboard.render.text import printable
from sigboard.terminal import arguments, loading, runs
from sigboard.terminal.arguments import check_correction, decisions, drawing, files, metrics_and_tests
from sigboard.terminal.loading import collect, load
from sigboard.terminal.output import STDOUT, as_text, say_written, write
from sigcore import Judgments, MatrixResult, OptionError, SigError, Study, data
from sigcore.studies import human, matrix, report
from sigcore.types import AUTO, Row


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems, the metrics, the tests, the correction, and what is written."""
    files(command)
    metrics_and_tests(command)
    decisions(command)
    drawing(command)
    add = command.add_argument
    help = (
        "files to write, each by its suffix: .html (the whole report, which needs no server), or the tables alone as .xlsx, "
        ".tex, .md or .csv, or .bib"
    )
    add("--out", nargs="+", default=[], metavar="FILE", help=help)
    add(
        "--figures", metavar="FOLDER", help="write the grids and the histograms of pairs to this folder, as SVG and PNG"
    )
    add("--baseline", default="", metavar="NAME", help="the system that the daggers of the table of scores refer to")
    add(
        "--family",
        default="all",
        choices=("all", "baseline"),
        help="baseline: test every other system against the --baseline alone (default: all pairs)",
    )
    arguments.family(command, several=True, baseline=False)
    add(
        "--acknowledge",
        action="append",
        default=[],
        metavar="CHECK=REASON",
        help="what you say of a check that is not green; it goes into the report; repeatable",
    )
    add("--unseen", action="store_true", help="say that the test set was not used to build, tune or select a system")
    help = (
        "a report for each test set (language pair) in the files; its name is added to the names of the written files"
    )
    add("--each-testset", action="store_true", help=help)
    arguments.add_arguments(command)
    add("--check", action="store_true", help="end with exit code 1 if a check is red")


def run(args: argparse.Namespace) -> None:
    """The report.

    Raises: SystemExit(1) with --check if a check is red, after everything is written.
    """
    check_correction(args.correction)
    if args.family == "baseline" and not args.baseline:
        raise OptionError("--family baseline has no baseline.", "", "Name it: --baseline NAME.")
    for path in args.out:
        writer(path)  # before anything is computed
    if arguments.requested(args) and args.runs and args.each_testset:
        fix = "Give --systems with --runs-from-names."
        raise OptionError("--runs names the files of one test set.", "--each-testset", fix)
    collection = None if args.runs else collect(args)
    use = loading.wanted(args, collection) if collection else loading.Wanted(args.testset, args.measure)
    several = args.each_testset and collection is not None
    red = _each(args, collection, use) if several and collection else _one(args, collection, use)
    if args.check and red:
        print(f"red: {' '.join(red)}", file=sys.stderr)
        raise SystemExit(1)


def _each(args: argparse.Namespace, collection: data.Collection, use: loading.Wanted) -> list[str]:
    """The red checks of the reports on all test sets, which are written one after the other."""
    collection.refuse_problems()
    testsets, red = collection.choices.testsets, list[str]()
    reports: Mapping[str, argparse.Namespace] = dict.fromkeys(testsets, args) or loading.by_pair(args)
    if not reports:
        fix = "Name the language pair in the files or folders (wmt22.cs-en.ref.en), or leave out --each-testset."
        raise SigError("The files do not say which test sets they belong to.", "--each-testset", fix)
    for done, (name, own) in enumerate(reports.items(), start=1):
        written: Row = {
            of: _with(path, name) for of in ("json", "figures", "csv", "latex") if (path := getattr(args, of))
        }
        written["out"] = [_with(path, name) for path in args.out]
        head = {"each_testset": False, "name": name or args.name, "head": f"{name} ({done} of {len(reports)}): "}
        whole = argparse.Namespace(**{**vars(own), **written, **head})
        own_use = use._replace(testset=name) if testsets else use
        red += [f"{name}: {question}" for question in _one(whole, collection if testsets else collect(whole), own_use)]
    return red


def writer(path: str) -> Callable[[Report], str | bytes]:
    """What writes a file with the suffix of that path.

    Raises: OptionError for a suffix that no writer has.
    """
    suffix = ".html" if path == STDOUT else Path(path).suffix.lower()
    if suffix not in WRITERS:
        raise OptionError(f"{path} has no suffix that --out knows.", "--out", f"Use one of {', '.join(WRITERS)}.")
    return WRITERS[suffix]


def _figures(folder: str, made: Report) -> None:
    """Write the figures to the folder, which is created where it is missing.

    Raises: SigError if that fails.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SigError(
            f"{folder} cannot be created: {error.strerror}.", "--figures", "Choose another folder."
        ) from error
    for name, content in figures(made).items():
        write(str(Path(folder) / name), content)


def _with(path: str, name: str) -> str:
    """The path with the name of the test set before its suffix; standard output stays."""
    plain = re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-.")
    return path if path == STDOUT or not plain else str(Path(path).with_suffix(f".{plain}{Path(path).suffix}"))


def _one(args: argparse.Namespace, collection: data.Collection | None, use: loading.Wanted) -> list[str]:
    """The red checks of the report on one test set, which is written or printed."""
    made = (_of_runs if arguments.requested(args) else _of_systems)(args, collection, use)
    for path in args.out:
        write(path, writer(path)(made))
    if args.figures is not None:
        _figures(args.figures, made)
    if args.json is not None:
        write(args.json, as_text(report_json(made)))
    red = [check.question for check in made.checks if check.state == "red" and check.open]
    taken = _tables(args, made)
    if args.json is not None or args.out or args.figures is not None:
        say_written(args, made.verdict.replace("\n", " "))
    elif not taken:
        lines = [*check_lines(made.checks), "", made.verdict, "", made.methods, "", made.command]
        print("\n".join(printable(line, 0) for text in lines for line in text.split("\n")))
    return red


def _tables(args: argparse.Namespace, made: Report) -> bool:
    """Write the tables that --csv and --latex name, and say whether one of them is on standard output."""
    for path, suffix in ((args.csv, ".csv"), (args.latex, ".tex")):
        if path:
            write(path, multeval_latex(made.runs) if made.runs and suffix == ".tex" else WRITERS[suffix](made))
    return "-" in (args.csv, args.latex)


def _of_systems(args: argparse.Namespace, collection: data.Collection | None, use: loading.Wanted) -> Report:
    """The report on outputs of which each is a system; histograms are drawn only if there is a file for them."""
    loaded, warnings = load(args, collection, use)
    arguments.check_rivals(args, loaded.outputs)
    how, against = arguments.runtime(args), args.baseline if args.family == "baseline" else ""
    study = replace(arguments.study_of(args, loaded), family=arguments.family_of(args, against))
    results = matrix.results(study, how)
    warnings = sentences.of_grids(warnings, results, args.correction)
    parts, names = list[Judgments](), list[str]()
    if collection is not None and not data.are_mean_ratings(collection.items):  # those would confirm themselves
        parts, names = list(collection.ratings), [outputs.system for outputs in loaded.outputs]
    ratings = human.of_outputs(parts, names, collection.renamed if collection else {})
    judged = None if ratings is None else human.people(ratings)
    made = _made(args, use, loaded, study, results, warnings, people=judged)
    made = made if collection is None else replace(made, recipes=data.recipes(collection))
    if args.figures is None and not any(writer(path) is WRITERS[".html"] for path in args.out):
        return made
    most = max(1, *(result.setup.resamples for result in results))
    return replace(made, pictures=report.pictures(replace(study, resamples=most), how))


def _of_runs(args: argparse.Namespace, collection: data.Collection | None, use: loading.Wanted) -> Report:
    """The report on systems with several runs each."""
    found = runs.computed(args, collection, use=use)
    names = {system: [one.system for one in own] for system, own in found.systems.items()}
    unstable = list(dict.fromkeys(name for result in found.results for name in result.unstable))
    grids = [result.grid for result in found.results]
    made = _made(args, use, found.loaded, found.study, grids, found.warnings, runs=names, unstable=unstable)
    return replace(made, runs=tuple(found.results))


def _reasons(given: Sequence[str]) -> dict[str, str]:
    """The reasons by the name of their check.

    Raises: OptionError for a text in another form, or a check that does not exist.
    """
    found = {}
    for text in given:
        name, equals, reason = text.partition("=")
        if not equals or not reason.strip() or name not in report.NAMES:
            fix = f"Write CHECK=REASON; the checks are {', '.join(report.NAMES)}."
            raise OptionError(f"{text!r} acknowledges no check.", "--acknowledge", fix)
        found[name] = reason.strip()
    return found


def _made(
    args: argparse.Namespace,
    use: loading.Wanted,
    loaded: data.Ready,
    study: Study,
    results: Sequence[MatrixResult],
    warnings: Sequence[str],
    **more: Any,
) -> Report:
    """The report of these results, without histograms; `more` is what the case has of runs."""
    same = {result.setup.resamples for result in results if result.setup.resamples}
    drawn = same.pop() if len(same) == 1 and not any(result.setup.fewest for result in results) else AUTO
    case = report.Case(
        loaded.testset,
        loaded.outputs,
        results,
        args.alpha,
        len(set(study.named)),
        len(set(args.test)),
        unseen=args.unseen,
        findings=loaded.findings,
        reasons=_reasons(args.acknowledge),
        **more,
    )
    if args.baseline and args.baseline not in results[0].systems:
        fix = f"Write the name of one of the systems: {', '.join(results[0].systems)}."
        raise SigError(f"There is no system named {args.baseline!r}.", "--baseline", fix)
    given = {**vars(args), "resamples": drawn if args.resamples == AUTO else args.resamples, "head": ""}
    given |= {"metric": study.named, **use._asdict()}
    given |= {} if arguments.requested(args) else {"shuffle": ""}
    notes = tuple(dict.fromkeys(warnings))
    return Report(args.name, tuple(results), report.check(case), args.alpha, command_line(given), args.baseline, notes)
