"""What must hold for all runs: their order, the order of systems, and names change nothing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sigcore.executors import Serial
from sigcore.studies import runs
from sigcore.studies.matrix import Settings
from sigcore.studies.statistics import measure
from sigcore.study import Runtime, Study
from sigcore.types import SIDES
from tests.made import score_set

numbers = st.integers(0, 6)


@st.composite
def scored(draw):
    """Scores (m, n) of two systems, few different ones so that ties are common, and an order of the runs of each."""
    n, sizes = draw(st.integers(3, 12)), (draw(st.integers(1, 4)), draw(st.integers(1, 4)))
    columns = [[draw(st.lists(numbers, min_size=n, max_size=n)) for _ in range(size)] for size in sizes]
    orders = [draw(st.permutations(range(size))) for size in sizes]
    return columns, orders


def results(columns, names=("A", "B"), side="two-sided"):
    """The result of two systems with these scores."""
    testset, outputs = score_set(*(column for own in columns for column in own))
    systems = dict(zip(names, (outputs[: len(columns[0])], outputs[len(columns[0]) :]), strict=True))
    found = runs.run(
        Study(testset, (), [("own_scores", {})], resamples=60, seed=1),
        runs.RunsPlan(systems),
        runtime=Runtime(executor=Serial()),
    )
    return runs.read(found, "own_scores", Settings(side))


@settings(max_examples=40)
@given(scored())
def test_the_order_of_runs_changes_nothing(made):
    """Every p is the same bit by bit, and every spread the same, in any order of the runs and under other names."""
    columns, orders = made
    turned = [[own[k] for k in order] for own, order in zip(columns, orders, strict=True)]
    for side in SIDES:
        one, other = results(columns, side=side), results(turned, ("x", "y"), side)
        for name in ("shuffled_p", "swapped_p", "nested_p", "s_sel", "together"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        np.testing.assert_array_equal(one.grid.p_values, other.grid.p_values)
        for name in ("s_opt", "average", "run_p"):
            np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-9)


@settings(max_examples=40)
@given(scored())
def test_swapping_the_systems_reverses_the_gain(made):
    """The other system first: the same two-sided p, the same one-sided p on the other side, the gain negated."""
    columns, _ = made
    for side, back in (("two-sided", "two-sided"), ("greater", "less")):
        one, other = results(columns, side=side), results(columns[::-1], side=back)
        for name in ("shuffled_p", "nested_p", "mixed_p"):
            np.testing.assert_array_equal(getattr(one, name)[0, 1], getattr(other, name)[0, 1])
        assert one.grid.gains[0, 1] == -other.grid.gains[0, 1]
        assert one.grid.p_values[0, 1] <= 1


@settings(max_examples=40)
@given(scored())
def test_the_order_of_runs_against_a_baseline_changes_nothing(made):
    """Against one output, too, every number is the same in any order of the runs."""
    columns, orders = made
    testset, outputs = score_set(*columns[0], *columns[1])
    (measured,) = measure(testset, outputs, [("own_scores", {})])
    own, baseline = measured.systems[: len(columns[0])], measured.systems[-1]
    pair = [
        runs.against(
            baseline, {"A": order}, {"A": ""}, "approximate_randomization", 60, 1, runtime=Runtime(executor=Serial())
        )[0]
        for order in (own, [own[k] for k in orders[0]])
    ]
    assert pair[0].p_value == pair[1].p_value
    assert [pair[0].p_values[k] for k in orders[0]] == pair[1].p_values.tolist()
    for name in ("gain", "s_sel", "s_opt", "run_p", "interval"):
        assert getattr(pair[0], name) == pytest.approx(getattr(pair[1], name), nan_ok=True, abs=1e-9)
