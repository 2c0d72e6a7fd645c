"""Markdown: escaped text, and tables as GitHub and most editors show them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def escape(text: str) -> str:
    """The text, escaped so that Markdown shows it literally; control characters become blanks."""
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    return re.sub(r"([\\`*_{}\[\]<>#+!|&$~:])", r"\\\1", clean)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are Markdown already; the first column is aligned to the left, all others to the right."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "".join(f"| {' | '.join(line)} |\n" for line in (header, rule, *rows))
