"""The `sigboard` command: the questions of the screen in a terminal, with JSON or a table as the answer."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

# Our blocks use every core themselves. The linear algebra library reads this once, when numpy is first imported; threads
# of its own would cost start-up time and memory and then lie idle.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from sigboard import questions
from sigboard.commands.arguments import check_numbers
from sigcore import SigError, __version__

# Commands that answer no question, with their line in the list of commands.
TOOLS = {
    "list": "every metric, format, test and correction with its options",
    "app": "start Sigboard in the browser",
}


class Command(Protocol):
    """What the module of a command holds."""

    def add_arguments(self, command: argparse.ArgumentParser) -> None:
        """Declare what the command takes."""

    def run(self, args: argparse.Namespace) -> None:
        """Answer: a table on standard output, or JSON where it is asked for."""


def parser() -> argparse.ArgumentParser:
    """The command line: one command for each question, and the tools."""
    whole = argparse.ArgumentParser(description="Is the difference between NLP systems real?")
    whole.add_argument("--version", action="version", version=f"sigboard {__version__}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for question in questions.QUESTIONS:
        description = f"{question.question} ({question.summary})"
        _add(question.command, commands.add_parser(question.word, help=question.summary, description=description))
    for name, summary in TOOLS.items():
        _add(f"{__name__}.{name}", commands.add_parser(name, help=summary, description=summary))
    return whole


def _add(module: str, command: argparse.ArgumentParser) -> None:
    answer = cast(Command, import_module(module))
    answer.add_arguments(command)
    command.set_defaults(run=answer.run)


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
