"""Sparse features: every method computes on them what it computes on the full array."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore import tuning
from sigcore.errors import OptionError
from sigcore.kbest.scaling import scale_of
from sigcore.kbest.sparse import Sparse
from sigcore.studies import tuning as study
from sigcore.tuning import Ordered, gradient, pro
from tests.made_lists import made_instances, made_lists

METHODS = sorted(name for name, method in tuning.members().items() if method.column is None and name != "mert")
LOSSES = sorted(name for name, method in tuning.members().items() if method.loss is not None)
FEATURES = 60


def sparse(full):
    """The same numbers as `Sparse`."""
    rows, columns = np.nonzero(full)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(full)))])
    return Sparse.of(starts, columns, full[rows, columns], full.shape[1])


@pytest.fixture
def both():
    """Instances with a full array of which a tenth is not 0, a feature that never varies, and the same as sparse."""
    instances = made_instances(n=25, k=9, features=FEATURES)
    full = np.where(np.random.default_rng(3).random(instances.features.shape) < 0.1, instances.features, 0.0)
    full[:, 7] = 0.0
    full[:, :2] = instances.features[:, :2]
    full = replace(instances, features=full)
    return full, replace(full, features=sparse(full.features))


@pytest.mark.parametrize("name", LOSSES)
def test_gradients_are_those_of_the_full_array(name, both):
    """Loss and gradient differ by less than 1e-12, with z-scores too, although sparse ones keep their means."""
    method = tuning.get(name)
    options = method.chosen({"kappa": 6.0} if "kappa" in [option.name for option in method.options] else {})
    weights, lists = np.random.default_rng(4).normal(size=FEATURES), np.arange(25)
    scale = scale_of(both[0].features, np.repeat(np.arange(25), both[0].lengths))
    for scaled in (False, True):
        found = []
        for one in both:
            own = replace(one, features=scale.applied(one.features)) if scaled else one
            found.append(gradient(method, Ordered(own), lists, weights, options, np.random.default_rng(0)))
        assert found[0][0] == pytest.approx(found[1][0], abs=1e-12, rel=1e-13)
        assert np.abs(found[0][1] - found[1][1]).max() < 1e-12
        assert np.abs(found[0][1]).max() > 0.01


@pytest.mark.parametrize("name", METHODS)
def test_weights_are_those_of_the_full_array(name, both):
    """Every method but MERT finds the same weights, up to rounding, by the same course."""
    few = {"pro": {"sampled": 100}, "listnet": {"epochs": 10, "kappa": 6.0}, "listnet_te": {"epochs": 5, "kappa": 6.0}}
    options = tuning.get(name).chosen(few.get(name, {"epochs": 10}))
    start = np.random.default_rng(5).normal(size=FEATURES) / 10
    full, other = (tuning.tune(tuning.get(name), one, start, options, np.random.default_rng(1)) for one in both)
    np.testing.assert_allclose(other.weights, full.weights, atol=1e-9)
    assert np.abs(full.weights - start).max() > 1e-3
    assert [step.value for step in other.course] == pytest.approx([step.value for step in full.course], nan_ok=True)


def test_pairs_are_the_same(both):
    """PRO's lines are the differences of the same hypotheses."""
    options = tuning.get("pro").chosen()
    full, other = (pro.lines(one, options, np.random.default_rng(1)) for one in both)
    np.testing.assert_array_equal(other.matrix.toarray(), full)
    assert full.any()


def test_mert_refuses_sparse_features(both):
    """MERT says what to do instead, also before a study has tuned anything else."""
    with pytest.raises(OptionError, match="60 sparse features"):
        tuning.tune(
            tuning.get("mert"), both[1], np.zeros(FEATURES), tuning.get("mert").chosen(), np.random.default_rng()
        )
    lists, testset = made_lists()
    lists = replace(lists, features=sparse(lists.features))
    plan = study.TuningPlan((("pro", {}), ("mert", {})), replicates=1, resamples=100)
    with pytest.raises(OptionError, match="4 sparse features") as caught:
        study.rerank(lists, testset, study.Target.of(), plan, report=lambda *step: pytest.fail("it was tuned"))
    assert "Choose another method" in caught.value.fix


def test_study_is_that_of_full_lists():
    """A study of sparse lists has the scores, the tests and the features of one of full lists."""
    lists, testset = made_lists()
    kinds = {"epochs": 10}
    plan = study.TuningPlan((("te_listmle", kinds), ("pro", {}), ("kb_mira", kinds)), replicates=2, resamples=100)
    start = np.array([0.1, -0.2, 0.3, 0.0])
    full, other = (
        study.rerank(one, testset, study.Target.of(), plan, features=["words"] * 0, start=start)
        for one in (lists, replace(lists, features=sparse(lists.features)))
    )
    np.testing.assert_allclose(other.features.deviations, full.features.deviations, rtol=1e-12)
    for one, two in zip(full.replicates, other.replicates, strict=True):
        np.testing.assert_allclose(two.weights, one.weights, atol=1e-8)
        assert (two.dev, two.test) == (one.dev, one.test)
    assert [test.p_value for test in other.tests] == [test.p_value for test in full.tests]
    assert [tuple(vars(row).values()) for row in study.described(replace(lists, features=sparse(lists.features)))] == [
        pytest.approx(tuple(vars(row).values())) for row in study.described(lists)
    ]
