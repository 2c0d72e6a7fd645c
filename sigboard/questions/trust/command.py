"""Can I trust this test on my data? The rate at which it rejects true nulls made of the user's own outputs."""

from __future__ import annotations

import argparse
from dataclasses import replace

from sigboard.questions.trust import report
from sigboard.terminal import arguments
from sigboard.terminal.arguments import check_correction, drawing, files, level, metrics_and_tests
from sigboard.terminal.loading import load
from sigboard.terminal.output import give
from sigcore import OptionError
from sigcore.studies import trust
from sigcore.types import AUTO


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems, the test with its correction, the null, and how often it is repeated."""
    files(command)
    metrics_and_tests(command)
    level(command)
    arguments.family(command, several=True)
    add = command.add_argument
    help = "the correction of a grid, as of matrix (default: auto, the usual one of the test)"
    add("--correction", default=AUTO, metavar="NAME", help=help)
    help = f"data sets without a difference that are drawn (default: {trust.REPETITIONS:,})"
    add("--repetitions", type=arguments.whole, default=trust.REPETITIONS, metavar="N", help=help)
    help = "what changes sides together (default: auto, documents where there are any, otherwise the unit of the test; for an "
    help += "unpaired test two halves of one system)"
    add("--null", default=AUTO, choices=trust.NULLS, help=help)
    help = "also the power where these shares of the systems' gains are true, such as 0.5"
    add("--planted", nargs="+", type=float, default=[], metavar="SHARE", help=help)
    help = "also how often the interval of a pair's gain holds a known gain (the planted shares, or half of the gain)"
    add("--coverage", action="store_true", help=help)
    drawing(command)
    command.set_defaults(rules=tuple(trust.RULES))  # names that --test takes beside those of tests


def run(args: argparse.Namespace) -> None:
    """The rates of one test on all systems."""
    if len(args.test) > 1 or len(args.metric or ()) > 1:
        raise OptionError("trust uses one --test and one --metric.", "", "Name one.")
    check_correction(args.correction)
    rule = args.test[0] if args.test[0] in trust.RULES else ""
    args.test = [trust.BASE] if rule else args.test
    plan = trust.TrustPlan(
        repetitions=args.repetitions,
        null=args.null,
        planted=tuple(args.planted),
        rule=rule,
        resamples=0 if args.resamples == AUTO else args.resamples,
        coverage=args.coverage,
    )
    family = arguments.family_of(args, args.baseline)
    loaded, warnings = load(args)
    study = replace(arguments.study_of(args, loaded), family=family)
    result = trust.run(study, plan, arguments.runtime(args))
    content = report.trust_json(result, [*warnings, *result.notes])
    give(args, content, [report.table(result)], notes=result.notes, rows=result.rows)
