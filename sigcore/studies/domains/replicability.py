"""Replicability: on at least how many domains a system is better, by partial conjunction tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sigcore.types import Floats

Combine = Literal["bonferroni", "fisher"]


@dataclass(frozen=True, eq=False)
class Replicated:
    """One pair on all domains: its one-sided `p_values`, and on at least how many domains `system` is better.

    `significant` domains have p <= alpha without any correction; `bonferroni` and `fisher` are the counts. nan p (too few
    units differ) are counted as 1.
    """

    system: str
    baseline: str
    p_values: tuple[float, ...]
    significant: int
    bonferroni: int
    fisher: int

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON."""
        return dict(vars(self))


def partial_conjunction(p_values: Sequence[float], combine: Combine) -> Floats:
    """p of the hypotheses "fewer than u of the n effects are there", for u = 1 ... n, made monotone, (n,).

    With the p-values in order, that of u uses the n - u + 1 largest: Bonferroni (n - u + 1) p_(u), Fisher the chi-square of
    -2 times the sum of their logarithms with 2 (n - u + 1) degrees of freedom. Fisher's needs independent p-values, so
    domains without a common document; Bonferroni's holds for any.

    Source: Dror et al. 2017, Replicability Analysis for Natural Language Processing, Section 4; Benjamini & Heller 2008.
    """
    from scipy.stats import chi2

    ordered, n = np.sort(np.asarray(p_values, dtype=np.float64)), len(p_values)
    left = n - np.arange(n)  # n - u + 1
    if combine == "bonferroni":
        of_u = np.minimum(1.0, left * ordered)
    else:
        with np.errstate(divide="ignore"):  # p of c / R may be 0
            logarithms = np.log(ordered)
        largest = np.cumsum(logarithms[::-1])[::-1]  # of the n - u + 1 largest
        of_u = chi2.sf(-2 * largest, 2 * left)
    return np.asarray(np.maximum.accumulate(of_u))


def replicated(system: str, baseline: str, p_values: Sequence[float], alpha: float) -> Replicated:
    """The counts of one pair from its one-sided p on every domain.

    The probability that a count is larger than the number of domains on which the system is better is at most alpha, if
    the direction was chosen before the scores were seen; twice that if the same scores decided it.
    """
    p = np.where(np.isnan(p_values), 1.0, np.asarray(p_values, dtype=np.float64))
    return Replicated(
        system=system,
        baseline=baseline,
        p_values=tuple(float(value) for value in p_values),
        significant=int((p <= alpha).sum()),
        bonferroni=int((partial_conjunction(p.tolist(), "bonferroni") <= alpha).sum()),
        fisher=int((partial_conjunction(p.tolist(), "fisher") <= alpha).sum()),
    )
