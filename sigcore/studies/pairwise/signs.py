"""The sign test of wins against losses; of two systems that are right or wrong on each question it is McNemar's test."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sigcore.types import Floats


def sign_test(wins: ArrayLike, losses: ArrayLike) -> Floats:
    """The exact two-sided p that wins and losses are equally likely; 1 without any.

    Ties are left out: they say nothing about the direction, and a test that draws the sign of every difference
    leaves them where they are too. So for 0/1 scores this is the p of all 2^n swaps of approximate randomization.

    Source: McNemar 1947; Conover 1999, Practical Nonparametric Statistics, Section 3.4.
    """
    from scipy.stats import binom

    smaller, decided = _smaller(wins, losses)
    return np.asarray(np.minimum(1.0, 2 * binom.cdf(smaller, decided, 0.5)))


def mid_p(wins: ArrayLike, losses: ArrayLike) -> Floats:
    """The same with half the probability of what was observed: less conservative, and not guaranteed to keep alpha.

    Source: Fagerland, Lydersen & Laake 2013, The McNemar test for binary matched-pairs data, Section 2.
    """
    from scipy.stats import binom

    smaller, decided = _smaller(wins, losses)
    return np.asarray(np.minimum(1.0, 2 * binom.cdf(smaller, decided, 0.5) - binom.pmf(smaller, decided, 0.5)))


def _smaller(wins: ArrayLike, losses: ArrayLike) -> tuple[Floats, Floats]:
    one, other = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    return np.minimum(one, other), one + other
