"""The files that a command will write, checked before anything is computed: an hour's work must have a place to go."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from sigcore import SigError

WRITTEN = ("json", "csv", "latex", "latex_figure", "segment_scores", "out")
STDOUT = "-"
OTHER = "Choose another path."


def check(args: argparse.Namespace) -> None:
    """Raise SigError for a file that cannot be written, that two options name, or that is an input of the command."""
    values = [value for name, value in vars(args).items() if name not in (*WRITTEN, "command")]
    inputs = [path for value in values for path in _paths(value) if os.path.isfile(path)]  # no names of metrics
    named: list[str] = []
    for path in (path for name in WRITTEN for path in _paths(getattr(args, name, None)) if path != STDOUT):
        _check_place(path)
        if _is_one_of(path, inputs):
            raise SigError(f"{path} is an input of this command, and would be lost.", "", OTHER)
        if _is_one_of(path, named):
            raise SigError(f"{path} is named for two outputs, and one would be lost.", "", OTHER)
        named.append(path)


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
