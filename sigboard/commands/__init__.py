"""The command line: the same questions and options as the screen, JSON or a table out."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

# Our blocks use every core themselves. The linear algebra library reads this once, when numpy is first imported; threads
# of its own would cost start-up time and memory and then lie idle.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from sigboard.commands.arguments import check_numbers, comparison
from sigboard.commands.compare import run_compare
from sigboard.commands.human import human_questions
from sigboard.commands.list import run_list
from sigboard.commands.matrix import run_matrix
from sigboard.commands.scores import scores_question
from sigcore import SigError


def parser() -> argparse.ArgumentParser:
    """The command line."""
    whole = argparse.ArgumentParser(prog="cli.py", description="Is the difference between NLP systems real?")
    commands = whole.add_subparsers(dest="command", required=True)
    for name, run, what in (("matrix", run_matrix, "all pairs of systems"), ("compare", run_compare, "one pair")):
        comparison(commands.add_parser(name, help=what, description=what), run)
    what = "metrics and tests against the judgments of people"
    human_questions(commands.add_parser("human", help=what, description=what))
    what = "a matrix of scores, documents by systems"
    scores_question(commands.add_parser("scores", help=what, description=what))
    listed = commands.add_parser("list", help="every metric, format, test and correction with its options")
    listed.set_defaults(run=run_list)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0, or 2 with a message of what is wrong, where and how to fix it."""
    args = parser().parse_args(arguments)
    try:
        check_numbers(args)
        args.run(args)
    except SigError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # the reader (head, less) has seen enough; nothing may be written to a closed pipe at exit either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
