"""Bradley-Terry strengths: P(i is preferred to j) = 1 / (1 + exp(strength j - strength i))."""

from __future__ import annotations

import numpy as np

from sigcore.types import Bools, Floats

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
