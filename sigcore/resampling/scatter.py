"""Counting draws with a compiled loop once that is loaded: the same counts as numpy's, but faster."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.text.compiled import Kernels, Report, kernel, usable
from sigcore.text.compiling import prepare as prepare_kernels

Scatter = Callable[[NDArray[Any], NDArray[np.float32]], None]


def compiled() -> Scatter | None:
    """The compiled loop, or None if it is not loaded: its start-up would cost more than it saves."""
    return _made() if usable(KERNELS) else None


def prepare(draws: int, report: Report | None = None) -> None:
    """Load the loop where it is worth that for this many draws, each of one segment."""
    prepare_kernels(KERNELS, draws, "the counting of draws", report)


@cache
def _made() -> Scatter:
    loop: Scatter = kernel(count_rows)
    return loop


def count_rows(drawn: NDArray[Any], counts: NDArray[np.float32]) -> None:
    """Add to `counts` (rows, n), all 0 before, how often each number was drawn in each row of `drawn` (rows, n)."""
    for row in range(drawn.shape[0]):
        for draw in range(drawn.shape[1]):
            counts[row, drawn[row, draw]] += np.float32(1.0)


def _call_kernels() -> None:
    for size in (np.uint16, np.uint32):  # the types of the draws in weights.bootstrap_counts
        _made()(np.zeros((1, 1), dtype=size), np.zeros((1, 1), dtype=np.float32))


# The work is the number of draws: segments times resamples.
KERNELS = Kernels(__name__, __name__, _call_kernels, saves=3.5e-9, seconds=2.0, steps=2)
