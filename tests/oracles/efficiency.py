"""The efficiency of W against paired T by the bootstrap: the variance of the mean over that of Hodges and Lehmann's."""

from __future__ import annotations

import numpy as np


def by_bootstrap(z: np.ndarray, resamples: int, seed: int) -> float:
    """var(mean) / var(median of the means of all two), both over redrawn samples."""
    rng = np.random.default_rng(seed)
    left, right = np.triu_indices(len(z))
    means, medians = [], []
    for _ in range(resamples):
        sample = z[rng.integers(0, len(z), len(z))]
        means.append(sample.mean())
        medians.append(np.median((sample[left] + sample[right]) / 2))
    return float(np.var(means) / np.var(medians))
