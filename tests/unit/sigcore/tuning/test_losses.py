"""Every listwise loss equals the paper's formula, and its gradient the finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import tuning
from sigcore.kbest.permutations import NOWHERE, drawn_orders, expected_over_orders, weighted_likelihood
from sigcore.tuning import Ordered, gradient
from sigcore.tuning.contract import Batch
from tests.made_lists import made_instances
from tests.oracles import listwise

LOSSES = sorted(name for name, method in tuning.members().items() if method.loss is not None)
KAPPA = 6.0
LENGTHS = np.array([5, 3, 1])


def options(name):
    """The defaults, with a small kappa."""
    method = tuning.get(name)
    return method.chosen({"kappa": KAPPA} if "kappa" in [o.name for o in method.options] else {})


def batch(seed=1):
    """Scores (3, 5) and the batch of three lists of different lengths, in the order of quality."""
    rng = np.random.default_rng(seed)
    scores, quality = rng.normal(size=(3, 5)), -np.sort(-rng.random((3, 5)), axis=1)
    outside = np.arange(5) >= LENGTHS[:, None]
    scores[outside] = quality[outside] = NOWHERE
    return scores, Batch(quality, LENGTHS)


def definition(name, scores, quality):
    """The paper's loss of one list in the order of quality."""
    k, target = len(scores), KAPPA * quality
    every, costs = range(k), listwise.costs(k)
    return {
        "listnet": lambda: listwise.listnet(scores, target),
        "listmle": lambda: listwise.weighted(scores, every, [1.0] * k),
        "top_n": lambda: listwise.weighted(scores, every, [float(j < 5) for j in every]),
        "te_listmle": lambda: listwise.weighted(scores, every, costs),
        "listnet_te": lambda: listwise.listnet_te(scores, target, costs),
    }[name]()


@pytest.mark.parametrize("name", LOSSES)
def test_loss_is_the_formula(name):
    """The loss of each list is that of the slow formula, whatever the lengths of its neighbours."""
    scores, lists = batch()
    values, _ = tuning.get(name).loss(scores, lists, options(name), np.random.default_rng(0))
    slow = [definition(name, scores[i, :k], lists.quality[i, :k]) for i, k in enumerate(LENGTHS)]
    np.testing.assert_allclose(values, slow, atol=1e-12)


@pytest.mark.parametrize("name", LOSSES)
def test_gradient_is_that_of_finite_differences(name):
    """The gradient with respect to the weights differs by less than 1e-6 from central differences."""
    instances = made_instances(n=6, k=7, features=5)
    method, ordered, lists = tuning.get(name), Ordered(instances), np.arange(6)
    weights, h = np.random.default_rng(2).normal(size=5), 1e-6

    def loss(at):
        return gradient(method, ordered, lists, at, options(name), np.random.default_rng(0))

    slow = [(loss(weights + h * axis)[0] - loss(weights - h * axis)[0]) / (2 * h) for axis in np.eye(5)]
    assert np.abs(loss(weights)[1] - slow).max() < 1e-6


@pytest.mark.parametrize("name", LOSSES)
def test_loss_is_convex(name):
    """Between two points the loss is never above the straight line."""
    first, lists = batch(1)
    second, _ = batch(2)

    def total(scores):
        return tuning.get(name).loss(scores, lists, options(name), np.random.default_rng(0))[0]

    for share in (0.1, 0.5, 0.8):
        middle = share * first + (1 - share) * second
        assert (total(middle) <= share * total(first) + (1 - share) * total(second) + 1e-12).all()


@pytest.mark.parametrize("name", LOSSES)
def test_large_scores_do_not_overflow(name):
    """Scores of ten thousand have finite losses and gradients."""
    scores, lists = batch()
    scores = np.where(scores > NOWHERE, 1e4 * scores, NOWHERE)
    values, slopes = tuning.get(name).loss(scores, lists, options(name), np.random.default_rng(0))
    assert np.isfinite(values).all()
    assert np.isfinite(slopes).all()


@pytest.mark.parametrize("name", LOSSES)
def test_one_hypothesis_teaches_nothing(name):
    """A list of length one has loss 0 and no gradient."""
    lists = Batch(np.array([[0.4]]), np.array([1]))
    values, slopes = tuning.get(name).loss(np.array([[2.0]]), lists, options(name), np.random.default_rng(0))
    assert abs(values[0]) < 1e-12
    assert abs(slopes[0, 0]) < 1e-12


def test_first_place_alone_is_listnet():
    """With all of the cost on the first place, the expectation over orders is the top-one loss."""
    scores, lists = batch()
    target = KAPPA * lists.quality[:1]
    value, slope = expected_over_orders(scores[:1], target, np.eye(5)[:1])
    expected = tuning.get("listnet").loss(scores[:1], Batch(lists.quality[:1], LENGTHS[:1]), options("listnet"), None)
    np.testing.assert_allclose(value, expected[0], atol=1e-12)
    np.testing.assert_allclose(slope, expected[1], atol=1e-12)


def test_drawn_orders_are_right_on_average():
    """The mean over drawn orders is within four standard errors of the expectation over all orders."""
    scores, lists = batch()
    target, costs = KAPPA * lists.quality[:1], np.array([listwise.costs(5)])
    exact, slope = expected_over_orders(scores[:1], target, costs)
    order = drawn_orders(target, 20_000, np.random.default_rng(3))[0]
    values, sorted_slopes = weighted_likelihood(scores[0][order], costs)
    slopes = np.zeros_like(sorted_slopes)
    np.put_along_axis(slopes, order, sorted_slopes, axis=1)
    assert abs(values.mean() - exact[0]) < 4 * values.std() / np.sqrt(len(values))
    assert (np.abs(slopes.mean(axis=0) - slope[0]) < 4 * slopes.std(axis=0) / np.sqrt(len(values)) + 1e-12).all()


def test_long_lists_are_drawn():
    """Above the longest exact list the loss is drawn: it depends on the generator, and only on it."""
    scores, lists = batch()
    method = tuning.get("listnet_te")
    chosen = {**options("listnet_te"), "exact": 2, "draws": 3}
    got = [method.loss(scores, lists, chosen, np.random.default_rng(seed))[0] for seed in (1, 1, 2)]
    np.testing.assert_array_equal(got[0], got[1])
    assert got[0][0] != got[2][0]
