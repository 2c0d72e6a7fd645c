"""How well the system scores of a metric agree with people's: pairwise accuracy, Kendall's tau-b, Pearson's r, and the
accuracy with calibrated ties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np

from sigcore.types import Floats, Ints

Measure = Literal["three_way", "pairwise", "kendall", "pearson", "tie_calibrated"]
MEASURES: dict[Measure, str] = {
    "three_way": "accuracy of conclusions",
    "pairwise": "pairwise accuracy",
    "tie_calibrated": "accuracy with calibrated ties",
    "kendall": "Kendall's tau-b",
    "pearson": "Pearson's r",
}
PERCENT: tuple[Measure, ...] = ("three_way", "pairwise", "tie_calibrated")  # the others are between -1 and 1


@dataclass(frozen=True, eq=False)
class Target:
    """The human judgments of S systems: their `scores` (S,), the `pairs` (P, 2) that are compared, and their conclusions (P,)
    by alpha: 1 the first of the pair is better, -1 worse, 0 neither."""

    scores: Floats
    pairs: Ints
    conclusions: Mapping[float, Ints]

    def __post_init__(self) -> None:
        for item in fields(self):
            if isinstance(value := getattr(self, item.name), np.ndarray):
                value.setflags(write=False)

    @property
    def asked(self) -> tuple[tuple[Measure, float | None], ...]:
        """The measures in the order of `agreement`, with the alpha of those that have one."""
        plain: tuple[tuple[Measure, float | None], ...] = (("pairwise", None), ("kendall", None), ("pearson", None))
        calibrated: list[tuple[Measure, float | None]] = [("tie_calibrated", alpha) for alpha in self.conclusions]
        return (*plain, *calibrated)


def agreement(scores: Floats, target: Target) -> Floats:
    """Every measure of `target.asked` for system scores (..., S), more is better: (M, ...); accuracies from 0 to 1.

    Pairwise accuracy is the share of pairs ordered as by people's scores. nan for a correlation where all scores are the
    same. Cost: O(P log P) for each row of scores.

    Source: Kocmi et al. 2021, To Ship or Not to Ship (pairwise accuracy).
    """
    left, right = target.pairs.T
    gaps = scores[..., left] - scores[..., right]
    ours, theirs = np.sign(gaps), np.sign(target.scores[left] - target.scores[right])
    calibrated = [accuracy for accuracy, _ in tie_calibrated(gaps, target.conclusions)]
    with np.errstate(invalid="ignore", divide="ignore"):
        tau = (ours @ theirs) / np.sqrt((ours**2).sum(axis=-1) * (theirs**2).sum())
        return np.array([(ours == theirs).mean(axis=-1), tau, _pearson(scores, target.scores), *calibrated])


def _pearson(scores: Floats, theirs: Floats) -> Floats:
    centred, other = scores - scores.mean(axis=-1, keepdims=True), theirs - theirs.mean()
    return np.asarray(centred @ other / np.sqrt((centred**2).sum(axis=-1) * (other**2).sum()))


def tie_calibrated(gaps: Floats, conclusions: Mapping[float, Ints]) -> list[tuple[Floats, Floats]]:
    """(accuracy, epsilon), each (...), for gaps of scores (..., P) and people's conclusions at each alpha.

    A gap of at most epsilon is a tie of the metric; a pair is correct where the metric and people agree on better,
    worse or tie. Epsilon is 0 or the size of a gap: the smallest value with the most correct pairs.

    Source: Deutsch, Foster & Freitag 2023, Ties Matter, Section 5; here on pairs of systems, with people's ties as
    their tests conclude them.
    """
    order = np.argsort(np.abs(gaps), axis=-1, kind="stable")
    ranked = np.take_along_axis(gaps, order, axis=-1)
    sizes = np.concatenate([np.zeros_like(ranked[..., :1]), np.abs(ranked)], axis=-1)
    # gaps of one size are ties together, so only the last of them can be epsilon
    last = np.concatenate([sizes[..., 1:] > sizes[..., :-1], np.ones_like(sizes[..., :1], dtype=bool)], axis=-1)
    out = []
    for theirs in conclusions.values():
        people = theirs[order]
        right, tied = (np.sign(ranked) == people).astype(np.int64), (people == 0).astype(np.int64)
        won = np.concatenate([np.zeros_like(right[..., :1]), np.cumsum(tied - right, axis=-1)], axis=-1)
        correct = np.where(last, won + right.sum(axis=-1, keepdims=True), -1)
        best = correct.argmax(axis=-1)[..., None]
        accuracy = np.take_along_axis(correct, best, axis=-1)[..., 0] / gaps.shape[-1]
        out.append((accuracy, np.take_along_axis(sizes, best, axis=-1)[..., 0]))
    return out
