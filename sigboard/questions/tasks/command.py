"""Several tasks at once: scores and gains per task and on average."""

from __future__ import annotations

import argparse
from dataclasses import replace

from sigboard.questions.tasks import report as reports
from sigboard.terminal import arguments
from sigboard.terminal.loading import coded, format_of
from sigboard.terminal.output import give
from sigcore import data, readers, results
from sigcore.results import as_json
from sigcore.studies import enough, tasks
from sigcore.types import AUTO


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The scores of all tasks, and the settings of the test."""
    add = command.add_argument
    help = "scores per question of all systems on all tasks (logs of evaluations)"
    add("files", nargs="+", metavar="FILE", help=help)
    add("--format", metavar="NAME", help="the format of all files (see: list); by default each is detected")
    add("--format-option", action="append", default=[], metavar="NAME=VALUE", help="an option of the format")
    arguments.fields(command)
    help = "the measures to use, the first that a task has (acc exact_match); needed if a task has several"
    add("--measure", nargs="+", default=[], metavar="NAME", help=help)
    add("--task", nargs="+", default=[], metavar="NAME", help="the tasks to use (default: all)")
    help = "missing scores: refuse = stop with an error, drop = leave the question out for all systems, zero = count it as 0"
    add("--missing", default="refuse", choices=("refuse", "drop", "zero"), help=help)
    help = "what is resampled: segment, document or block:N (default: the question, where it has several samples)"
    add("--unit", default=AUTO, metavar="UNIT", help=help)
    arguments.level(command)
    help = "correction for the number of tasks and pairs (see: list; default: holm)"
    add("--correction", default="holm", metavar="NAME", help=help)
    help = "also how few questions carry the verdict between the two best systems of each task"
    add("--fragile", action="store_true", help=help)
    help = f"number of resamples (default: {tasks.RESAMPLES:,}, more for many gains, and p is exact where that costs little)"
    add("--resamples", type=arguments.resamples, default=AUTO, metavar="R", help=help)
    arguments.shared(command, estimator=False)


def run(args: argparse.Namespace) -> None:
    """All pairs of systems on all tasks."""
    collection = coded(args, data.Collection.of(*args.files, chosen=format_of(args)))
    scored = {item.file for item in collection.items if item.kind == "scores" or item.role in readers.SHARED}
    if any(item.kind == "scores" for item in collection.items):
        collection.problems += tuple(data.named_without(collection, args.files, scored, "scores of systems"))
    collection.refuse_problems()
    chosen = tasks.of_collection(collection, args.task, args.measure, args.missing, args.unit)
    exact = args.resamples == AUTO
    drawn = tasks.enough(chosen, args.alpha) if exact else enough.fixed(args.resamples)
    counted = tasks.run(chosen, resamples=drawn, seed=args.seed, runtime=arguments.runtime(args), exact=exact)
    result = tasks.read(counted, args.alpha, args.correction)
    if args.fragile:
        result = replace(result, hanging=tasks.hanging(counted, args.alpha, arguments.runtime(args)))
    content = as_json(reports.TASKS, result, warnings=data.warnings(collection.notices))
    tables, rows = [reports.text(result)], lambda: results.rows(tasks.GAINS, result.gains)
    give(args, content, tables, rows=rows, latex=lambda: reports.latex(result))
