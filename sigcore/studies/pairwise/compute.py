"""Wins, ties and losses of all pairs, and Bradley-Terry strengths, on the questions and on drawn questions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError, Undefined
from sigcore.formatting import count
from sigcore.preferences import Preferences
from sigcore.registry import SEED
from sigcore.resampling.blocks import Block, blocks, generator, steps, strips
from sigcore.results import freeze
from sigcore.score_matrix import ScoreMatrix
from sigcore.study import LOCAL, Runtime
from sigcore.sufficient import oriented
from sigcore.types import Bools, Direction, Floats, Ints

# Wins per question as arrays: of judged comparisons, or of the scores of all pairs of systems.

SAME = 1e-11  # of the largest score: a smaller difference is rounding, a tie
MOST = 20_000_000  # comparisons held at once
MOST_SYSTEMS = 300  # of a ranking: its cost grows with their third power


@dataclass(frozen=True, eq=False)
class Battles:
    """N comparisons on Q questions, sorted by pair: `pairs` (P, 2) positions in `systems`, `pair` (N,) the pair of each,
    `question` (N,) its question, `outcome` (N,) 1 if the first of the pair is better, 0 if the second is, 0.5 for a tie;
    graded judgments are between them.

    `judged` says that they were judged; else they are differences of scores, one for each pair and question. `binary`
    says that all scores are 0 or 1, and `both` (P,) counts the questions that both systems have right.
    `direction` says which scores win; None where they were judged.
    """

    name: str
    systems: tuple[str, ...]
    pairs: Ints
    pair: Ints
    question: Ints
    outcome: Floats
    questions: int
    judged: bool
    noun: str = "question"
    binary: bool = False
    both: Ints | None = None
    direction: Direction | None = None

    @property
    def graded(self) -> bool:
        """Whether judgments say by how much a system is preferred, as the weighted ones of AlpacaEval do."""
        return self.judged and not np.isin(self.outcome, (0.0, 0.5, 1.0)).all()


def of_preferences(preferences: Preferences) -> Battles:
    """Judged comparisons; a pair is the same in both orders. The order of rows changes nothing.

    Raises: Undefined for more than MOST_SYSTEMS systems.
    """
    if len(preferences.systems) > MOST_SYSTEMS:
        message = f"{len(preferences.systems):,} systems are more than {MOST_SYSTEMS:,}."
        raise Undefined(message, preferences.name, "Leave out the judgments of some systems.")
    systems, numbers = np.unique(np.concatenate([preferences.first, preferences.second]), return_inverse=True)
    first, second = numbers.reshape(2, -1)
    turned = first > second
    low, high = np.where(turned, second, first), np.where(turned, first, second)
    outcome = np.where(turned, 1 - preferences.outcome, preferences.outcome)
    pairs, pair = np.unique(np.column_stack([low, high]), axis=0, return_inverse=True)
    names, question = np.unique(preferences.question, return_inverse=True)
    order = np.lexsort((outcome, question, pair.reshape(-1)))
    return Battles(
        name=preferences.name,
        systems=tuple(systems.tolist()),
        pairs=pairs.astype(np.int64),
        pair=pair.reshape(-1)[order].astype(np.int64),
        question=question[order].astype(np.int64),
        outcome=outcome[order],
        questions=len(names),
        judged=True,
    )


def of_scores(matrix: ScoreMatrix) -> Battles:
    """All pairs of systems on the rows that both have: the better score wins the row.

    Raises: Undefined for fewer than two systems, or too many pairs and rows.
    """
    values = oriented(matrix.values, matrix.better)
    count = len(matrix.systems)
    if count < 2:
        raise Undefined("There are fewer than two systems.", matrix.name, "Load the scores of two or more systems.")
    pairs = np.column_stack(np.triu_indices(count, k=1)).astype(np.int64)
    if len(pairs) * matrix.n > MOST:
        message = f"{len(pairs):,} pairs on {matrix.n:,} {matrix.rows} are more than {MOST:,} comparisons."
        raise Undefined(message, matrix.name, "Compare fewer systems.")
    gains = values[:, pairs[:, 0]] - values[:, pairs[:, 1]]  # (n, P)
    size = float(np.nanmax(np.abs(values), initial=0.0))
    outcome = np.where(np.abs(gains) <= SAME * size, 0.5, (gains > 0).astype(np.float64)).T
    pair, question = np.nonzero(~np.isnan(gains.T))
    cells = matrix.values[~np.isnan(matrix.values)]
    binary = bool(np.isin(cells, (0.0, 1.0)).all())
    right = (matrix.values == 1).astype(np.int64)
    return Battles(
        name=matrix.name,
        systems=matrix.systems,
        pairs=pairs,
        pair=pair.astype(np.int64),
        question=question.astype(np.int64),
        outcome=outcome[pair, question],
        questions=matrix.n,
        judged=False,
        noun=matrix.row,
        binary=binary,
        direction=matrix.direction,
        both=(right[:, pairs[:, 0]] * right[:, pairs[:, 1]]).sum(axis=0) if binary else None,
    )


def majorities(battles: Battles) -> Ints:
    """(P, 3): the questions that the first of each pair won, tied and lost, by the sum of all its comparisons there.

    A question that was judged several times (in both orders, by several judges, in several turns) counts once.
    """
    ends = np.flatnonzero(np.diff(battles.pair) | np.diff(battles.question)) + 1
    starts = np.concatenate([[0], ends])
    margin = np.add.reduceat(2 * battles.outcome - 1, starts)
    place = np.where(np.abs(margin) < 1e-9, 1, np.where(margin > 0, 0, 2))
    out = np.zeros((len(battles.pairs), 3), dtype=np.int64)
    np.add.at(out, (battles.pair[starts], place), 1)
    return out


# Bradley-Terry strengths: P(i is preferred to j) = 1 / (1 + exp(strength j - strength i)).

STEPS = 100  # Newton needs fewer than ten; nearly separated draws a few more
CLOSE = 1e-9  # of the number of comparisons of a system, in the gradient
LONGEST = 2.0  # a step in log odds; longer ones may leap over the maximum
AT_ONCE = 4_000_000  # numbers in the matrices that are solved together


def strengths(wins: Floats) -> Floats:
    """The strengths (R, S), log odds with mean 0, of R tables of wins (R, S, S): `wins[r, i, j]` = how often i was
    preferred to j, a tie as half a win of each; nan where no finite maximum exists.

    It exists if no group of systems won all its comparisons with the others (and every system is
    compared). Newton's method on the log-likelihood, which is concave. Cost: O(R S^3) per step.

    Source: Bradley & Terry 1952; the condition: Ford 1957.
    """
    tables, systems = wins.shape[:2]
    out = np.full((tables, systems), np.nan)
    rows = np.flatnonzero(has_maximum(wins))
    size = max(1, AT_ONCE // max(1, systems * systems))
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        out[part] = _fitted(wins[part])
    return out


def has_maximum(wins: Floats) -> Bools:
    """Whether each of R tables (R, S, S) has a finite maximum: each system is reached from each by wins."""
    reached = (wins > 0) | np.eye(wins.shape[1], dtype=bool)
    length = 1
    while length < wins.shape[1]:
        reached = (reached.astype(np.float32) @ reached.astype(np.float32)) > 0  # paths of twice the length
        length *= 2
    return np.asarray(reached.all(axis=(1, 2)))


def _fitted(wins: Floats) -> Floats:
    """The strengths of tables that have a maximum."""
    systems = wins.shape[1]
    met = wins + wins.transpose(0, 2, 1)
    won, total = wins.sum(axis=2), met.sum(axis=2)
    theta, open_ = np.zeros(won.shape), np.arange(len(wins))
    for _ in range(STEPS):
        now = theta[open_]
        expected = 1 / (1 + np.exp(now[:, None, :] - now[:, :, None]))  # (r, i, j): P(i over j)
        gradient = won[open_] - (met[open_] * expected).sum(axis=2)
        weight = met[open_] * expected * (1 - expected)
        hessian = -weight
        diagonal = np.arange(systems)
        hessian[:, diagonal, diagonal] += weight.sum(axis=2)
        hessian += 1 / systems  # strengths are determined up to a constant: their mean stays 0
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        theta[open_] = now + step * (LONGEST / np.maximum(longest, LONGEST))
        open_ = open_[(np.abs(gradient) > CLOSE * np.maximum(total[open_], 1.0)).any(axis=1)]
        if not len(open_):
            break
    theta[open_] = np.nan  # not found
    return np.asarray(theta - theta.mean(axis=1, keepdims=True))


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


def run(battles: Battles, *, resamples: int = RESAMPLES, seed: int = 12345, runtime: Runtime = LOCAL) -> PairwiseRun:
    """All pairs, and the ranking of judged systems, with R bootstrap draws of the questions.

    The draws depend only on the number of questions, R and the seed.
    Raises: OptionError for a number of resamples or a seed out of range; Cancelled from `runtime`. Cost: O(R N), and
    O(R S^3) for the ranking.
    """
    _check(battles, resamples, seed)
    sums = _sums(battles)
    parts = blocks(resamples)
    step = steps(runtime.report, "drawing questions", len(parts))
    shares, drawn = [], []
    for rates, strength in runtime.mapper.map(partial(_drawn, battles, sums, seed), parts):
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
        message = f"{count(resamples, 'resample')} of {count(len(battles.pairs), 'pair')} are too many to hold."
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
