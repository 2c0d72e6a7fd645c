"""The exact line search finds every interval of a line, and the metric on each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore.tuning.mert import crossings, sweep
from tests.made_lists import made_instances


def search(instances, start, line):
    """The sweep over the line from `start`."""
    padded = instances.features[instances.padded]
    found = crossings(padded @ start, padded @ line)
    return sweep(found, instances.statistics, instances.padded, instances.objective)


@pytest.mark.parametrize("seed", range(20))
def test_every_interval_is_the_direct_evaluation(seed):
    """On 20 random lines, the metric of every interval is that of the best hypotheses at its midpoint."""
    instances = made_instances(n=60, k=15, features=8, seed=seed)
    rng = np.random.default_rng(seed)
    start, line = rng.normal(size=8), rng.normal(size=8)
    got = search(instances, start, line)
    assert len(got.points) > 100
    assert got.wide.mean() > 0.9
    best = [instances.best(start + x * line) for x in got.points[got.wide]]
    direct = instances.objective(np.array([instances.statistics[chosen].sum(axis=0) for chosen in best]))
    np.testing.assert_array_equal(got.values[got.wide], direct)


def test_no_grid_is_better():
    """No point of a fine grid is better than the best interval."""
    instances = made_instances(n=40, k=12, features=6, seed=5)
    rng = np.random.default_rng(5)
    start, line = rng.normal(size=6), rng.normal(size=6)
    best, x = search(instances, start, line).best()
    grid = [instances.value(instances.best(start + y * line)) for y in np.linspace(-20, 20, 801)]
    assert best >= max(grid) - 1e-12
    assert instances.value(instances.best(start + x * line)) == pytest.approx(best, abs=1e-12)


NUMBERS = st.integers(-3, 3)


@given(lines=st.lists(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=4, max_size=4), min_size=1, max_size=4))
def test_envelope_is_the_maximum_everywhere(lines):
    """With many equal slopes and crossings in one point, the chosen line is a highest one between all crossings."""
    intercepts, slopes = np.moveaxis(np.array(lines, dtype=float), -1, 0)
    found = crossings(intercepts, slopes)
    assert (np.diff(found.x) >= 0).all()
    current, edges = found.first.copy(), [*found.x, found.x[-1] + 2 if len(found.x) else 1.0]
    place = edges[0] - 2
    for b, edge in enumerate(edges):
        if edge - place > 1e-9:
            x = (place + edge) / 2
            heights = intercepts + x * slopes
            np.testing.assert_allclose(heights[np.arange(len(lines)), current], heights.max(axis=1), atol=1e-9)
        if b < len(found.x):
            assert current[found.lists[b]] == found.left[b]
            current[found.lists[b]], place = found.right[b], edge


def test_crossings_by_hand():
    """Lines 0, x - 1 and 2 x - 6: the flat one is best up to 1, the middle one up to 5; one below all never is."""
    intercepts, slopes = np.array([[0.0, -1.0, -6.0, -9.0]]), np.array([[0.0, 1.0, 2.0, 1.0]])
    found = crossings(intercepts, slopes)
    assert found.first.tolist() == [0]
    assert found.x.tolist() == [1.0, 5.0]
    assert (found.left.tolist(), found.right.tolist()) == ([0, 1], [1, 2])


def test_three_lines_in_one_point():
    """Where three lines meet, the steepest follows the flattest at once."""
    found = crossings(np.array([[0.0, -1.0, -2.0]]), np.array([[0.0, 1.0, 2.0]]))
    assert found.x.tolist() == [1.0]
    assert found.right.tolist() == [2]


def test_parallel_lines_never_cross():
    """Of parallel lines the highest is best everywhere; equal ones leave the first."""
    found = crossings(np.array([[1.0, 3.0, 3.0]]), np.ones((1, 3)))
    assert found.first.tolist() == [1]
    assert not len(found.x)


def test_without_crossings_the_line_has_one_interval():
    """A line along which nothing changes has one interval, whose point is 0."""
    instances = made_instances(n=5, k=1, features=3)
    got = search(instances, np.ones(3), np.ones(3))
    assert got.points.tolist() == [0.0]
    assert got.best() == (pytest.approx(instances.value(instances.offsets[:-1])), 0.0)
