"""Wins per question as arrays: of judged comparisons, or of the scores of all pairs of systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.errors import Undefined
from sigcore.preferences import Preferences
from sigcore.score_matrix import ScoreMatrix
from sigcore.sufficient import oriented
from sigcore.types import Floats, Ints

SAME = 1e-11  # of the largest score: a smaller difference is rounding, a tie
MOST = 20_000_000  # comparisons held at once
MOST_SYSTEMS = 300  # of a ranking: its cost grows with their third power


@dataclass(frozen=True, eq=False)
class Battles:
    """N comparisons on Q questions, sorted by pair: `pairs` (P, 2) positions in `systems`, `pair` (N,) the pair of each,
    `question` (N,) its question, `outcome` (N,) 1 if the first of the pair is better, 0 if the second is, 0.5 for a tie.

    `judged` says that they were judged; else they are differences of scores, one for each pair and question. `binary`
    says that all scores are 0 or 1, and `both` (P,) counts the questions that both systems have right.
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
