"""The measured numbers of the documents (docs/numbers.json), for the tests that measure them again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

STORE = Path(__file__).resolve().parents[1] / "docs" / "numbers.json"
ENTRIES: dict[str, dict[str, Any]] = json.loads(STORE.read_text(encoding="utf-8"))


def stored(name: str) -> Any:
    """The number of that name, or the rows of the table."""
    entry = ENTRIES[name]
    return entry["rows"] if "rows" in entry else entry["value"]
