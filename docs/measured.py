"""Measured numbers in the documents: each is stored once, and `make docs` writes it where a page names it.

A page names a number as `<!-- n:NAME -->7.1%<!-- /n -->`, and a table in the same way, on lines of its own. The names are
the keys of numbers.json. An entry holds

- `value` (or `rows`), and `from`, the test that measures it again, or `once`, how it was measured; or
- `code`, the place of a constant as "module:NAME", or `file`, a file of results; `at` are the keys that lead into it;
- `as`, how it is printed; for a table one for each column, and `head`, its headings.
"""

from __future__ import annotations

import importlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "docs" / "numbers.json"
MARK = re.compile(r"<!-- n:(\S+) -->(.*?)<!-- /n -->", re.DOTALL)


@cache
def entries() -> dict[str, dict[str, Any]]:
    """All stored numbers by name."""
    stored: dict[str, dict[str, Any]] = json.loads(STORE.read_text(encoding="utf-8"))
    return stored


def value(name: str) -> Any:
    """The number of that name, or the rows of the table.

    Raises: SystemExit for a name that is not stored.
    """
    if name not in entries():
        raise SystemExit(f"docs/numbers.json has no {name!r}. Add it, or correct the page that names it.")
    entry = entries()[name]
    found: Any = entry.get("value", entry.get("rows"))
    if "code" in entry:
        module, _, constant = entry["code"].partition(":")
        found = getattr(importlib.import_module(module), constant)
    elif "file" in entry:
        found = json.loads((ROOT / entry["file"]).read_text(encoding="utf-8"))
    for key in entry.get("at", ()):
        found = found[key]
    return found


def text(name: str) -> str:
    """The number or the table as the pages have it."""
    found, entry = value(name), entries()[name]
    if "head" not in entry:
        return str(entry["as"]).format(found)
    # a table of the code is a dictionary, by its first column
    rows = [[key, *cells] for key, cells in found.items()] if isinstance(found, dict) else found
    body = [
        ["" if cell is None else how.format(cell) for how, cell in zip(entry["as"], row, strict=True)] for row in rows
    ]
    lines = [entry["head"], ["---"] * len(entry["head"]), *body]
    return "\n\n" + "\n".join(f"| {' | '.join(line)} |".replace("  |", " |") for line in lines) + "\n\n"


def names(page: str) -> list[str]:
    """The numbers that a page names."""
    return [match[1] for match in MARK.finditer(page)]


def filled(page: str) -> str:
    """The page with every number that it names as it is stored."""
    return MARK.sub(lambda match: f"<!-- n:{match[1]} -->{text(match[1])}<!-- /n -->", page)
