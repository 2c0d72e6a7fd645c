"""Long families of tests: a few members in `make test`, the others among the slow tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first(values: Iterable[Any], few: int = 1) -> list[Any]:
    """The values of a parameter, of which only so many are quick tests: those that are alike see the same faults."""
    own = list(values)
    return own[:few] + [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=pytest.mark.slow) for one in own[few:]
    ]
