"""Language pairs that folders name, as mt/wmt22.cs-en/systems: the arguments of each pair alone."""

from __future__ import annotations

import argparse
from pathlib import Path

from sigcore import OptionError, readers


def by_pair(args: argparse.Namespace) -> dict[str, argparse.Namespace]:
    """The arguments with the files of one language pair, by pair, as the folders of the files name it; {} unless every
    file has such a folder.

    Where two folders name the same pair (wmt21.cs-en, wmt22.cs-en), they are two, by the names of the folders.
    Raises: OptionError for a pair without systems, and for a file of documents, which belongs to one test set.
    """
    folder_of = {path: _folder(path) for path in (*args.reference, *args.systems)}
    if not folder_of or not all(folder_of.values()):
        return {}
    if args.documents:
        fix = "Write a report on each test set alone, or name the language pair in the files."
        raise OptionError("One file of documents cannot belong to several test sets.", args.documents, fix)
    folders = list(dict.fromkeys(folder_of.values()))
    pairs = [readers.guess_testset(folder) for folder in folders]
    names = {f: pair if pairs.count(pair) == 1 else f for f, pair in zip(folders, pairs, strict=True)}
    out = {}
    for folder, name in names.items():
        own = {role: [p for p in getattr(args, role) if folder_of[p] == folder] for role in ("reference", "systems")}
        if not own["systems"]:
            raise OptionError(f"There are no systems in {folder}.", "--each-testset", "Give the outputs of every pair.")
        out[name] = argparse.Namespace(**{**vars(args), **own})
    return out


def _folder(path: str) -> str:
    """The last folder of the path whose name has a language pair; "" if none has."""
    parts = Path(path).parts if Path(path).is_dir() else Path(path).parts[:-1]
    return next((part for part in reversed(parts) if readers.guess_testset(part)), "")
