"""Fixtures that several contracts share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from sigcore import registry


@pytest.fixture
def add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[ModuleType, str, str], None]]:
    """A function that adds a file to a family for one test."""
    made: list[str] = []

    def put(family: ModuleType, name: str, text: str) -> None:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.setattr(family, "__path__", [*family.__path__, str(tmp_path)])
        made.append(f"{family.__name__}.{name}")
        registry.forget()

    yield put
    for name in made:
        sys.modules.pop(name, None)
        parent, _, child = name.rpartition(".")
        if hasattr(sys.modules[parent], child):
            delattr(sys.modules[parent], child)
    monkeypatch.undo()
    registry.forget()
