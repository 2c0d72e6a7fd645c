"""Results: verdicts from adjusted p-values, on every side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore.results import MatrixResult
from sigcore.types import Setup
from tests.unit import factories


def grid(gains, adjusted, side="two-sided", better="higher", scores=None) -> MatrixResult:
    """A MatrixResult of these gains and adjusted p-values."""
    gains, adjusted = np.array(gains, dtype=float), np.array(adjusted, dtype=float)
    size = len(gains)
    name = "approximate_randomization"
    setup = Setup("bleu", "BLEU", better, name, "Approximate randomization", 10, 999, 1, side=side, correction="holm")
    return MatrixResult(
        setup=setup,
        systems=tuple("abcdef"[:size]),
        groups=("",) * size,
        scores=np.zeros(size) if scores is None else np.array(scores, dtype=float),
        score_intervals=np.zeros((size, 2)),
        gains=gains,
        p_values=adjusted,
        p_low=adjusted * 0.5,
        p_high=adjusted * 2,
        adjusted=adjusted,
    )


@pytest.mark.parametrize(
    ("p", "size"), [(0.2, 0), (0.0500001, 0), (0.05, 1), (0.011, 1), (0.01, 2), (0.0011, 2), (0.001, 3), (np.nan, 0)]
)
def test_levels_two_sided(p, size):
    """The better row gets + and the worse -, as large as the level that p reaches; nothing on the diagonal."""
    result = grid([[0, 2], [-2, 0]], [[1, p], [p, 1]])
    np.testing.assert_array_equal(result.levels(0.05), [[0, size], [-size, 0]])


def test_levels_one_sided():
    """Under "greater" p[row, column] says the row is better; under "less" that it is worse: same verdict."""
    p = np.array([[1, 0.004], [0.996, 1]])
    expected = [[0, 2], [-2, 0]]
    np.testing.assert_array_equal(grid([[0, 2], [-2, 0]], p, "greater").levels(), expected)
    np.testing.assert_array_equal(grid([[0, 2], [-2, 0]], p.T, "less").levels(), expected)


def test_levels_need_a_gain():
    """Without a gain there is no verdict, whatever p is."""
    np.testing.assert_array_equal(grid([[0, 0], [0, 0]], [[1, 0.001], [0.001, 1]]).levels(), np.zeros((2, 2)))


def test_levels_at_another_alpha():
    """A smaller alpha lets fewer through, and the diagonal never counts."""
    result = grid([[0, 2], [-2, 0]], [[0, 0.004], [0.004, 0]])
    np.testing.assert_array_equal(result.levels(0.001), np.zeros((2, 2)))
    np.testing.assert_array_equal(result.levels(0.1), [[0, 2], [-2, 0]])


def test_the_smallest_significant_gain():
    """That of all significant pairs with the smallest size, in either direction; none where nothing is significant."""
    p = np.array([[1, 0.01, 0.6], [0.01, 1, 0.04], [0.6, 0.04, 1]])
    for better in ("higher", "lower"):
        found = factories.matrix([40.0, 42.5, 41.0], p=p, better=better)
        assert (found.smallest_gain(0.05), found.smallest_gain(0.02)) == (1.5, 2.5)
        assert np.isnan(found.smallest_gain(0.001))


def test_order_is_best_first():
    """Order follows the better direction, and equal scores keep their places."""
    zeros, ones = np.zeros((3, 3)), np.ones((3, 3))
    assert grid(zeros, ones, scores=[1, 3, 1]).order == [1, 0, 2]
    assert grid(zeros, ones, scores=[1, 3, 1], better="lower").order == [0, 2, 1]


def test_undecided_straddles_alpha():
    """A pair is undecided where the Monte Carlo interval holds alpha, never on the diagonal."""
    result = grid([[0, 2], [-2, 0]], [[0.04, 0.04], [0.2, 0.04]])
    np.testing.assert_array_equal(result.undecided(0.05), [[False, True], [False, False]])


def test_arrays_are_frozen():
    """Nobody can write into a result."""
    with pytest.raises(ValueError, match="read-only"):
        grid([[0, 2], [-2, 0]], [[1, 1], [1, 1]]).p_values[0, 0] = 0


@pytest.mark.parametrize("rule", [{"ties": "strict"}, {"ties": "half"}, {"estimator": "paper"}])
def test_p_as_printed_elsewhere_gives_no_levels(rule: dict[str, str]) -> None:
    """Such a grid has no verdicts and nothing undecided; what a paper concluded from its p can still be read."""
    result = factories.matrix([40.0, 42.0, 41.5])
    printed = replace(result, setup=replace(result.setup, **rule))
    assert result.levels().any()
    assert not printed.levels().any()
    assert not printed.undecided(float(result.p_values[0, 1])).any()
    np.testing.assert_array_equal(printed.levels_of_p(0.05), result.levels(0.05))
    points = factories.gain(5)
    assert points.significant(1.0).all()
    assert not replace(points, setup=replace(points.setup, **rule)).significant(1.0).any()
