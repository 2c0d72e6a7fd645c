"""Prints and writes the results of commands: tables, JSON, notices, progress."""

from __future__ import annotations

import argparse
import errno
import gzip
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TextIO

from sigboard.render.tables import BINARY, Columns, needs_pyarrow, rows_table, to_csv
from sigcore import SigError, write_file
from sigcore.types import Json, Progress

# Standard output and standard error of a command: any character, and no traceback where they cannot be written.


class Closed(io.TextIOBase):
    """Standard output where it was closed (>&-): what is printed is an error, not lost."""

    def write(self, text: str) -> int:
        """Raise OSError for any text."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def prepare() -> None:
    """Print what the terminal's encoding does not have (in an ASCII locale, ć) as its number: \\u0107.

    Where a stream was closed, Python has none: notes are then lost, and results are an error.
    """
    if sys.stdout is None:
        sys.stdout = Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until Python ends)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def let_output_be_closed() -> None:
    """Lose what is printed where standard output was closed: a server prints no results."""
    if isinstance(sys.stdout, Closed):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until Python ends)


def flush() -> None:
    """Write what is still held back. Raises: OSError if it cannot be written."""
    sys.stdout.flush()


def write_bytes(content: bytes) -> None:
    """Write bytes to standard output, after everything that was printed before."""
    flush()
    if isinstance(sys.stdout, Closed):
        sys.stdout.write("")
    sys.stdout.buffer.write(content)


def discard_output() -> None:
    """Let standard output lead nowhere: Python would try once more at its end, and fail again."""
    _discard(sys.stdout)


def note(message: str) -> None:
    """Print a note on standard error."""
    print(f"note: {visible(message)}", file=sys.stderr)


def visible(message: str) -> str:
    """The message with control characters as their numbers, \\x1b: names in files must not control the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in message)


def failed(message: str) -> int:
    """The exit code 2, after the message was printed as one error."""
    try:
        print(f"error: {visible(message)}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)
    return 2


def _discard(stream: TextIO) -> None:
    with suppress(OSError, ValueError):  # a stream that is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# The files that a command will write, checked before anything is computed: an hour's work must have a place to go.

WRITTEN = ("json", "csv", "html", "xlsx", "latex", "latex_figure", "segment_scores", "out", *BINARY)
STDOUT = "-"
OTHER = "Choose another path."


def check(args: argparse.Namespace) -> None:
    """Raise SigError for a file that cannot be written, that two options name, or that is an input of the command."""
    values = [value for name, value in vars(args).items() if name not in (*WRITTEN, "command")]
    inputs = [path for value in values for path in _paths(value) if os.path.isfile(path)]  # no names of metrics
    named: list[str] = []
    for path in (path for path in outputs(args) if path != STDOUT):
        _check_place(path)
        if _is_one_of(path, inputs):
            raise SigError(f"{path} is an input of this command, and would be lost.", "", OTHER)
        if _is_one_of(path, named):
            raise SigError(f"{path} is named for two outputs, and one would be lost.", "", OTHER)
        named.append(path)
    if getattr(args, "parquet", None):
        needs_pyarrow()


def outputs(args: argparse.Namespace) -> list[str]:
    """The files that the options of a command name to be written; "-" is standard output."""
    return [path for name in WRITTEN for path in _paths(getattr(args, name, None))]


def _check_place(path: str) -> None:
    """Raise SigError for a file that cannot be there."""
    folder = os.path.dirname(path) or os.curdir
    if not path or os.path.isdir(path):
        raise SigError(f"{path or 'A file without a name'} cannot be written: it is not a file.", "", OTHER)
    if not os.path.isabs(path) and not _has_current_folder():
        raise SigError(f"{path} cannot be written: the current folder is gone.", "", "Go to another folder.")
    if not os.path.isdir(folder):
        raise SigError(
            f"{path} cannot be written: there is no folder {folder}.", "", "Create it, or choose another path."
        )


def _has_current_folder() -> bool:
    """Whether the current folder is there: it may have been deleted since."""
    try:
        return bool(os.getcwd())
    except OSError:
        return False


def _paths(value: object) -> Iterator[str]:
    """The words in the value of an option; of SYSTEM=FILE,FILE also each file."""
    for word in value if isinstance(value, list) else [value]:
        if isinstance(word, str):
            yield word
            yield from word.partition("=")[2].split(",") if "=" in word else ()


def _is_one_of(path: str, others: list[str]) -> bool:
    """Whether a file is one of the others, also under another name; devices such as /dev/null take everything."""
    if os.path.exists(path):
        return os.path.isfile(path) and any(os.path.isfile(one) and os.path.samefile(path, one) for one in others)
    return os.path.realpath(path) in map(os.path.realpath, others)


READ = 100  # systems up to which people read the JSON
BAR = 24  # letters of the progress bar


def give(
    args: argparse.Namespace,
    content: Mapping[str, Any],  # Any: JSON whose warnings and notes are read again
    tables: list[str],
    notes: Sequence[str] = (),
    rows: Callable[[], Sequence[Mapping[str, Json]]] = list,
    latex: Callable[[], str] | None = None,
    columns: Callable[[], Columns] | None = None,
) -> None:
    """Print the tables or write the JSON, CSV, LaTeX or the columns, and print the warnings; a table already contains the
    notes on its numbers."""
    results = content.get("results", ())
    printed = args.json is None and STDOUT not in outputs(args)
    in_tables = {*notes, *(note for result in results for note in result["notes"])} if printed else set()
    for warning in content["warnings"]:
        if warning not in in_tables:
            note(warning)
    taken = write_tables(args, rows, latex, content.get("signature", "Results."), columns)
    if args.json is not None:
        write(args.json, as_text(content))
        say_written(args)
    elif tables and not taken:
        print("\n\n".join(tables))
    elif not taken:
        say_written(args)


def terminal_width() -> int:
    """The columns of the terminal; 0 where the output goes elsewhere and COLUMNS is not set."""
    known = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit()
    return shutil.get_terminal_size().columns if known else 0


BLUE, ORANGE, PLAIN = "\x1b[34m", "\x1b[33m", "\x1b[0m"
VERDICT = re.compile(r"(?<= )(\+{1,3}|-{1,3})(?= |$)", re.MULTILINE)


def coloured(table: str) -> str:
    """The table with its verdicts in colour, better in blue and worse in orange, if a terminal shows it.

    Nothing is coloured where NO_COLOR is set, or TERM is "dumb".
    """
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return table
    return VERDICT.sub(lambda found: f"{BLUE if found[1][0] == '+' else ORANGE}{found[1]}{PLAIN}", table)


def write_tables(
    args: argparse.Namespace,
    rows: Callable[[], Sequence[Mapping[str, Json]]],
    latex: Callable[[], str] | None = None,
    caption: str = "Results.",
    columns: Callable[[], Columns] | None = None,
) -> bool:
    """Write what --csv, --latex, --parquet and --npz name, and say whether one is on standard output, in place of a table.

    Without `latex` the rows are the LaTeX table, too.
    """
    if args.csv:
        write(args.csv, to_csv(rows()))
    if args.latex:
        write(args.latex, latex() if latex is not None else rows_table(rows(), caption))
    binary = [(path, make) for name, make in BINARY.items() if (path := getattr(args, name, None))]
    made = columns() if columns is not None and binary else {}
    for path, make in binary:
        write(path, make(made))
    return STDOUT in (args.csv, args.latex, *(path for path, _ in binary))


def say_written(args: argparse.Namespace, words: str = "") -> None:
    """Print one line with the files that a command wrote where it prints no table, and the `words` after it.

    It is on standard error where standard output has a result or is closed, and nowhere with --quiet. Devices are not
    named.
    """
    asked = outputs(args)
    # a folder of figures or of held-out outputs is written, too
    folders = [path for name in ("figures", "export") if (path := getattr(args, name, None))]
    files = [path for path in asked if path != STDOUT and os.path.isfile(path)]
    if (files or folders) and not getattr(args, "quiet", False):
        line = f"Wrote {', '.join([*files, *folders])}. {words}".strip()
        print(visible(line), file=sys.stderr if STDOUT in asked or isinstance(sys.stdout, Closed) else sys.stdout)


def as_text(content: Mapping[str, Json]) -> str:
    """The content as JSON text that ends with a line feed: a line for each value, or one line for very many systems."""
    many = len(content.get("systems") or ()) > READ  # type: ignore[arg-type]
    indent, separators = (None, (",", ":")) if many else (1, None)
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators) + "\n"


def write(path: str, content: str | bytes) -> None:
    """Write the text (in UTF-8) or the bytes to a file, completely or not at all, or to standard output for "-". What has a
    name that ends in .gz is compressed, equal content to equal bytes.

    Raises: SigError for a file that cannot be written; an old file is then unchanged.
    """
    # Python reads invalid bytes of a file name as lone surrogates; JSON, too, writes them as numbers
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    if path == STDOUT:
        write_bytes(data)
        return
    try:
        write_file(path, gzip.compress(data, 4, mtime=0) if path.endswith(".gz") else data)
    except OSError as error:
        raise SigError(f"{path} cannot be written: {error.strerror}.", "", OTHER) from error


def progress(head: str = "") -> Progress:
    """A function that shows progress on the terminal as a bar; `head` precedes the name of what is done."""

    def show(phase: str, done: int, total: int) -> None:
        filled = BAR * min(done, total) // total if total else 0
        so_far = f" [{'#' * filled}{'.' * (BAR - filled)}] {done} of {total}" if total else ""
        print(f"\r\033[K{head}{phase}{so_far}", end="\r" if done >= total else "", file=sys.stderr, flush=True)

    return show
