"""What every correction is: it takes the p-values of m tests, and what it made of their joint null, and adjusts them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sigcore.proof import NONE, Proof
from sigcore.types import Floats, Ints

# p of m tests, and the ends of its Monte Carlo interval
GridOfP = tuple[Floats, Floats, Floats]

# What a correction keeps at alpha: the chance of any false finding, the expected share of false findings, or, of no
# correction, the error of each test alone. The contract tests draw true nulls and check it.
ErrorRate = Literal["family-wise", "false discovery", "each test"]


@dataclass(frozen=True, eq=False)
class JointTests:
    """m tests with their observed gains and the spread of their nulls, each (m,), as one correction counts them.

    Gains are in units of the metric, larger = more extreme; two-sided, they are absolute values. Null gains are nan where a
    score is undefined. Gains are divided by the spread, so that tests can be compared. A resample on which a score is undefined reaches all
    tests. A test without any spread is reached by all resamples, and takes no part in the others.
    """

    correction: Correction
    observed: Floats
    spread: Floats

    @property
    def statistic(self) -> Floats:
        """The studentised gains (m,), 0 without spread."""
        return np.where(self.spread > 0, self.observed / self._divisor, 0.0)

    @property
    def _divisor(self) -> Floats:
        return np.where(self.spread > 0, self.spread, 1.0)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The tests by their statistic, the largest first."""
        return np.argsort(-self.statistic, kind="stable")

    def count(self, block: Floats) -> Ints:
        """How many resamples reach each test, (m,), of a block (m, B) of null gains in `order`, which is overwritten."""
        undefined = np.isnan(block).any(axis=0) if np.isnan(block.sum()) else ()
        block /= self._divisor[self.order, None]
        block[self.spread[self.order] <= 0] = -np.inf
        block[:, undefined] = np.inf
        assert self.correction.count is not None
        counts = np.empty(len(self.order), dtype=np.int64)
        counts[self.order] = self.correction.count(self.statistic[self.order], block)
        return counts

    def quick_count(self, null: Floats, places: NDArray[np.intp], signs: Floats | None) -> Ints | None:
        """The same from the null gains (P, B) of pairs, without an array of all tests, where the correction has a quicker way
        for them: `places` (m,) of the tests' pairs, and their `signs` (m,), None where sizes count."""
        if self.correction.quicker is None:
            return None
        order, counts = self.order, np.empty(len(self.order), dtype=np.int64)
        turns = None if signs is None else signs[order]
        found = self.correction.quicker(self.statistic[order], null, places[order], turns, self.spread[order])
        if found is None:
            return None
        counts[order] = found
        return counts

    def reached(self, total: Ints, resamples: int) -> Floats:
        """What the correction makes of the counts of all blocks, (m,)."""
        settled = total.astype(np.float64)
        if self.correction.settle is not None:
            settled = self.correction.settle(self.statistic, settled)
        return np.where(self.spread > 0, settled, float(resamples))


@dataclass(frozen=True)
class Correction:
    """One correction of p-values for many tests.

    `adjust(p (m,)) -> (m,)`, for one that needs the p-values alone. Else it uses the joint null of the tests, which only
    tests that draw have. `count(statistic (m,), null (m, B)) -> (m,)` says how many of these joint resamples reach each
    test, both studentised. `quicker(statistic, gains (P, B), places, signs, spread)` may count the same without the array of
    all tests, see `JointTests.quick_count`. `settle(statistic, counts)` makes of the counts of all resamples what `adjust_prepared(p,
    reached, resamples)` turns into the adjusted p and the ends of its Monte Carlo interval. `title` is the printed name, `controls`
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
    count: Callable[[Floats, Floats], Ints] | None = None
    quicker: Callable[..., Ints | None] | None = None
    settle: Callable[[Floats, Floats], Floats] | None = None
    adjust_prepared: Callable[[Floats, Floats, int], GridOfP] | None = None

    @property
    def needs_joint(self) -> bool:
        """Whether it needs the joint null of all tests."""
        return self.count is not None

    def grid(self, p: GridOfP, prepared: Floats | None, resamples: int) -> GridOfP:
        """Adjusted p (m,) and its Monte Carlo interval, from those of each test."""
        if self.adjust_prepared is not None:
            assert prepared is not None
            adjusted, low, high = self.adjust_prepared(p[0], prepared, resamples)
            own_high = np.where(np.isnan(p[2]), p[0], p[2])  # an exact p has no interval
            return adjusted, np.fmax(low, p[1]), np.maximum(high, own_high)
        assert self.adjust is not None
        adjusted, low = (self.adjust(part) for part in p[:2])
        return adjusted, low, low if p[2] is p[1] else self.adjust(p[2])


def by_statsmodels(method: str) -> Callable[[Floats], Floats]:
    """The `adjust` that is one of statsmodels' `multipletests`; never below p, in spite of rounding."""

    def adjust(p: Floats) -> Floats:
        from statsmodels.stats.multitest import multipletests  # slow to import, and seldom used

        return np.asarray(np.maximum(p, multipletests(p, method=method)[1]))

    return adjust
