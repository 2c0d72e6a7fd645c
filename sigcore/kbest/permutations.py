"""Probabilities of orders of a list (Plackett-Luce), and their weighted log-likelihood with its gradient.

Lists are rows (B, k); shorter lists end with places whose score is `NOWHERE`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sigcore.types import Bools, Floats, Ints

NOWHERE = -1e30  # the score of a place behind the end of a list: its probability is 0, and no difference overflows


def softmax(scores: Floats) -> Floats:
    """The probability of each member to be first, (..., k)."""
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True))


def top_one(scores: Floats, target: Floats) -> tuple[Floats, Floats]:
    """The cross entropy (B,) of the probabilities to be first under `target` (B, k) and `scores` (B, k), and its gradient
    with respect to the scores.

    Source: Cao et al. 2007; Chen et al. 2017, section 3.1.
    """
    wanted, given = softmax(target), softmax(scores)
    largest = scores.max(axis=-1, keepdims=True)
    normal = largest + np.log(np.exp(scores - largest).sum(axis=-1, keepdims=True))
    return -(wanted * (scores - normal)).sum(axis=-1), given - wanted


def weighted_likelihood(scores: Floats, costs: Floats) -> tuple[Floats, Floats]:
    """-sum_m costs_m log P(member m | members m, m + 1 ...), (B,), and its gradient (B, k).

    The members of each list are in the wanted order; `costs` are not negative, and 0 behind the end of a list. Convex in
    the scores. Cost: O(B k); no overflow. Source: Plackett 1975; Xia et al. 2008; Chen et al. 2017, equations 4 to 6.
    """
    normal = np.logaddexp.accumulate(scores[..., ::-1], axis=-1)[..., ::-1]  # of member m and those behind it
    values = -(costs * (scores - normal)).sum(axis=-1)
    with np.errstate(divide="ignore"):
        shares = np.log(costs) - normal
    return values, np.exp(scores + np.logaddexp.accumulate(shares, axis=-1)) - costs


def top_rank_costs(lengths: Ints, width: int) -> Floats:
    """c(j) = (k - j + 1) / (1 + ... + k) for lists of these lengths k, (B, width); 0 behind the end.

    Source: Chen et al. 2017, equation 6.
    """
    left = np.maximum(lengths[:, None] - np.arange(width), 0)
    return np.asarray(left / (lengths * (lengths + 1) / 2)[:, None])


def drawn_orders(target: Floats, draws: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Orders (B, draws, k) from the distribution over permutations under `target` (B, k).

    Places behind the end of a list stay behind it. Source: Gumbel noise, Yellott 1977.
    """
    noise = rng.gumbel(size=(len(target), draws, target.shape[1]))
    return np.argsort(-(target[:, None, :] + noise), axis=-1, kind="stable")


def expected_over_orders(scores: Floats, target: Floats, costs: Floats) -> tuple[Floats, Floats]:
    """The expectation of `weighted_likelihood` over all orders under `target`, exactly, (B,), and its gradient (B, k).

    The j-th choice depends only on the members that are left, so the sum over k! orders is one over the 2^k sets that can
    be left: the probability of each set times the cross entropy of the next choice. Places behind the end of a list are
    left until last, where the costs are 0.
    Cost: O(B k 2^k).
    """
    lists, k = scores.shape
    reached = np.zeros((lists, 1 << k))
    reached[:, -1] = 1.0
    values, slopes = np.zeros(lists), np.zeros((lists, k))
    for place, (codes, inside) in enumerate(_subsets(k)):  # from the whole list down to single members
        wanted, _ = _first_of(target, inside)  # (B, sets, k)
        given, logs = _first_of(scores, inside)
        weight = reached[:, codes] * costs[:, [place]]  # (B, sets)
        values -= np.einsum("bs,bsk,bsk->b", weight, wanted, logs)
        slopes += np.einsum("bs,bsk->bk", weight, given - wanted)
        wanted *= reached[:, codes, None]
        for member in range(k if place < k - 1 else 0):
            # sets of one size that have this member become different sets without it
            has = inside[:, member]
            reached[:, codes[has] & ~(1 << member)] += wanted[:, has, member]
    return values, slopes


def _first_of(scores: Floats, inside: Bools) -> tuple[Floats, Floats]:
    """The probability of each member to be first of each set (B, sets, k), and its logarithm, 0 for those outside."""
    shown = np.where(inside, scores[:, None, :], -np.inf)
    shown -= shown.max(axis=-1, keepdims=True)
    odds = np.exp(shown)
    total = odds.sum(axis=-1, keepdims=True)
    return odds / total, np.where(inside, shown - np.log(total), 0.0)


@cache
def _subsets(k: int) -> tuple[tuple[Ints, Bools], ...]:
    """The subsets of k members by size, the largest first: their codes (sets,), and who is in them (sets, k)."""
    codes = np.arange(1, 1 << k)
    inside = (codes[:, None] >> np.arange(k)) & 1 == 1
    sizes = inside.sum(axis=1)
    return tuple(_of_size(codes, inside, sizes == size) for size in range(k, 0, -1))


def _of_size(codes: Ints, inside: Bools, chosen: Bools) -> tuple[Ints, Bools]:
    return codes[chosen], inside[chosen]
