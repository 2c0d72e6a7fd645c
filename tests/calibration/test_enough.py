"""Drawing until a verdict is settled changes hardly any verdict: the level of a test stays what it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from sigcore.executors import Serial
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.results import MatrixResult
from sigcore.studies import enough, matrix
from sigcore.study import Runtime, Settings, Study
from tests import some
from tests.calibration.nulls import band
from tests.made import score_set
from tests.stored import stored
from tests.unit import factories


@dataclass(frozen=True)
class Drawn:
    """A run of which only the numbers count."""

    resamples: int
    products: int = 1


def grid(count: int, resamples: int) -> MatrixResult:
    """A grid of one test that `count` resamples reach."""
    low, high = clopper_pearson(np.array([count]), resamples)
    values = {"adjusted": (count + 1) / (resamples + 1), "adjusted_low": low[0], "adjusted_high": high[0]}
    tables = {name: np.array([[1.0, value], [value, 1.0]]) for name, value in values.items()}
    return factories.matrix((40.0, 42.0), resamples=resamples, least_p=1 / (resamples + 1), **tables)


def rejected(p: float, alpha: float, rng: np.random.Generator) -> bool:
    """The decision after drawing as many as are wanted, where each resample counts with probability p."""
    drawn = count = 0
    wanted = enough.START
    while wanted:
        count += int(rng.binomial(wanted - drawn, p))
        drawn = wanted
        wanted = enough.wanted(Drawn(drawn), [grid(count, drawn)], alpha)
    return (count + 1) / (drawn + 1) <= alpha


@pytest.mark.parametrize("alpha", some.first([0.05, 0.01]))
def test_automatic_resamples_hold_the_level(alpha: float) -> None:
    """Under a true null p is uniform. The decision is another than that of p itself in less than the printed share of
    all cases (docs/pvalues.md), in either direction: those with p above 3 alpha are never near it and are not drawn."""
    rng = np.random.default_rng(1)
    p = rng.uniform(0, 3 * alpha, 600)
    wrong = [rejected(value, alpha, rng) != (value <= alpha) for value in p]
    assert 3 * alpha * np.mean(wrong) < stored("resamples.changed_verdicts")


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_grids_whose_pairs_go_on_hold_the_level(alpha: float) -> None:
    """Four equal systems, Holm: the share of grids with any verdict is not above the 99.9% band of alpha."""
    sets, found = 600, 0
    for seed in range(sets):
        scores = np.random.default_rng((28, seed)).normal(size=(4, 40))
        asked = Study(*score_set(*scores), metrics=(("own_scores", {}),), alpha=alpha, resamples="auto", seed=seed)
        asked = replace(asked, settings=Settings(correction="holm"))
        (result,) = matrix.results(asked, Runtime(executor=Serial()))
        found += bool((result.adjusted <= alpha).any())
    assert found / sets <= band(sets, alpha)[1]
    assert found
