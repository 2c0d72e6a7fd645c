"""Metrics and tests compared with human judgments."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace

from sigboard.questions.human import files as human_latex
from sigboard.questions.human import report as human_reports
from sigboard.render import tables
from sigboard.terminal.arguments import drawing, files, runtime, study_of
from sigboard.terminal.loading import by_pair, load, read_judgments, sort_ratings
from sigboard.terminal.output import give, write
from sigcore import Judgments, OptionError, metrics, results
from sigcore.formatting import listed
from sigcore.studies import human


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The ratings, the systems, the metrics and the tests."""
    add = command.add_argument
    help = "human ratings: DA, ESA, MQM, or means per segment"
    add("--assessments", nargs="+", default=[], metavar="FILE", help=help)
    files(command)
    usual = [name for name in human.METRICS if name in metrics.members()]
    add("--metric", nargs="+", default=usual, metavar="NAME", help="metrics (see: list)")
    add("--test", nargs="+", default=list(human.TESTS), metavar="NAME", help="tests (see: list)")
    help = "significance levels; conclusions are drawn at each"
    add("--alpha", nargs="+", type=float, default=list(human.ALPHAS), help=help)
    _add_readings(command)
    add("--latex-figure", metavar="FILE", help="write the grids to this file as LaTeX, at the first alpha")
    help = "write all accuracies to this file as a workbook, a sheet for each test set and one for all"
    add("--xlsx", metavar="FILE", help=help)
    help = "write the mean human scores per system and segment to this file, as CSV"
    add("--segment-scores", metavar="FILE", help=help)
    drawing(command)


def _add_readings(command: argparse.ArgumentParser) -> None:
    """How the ratings are read."""
    add = command.add_argument
    choices = "; ".join(f"{name}: {meaning}" for name, meaning in human.STANDARDS.items())
    help = f"{choices} (default: depends on the file)"
    add("--standardise", default="", choices=("", *human.STANDARDS), metavar="HOW", help=help)
    help = "dimensions, in order of priority (default: all, adequacy first)"
    add("--dimension", nargs="+", default=[], metavar="NAME", help=help)
    help = "leave out judges who do not rate degraded texts significantly lower at this level"
    add("--control", type=float, metavar="LEVEL", help=help)
    help = "the output that belongs to a judged system with another name"
    add("--rename", nargs="+", default=[], metavar="JUDGED=OUTPUT", help=help)
    help = "also people's conclusions without each judge, at the first alpha"
    add("--each-judge", action="store_true", help=help)
    add("--ratings", default="", metavar="NAME", help="the ratings to use, if the files contain several")


def run(args: argparse.Namespace) -> None:
    """Metrics and tests compared with people; on several test sets, where folders name them, as one table."""
    sort_ratings(args)
    parts = {} if args.testset or args.documents else by_pair(args)
    if len(parts) > 1:
        return _several(args, parts)
    if not (args.systems or args.known or args.project or args.files):
        return _alone(args)
    result, notes = _compared(args)
    if args.xlsx:
        write(args.xlsx, human_latex.workbook({"": result}))
    content = human_latex.human_json(result, notes)
    give(
        args,
        content,
        [human_latex.human_table(result)],
        result.notes,
        lambda: results.rows(human.fields.ACCURACIES, result.accuracies),
        lambda: human_latex.accuracy_table(result),
    )


def _alone(args: argparse.Namespace) -> None:
    """What people found, where only their ratings are given.

    Raises: OptionError for a file that would hold what metrics found.
    """
    judgments, notes = read_judgments(args)
    if args.json or args.latex or args.latex_figure or args.xlsx or args.each_judge:
        what = "Only ratings are given: JSON, LaTeX, a workbook and --each-judge need the outputs that metrics score."
        raise OptionError(what, "", "Add them: --reference FILE --systems FILE FILE ... Or write --csv.")
    people = human.people(judgments, args.standardise, args.dimension, args.control)
    if len(people.systems) < 2:
        what = f"People rated {people.systems[0]} alone, and no outputs are given."
        fix = "Load ratings of two systems; for metrics add --reference FILE --systems FILE FILE ..."
        raise OptionError(what, "", f"{_of_references(judgments)}{fix}")
    if args.segment_scores:
        write(args.segment_scores, tables.to_csv(human_reports.segment_rows(people)))
    alone = "No outputs are given, so no metric is compared with people: --reference, --systems."
    content = {"warnings": [*notes, *people.notes, alone]}
    table = human_latex.people_table(people, args.alpha[0])
    give(args, content, [table], (), lambda: human_reports.system_rows(people))


def _of_references(judgments: Judgments) -> str:
    """What is said of systems all of whose ratings are of references, by the column of types; "" without such systems."""
    names = {*judgments.system[judgments.kind == "reference"].tolist()}
    names -= {*judgments.system[judgments.counted].tolist()}
    if not names:
        return ""
    way = "To compare it as a system, leave out the column that says so: --columns HEADING=ignored."
    return f"By their type the ratings of {listed(sorted(names))} are of a reference, which checks the judges. {way} "


def _compared(args: argparse.Namespace) -> tuple[human.HumanResult, list[str]]:
    """People and metrics on one test set, and what is to be said of the files."""
    judgments, notes = read_judgments(args)
    loaded, warnings = load(args)
    matched = human.match(list(dict.fromkeys(judgments.system.tolist())), [o.system for o in loaded.outputs])
    judgments = human.named(judgments, matched.names)
    people = human.people(judgments, args.standardise, args.dimension, args.control)
    people = human.within(people, loaded.testset, loaded.ids)
    if args.segment_scores:
        write(args.segment_scores, tables.to_csv(human_reports.segment_rows(people)))
    study = study_of(args, loaded)
    result = human.read(people, human.run(study, people, runtime(args)), args.alpha, study.settings, matched)
    if args.each_judge:
        how = (args.standardise, args.dimension, args.control)
        result = replace(result, without=tuple(human.without_each(judgments, args.alpha[0], *how)))
    if args.latex_figure:
        write(args.latex_figure, human_latex.figure(result, args.alpha[0]))
    return result, [*notes, *warnings]


def _several(args: argparse.Namespace, parts: Mapping[str, argparse.Namespace]) -> None:
    """Every test set, and one table of all accuracies.

    Raises: OptionError for files that hold one test set only.
    """
    if args.segment_scores or args.latex_figure:
        fix = "Name the files of one test set, or choose one with --testset."
        raise OptionError("--segment-scores and --latex-figure hold one test set.", "", fix)
    found, said = dict[str, human.HumanResult](), dict[str, list[str]]()
    for name, own in parts.items():
        found[name], said[name] = _compared(own)
    if args.xlsx:
        write(args.xlsx, human_latex.workbook(found))
    rows = human_latex.accuracy_rows(found)
    shown = [f"{name}: {note}" for name, item in found.items() for note in item.notes]
    warnings = [f"{name}: {note}" for name, item in found.items() for note in (*said[name], *item.notes)]
    content = human_latex.several_json(found, said) | {"warnings": warnings}
    tables_of = [f"{name}\n{human_latex.human_table(item)}" for name, item in found.items()]
    give(args, content, tables_of, shown, lambda: rows, lambda: human_latex.accuracy_tables(found))
