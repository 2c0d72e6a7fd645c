"""What every correction is: it takes the p-values of m tests and gives m adjusted ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sigcore.types import Floats


@dataclass(frozen=True)
class Correction:
    """One correction. `adjust(p (m,)) -> (m,)`; `controls` says which error it holds at alpha."""

    name: str
    title: str
    adjust: Callable[[Floats], Floats]
    controls: str
    source: str
    # the smallest adjusted p is this many times the smallest p: says when R is too small to reject at all
    factor: Callable[[int], float] = float
