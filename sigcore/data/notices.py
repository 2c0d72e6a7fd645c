"""Notices about files for display: the same message about several files is one line."""

from __future__ import annotations

from collections.abc import Iterable

from sigcore.formatting import listed
from sigcore.readers import Notice


def together(notices: Iterable[Notice]) -> list[tuple[str, str]]:
    """Each message with its files and lines: ("It is UTF-16; read as such.", "a.txt; b.txt")."""
    places: dict[str, list[str]] = {}
    for notice in notices:
        line = f", line {notice.line}" if notice.line else ""
        places.setdefault(notice.message, []).append(f"{notice.file}{line}")
    return [(message, listed(files, separator="; ")) for message, files in places.items()]
