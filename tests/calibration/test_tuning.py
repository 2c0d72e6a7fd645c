"""Tuning on features that know nothing: how often held-out tests find an improvement that is not there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore.executors import Serial
from sigcore.studies.runs import mixed
from sigcore.studies.tuning import Target, TuningPlan, rerank
from sigcore.studies.tuning.rows import between
from sigcore.study import Runtime
from tests.calibration.nulls import band
from tests.made_lists import made_lists

STUDIES = 400


def useless(seed: int):
    """p of all runs together, of the t of the runs, and of single runs, in a study whose features are noise."""
    lists, testset = made_lists(80, 6, seed=1000 + seed)
    noise = np.random.default_rng(seed).normal(size=(lists.size, 2))
    lists = replace(lists, names=("a", "b"), features=noise, scores=np.full(lists.size, np.nan))
    plan = TuningPlan(methods=(("pro", {}),), replicates=3, resamples=199, seed=seed)
    (item,) = rerank(lists, testset, Target.of("bleu"), plan, runtime=Runtime(executor=Serial())).tests
    return item.p_value, item.run_p, *item.p_values


@pytest.mark.slow
def test_useless_features_are_found_out():
    """p of all runs, and of single runs, is at most .05 in about 5% of the studies; the t of the runs, which does not
    ask about other segments, in more than twice as many."""
    p, t, *single = np.array([useless(seed) for seed in range(STUDIES)]).T
    low, high = band(STUDIES)
    for values in (p, *single):
        assert low <= (values <= 0.05).mean() <= high
    assert (t <= 0.05).mean() > 0.1


def rejections(sets: tuple[int, ...], spread: float, seed: int) -> float:
    """How often the average over test sets of two equally good methods, with three runs each, has a p of at most .05."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(STUDIES * 5):
        runs = spread * rng.normal(size=(2, 3, 1)), spread * rng.normal(size=(2, len(sets), 3, 1))
        values = [
            [
                rng.normal(size=n) + rng.normal(size=n) + runs[0][k] + runs[1][k][t] + rng.normal(size=(3, n))
                for t, n in enumerate(sets)
            ]
            for k in range(2)
        ]
        gain = np.mean([own.mean() for own in values[0]]) - np.mean([own.mean() for own in values[1]])
        error, freedom = between(values[0], values[1])
        found.append(mixed.p_of(np.array([gain]), np.array([error]), np.array([freedom]), "two-sided")[0])
    return float((np.array(found) <= 0.05).mean())


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 0.1, 0.5])
def test_averages_over_test_sets_hold_the_level(spread):
    """The mixed model of an average over test sets of different sizes rejects at most 5% where two methods are equally good."""
    high = band(STUDIES * 5)[1]
    assert 0.005 < rejections((40, 100, 60), spread, 7) <= high
