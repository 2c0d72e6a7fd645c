"""Top-n ListMLE: the likelihood of the first n places by quality."""

from __future__ import annotations

import numpy as np

from sigcore.kbest.permutations import weighted_likelihood
from sigcore.proof import Proof
from sigcore.registry import Option
from sigcore.tuning.contract import Batch, Method, Options, training, whole
from sigcore.types import Floats


def loss(scores: Floats, batch: Batch, options: Options, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The negative log-likelihood of the first n places (B,) and its gradient (B, k)."""
    counted = np.minimum(batch.lengths, whole(options, "n"))
    return weighted_likelihood(scores, (np.arange(scores.shape[1]) < counted[:, None]).astype(np.float64))


METHOD = Method(
    name="top_n",
    title="top-n ListMLE",
    loss=loss,
    options=(Option("n", 5, low=1, high=10_000, help="Places that count."), *training(100)),
    help="The first n places by quality are to be likely; the order behind them does not count.",
    source="Xia et al. 2008; Chen et al. 2017",
    proof=Proof(oracle="of_methods:top_n"),
)
