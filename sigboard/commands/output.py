"""Prints and writes the results of commands: tables, JSON, notices, progress."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sigcore import SigError


def give(args: argparse.Namespace, content: dict[str, Any], tables: list[str], notes: Sequence[str] = ()) -> None:
    """Print the tables or write the JSON, and print the warnings; a table already contains the notes on its numbers."""
    results = content.get("results", ())
    in_tables = {*notes, *(note for result in results for note in result["notes"])} if args.json is None else set()
    for warning in content["warnings"]:
        if warning not in in_tables:
            print(f"note: {warning}", file=sys.stderr)
    if args.json is None:
        print("\n\n".join(tables))
        return
    write(args.json, as_text(content))


def as_text(content: dict[str, Any]) -> str:
    """The content as JSON text that ends with a line feed."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def write(path: str, content: str) -> None:
    """Write the text to a file, or to standard output for "-"."""
    if path == "-":
        sys.stdout.write(content)
        return
    try:
        Path(path).write_text(content, encoding="utf-8", newline="")
    except OSError as error:
        raise SigError(f"{path} cannot be written: {error.strerror}.", "", "Choose another path.") from error


def progress() -> Any:
    """A function that shows progress on the terminal."""

    def show(phase: str, done: int, total: int) -> None:
        so_far = f": {done} of {total}" if total else ""
        print(f"\r\033[K{phase}{so_far}", end="\r" if done >= total else "", file=sys.stderr, flush=True)

    return show
