"""The contract of corrections: m p-values, and their joint null, to m adjusted p-values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sigcore.types import Floats


@dataclass(frozen=True, eq=False)
class JointNull:
    """The null of all m tests at once: column r of every block is one joint resample.

    `observed` (m,) and the pseudo-statistics of `blocks()` (m, B) are oriented alike: larger = more extreme; for two-sided
    tests they are absolute values. Both are in units of the metric: a correction that compares tests with each other
    studentises them itself. Pseudo-statistics are nan where a score does not exist.
    """

    observed: Floats
    blocks: Callable[[], Iterator[Floats]]
    resamples: int


@dataclass(frozen=True)
class Correction:
    """One correction. `adjust(p (m,), joint) -> (m,)`; `controls` names the error rate that it controls.

    `title` is the printed name. `joint` is None unless the correction `needs_joint`; only bootstrap tests have one.
    `factor(m)`: the smallest adjusted p is at least this many times the smallest p; it shows when R is too small for any
    pair to be significant.
    """

    name: str
    title: str
    adjust: Callable[[Floats, JointNull | None], Floats]
    controls: str
    source: str
    factor: Callable[[int], float] = float
    needs_joint: bool = False
