"""Counting draws with a compiled loop if numba is already loaded: the same counts as numpy's, but faster."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Scatter = Callable[[NDArray[Any], NDArray[np.float32]], None]


def compiled() -> Scatter | None:
    """The compiled loop, or None if numba has not been loaded: its start-up would cost more than it saves."""
    from sigcore.text.compiled import available

    return _made() if "numba" in sys.modules and available() else None


@cache
def _made() -> Scatter:
    from sigcore.text.compiled import kernel

    loop: Scatter = kernel(count_rows)
    return loop


def count_rows(drawn: NDArray[Any], counts: NDArray[np.float32]) -> None:
    """Add to `counts` (rows, n), all 0 before, how often each number was drawn in each row of `drawn` (rows, n)."""
    for row in range(drawn.shape[0]):
        for draw in range(drawn.shape[1]):
            counts[row, drawn[row, draw]] += np.float32(1.0)
