"""Columns: one matrix of whole numbers for all systems and metrics, multiplied exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from sigcore.errors import Undefined
from sigcore.resampling import blocks, columns
from sigcore.resampling.blocks import bootstrap_counts, generator, strips, swap_bits, swap_masks
from sigcore.resampling.columns import NONE, gather, scale_of, sums_of
from sigcore.resampling.scatter import MOST_ADDED
from tests.routes import ROUTES, route


def exact_sums(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """weights @ values in fractions."""
    rows = [
        [sum(Fraction(float(w)) * Fraction(float(v)) for w, v in zip(row, column, strict=True)) for column in values.T]
        for row in weights
    ]
    return np.array([[float(x) for x in row] for row in rows])


def test_equal_columns_are_kept_once():
    """Two systems and two metrics share their equal columns, and each still finds its own."""
    a = np.array([[1.0, 5.0], [2.0, 6.0]])
    b = np.array([[1.0, 7.0], [2.0, 8.0]])
    columns = gather([[a, b], [a[:, :1], b[:, 1:]]])
    assert columns.whole.shape == (2, 3)
    np.testing.assert_array_equal(columns.totals(0), [[3, 11], [3, 15]])
    np.testing.assert_array_equal(columns.totals(1), [[3], [15]])
    sums = columns.sums(np.array([[2, 0]], dtype=np.float32))
    np.testing.assert_array_equal(columns.pick(sums, 0), [[[2], [2]], [[10], [14]]])


def test_columns_a_little_below_another_share_their_difference():
    """Totals of n-grams are those of words less a few: two systems with segments of the same kind share what is less."""
    words = np.array([[9.0, 12, 7], [20, 5, 8]])
    systems = [np.column_stack([own, own - 1, own - [2, 2, 3], own * 3]) for own in words]
    columns = gather([systems])
    assert columns.whole.shape == (3, 6)  # words and three times as many of each, 1 and 2 less
    np.testing.assert_array_equal(columns.totals(0), [system.sum(axis=0) for system in systems])
    weights = bootstrap_counts(np.random.default_rng(0), 30, 3)
    expected = np.stack([weights @ system for system in systems]).transpose(2, 0, 1)  # (K, S, rows)
    np.testing.assert_array_equal(columns.pick(columns.sums(weights), 0), expected)


def test_a_difference_that_is_a_column_itself():
    """A column that was stored as a difference, and is what another column has less, is stored once more, alone."""
    first = np.array([[4.0, 3, 7], [5, 3, 9]])  # 3 is 4 less 1 and 5 less 2; 1 and 2 are columns of the second
    second = np.array([[9.0, 1, 3], [9, 2, 3]])
    columns = gather([[first, second, second[:, ::-1]]])
    weights = bootstrap_counts(np.random.default_rng(1), 20, 2)
    expected = np.stack([weights @ m for m in (first, second, second[:, ::-1])]).transpose(2, 0, 1)
    np.testing.assert_array_equal(columns.pick(columns.sums(weights), 0), expected)


@pytest.mark.parametrize("last", [[9.0, 0], [9, 10], [9.5, 9]], ids=["far below", "above", "halves"])
def test_a_column_that_is_near_at_first_alone(last):
    """All rows decide, not the first ones, by which most others are refused."""
    values = np.concatenate([np.tile([9.0, 8], (40, 1)), [last]])
    columns = gather([[values]])
    assert (columns.less[0] == NONE).all()
    np.testing.assert_array_equal(columns.totals(0)[0], values.sum(axis=0))


@pytest.mark.parametrize("values", [[[0.5, 0.25], [3, 2.5]], [[2.0**60, 2.0**60 - 2**10], [2.0**60, 2.0**60]]])
def test_other_numbers_are_not_subtracted(values):
    """Halves and numbers past what sums hold exactly are columns of their own."""
    columns = gather([[np.array(values)]])
    assert all((less == NONE).all() for less in columns.less)


@pytest.mark.parametrize(
    ("values", "scale"), [([1, 2, 3], 1), ([0.5, 2], 2), ([0.25, -3], 4), ([0, 0], 1), ([1 / 1024], 1024)]
)
def test_scale_by_hand(values, scale):
    """Counts need no scale, halves 2, quarters 4."""
    assert scale_of(np.array(values, dtype=float)) == scale


@pytest.mark.parametrize(
    "values",
    [
        np.arange(12.0),
        np.arange(12.0) / 2,
        -np.arange(12.0),
        np.arange(12.0) * 2.0**22,
        np.arange(12.0) * 2.0**40 + 1,
        np.array([1e9, -1e9] * 6) + np.arange(12) / 8,
    ],
    ids=["counts", "halves", "negative", "past float32", "large", "both signs"],
)
@pytest.mark.parametrize("draw", [bootstrap_counts, swap_masks])
def test_sums_are_exact(values, draw):
    """Numbers with a short binary form are summed without any error, whatever their size and sign."""
    weights = draw(np.random.default_rng(0), 20, 12)
    columns = gather([[values[:, None]]])
    np.testing.assert_array_equal(columns.sums(weights).T, exact_sums(values[:, None], weights))


@pytest.mark.parametrize("factor", [1.0, 1e-6, 1e9, -1.0])
def test_other_numbers_are_nearly_exact(factor):
    """Thirds and the like are summed to about 1e-11 of the largest, and in any order to the same bits."""
    values = factor * np.random.default_rng(1).normal(size=(40, 1)) / 3
    weights = bootstrap_counts(np.random.default_rng(2), 20, 40)
    columns = gather([[values]])
    got = columns.sums(weights)
    np.testing.assert_allclose(got.T, exact_sums(values, weights), rtol=0, atol=1e-11 * abs(factor) * 40)
    order = np.random.default_rng(3).permutation(40)
    np.testing.assert_array_equal(gather([[values[order]]]).sums(weights[:, order]), got)


@pytest.mark.parametrize("size", [1e-99, 3e99])
def test_extreme_numbers(size):
    """Very small and very large scores neither overflow nor lose their digits."""
    values = np.array([[3.0], [1.0], [2.0]]) * size
    sums = gather([[values]]).sums(np.array([[1, 1, 1], [0, 2, 1]], dtype=np.float32))
    np.testing.assert_allclose(sums[0], np.array([6.0, 4.0]) * size, rtol=1e-9)


@pytest.mark.parametrize("size", [1e-200, 1e200, 1e308, 5e-324])
def test_numbers_without_squares_are_refused(size):
    """Their variances would be 0 or infinite, and p would be 1 or anything; zeros beside them change nothing."""
    with pytest.raises(Undefined, match="Rescale the scores"):
        gather([[np.array([[1.0], [0.0], [1.0]]) * size]])


@pytest.mark.parametrize("size", [1e-310, 1e307])
def test_numbers_at_the_ends_are_refused(size):
    """Where a double runs out of digits the numbers are refused, not rounded in silence."""
    with pytest.raises(Undefined, match="Rescale"):
        gather([[np.array([[3.0], [1.0]]) * size]])


def test_totals_above_single_precision_are_exact():
    """Where sums pass 2^24 the product is taken in double precision: 5001 segments of 5001 are not 25 009 984."""
    values = np.full((5001, 1), 5001.0)
    columns = gather([[values]])
    assert columns.single is not None
    assert columns.sums(np.ones((1, 5001), dtype=np.float32))[0, 0] == 5001.0**2


def test_single_and_double_agree():
    """Below 2^24 single precision gives the same sums as double."""
    rng = np.random.default_rng(0)
    columns = gather([[rng.integers(0, 500, size=(900, 3)).astype(float)]])
    weights = bootstrap_counts(rng, 30, 900)
    np.testing.assert_array_equal(columns.sums(weights).T, weights.astype(float) @ columns.whole)


def swapped(values: np.ndarray, rows: int) -> list[np.ndarray]:
    """The sums of a block of swaps by the loop, if it can add them up, by a product, and from the masks of the strips."""
    kept, found, key = gather([[values]]), [], (4, "swap", 2)
    with route(ROUTES[0]):
        if kept.small is not None:
            found.append(kept.chosen(swap_bits(generator(*key), rows, kept.n), kept.small))
    masks = np.concatenate(list(strips(generator(*key), "swap", rows, kept.n)))
    return [*found, kept.sums(masks), (masks.astype(float) @ kept.whole / kept.scale).T]


@pytest.mark.parametrize("n", [1, 7, 8, 9, 31, 32, 33, 1_448])
@pytest.mark.parametrize("most", [MOST_ADDED, MOST_ADDED + 1, 2**30])
def test_swaps_are_added_up_alike(monkeypatch, n, most):
    """By bits, and by a product, also where the numbers are too large for the loop, and a block is cut into strips."""
    monkeypatch.setattr(blocks, "AT_ONCE", 7 * n)
    values = np.random.default_rng(n).integers(0, most, (n, 3)).astype(float)
    values[: n // 2 + 1, 0] = most  # four neighbours have the largest sum that there is
    found = swapped(values, 40)
    assert len(found) == 2 + (most == MOST_ADDED and len(ROUTES) > 1)
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)


@pytest.mark.parametrize(
    "values", [np.arange(40.0) / 2, -np.arange(40.0), np.arange(40.0) - 20], ids=["halves", "below", "both"]
)
def test_other_swaps_are_added_up_alike(values):
    """Halves are small whole numbers of a scale of 2, and small numbers may be negative."""
    found = swapped(values[:, None], 40)
    assert len(found) == 2 + (len(ROUTES) > 1)
    for other in found[1:]:
        np.testing.assert_array_equal(found[0], other)


def test_only_few_units_are_added_up_as_bits(monkeypatch):
    """Above a bound of units, and without the loop, the product is taken, whose memory is bounded."""
    kept = gather([[np.arange(10.0)[:, None]]])
    with route("plain"):
        assert kept.small is None
    with route(ROUTES[0]):
        assert (kept.small is None) == (len(ROUTES) == 1)
        monkeypatch.setattr(columns, "MOST_BITS", 9)
        assert kept.small is None


@given(arrays_of.arrays(np.float64, (5, 3), elements=st.sampled_from([0.0, 1.0, 0.5, 1 / 3, -2.75, 100.0, 1e9])))
def test_the_sums_of_one_system_are_those_of_the_matrix_of_all(values: np.ndarray) -> None:
    """Every bit, also of numbers that have no short binary form."""
    assert sums_of(values).tobytes() == gather([[values, values[::-1]]]).totals(0)[0].tobytes()
