"""What other programs printed for the project's own files, from tests/golden/data."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(__file__).parent / "data"


def printed(name: str) -> dict[str, Any]:
    """The numbers of a program; its inputs are the files as they are now."""
    figures: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    for path, digest in figures["sha256"].items():
        assert hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == digest, f"{path} is not what {name} was run on"
    return figures
