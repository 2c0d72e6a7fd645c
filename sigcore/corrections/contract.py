"""What every correction is: it takes the p-values of m tests, and their joint null, and gives m adjusted ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sigcore.types import Floats


@dataclass(frozen=True, eq=False)
class JointNull:
    """The null of all m tests at once: column r of every block is one joint resample.

    `observed` (m,) and the pseudo-statistics of `blocks()` (m, B) point the same way: larger = more extreme; on two
    sides they are absolute values. Both are in units of the metric: a correction that compares tests with each other
    studentises them itself. Pseudo-statistics are nan where a score does not exist.
    """

    observed: Floats
    blocks: Callable[[], Iterator[Floats]]
    resamples: int


@dataclass(frozen=True)
class Correction:
    """One correction. `adjust(p (m,), joint) -> (m,)`; `controls` says which error it holds at alpha.

    `title` is the printed name. `joint` is None unless the correction `needs_joint`; only bootstrap tests have one.
    `factor(m)`: the smallest adjusted p is at least this many times the smallest p; it says when R is too small for any
    pair to be significant.
    """

    name: str
    title: str
    adjust: Callable[[Floats, JointNull | None], Floats]
    controls: str
    source: str
    factor: Callable[[int], float] = float
    needs_joint: bool = False
