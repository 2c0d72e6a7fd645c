"""How far the conclusions of people hang on one judge: the pairs that are decided otherwise without each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.formatting import count, listed
from sigcore.judgments import Judgments
from sigcore.studies.human.gold import People, people

NAMED = 3  # pairs that a sentence names


@dataclass(frozen=True)
class WithoutJudge:
    """What one judge decides: how many `ratings` they gave, and the pairs (as "A and B") whose conclusion at alpha is another
    one without them."""

    judge: str
    ratings: int
    pairs: tuple[str, ...]

    @property
    def changed(self) -> int:
        """How many pairs change."""
        return len(self.pairs)


def without_each(
    judgments: Judgments,
    alpha: float,
    standard: str = "",
    dimensions: Sequence[str] = (),
    control: float | None = None,
    most: int | None = None,
) -> list[WithoutJudge]:
    """The conclusions of people without one judge after the other, those who change most first; with `most`, of so many
    judges with the most ratings. None for ratings without judges, or of one judge alone.

    Raises: as `people`. Cost: that of `people` for each judge.
    """
    names, counts = np.unique(judgments.judge[judgments.judge != ""], return_counts=True)
    whole, found = _conclusions(people(judgments, standard, dimensions, control), alpha), list[WithoutJudge]()
    order = np.argsort(-counts, kind="stable")[:most].tolist() if len(names) > 1 else []
    for k in order:
        others = _conclusions(people(judgments.of(judgments.judge != names[k]), standard, dimensions, control), alpha)
        changed = tuple(" and ".join(pair) for pair, one in whole.items() if others.get(pair, 0) != one)
        found.append(WithoutJudge(str(names[k]), int(counts[k]), changed))
    return sorted(found, key=lambda one: -one.changed)


def _conclusions(found: People, alpha: float) -> dict[tuple[str, str], int]:
    """The conclusion of every pair, its names in their order."""
    decided, of = found.decided(alpha).conclusions, {name: k for k, name in enumerate(found.systems)}
    return {(a, b): int(decided[of[a], of[b]]) for a in of for b in of if a < b}


def sentence(found: Sequence[WithoutJudge], alpha: float) -> str:
    """Whether one judge changes a conclusion, in a sentence."""
    if not found:
        return "The ratings name fewer than two judges."
    first, several = found[0], sum(one.changed > 0 for one in found)
    if not first.changed:
        return f"Without any one of {count(len(found), 'judge')}, all conclusions at alpha {alpha:g} stay."
    pairs = count(first.changed, "conclusion")
    others = f" {count(several, 'judge')} of {len(found):,} change at least one." if several > 1 else ""
    return f"Without {first.judge}, {pairs} at alpha {alpha:g} would be another: {listed(first.pairs, NAMED)}.{others}"
