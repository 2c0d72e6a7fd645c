"""Wins, ties and losses of all pairs, and Bradley-Terry strengths, on the questions and on drawn questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore import executors
from sigcore.errors import OptionError
from sigcore.registry import SEED
from sigcore.resampling.blocks import Block, blocks, generator, steps
from sigcore.resampling.weights import strips
from sigcore.results import freeze
from sigcore.studies.pairwise.battles import Battles, majorities
from sigcore.studies.pairwise.bradley_terry import AT_ONCE, strengths
from sigcore.types import Floats, Ints

Progress = Callable[[str, int, int], None]
RESAMPLES = 10_000
MOST_RESAMPLES = 1_000_000
MOST_HELD = 50_000_000  # numbers in the results of all draws


@dataclass(frozen=True, eq=False)
class PairwiseRun:
    """What was computed: `wins` (P, 3) questions won, tied and lost by the first of each pair; `compared` (P,) single
    comparisons; `rates` (P,) its share of wins, ties as half, with `drawn_rates` (R, P) on drawn questions (nan where the
    pair was not drawn). For judged comparisons `strength` (S,) and `drawn` (R, S) are Bradley-Terry strengths, nan where
    there is no finite maximum."""

    battles: Battles
    wins: Ints
    compared: Ints
    rates: Floats
    drawn_rates: Floats
    strength: Floats
    drawn: Floats
    resamples: int
    seed: int

    def __post_init__(self) -> None:
        freeze(self)


def run(
    battles: Battles,
    *,
    resamples: int = RESAMPLES,
    seed: int = 12345,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
) -> PairwiseRun:
    """All pairs, and the ranking of judged systems, with R bootstrap draws of the questions.

    The draws depend only on the number of questions, R and the seed.
    Raises: OptionError for a number of resamples or a seed out of range; Cancelled from `progress`. Cost: O(R N), and
    O(R S^3) for the ranking.
    """
    _check(battles, resamples, seed)
    sums = _sums(battles)
    parts = blocks(resamples)
    step = steps(progress, "drawing questions", len(parts))
    executor = executor or executors.local()
    shares, drawn = [], []
    for rates, strength in executor.map(partial(_drawn, battles, sums, seed), parts):
        shares.append(rates)
        drawn.append(strength)
        step()
    once = np.ones((1, battles.questions), dtype=np.float64)
    rates, strength = _scored(battles, sums, once)
    return PairwiseRun(
        battles=battles,
        wins=majorities(battles),
        compared=np.bincount(battles.pair, minlength=len(battles.pairs)),
        rates=rates[0],
        drawn_rates=np.concatenate(shares),
        strength=strength[0],
        drawn=np.concatenate(drawn),
        resamples=resamples,
        seed=seed,
    )


def _check(battles: Battles, resamples: int, seed: int) -> None:
    if not 1 <= resamples <= MOST_RESAMPLES:
        message = f"resamples is {resamples:,}, but must be from 1 to {MOST_RESAMPLES:,}."
        raise OptionError(message, "", f"{RESAMPLES:,} is usual.")
    held = resamples * (len(battles.pairs) + len(battles.systems))
    if held > MOST_HELD:
        message = f"{resamples:,} resamples of {len(battles.pairs):,} pairs are too many to hold."
        raise OptionError(message, "", f"Use {max(1, resamples * MOST_HELD // held):,} or fewer.")
    SEED.read(seed)


@dataclass(frozen=True, eq=False)
class _Sums:
    """(P, Q) sparse sums of outcomes and numbers of comparisons."""

    won: Any
    compared: Any


def _sums(battles: Battles) -> _Sums:
    from scipy.sparse import csr_array

    place, shape = (battles.pair, battles.question), (len(battles.pairs), battles.questions)
    return _Sums(*(csr_array((values, place), shape) for values in (battles.outcome, np.ones(len(battles.outcome)))))


def _drawn(battles: Battles, sums: _Sums, seed: int, block: Block) -> tuple[Floats, Floats]:
    """The rates (size, P) and the strengths (size, S) on the drawn questions of a block."""
    rng = generator(seed, "bootstrap", block.index)
    parts = [_scored(battles, sums, w) for w in strips(rng, "bootstrap", block.size, battles.questions)]
    return np.concatenate([rates for rates, _ in parts]), np.concatenate([strength for _, strength in parts])


def _scored(battles: Battles, sums: _Sums, weights: NDArray[Any]) -> tuple[Floats, Floats]:
    """The rates (rows, P) and the strengths (rows, S) under weights (rows, Q) of the questions."""
    drawn = weights.T.astype(np.float64)
    won, total = (sums.won @ drawn).T, (sums.compared @ drawn).T  # (P, Q) @ (Q, rows)
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = np.where(total > 0, won / total, np.nan)
    systems = len(battles.systems)
    if not battles.judged:
        return rates, np.full((len(weights), systems), np.nan)
    size = max(1, AT_ONCE // systems**2)
    parts = [_strengths(battles, won[k : k + size], (total - won)[k : k + size]) for k in range(0, len(weights), size)]
    return rates, np.concatenate(parts)


def _strengths(battles: Battles, won: Floats, lost: Floats) -> Floats:
    """The strengths (rows, S) of wins and losses (rows, P) of the first of each pair."""
    systems = len(battles.systems)
    table = np.zeros((len(won), systems, systems))
    first, second = battles.pairs.T
    table[:, first, second], table[:, second, first] = won, lost
    return strengths(table)
