"""The command line that gives the same numbers again, with every choice written out."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

# What changes no number: where it is computed.
LEFT_OUT = ("command", "run", "workers", "executor")
# Choices whose default may change with a version, so they are always written.
ALWAYS = ("metric", "test", "alternative", "alpha", "correction", "unit", "resamples", "seed")


def command_line(given: Mapping[str, Any]) -> str:
    """The command line of these arguments, named as argparse names them; run in the same folder, it gives the same."""
    words = ["sigboard", str(given["command"])]
    for name, value in given.items():
        if name in LEFT_OUT or (name not in ALWAYS and value in (None, "", [], False)):
            continue
        words += _words(name, value)
    return shlex.join(words)


def _words(name: str, value: Any) -> list[str]:
    """One argument as it is written."""
    flag = "--" + name.replace("_", "-")
    if name == "better":
        return [f"--{value}-is-better"]
    if name in ("option", "format_option", "id_field", "score_field"):  # one value each time
        return [word for one in value for word in (flag, str(one))]
    if value is True:
        return [flag]
    if isinstance(value, list):
        return [flag, *map(str, value)]
    return [flag, f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)]
