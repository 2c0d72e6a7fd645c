"""How efficient is Wilcoxon's W against paired T? In theory for known shapes, and estimated on the differences."""

from __future__ import annotations

import numpy as np

from sigcore.types import Floats

# Asymptotic relative efficiency 12 s^2 (integral of f^2)^2 of W against paired T, by the density f of the differences.
THEORY = {
    "normal": 3 / np.pi,
    "logistic": np.pi**2 / 9,
    "Laplace": 1.5,
    "uniform": 1.0,
    "smallest possible": 108 / 125,
}
MOST = 1_000  # differences used; of more, every k-th in sorted order, which preserves the shape
Z = 1.959963984540054  # the interval that measures the error of the median of means covers 95 %


def efficiency(z: Floats) -> Floats:
    """The efficiency of W against paired T estimated for every pair from its differences z (n, P): (P,).

    It is the variance of the mean of the differences over that of their Hodges-Lehmann estimate (the median of all
    means of two), the latter read from the length of its distribution-free interval (Lehmann 1963). nan where the
    differences do not vary, or tie so much that the interval has no length.
    """
    return np.array([_of_one(column) for column in z.T])


def _of_one(z: Floats) -> float:
    ordered = np.sort(z)
    if len(ordered) > MOST:
        ordered = ordered[np.linspace(0, len(ordered) - 1, MOST).round().astype(np.intp)]
    n = len(ordered)
    left, right = np.triu_indices(n)
    means = (ordered[left] + ordered[right]) / 2
    middle, spread = len(means) / 2, Z * np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    low = max(round(float(middle - spread)), 0)
    means.partition([low, len(means) - 1 - low])
    length = means[len(means) - 1 - low] - means[low]
    deviation = float(ordered.std(ddof=1))
    if not (length > 0 and deviation > 0):
        return float("nan")
    return float((deviation / np.sqrt(n) / (length / (2 * Z))) ** 2)


def hodges_lehmann(z: Floats) -> float:
    """The median of the means of all pairs of differences z (n,), each with itself too."""
    ordered = np.sort(z)
    if len(ordered) > MOST:
        ordered = ordered[np.linspace(0, len(ordered) - 1, MOST).round().astype(np.intp)]
    left, right = np.triu_indices(len(ordered))
    return float(np.median((ordered[left] + ordered[right]) / 2))
