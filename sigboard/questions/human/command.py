"""Metrics and tests compared with human judgments."""

from __future__ import annotations

import argparse
from dataclasses import replace

from sigboard.questions.human import files as human_latex
from sigboard.questions.human import report as human_reports
from sigboard.render import tables
from sigboard.terminal.arguments import drawing, files, runtime, study_of
from sigboard.terminal.loading import load, read_judgments
from sigboard.terminal.output import give, write
from sigcore import metrics, results
from sigcore.studies import human


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The ratings, the systems, the metrics and the tests."""
    add = command.add_argument
    help = "human ratings: DA, ESA, MQM, or means per segment"
    add("--assessments", nargs="+", required=True, metavar="FILE", help=help)
    files(command)
    usual = [name for name in human.METRICS if name in metrics.members()]
    add("--metric", nargs="+", default=usual, metavar="NAME", help="metrics (see: list)")
    add("--test", nargs="+", default=list(human.TESTS), metavar="NAME", help="tests (see: list)")
    help = "significance levels; conclusions are drawn at each"
    add("--alpha", nargs="+", type=float, default=list(human.ALPHAS), help=help)
    _add_readings(command)
    add("--latex-figure", metavar="FILE", help="write the grids to this file as LaTeX, at the first alpha")
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
    """Metrics and tests compared with people."""
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
    content = human_latex.human_json(result, [*notes, *warnings])
    give(
        args,
        content,
        [human_latex.human_table(result)],
        result.notes,
        lambda: results.rows(human.fields.ACCURACIES, result.accuracies),
        lambda: human_latex.accuracy_table(result),
    )
