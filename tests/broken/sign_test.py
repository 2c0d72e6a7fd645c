"""The sign test, and one that adds 1 to both counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.stats import binom

from sigcore.proof import Paired, Proof
from sigcore.significance.contract import Mapper, Resampling, Tally, Test, exact_tally


def tally(question: Resampling, mapper: Mapper, added: int = 0) -> Sequence[Tally]:
    """p of the units won and lost."""
    out = []
    for metric, systems in enumerate(question.statistics):
        scores = np.array([item.score(item.values) for item in systems])
        first, second = scores[question.pairs[:, 0]], scores[question.pairs[:, 1]]
        if systems[0].better == "lower":
            first, second = second, first
        won, lost = (first > second).sum(axis=1) + added, (first < second).sum(axis=1) + added
        greater, less = binom.sf(won - 1, won + lost, 0.5), binom.cdf(won, won + lost, 0.5)
        both = np.minimum(1, 2 * np.minimum(greater, less))
        out.append(exact_tally(question, metric, np.array([both, greater, less])))
    return out


NINE = Paired(((1, 0),) * 9 + ((0, 1),) * 2 + ((1, 1),) * 3, "134 / 2 ** 11", "by hand: 2 (1 + 11 + 55) of 2048")
MORE = replace(NINE, p_value="67 / 2 ** 11", side="greater")
LESS = replace(NINE, p_value="(2 ** 11 - 12) / 2 ** 11", side="less", origin="by hand: all but 11 and 1 of 2048")
# As many won as lost: p is 1 whatever is added to both.
WEAK = Proof((Paired(((1, 0),) * 5 + ((0, 1),) * 5, "1.0", "nothing is to be found where as many are won as lost"),))

RIGHT = Test(
    name="sign",
    title="Sign test",
    tally=tally,
    counted="units",
    help="Compares the numbers of units on which either system is better; exact.",
    source="Dixon & Mood 1946",
    proof=Proof((NINE, MORE, LESS)),
)
ADDED = partial(tally, added=1)
BROKEN = {
    "1 is added to both counts": replace(RIGHT, tally=ADDED),
    "1 is added to both counts, and its example does not show it": replace(RIGHT, tally=ADDED, proof=WEAK),
    "1 is added to both counts, and p is called approximate": replace(RIGHT, tally=ADDED, proof=WEAK, approximate=True),
    "it has no proof": replace(RIGHT, proof=Proof()),
}
