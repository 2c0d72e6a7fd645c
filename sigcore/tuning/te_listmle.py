"""Top-rank enhanced ListMLE: the likelihood of the order by quality, with costs that fall with the place."""

from __future__ import annotations

import numpy as np

from sigcore.kbest.permutations import top_rank_costs, weighted_likelihood
from sigcore.proof import Proof
from sigcore.tuning.contract import Batch, Method, Options, training
from sigcore.types import Floats


def loss(scores: Floats, batch: Batch, options: Options, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The weighted negative log-likelihood of the order (B,) and its gradient (B, k)."""
    return weighted_likelihood(scores, top_rank_costs(batch.lengths, scores.shape[1]))


METHOD = Method(
    name="te_listmle",
    title="top-rank enhanced ListMLE",
    loss=loss,
    options=training(100),
    help="The whole order by quality is to be likely; errors at the top cost most.",
    source="Chen et al. 2017",
    proof=Proof(oracle="of_methods:te_listmle"),
)
