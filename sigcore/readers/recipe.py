"""Recipes: what the columns of a table hold, as a short text that people can read, write and keep for the next file."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

from sigcore.errors import ReadError
from sigcore.readers.contract import PARTS_OF_TABLES, Claim

CELLS = "cells"  # words for scores: WORD=NUMBER by blanks
# Words of a recipe, and options: codes of missing scores by blanks.
KEYS = {"better": "better", "missing": "missing", "explode": "explode", CELLS: CELLS}
HEAD = "# What the columns hold: NAME = ROLE. Roles: " + ", ".join(PARTS_OF_TABLES) + "."


def parse(text: str, file: str = "") -> dict[str, object]:
    """The options of readers that a recipe says.

    Raises: ReadError for a line that is neither NAME = ROLE nor a known word with its value.
    """
    columns, out = list[str](), dict[str, object]()
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        name, _, role = (part.strip() for part in line.rpartition("="))
        key, _, value = (part.strip() for part in line.partition(":"))
        if name and role.lower() in PARTS_OF_TABLES and not _are_cells(key, value):
            columns.append(f"{name}={role.lower()}")
        elif key.lower() in KEYS and value:
            out[KEYS[key.lower()]] = "\n".join(shlex.split(value)) if key.lower() == CELLS else value
        else:
            fix = f"Write NAME = ROLE ({', '.join(PARTS_OF_TABLES)}), or one of: {', '.join(f'{key}: ...' for key in KEYS)}."
            raise ReadError(f"{line[:60]!r} is no line of a recipe.", file, number, fix)
    return out | ({"columns": "\n".join(columns)} if columns else {})


def _are_cells(key: str, value: str) -> bool:
    """Whether a line says what words mean: they may end in =first, which is also a role."""
    return key.lower() == CELLS and bool(value)


def written(claims: Iterable[Claim], options: Mapping[str, object]) -> str:
    """The recipe of a file whose columns are taken for this, read with these options of a reader."""
    lines = [HEAD, *(f"{claim.column} = {claim.role}" for claim in claims if claim.column)]
    words = {option: word for word, option in KEYS.items()}
    said = [
        f"{words[name]}: {_shown(name, value)}"
        for name, value in options.items()
        if name in words and value not in ("", "automatic")
    ]
    return "\n".join([*lines, *said]) + "\n"


def _shown(name: str, value: object) -> str:
    return shlex.join(str(value).split("\n")) if name == CELLS else str(value)


def headings(claims: Sequence[Claim]) -> tuple[str, ...]:
    """What makes two tables alike: their headings."""
    return tuple(claim.column for claim in claims)
