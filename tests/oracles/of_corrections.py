"""Adjusted p-values by definition, one function for each correction: of m p-values, or of m gains and their joint null.

A correction's proof names its function here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations

from tests.oracles.step_procedures import adjusted, benjamini_hochberg_rejects, holm_rejects, step_down_max_t

holm = partial(adjusted, rejects=holm_rejects)
benjamini_hochberg = partial(adjusted, rejects=benjamini_hochberg_rejects)
joint = step_down_max_t


def none(p: Sequence[float]) -> list[float]:
    """p itself."""
    return list(p)


def bonferroni(p: Sequence[float]) -> list[float]:
    """m times p."""
    return [min(1.0, len(p) * value) for value in p]


def benjamini_yekutieli(p: Sequence[float]) -> list[float]:
    """The definition: of every set of k findings the largest p, times m / k and times 1 + 1/2 + ... + 1/m; the least of
    those that are not below p."""
    m, factor = len(p), sum(1 / k for k in range(1, len(p) + 1))
    return [min(1.0, min(q * m * factor / sum(r <= q for r in p) for q in p if q >= value)) for value in p]


def hommel(p: Sequence[float]) -> list[float]:
    """Closed testing: a hypothesis falls where every set that contains it falls by the test of Simes."""
    return [
        max(simes(chosen) for size in range(1, len(p) + 1) for chosen in combinations(p, size) if value in chosen)
        for value in p
    ]


def simes(p: Sequence[float]) -> float:
    """The p of the hypothesis that all of these hold."""
    return min(len(p) * value / k for k, value in enumerate(sorted(p), start=1))
