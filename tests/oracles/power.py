"""The power of two-sided approximate randomization by simulation: test sets drawn from a population, each one tested."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def simulated(
    rows: tuple[np.ndarray, np.ndarray],
    score: Callable[[np.ndarray], np.ndarray],
    units: list[np.ndarray],
    drawn: int,
    sets: int,
    seed: int,
    shuffles: int = 299,
    alpha: float = 0.05,
) -> float:
    """The share of test sets on which the better system is found to be better.

    The population has the rows of statistics (N, K) of both systems; its gain is the true gain. A test set is `drawn`
    units, each an array of rows, with replacement. Under the null the two outputs of a unit change places.
    """
    rng = np.random.default_rng(seed)
    first, second = (np.array([part[unit].sum(axis=0) for unit in units]) for part in rows)
    truth = np.sign(score(first.sum(axis=0)) - score(second.sum(axis=0)))
    rejected = 0
    for _ in range(sets):
        chosen = rng.integers(0, len(units), drawn)
        a, b = first[chosen], second[chosen]
        gain = score(a.sum(axis=0)) - score(b.sum(axis=0))
        at_least = 0
        swapped = rng.random((shuffles, drawn)) < 0.5
        moved = swapped @ (b - a)
        pseudo = score(a.sum(axis=0) + moved) - score(b.sum(axis=0) - moved)
        for value in pseudo:
            if abs(value) >= abs(gain) - 1e-9:
                at_least = at_least + 1
        if (at_least + 1) / (shuffles + 1) <= alpha and np.sign(gain) == truth:
            rejected = rejected + 1
    return rejected / sets
