"""ListNet: the cross entropy of being first, by quality and by score."""

from __future__ import annotations

import numpy as np

from sigcore.kbest.permutations import top_one
from sigcore.proof import Proof
from sigcore.registry import number_of
from sigcore.tuning.contract import KAPPA, Batch, Method, Options, training
from sigcore.types import Floats


def loss(scores: Floats, batch: Batch, options: Options, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The top-one cross entropy (B,) and its gradient (B, k)."""
    return top_one(scores, number_of(options, "kappa") * batch.quality)


METHOD = Method(
    name="listnet",
    title="ListNet",
    loss=loss,
    options=(KAPPA, *training(300)),
    help="Probabilities to be the best hypothesis, by score and by quality, are to be equal.",
    source="Cao et al. 2007; Chen et al. 2017",
    proof=Proof(oracle="of_methods:listnet"),
)
