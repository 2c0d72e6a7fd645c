"""Groups of arguments that several commands share, and what is made of them."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from sigboard.commands.output import progress
from sigcore import (
    ESTIMATORS,
    SIDES,
    TIE_RULES,
    OptionError,
    Settings,
    executors,
    metrics,
    read_asked,
    statistics_on_disk,
)


def metrics_and_tests(command: argparse.ArgumentParser) -> None:
    """The metrics, the tests and the side."""
    add = command.add_argument
    usual = "bleu for text, else the first of its kind"
    add("--metric", nargs="+", metavar="NAME", help=f"one or more metrics (see: list; default: {usual})")
    add(
        "--test", nargs="+", default=["approximate_randomization"], metavar="NAME", help="one or more tests (see: list)"
    )
    add("--alternative", default="two-sided", choices=SIDES, help="greater: the row is better")


def decisions(command: argparse.ArgumentParser) -> None:
    """The level and the correction of the table."""
    add = command.add_argument
    add("--alpha", type=float, default=0.05, help="level of the readable table")
    add("--correction", default="holm", metavar="NAME", help="for the grid of all pairs (see: list)")


def files(command: argparse.ArgumentParser) -> None:
    """The files, what to use of them, and the unit of resampling."""
    add = command.add_argument
    add("--reference", nargs="+", default=[], metavar="FILE", help="one or more references (none for own scores)")
    add("--systems", nargs="+", default=[], metavar="FILE", help="system outputs")
    add("--known", metavar="NAME/PAIR", help="a test set by its name (wmt22/cs-en), with the outputs published with it")
    add("--format", metavar="NAME", help="the format of all files (see: list); by default each is detected")
    add(
        "--format-option", action="append", default=[], metavar="NAME=VALUE", help="an option of the format; repeatable"
    )
    add("--testset", default="", metavar="NAME", help="which of several test sets in the files (cs-en)")
    add("--measure", default="", metavar="NAME", help="which of several measures in files of scores (COMET)")
    add(
        "--missing",
        default="refuse",
        choices=("refuse", "drop"),
        help="a missing score: refuse = an error, drop = the segment is left out for all systems",
    )
    add("--name", default="test set", help="what the test set is called")
    add("--option", action="append", default=[], metavar="METRIC.NAME=VALUE", help="an option of a metric; repeatable")
    add("--unit", default="segment", metavar="UNIT", help="what is resampled: segment, document or block:N")
    add("--documents", metavar="FILE", help="the document of every segment, one name per line")


def drawing(command: argparse.ArgumentParser) -> None:
    """The number of resamples, and how ties count."""
    add = command.add_argument
    add("--resamples", type=int, default=10_000, metavar="R")
    add("--ties", default="counted", choices=TIE_RULES, help="resamples exactly at the cut-off")
    shared(command)


def shared(command: argparse.ArgumentParser) -> None:
    """The seed, the estimator, where the work is done, and JSON."""
    add = command.add_argument
    add("--seed", type=int, default=12345)
    add("--estimator", default="valid", choices=tuple(ESTIMATORS), help="(c + 1) / (R + 1), or c / R")
    where = command.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, metavar="N", help="threads (default: all cores); changes no number")
    where.add_argument(
        "--executor",
        default=os.environ.get("SIGBOARD_EXECUTOR", "local"),
        metavar="WHERE",
        help=f"{executors.FORMS}; changes no number (default: $SIGBOARD_EXECUTOR, else local)",
    )
    add("--json", metavar="FILE", help="write JSON there (- for standard output) instead of a table")


def check_numbers(args: argparse.Namespace) -> None:
    """Raise OptionError where a level or the number of workers is out of range."""
    alphas = getattr(args, "alpha", 0.05)
    for alpha in alphas if isinstance(alphas, list) else [alphas]:
        if not 0 < alpha < 1:
            raise OptionError(f"alpha = {alpha:g}. It must lie between 0 and 1.", "", "0.05 is usual.")
    if getattr(args, "control", None) is not None and not 0 < args.control < 1:
        raise OptionError(f"control = {args.control:g}. It must lie between 0 and 1.", "", "0.05 is usual.")
    if getattr(args, "workers", None) is not None and args.workers < 1:
        raise OptionError(f"workers = {args.workers}. There must be at least one.", "", "Leave it out for all cores.")


def settings(args: argparse.Namespace) -> Settings:
    """How the counts are read."""
    return Settings(args.alternative, args.estimator, args.ties, args.correction)


def asked(args: argparse.Namespace, measure: str) -> list[tuple[str, dict[str, object]]]:
    """The metrics with their options; scores are called what their file calls them, unless an option says otherwise."""
    chosen = read_asked(args.option, args.metric)
    for name, options in chosen:
        if measure and any(option.name == "label" for option in metrics.get(name).options):
            options.setdefault("label", measure)
    return chosen


def common(args: argparse.Namespace, measure: str) -> dict[str, Any]:
    """What every study of systems takes."""
    return {
        "asked": asked(args, measure),
        "tests": args.test,
        "unit": args.unit,
        "resamples": args.resamples,
        "seed": args.seed,
        "executor": executor(args),
        "cache": statistics_on_disk(),
        "progress": progress() if sys.stderr.isatty() else None,
    }


def executor(args: argparse.Namespace) -> executors.Executor:
    """Where the blocks are computed."""
    return executors.get(args.executor) if args.workers is None else executors.local(args.workers)
