"""Visits with small texts, as the tests of a server make them."""

from __future__ import annotations

from typing import Any

from sigboard.server.visits import Visit
from sigcore import Collection

HOUR = 3600.0
TEXT = "a small boat\n"


def collection(*names: str) -> Collection:
    """Texts of two segments, one for each name."""
    found = Collection()
    found.add([(f"{name}.txt", f"{TEXT}{name}\n".encode()) for name in names or ("ref",)])
    return found


def visit(*names: str, **more: Any) -> Visit:
    """A visit with such texts."""
    return Visit(collection(*names), **more)
