"""Top-rank enhanced ListNet: the expected weighted likelihood over all orders by quality, exact or drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sigcore.kbest.permutations import drawn_orders, expected_over_orders, top_rank_costs, weighted_likelihood
from sigcore.proof import Proof
from sigcore.registry import number_of
from sigcore.tuning.contract import KAPPA, Batch, Method, Options, options_of, training, whole
from sigcore.types import Floats


def loss(scores: Floats, batch: Batch, options: Options, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The expectation (B,) and its gradient (B, k): exact for lists of at most `exact` hypotheses, else the mean over
    `draws` orders, which is right on average."""
    target, costs = number_of(options, "kappa") * batch.quality, top_rank_costs(batch.lengths, scores.shape[1])
    values, slopes = np.zeros(len(scores)), np.zeros_like(scores)
    short = batch.lengths <= whole(options, "exact")
    for lists in (np.flatnonzero(short), np.flatnonzero(~short)):
        if len(lists):
            width = int(batch.lengths[lists].max())
            part = scores[lists, :width], target[lists, :width], costs[lists, :width]
            exact = short[lists[0]]
            found = expected_over_orders(*part) if exact else _drawn(*part, whole(options, "draws"), rng)
            values[lists], slopes[lists, :width] = found
    return values, slopes


def _drawn(
    scores: Floats, target: Floats, costs: Floats, draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    order: NDArray[np.intp] = drawn_orders(target, draws, rng)  # (B, draws, k)
    values, sorted_slopes = weighted_likelihood(
        np.take_along_axis(scores[:, None, :], order, axis=-1), costs[:, None, :]
    )
    slopes = np.empty_like(sorted_slopes)
    np.put_along_axis(slopes, order, sorted_slopes, axis=-1)
    return values.mean(axis=1), slopes.mean(axis=1)


METHOD = Method(
    name="listnet_te",
    title="top-rank enhanced ListNet",
    loss=loss,
    options=(
        KAPPA,
        *options_of("listnet_te"),
        *training(100),
    ),
    help="ListNet over whole orders, with costs that fall with the place. The paper defines it but did not run it.",
    source="Chen et al. 2017",
    proof=Proof(oracle="of_methods:listnet_te"),
)
