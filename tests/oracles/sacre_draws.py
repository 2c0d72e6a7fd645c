"""sacrebleu's two paired tests with sacrebleu's own draws and rules, but on statistics and scores of ours."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Score = Callable[[np.ndarray], np.ndarray]


def _p(sizes: np.ndarray, observed: float) -> float:
    return (int((sizes > observed).sum()) + 1) / (len(sizes) + 1)


def _observed(system: np.ndarray, baseline: np.ndarray, score: Score) -> float:
    return abs(float(score(baseline.sum(axis=0))) - float(score(system.sum(axis=0))))


def paired_ar(system: np.ndarray, baseline: np.ndarray, score: Score, trials: int = 10_000, seed: int = 12345) -> float:
    """p of approximate randomization: |d| strictly above the observed size, (c + 1) / (R + 1)."""
    keep = np.random.default_rng(seed).integers(2, size=(trials, len(system)), dtype=bool)
    first = keep @ baseline + ~keep @ system
    second = baseline.sum(axis=0) + system.sum(axis=0) - first
    return _p(np.abs(score(first) - score(second)), _observed(system, baseline, score))


def paired_bs(system: np.ndarray, baseline: np.ndarray, score: Score, trials: int = 1000, seed: int = 12345) -> float:
    """p of the paired bootstrap: |d| less its own mean strictly above the observed size, (c + 1) / (R + 1)."""
    n = len(system)
    index = np.random.default_rng(seed).choice(n, size=(trials, n), replace=True)
    weights = np.array([np.bincount(row, minlength=n) for row in index], dtype=float)
    sizes = np.abs(score(weights @ system) - score(weights @ baseline))
    return _p(sizes - sizes.mean(), _observed(system, baseline, score))
