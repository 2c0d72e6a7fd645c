"""Tuning on features that know nothing: how often held-out tests find an improvement that is not there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore.executors import Serial
from sigcore.studies.tuning import Target, TuningPlan, rerank
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
    """p of all runs, and of single runs, is at most .05 in about 5 % of the studies; the t of the runs, which does not
    ask about other segments, in more than twice as many."""
    p, t, *single = np.array([useless(seed) for seed in range(STUDIES)]).T
    low, high = band(STUDIES)
    for values in (p, *single):
        assert low <= (values <= 0.05).mean() <= high
    assert (t <= 0.05).mean() > 0.1
