"""Where bootstrap gains are centred: the moments by plain loops, and when the draws are believed."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from sigcore.significance import engine

RNG = np.random.default_rng(12)


def moments(values: np.ndarray, blocks: int = 3) -> engine.Moments:
    """The moments of the scores (S, B), taken in several blocks."""
    found = engine.Moments(np.nan_to_num(values[:, 0]))
    for block in np.array_split(values, blocks, axis=1):
        found.add(block)
    return found


def question(gain: float, unit: float = 1.0) -> SimpleNamespace:
    """As much of a question as the centre asks for: one pair, its gain, and the size of its units."""
    gains, units = np.array([gain]), np.array([unit])
    return SimpleNamespace(pairs=np.array([[0, 1]]), gains=lambda _: gains, units=lambda _: units)


def test_moments_are_those_of_all_draws_together() -> None:
    """The mean of each system, and the standard error of the mean of the paired differences, as numpy has them."""
    values = RNG.normal(50, 3, (3, 60)) + RNG.normal(0, 5, 60)  # correlated systems
    found, left, right = moments(values), np.array([0, 2]), np.array([1, 0])
    assert found.means == pytest.approx(values.mean(axis=1))
    differences = values[left] - values[right]
    assert found.errors(left, right) == pytest.approx(differences.std(axis=1) / np.sqrt(60))


def test_undefined_scores_are_no_part_of_a_mean() -> None:
    """A system that cannot be scored on some resamples has the mean of the others."""
    values = RNG.normal(50, 3, (2, 40))
    values[0, :10] = np.nan
    assert moments(values).means == pytest.approx(np.nanmean(values, axis=1))


@pytest.mark.parametrize(("errors", "believed"), [(3.9, True), (4.1, False)])
def test_the_jackknife_holds_within_four_errors_of_the_draws(errors: float, believed: bool) -> None:
    """Otherwise the mean of the draws is the centre, which may be wrong by two of its standard errors."""
    values = np.vstack([RNG.normal(10, 1, 400), np.full(400, 10.0)])
    drawn = float((values[0] - values[1]).mean())
    error = float((values[0] - values[1]).std() / 20)
    expected = np.array([drawn + errors * error + 10.0, 10.0])
    found = engine.centre(question(99.0), 0, expected, moments(values))  # type: ignore[arg-type]
    assert found.drawn[0] == pytest.approx(drawn)
    assert found.expected[0] == pytest.approx(drawn + errors * error if believed else drawn)
    assert found.error[0] == pytest.approx(0.0 if believed else 2 * error)


def test_a_bias_of_rounding_is_none() -> None:
    """Where the jackknife differs from the gain by rounding only, the centre is the gain to the last bit."""
    values = np.vstack([RNG.normal(10.3, 1, 400), np.full(400, 10.0)])
    gain = 0.1 + 0.2
    found = engine.centre(question(gain, 100.0), 0, np.array([10.0 + 0.3 + 3e-8, 10.0]), moments(values))  # type: ignore[arg-type]
    assert found.expected[0] == gain


def test_the_expectation_of_a_mean_is_the_mean_and_of_a_square_is_larger() -> None:
    """By hand: the square of the mean of 1, 2, 6 without each unit is 16, 12.25 and 2.25, the score 9."""
    found = SimpleNamespace(
        columns=SimpleNamespace(n=3),
        left_out=lambda _: [(3.0, np.array([4.0, 3.5, 1.5])), (9.0, np.array([16, 12.25, 2.25]))],
    )
    mean, square = engine.expected_scores(found, 0)  # type: ignore[arg-type]
    assert mean == pytest.approx(3.0)
    assert square == pytest.approx(9 + 2 * (30.5 / 3 - 9))
