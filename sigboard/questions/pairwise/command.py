"""Pairwise judgments: wins, ties and losses, the sign test, and a ranking."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from sigboard.questions.pairwise import report as reports
from sigboard.terminal import arguments
from sigboard.terminal.loading import format_of, load
from sigboard.terminal.output import give
from sigcore import SigError, data, gathered_preferences, readers, results
from sigcore.results import as_json
from sigcore.studies import enough, pairwise, scores
from sigcore.types import AUTO


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The judgments or scores, and the settings of the test."""
    add = command.add_argument
    help = "pairwise judgments (two systems and a winner in each row), or scores of systems on the same questions"
    add("files", nargs="+", metavar="FILE", help=help)
    add("--format", metavar="NAME", help="the format of all files (see: list); by default each is detected")
    add("--format-option", action="append", default=[], metavar="NAME=VALUE", help="an option of the format")
    arguments.fields(command)
    arguments.selection(command)
    add("--metric", nargs=1, metavar="NAME", help="for other data: the metric that scores each segment (see: list)")
    add("--option", action="append", default=[], metavar="METRIC.NAME=VALUE", help="an option of a metric; repeatable")
    help = "of scores: segment, document or block:N (default: documents if there are enough, else segments)"
    add("--unit", default=AUTO, metavar="UNIT", help=help)
    arguments.level(command)
    add("--correction", default="holm", metavar="NAME", help="correction for the number of pairs (see: list)")
    help = f"draws of the questions for the intervals (default: {pairwise.RESAMPLES:,})"
    add("--resamples", type=arguments.resamples, default=pairwise.RESAMPLES, metavar="R", help=help)
    arguments.shared(command, estimator=False)


def run(args: argparse.Namespace) -> None:
    """All pairs, and the ranking of judged systems."""
    arguments.check_correction(args.correction)
    battles, warnings = _battles(args)
    counted = pairwise.run(
        battles, resamples=enough.fixed(args.resamples), seed=args.seed, runtime=arguments.runtime(args)
    )
    result = pairwise.read(counted, args.alpha, args.correction)
    content = as_json(reports.PAIRWISE, result, warnings=warnings)
    tables, rows = [reports.text(result)], lambda: results.rows(pairwise.PAIRS, result.pairs)
    give(args, content, tables, rows=rows, latex=lambda: reports.latex(result))


WON = readers.names.pattern("votes.won")
PAIRS = "Pairwise judgments have a row for each comparison, with columns headed model_a, model_b and winner (a name, a, b or "
PAIRS += "tie): who won says nothing without who lost. Others need their roles: --columns LEFT=first RIGHT=second BEST=winner."


def _battles(args: argparse.Namespace) -> tuple[pairwise.Battles, list[str]]:
    """The judged comparisons in the files, or else the scores, with the notices about them."""
    _refuse_twice(args.files)
    collection = data.Collection.of(*args.files, chosen=format_of(args))
    if collection.preferences:
        judged = {part.file for part in collection.preferences}
        collection.problems += tuple(data.named_without(collection, args.files, judged, "pairwise judgments"))
        collection.refuse_problems()
        return pairwise.of_preferences(gathered_preferences(collection.preferences)), data.warnings(collection.notices)
    if not collection.problems:
        _refuse_alone(collection)
    # a plan with both systems of each row, or who won, says already what is missing
    asked = [{claim.role for claim in problem.claims} for problem in data.unclear(collection)]
    if any(roles.isdisjoint(("first", "winner")) for roles in asked):
        collection.problems += (SigError("No file has pairwise judgments.", "", PAIRS),)
    loaded, warnings = load(args, collection)
    # what is of another test set was left out by --testset
    used = {file for file, _ in loaded.files} | {
        one.file for one in collection.items if one.testset != collection.testset
    }
    collection.problems += tuple(data.named_without(collection, args.files, used, "segments of this test set"))
    collection.refuse_problems()
    matrix = scores.build(loaded.testset, loaded.outputs, arguments.asked(args, loaded), args.unit)
    return pairwise.of_scores(matrix), warnings


def _refuse_alone(collection: data.Collection) -> None:
    """Raise SigError for files of one system, and for texts without a reference."""
    systems = [item for item in collection.items if item.role == "system"]
    if len(systems) == 1 and WON.fullmatch(systems[0].name):
        raise SigError(f"{systems[0].name} says who won, and no column says against whom.", systems[0].file, PAIRS)
    if len(systems) == 1:
        what = f"There is one system, {systems[0].name}, and nothing to compare it with."
        raise SigError(what, systems[0].file, "Load the judgments, scores or outputs of a second one, too.")
    if not any(item.role == "reference" or item.kind == "scores" for item in collection.items):
        raise SigError("No file has pairwise judgments, scores, or a reference.", "", PAIRS)


def _refuse_twice(files: Sequence[str]) -> None:
    """Raise SigError for a file that is named twice: each of its judgments would count twice."""
    seen = set[Path]()
    for file in files:
        if (place := Path(file).resolve()) in seen:
            raise SigError(f"{file} is named twice.", file, "Name each file once: its judgments would count twice.")
        seen.add(place)
