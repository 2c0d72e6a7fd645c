"""The upkeep of a server: the garbage of all runs is collected together."""

from __future__ import annotations

import gc
import threading
import tomllib
import weakref
from pathlib import Path

from sigboard.ui import upkeep

ROOT = Path(__file__).resolve().parents[4]


class Ring:
    """An object that only the collector can remove."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_is_collected_after_runs_only() -> None:
    """Only at every fifth turn, and only if a page has run since; the settings leave it to the upkeep."""
    ran = threading.Event()
    garbage = upkeep.Garbage(ran)
    gc.disable()
    try:
        left = weakref.ref(Ring())
        for _ in range(3 * upkeep.GARBAGE):
            garbage.collect()
        assert left() is not None
        ran.set()
        for _ in range(upkeep.GARBAGE - 1):
            garbage.collect()
        assert left() is not None
        garbage.collect()
        assert left() is None
        assert not ran.is_set()
    finally:
        gc.enable()
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["runner"]["postScriptGC"] is False
