"""The `sigboard` command: the questions of the screen in a terminal, with a table or JSON as output."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr
from importlib import import_module
from typing import Protocol, cast

from sigboard import catalogue
from sigboard.terminal import asking, output
from sigboard.terminal import words as examples
from sigboard.terminal.arguments import check_numbers
from sigcore import SigError, __version__
from sigcore.types import AUTO

# Blocks of resamples already use every core. The linear algebra library reads this variable once, when numpy is first
# imported; its own threads would cost start-up time and memory, and then be idle.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


# Commands that do not belong to a question, with their summaries.
TOOLS = {
    "list": "every metric, format, test, correction and method of tuning with its options",
    "app": "start Sigboard in the browser",
    "completion": "a script with which a shell completes commands and arguments",
}


class Command(Protocol):
    """What the module of a command must define."""

    def add_arguments(self, command: argparse.ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, args: argparse.Namespace) -> None:
        """Run the command: print a table, or write JSON where that is requested."""


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The command line: one command for each question, and the tools.

    With `only` no other command has its arguments, and no other module is imported ("": no command has).
    """
    whole = argparse.ArgumentParser(
        prog="sigboard",
        description="Is the difference between NLP systems real?",
        epilog=examples.exit_codes(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whole.add_argument("--version", action="version", version=f"sigboard {__version__}")
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    asked = {question.word: question.question for question in catalogue.QUESTIONS}
    for name, summary in summaries().items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{asked[name]} ({summary})" if name in asked else summary,
            epilog=examples.of(name) if name in examples.EXAMPLES else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if only is None or only == name:
            implementation = cast(
                Command, import_module(f"{__name__}.{name}" if name in TOOLS else catalogue.get(name).command)
            )
            implementation.add_arguments(command)
            command.add_argument(
                "--quiet",
                action="store_true",
                help="no notes, no progress, and no line on the written files; errors remain",
            )
            command.set_defaults(run=implementation.run)
    return whole


def parsers(whole: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parser of each command, by name."""
    commands = next(action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    return dict(commands.choices)


def summaries() -> dict[str, str]:
    """What each command does, by name."""
    return {question.word: question.summary for question in catalogue.QUESTIONS} | TOOLS


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of one command: 0, or 2 after one line that says what is wrong, where, and how to fix it.

    Raises: KeyboardInterrupt for Ctrl+C (sigboard.terminal.start.main); SystemExit after --help and for wrong arguments.
    """
    output.prepare()
    try:
        try:
            _run(arguments)
        finally:
            output.flush()  # what does not fit on the disk is reported here, not when Python ends
    except SigError as error:
        forms = asking.own(arguments or sys.argv[1:], str(error)) if error.asks else []
        return output.failed("\n".join([str(error), *forms]))
    except BrokenPipeError:  # the reader (head, less) has closed the pipe: it has what it wanted
        output.discard_output()
    except MemoryError:
        return output.failed("There is not enough memory. Load less, or use fewer systems, metrics or resamples.")
    except OSError as error:
        output.discard_output()
        return output.failed(f"{error.filename or 'standard output'} cannot be used: {error.strerror or error}.")
    return 0


VALUE = re.compile(r"-(?![-A-Za-z])[^=]*=.+")  # a cell and what it means


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments; a mistyped command or option is answered with the nearest ones.

    Raises: SystemExit with argparse's own words for everything else that is wrong.
    """
    arguments = _with_values(arguments)
    command = next((word for word in arguments if not word.startswith("-")), "")
    whole = parser(only=command)
    known = parsers(whole)
    if command and command not in known:
        examples.unknown_command(command, tuple(known))
    options = tuple(known[command]._option_string_actions) if command else ()
    if short := next((name for name in _options(arguments) if examples.is_ambiguous(name, options)), ""):
        examples.unknown_option(short, command, options)
    args, rest = whole.parse_known_args(arguments)
    mistyped = next(iter(_options(rest)), "")
    if mistyped:
        examples.unknown_option(mistyped, args.command, options)
    if rest and hasattr(args, "files"):
        args.files = [*args.files, *rest]  # argparse looks for them before the options alone
    elif rest:
        examples.unplaced(rest, args.command)
    return args


def _with_values(words: Sequence[str]) -> list[str]:
    """The words of a command; one that begins with a dash, such as -=tie, is no option: argparse takes what begins with a blank for
    a value."""
    return [f" {word}" if VALUE.fullmatch(word) else word for word in words]


def _options(words: Sequence[str]) -> list[str]:
    """The names of the options among the words of a command, up to a `--`."""
    last = words.index("--") if "--" in words else len(words)
    return [word.partition("=")[0] for word in words[:last] if word.startswith("-")]


def _run(arguments: Sequence[str] | None) -> None:
    args = _parsed(sys.argv[1:] if arguments is None else arguments)
    if args.command == "app":
        output.let_output_be_closed()
    check_numbers(args)
    output.check(args)
    examples.settle(args, {"correction": (AUTO,), "test": getattr(args, "rules", ())})
    if not args.quiet:
        args.run(args)
        return
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stderr(nowhere):
        args.run(args)
