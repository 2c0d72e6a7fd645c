"""Will it hold elsewhere? Calibration, signs on other domains, replicability."""

from __future__ import annotations

import argparse

from sigboard.commands.arguments import drawing, files, level, paper_test, planned, whole
from sigboard.commands.gain import chosen_bases, grouped, groups, mixtures
from sigboard.commands.loading import load
from sigboard.commands.output import give
from sigboard.reports.domains import domains_json, domains_table
from sigcore import SigError, data, readers
from sigcore.studies import domains

LINES = "plain"  # the format with one entry per line


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The systems with their groups, the domains, the test, and the test sets to draw."""
    files(command)
    groups(command)
    add = command.add_argument
    help = "the domain of every segment: one per line, or a table with a column domain (default: those in the files)"
    add("--domains", metavar="FILE", help=help)
    add(
        "--home",
        default="",
        metavar="NAME",
        help="the domain whose p is compared with other domains (default: the largest)",
    )
    paper_test(command)
    mixtures(command)
    help = (
        "test sets drawn from all segments, to see how often a borderline p has the right sign (default: 100; 0: none)"
    )
    add("--draws", type=whole, default=100, metavar="D", help=help)
    help = "segments of a drawn test set (default: 1,600, or all segments where there are fewer)"
    add("--segments", type=whole, default=0, metavar="N", help=help)
    level(command)
    drawing(command)


def run(args: argparse.Namespace) -> None:
    """The table of signs, replicability, and the calibration."""
    loaded, warnings = load(args)
    assert loaded.testset is not None
    outputs, kinds, notes = grouped(args, loaded.outputs)
    domain_of = _read_domains(args.domains) if args.domains else loaded.testset.domains
    if not domain_of:
        raise SigError("There are no domains.", "", "Give --domains, one domain for each segment.")
    plan = domains.Plan(
        domain_of=tuple(domain_of),
        home=args.home,
        draws=args.draws,
        segments=args.segments,
        alpha=args.alpha,
        mixtures=args.mixtures,
        bases=chosen_bases(args, [item.system for item in outputs]),
    )
    result = domains.run(loaded.testset, outputs, plan=plan, kinds=kinds, **planned(args, loaded))
    content = domains_json(result, [*warnings, *notes, *result.notes])
    give(args, content, [domains_table(result)], result.notes, lambda: content["table"])


def _read_domains(path: str) -> tuple[str, ...]:
    """The domain of every segment: a column of a table, or the lines of a file.

    Raises: SigError for a table without such a column.
    """
    intake = readers.read([(path, data.read_bytes(path))])
    streams = [item.segments for item in intake.items if item.role == "domains"]
    if streams:
        return streams[0]
    if intake.problems:
        raise intake.problems[0]
    if len(intake.items) == 1 and [item.reader for item in intake.detected] == [LINES]:
        return intake.items[0].segments
    raise SigError(
        f"{path} has no column of domains.", path, "Give a table with a column domain, or one domain per line."
    )
