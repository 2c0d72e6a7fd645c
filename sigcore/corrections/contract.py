"""What every correction is: it takes the p-values of m tests, and what it made of their joint null, and adjusts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from sigcore.proof import NONE, Proof
from sigcore.types import Floats

# p of m tests, and the ends of its Monte Carlo interval
GridOfP = tuple[Floats, Floats, Floats]

# What a correction keeps at alpha: the chance of any false finding, the expected share of false findings, or, of no
# correction, the error of each test alone. The contract tests draw true nulls and check it.
ErrorRate = Literal["family-wise", "false discovery", "each test"]


@dataclass(frozen=True, eq=False)
class JointNull:
    """The null of all m tests at once: column r of every block is one joint resample.

    `observed` (m,) and the pseudo-statistics of `blocks()` (m, B) are gains under the null of no difference, in units of
    the metric, larger = more extreme; two-sided, they are absolute values. A correction that compares tests with each
    other studentises them itself. Pseudo-statistics are nan where a score is undefined.
    """

    observed: Floats
    blocks: Callable[[], Iterator[Floats]]
    resamples: int


@dataclass(frozen=True)
class Correction:
    """One correction of p-values for many tests.

    `adjust(p (m,)) -> (m,)`, for one that needs the p-values alone. Else `prepare(joint) -> (m,)` makes of the joint null,
    once for each run and side, what it needs, and `adjust_prepared(p, prepared, resamples)` returns the adjusted p and
    the ends of its Monte Carlo interval; only bootstrap tests have a joint null. `title` is the printed name, `controls`
    says which error it controls at alpha, in words, and `rate` which of the three kinds of error that is. `proof` is the
    second route to its numbers; a correction without one is refused. The smallest adjusted p is at least `factor(m)` times the smallest p; that
    says when R is too small for any pair to be significant.
    """

    name: str
    title: str
    controls: str
    source: str
    rate: ErrorRate
    proof: Proof = field(default=NONE, repr=False, compare=False)
    adjust: Callable[[Floats], Floats] | None = None
    factor: Callable[[int], float] = float
    prepare: Callable[[JointNull], Floats] | None = None
    adjust_prepared: Callable[[Floats, Floats, int], GridOfP] | None = None

    @property
    def needs_joint(self) -> bool:
        """Whether it needs the joint null of all tests."""
        return self.prepare is not None

    def grid(self, p: GridOfP, prepared: Floats | None, resamples: int) -> GridOfP:
        """Adjusted p (m,) and its Monte Carlo interval, from those of each test."""
        if self.adjust_prepared is not None:
            assert prepared is not None
            return self.adjust_prepared(p[0], prepared, resamples)
        assert self.adjust is not None
        adjusted, low, high = (self.adjust(part) for part in p)
        return adjusted, low, high


def by_statsmodels(method: str) -> Callable[[Floats], Floats]:
    """The `adjust` that is one of statsmodels' `multipletests`; never below p, in spite of rounding."""

    def adjust(p: Floats) -> Floats:
        from statsmodels.stats.multitest import multipletests  # slow to import, and seldom used

        return np.asarray(np.maximum(p, multipletests(p, method=method)[1]))

    return adjust
