"""The maintenance of a server: the garbage of all runs is collected together."""

from __future__ import annotations

import gc
import threading
import tomllib
import weakref
from pathlib import Path

import pytest

from sigboard.shell import maintenance

ROOT = Path(__file__).resolve().parents[4]


class Ring:
    """An object that only the collector can remove."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_is_collected_after_runs_only() -> None:
    """Only at every fifth turn, and only if a page has run since; the settings leave it to the maintenance."""
    ran = threading.Event()
    garbage = maintenance.Garbage(ran)
    gc.disable()
    try:
        left = weakref.ref(Ring())
        for _ in range(3 * maintenance.GARBAGE):
            garbage.collect()
        assert left() is not None
        ran.set()
        for _ in range(maintenance.GARBAGE - 1):
            garbage.collect()
        assert left() is not None
        garbage.collect()
        assert left() is None
        assert not ran.is_set()
    finally:
        gc.enable()
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["runner"]["postScriptGC"] is False


def test_the_maintenance_of_an_emptied_server_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the memory of a server was emptied, the maintenance that begins again takes the place of the earlier one."""
    turns: list[maintenance.Chores] = []

    def chore() -> None:
        turns.append(chores)
        if len(turns) == 3:
            monkeypatch.setattr(maintenance, "_newest", ())

    chores: maintenance.Chores = (chore,)
    monkeypatch.setattr(maintenance, "EVERY", 0.0)
    monkeypatch.setattr(maintenance, "_newest", chores)
    maintenance._repeat(chores)
    assert len(turns) == 3
