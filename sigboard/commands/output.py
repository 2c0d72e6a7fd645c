"""Prints and writes the results of commands: tables, JSON, notices, progress."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sigboard.commands.targets import OTHER, STDOUT
from sigboard.commands.terminal import note, write_bytes
from sigboard.reports.booktabs import rows_table
from sigboard.reports.tables import to_csv
from sigcore import SigError, write_file

BAR = 24  # letters of the progress bar


def give(
    args: argparse.Namespace,
    content: dict[str, Any],
    tables: list[str],
    notes: Sequence[str] = (),
    rows: Callable[[], Sequence[Mapping[str, Any]]] = list,
    latex: Callable[[], str] | None = None,
) -> None:
    """Print the tables or write the JSON, CSV or LaTeX, and print the warnings; a table already contains the notes on its
    numbers."""
    results = content.get("results", ())
    printed = args.json is None and "-" not in (args.csv, args.latex)
    in_tables = {*notes, *(note for result in results for note in result["notes"])} if printed else set()
    for warning in content["warnings"]:
        if warning not in in_tables:
            note(warning)
    taken = write_tables(args, rows, latex, content.get("signature", "Results."))
    if args.json is not None:
        write(args.json, as_text(content))
    elif not taken:
        print("\n\n".join(tables))


def write_tables(
    args: argparse.Namespace,
    rows: Callable[[], Sequence[Mapping[str, Any]]],
    latex: Callable[[], str] | None = None,
    caption: str = "Results.",
) -> bool:
    """Write the rows that --csv and --latex name, and say whether one of them is on standard output, in place of a table.

    Without `latex` the rows are the LaTeX table, too.
    """
    if args.csv:
        write(args.csv, to_csv(rows()))
    if args.latex:
        write(args.latex, latex() if latex is not None else rows_table(rows(), caption))
    return "-" in (args.csv, args.latex)


def as_text(content: dict[str, Any]) -> str:
    """The content as JSON text that ends with a line feed."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def write(path: str, content: str | bytes) -> None:
    """Write the text (in UTF-8) or the bytes to a file, completely or not at all, or to standard output for "-".

    Raises: SigError for a file that cannot be written; an old file is then unchanged.
    """
    # Python reads invalid bytes of a file name as lone surrogates; JSON, too, writes them as numbers
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    if path == STDOUT:
        write_bytes(data)
        return
    try:
        write_file(path, data)
    except OSError as error:
        raise SigError(f"{path} cannot be written: {error.strerror}.", "", OTHER) from error


def progress(head: str = "") -> Any:
    """A function that shows progress on the terminal as a bar; `head` precedes the name of what is done."""

    def show(phase: str, done: int, total: int) -> None:
        filled = BAR * min(done, total) // total if total else 0
        so_far = f" [{'#' * filled}{'.' * (BAR - filled)}] {done} of {total}" if total else ""
        print(f"\r\033[K{head}{phase}{so_far}", end="\r" if done >= total else "", file=sys.stderr, flush=True)

    return show
