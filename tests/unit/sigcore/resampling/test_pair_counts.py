"""The compiled counting of pairs gives the counts of numpy's way."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import corrections, significance
from sigcore.corrections import JointTests
from sigcore.resampling.pvalues import thresholds
from sigcore.significance.contract import Jointly, Minus, Turn
from sigcore.significance.engine import Observed
from sigcore.types import SIDES
from tests.routes import ROUTES, route

TESTS = [test for test in significance.members().values() if test.draws]


def counted(test, scores: np.ndarray, pairs: np.ndarray, name) -> np.ndarray:
    """The raw counts of a test on these scores (S, B) by one route; gains and means are short numbers, so ties occur."""
    gain = np.round(np.linspace(-0.5, 1.5, len(pairs)), 1)
    found = thresholds([test.cutoffs(gain, side) for side in SIDES], np.full(len(pairs), 1.0))
    seen = Observed(gain, np.ones(len(pairs)), (gain / 2,), (np.zeros(len(pairs)),), (found,))
    with route(name):
        return seen.count([test], scores, scores, pairs)


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
@pytest.mark.parametrize("undefined", [False, True])
def test_both_routes_count_alike(test, undefined):
    """Above, on and below both cut-offs, many ties among them, with and without undefined scores; numpy counts in portions."""
    rng = np.random.default_rng(3)
    scores = np.round(rng.normal(size=(14, 300)), 1)
    if undefined:
        scores[2, ::7] = np.nan
    pairs = np.column_stack(np.triu_indices(14, k=1))  # more than are counted at once
    found = [counted(test, scores, pairs, name) for name in ROUTES]
    np.testing.assert_array_equal(found[0], found[-1])
    assert (found[0][0, 4] + found[0][0, 5] == 300).all()
    assert found[0][0, 5].any() == undefined


def test_counts_by_hand():
    """Differences 1, 2, 3 and an undefined one, less a gain of 1: 0, 1, 2; one is above the gain, two reach it."""
    scores = np.array([[1.0, 2, 3, np.nan], [0, 0, 0, 0]])
    gain, test = np.array([1.0]), significance.get("two_delta_bootstrap")
    found = thresholds([test.cutoffs(gain, "greater")], np.ones(1))
    seen = Observed(gain, np.ones(1), (gain,), (gain,), (found,))
    for name in ROUTES:
        with route(name):
            raw = seen.count([test], scores, scores, np.array([[0, 1]]))
        assert raw[0, :, 0].tolist() == [1, 1, 2, 2, 3, 1]


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
def test_what_is_subtracted_is_said_once(test):
    """The number that the compiled loop subtracts is the one that the null of the test subtracts."""
    assert isinstance(test.null, Minus)
    pseudo, mean, gain = np.array([[5.0, 7.0], [1.0, 2.0]]), np.array([1.0, 2.0]), np.array([3.0, 4.0])
    expected = test.statistics(pseudo, mean[:, None], gain[:, None])
    np.testing.assert_array_equal(pseudo - test.null.shift(mean, gain)[:, None], expected)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("undefined", [False, True])
def test_both_routes_reach_alike(side, undefined):
    """Step-down max-T with ties, a pair without spread and undefined gains; the loop leaves the last to numpy."""
    rng = np.random.default_rng(4)
    null = np.round(rng.normal(size=(40, 60)), 1)
    if undefined:
        null[3, ::9] = np.nan
    observed, spread = np.round(np.abs(rng.normal(size=60)), 1), np.round(rng.uniform(0.5, 2, 60), 1)
    spread[7] = 0
    signs = None if side == "two-sided" else rng.choice([-1.0, 1.0], 60)
    one = Jointly(corrections.get("joint"), Turn(side, rng.integers(0, 40, 60), signs))
    of, found = JointTests(one.correction, observed, spread), []
    for name in ROUTES:
        with route(name):
            found.append(one.count(of, null.copy()))
            quick = of.quick_count(null, one.turn.places, signs)
            assert (quick is None) == (undefined or name != "compiled")
    np.testing.assert_array_equal(found[0], found[-1])
    assert 0 < np.ptp(found[0]) <= 60
