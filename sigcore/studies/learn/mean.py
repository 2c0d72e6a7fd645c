"""BLEU is not a mean: the corpus score beside the mean of the scores of the units, and a t-test of the latter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.results import freeze
from sigcore.studies import pairs
from sigcore.studies.learn.data import Data
from sigcore.studies.learn.draws import ORDER, Draw, Pair, engine_gains, gain_of, unit_of
from sigcore.studies.learn.tail import Rule, p_of
from sigcore.studies.statistics import Progress
from sigcore.sufficient import oriented
from sigcore.types import Floats

DRAWN = 1_000
SAME = 1e-9  # relative distance below which the two scores are equal


@dataclass(frozen=True, eq=False)
class Mean:
    """The first 1, 2, ... n units in a random order: the corpus scores (2, n) of the two systems, and the means (2, n) of
    the scores of single units, not oriented; units whose score is undefined are left out of the means.

    `gains` are (corpus, mean) on all units, oriented, `p` of shuffles for the corpus gain, `t_p` of a two-sided paired
    t-test on the scores of the units, `t_p` nan where no unit differs.
    """

    systems: tuple[str, str]
    title: str
    decimals: int
    unit: str
    corpus: Floats
    means: Floats
    gains: tuple[float, float]
    p: float
    t_p: float

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def is_mean(self) -> bool:
        """Whether the metric is the mean of the scores of its units on this data."""
        return bool(np.allclose(self.corpus[:, -1], self.means[:, -1], rtol=SAME, atol=SAME))


def mean(of: Data, seed: int, progress: Progress | None = None) -> Mean:
    """The two systems of the data under both scores. Cost: O(n K + R n K)."""
    pair: Pair = of.measured.systems
    first = pair[0]
    order = pairs.generator(seed, ORDER).permutation(first.n)
    corpus = np.array([item.score(np.cumsum(item.values[order], axis=0)) for item in pair])  # (2, n)
    single = np.array([item.score(item.values[order]) for item in pair])
    single[:, ~np.isfinite(single).all(axis=0)] = np.nan
    known = np.isfinite(single[0])
    means = np.cumsum(np.nan_to_num(single), axis=1) / np.maximum(np.cumsum(known), 1)
    differences = oriented(single[:, known], first.better)
    differences = differences[0] - differences[1]
    gain = gain_of(pair)
    p = p_of(Rule(Draw("swap")), np.array([gain]), engine_gains(pair, Draw("swap"), DRAWN, seed)[None], unit_of(pair))
    return Mean(
        (of.names[0], of.names[1]),
        of.measured.title,
        of.measured.decimals,
        of.unit.noun(2),
        corpus,
        means,
        (gain, float(differences.mean()) if len(differences) else float("nan")),
        float(p[0]),
        _t_test(differences),
    )


def _t_test(differences: Floats) -> float:
    """p of a two-sided paired t-test, nan where the differences do not vary."""
    from scipy.stats import ttest_1samp

    if len(differences) < 2 or not float(np.ptp(differences)) > 0:
        return float("nan")
    return float(ttest_1samp(differences, 0.0).pvalue)
