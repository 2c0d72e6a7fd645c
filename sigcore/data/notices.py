"""Notices about files for display: the same message about several files is one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sigcore.formatting import listed
from sigcore.readers import Notice

if TYPE_CHECKING:
    from sigcore.data.assembly import Loaded


def together(notices: Iterable[Notice]) -> list[tuple[str, str]]:
    """Each message with its files and lines: ("It is UTF-16; read as such.", "a.txt; b.txt")."""
    places: dict[str, list[str]] = {}
    for notice in notices:
        line = f", line {notice.line}" if notice.line else ""
        places.setdefault(notice.message, []).append(f"{notice.file}{line}")
    return [(message, listed(files, separator="; ")) for message, files in places.items()]


def warnings(notices: Iterable[Notice], loaded: Loaded | None = None) -> list[str]:
    """What a result of these files must carry: the notices on files, and all findings but errors, each in one line."""
    messages = [f"{where}: {message}" if where else message for message, where in together(notices)]
    findings = [*loaded.of("warning"), *loaded.of("note")] if loaded is not None else []
    return [*messages, *map(str, findings)]
