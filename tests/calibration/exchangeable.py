"""Metrics that agree equally well with people, by construction: true quality plus exchangeable noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from sigcore.studies.human.metrics_differ import Target


@dataclass(frozen=True, eq=False)
class World:
    """One campaign: system scores of the metrics (metrics, S), people's `target`, and by metric which pairs (P,) of
    systems it concludes as people do (metrics, P)."""

    scores: np.ndarray
    target: Target
    right: np.ndarray

    @property
    def pairs(self) -> np.ndarray:
        """All pairs of systems, (P, 2)."""
        return self.target.pairs


HUMAN_ERROR, METRIC_ERROR = 0.25, 0.15  # standard errors of system scores, in SD of true quality


def world(
    rng: np.random.Generator,
    systems: int,
    noise: float | tuple[float, ...] = 0.5,
    metrics: int = 5,
    alpha: float = 0.05,
) -> World:
    """Systems of normal quality. Every metric likes and dislikes systems of its own (SD `noise`, one for all metrics or
    one each) and, like people, sees them through sampling error; conclusions are one-sided z tests at alpha."""
    quality = rng.normal(size=systems)
    left, right = np.triu_indices(systems, k=1)

    def conclusions(scores: np.ndarray, error: float) -> np.ndarray:
        z = (scores[..., left] - scores[..., right]) / (error * np.sqrt(2))
        return np.sign(z).astype(int) * (np.abs(z) >= norm.isf(alpha))

    people = quality + rng.normal(0, HUMAN_ERROR, systems)
    spread = np.broadcast_to(noise, metrics)[:, None]
    scores = quality + spread * rng.normal(size=(metrics, systems)) + rng.normal(0, METRIC_ERROR, (metrics, systems))
    theirs = conclusions(people, HUMAN_ERROR)
    target = Target(people, np.column_stack([left, right]), {alpha: theirs})
    return World(scores, target, conclusions(scores, METRIC_ERROR) == theirs)


def cells(rng: np.random.Generator, systems: int, n: int) -> tuple[np.ndarray, Target]:
    """Scores (2, S, n) of two metrics that could change places cell by cell, and people's scores of the systems."""
    quality = rng.normal(size=systems)
    scores = quality[:, None] + rng.normal(0, 0.3 * np.sqrt(n), (2, systems, n))
    pairs = np.column_stack(np.triu_indices(systems, k=1))
    people = quality + rng.normal(0, HUMAN_ERROR, systems)
    return scores, Target(people, pairs, {})
