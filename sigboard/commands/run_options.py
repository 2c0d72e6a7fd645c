"""The options of several runs of each system, which commands have without loading what computes them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sigcore import OptionError, data
from sigcore.types import SHUFFLE_NAMES

USUAL_TEST = ["approximate_randomization"]
EXAMPLE = "--runs A=a1.txt,a2.txt,a3.txt B=b1.txt,b2.txt,b3.txt"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The runs of every system, how they are shuffled, and the table for a paper."""
    add = command.add_argument
    add(
        "--runs",
        nargs="+",
        default=[],
        metavar="SYSTEM=FILE,FILE",
        help="several runs of each system (seeds, tuning runs), instead of --systems; a folder is all files in it",
    )
    add(
        "--runs-from-names",
        nargs="+",
        default=[],
        metavar="PATTERN",
        help=f"the names of --systems contain system and run, as in {data.run_names.EXAMPLE}",
    )
    add(
        "--shuffle",
        default="exact",
        choices=SHUFFLE_NAMES,
        help="how runs are shuffled: exact, or as MultEval does it, whose p is not valid from three runs on",
    )


def requested(args: argparse.Namespace) -> bool:
    """Whether the command line names runs.

    Raises: OptionError for options that belong to runs without them, or do not fit them.
    """
    asked = bool(args.runs or args.runs_from_names)
    if not asked and args.shuffle != "exact":
        raise OptionError("--shuffle belongs to several runs.", "", f"Give {EXAMPLE}.")
    if asked and args.test != USUAL_TEST:
        fix = "Leave --test out; --shuffle says how runs are shuffled."
        raise OptionError(f"{', '.join(args.test)} is not a test of several runs.", "", fix)
    if args.runs and (args.systems or args.known or args.runs_from_names):
        fix = "Give a single output as SYSTEM=FILE, or only --systems with --runs-from-names."
        raise OptionError("--runs names all systems, but others were given, too.", "", fix)
    return asked


def note_on_names(names: Sequence[str]) -> list[str]:
    """A note where names of systems look like runs of one system; nothing is done about it without being requested."""
    found = data.run_names.like_runs(names)
    if not found:
        return []
    alike = next(iter(found.values()))
    patterns = " ".join(f"'{pattern}'" for pattern in dict.fromkeys(map(data.run_names.pattern_of, found)))
    return [
        f"These names look like runs of one system: {', '.join(alike)}. They are compared as different systems. If they are "
        f"runs, add --runs-from-names {patterns}."
    ]
