"""ListMLE: the likelihood of the whole order by quality."""

from __future__ import annotations

import numpy as np

from sigcore.kbest.permutations import weighted_likelihood
from sigcore.proof import Proof
from sigcore.tuning.contract import Batch, Method, Options, training
from sigcore.types import Floats


def loss(scores: Floats, batch: Batch, options: Options, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The negative log-likelihood of the order (B,) and its gradient (B, k)."""
    inside = np.arange(scores.shape[1]) < batch.lengths[:, None]
    return weighted_likelihood(scores, inside.astype(np.float64))


METHOD = Method(
    name="listmle",
    title="ListMLE",
    loss=loss,
    options=training(100),
    help="The whole order by quality is to be likely.",
    source="Xia et al. 2008; Chen et al. 2017",
    proof=Proof(oracle="of_methods:listmle"),
)
