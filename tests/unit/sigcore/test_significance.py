"""What the tests say of few units, and of a pair without a gain."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import significance


@pytest.mark.parametrize("n", [5, 10, 30])
def test_the_coverage_of_few_units_is_that_of_drawn_samples(n: int) -> None:
    """Of 200,000 normal samples, as many hold their true mean within z standard deviations (by n) over the root of n."""
    draws = np.random.default_rng(n).normal(size=(200_000, n))
    half = 1.959963984540054 * draws.std(axis=1) / np.sqrt(n)  # the spread of bootstrap means divides by n, not n - 1
    held = float((np.abs(draws.mean(axis=1)) <= half).mean())
    assert significance.coverage(n, 0.95) == pytest.approx(held, abs=4 * (held * (1 - held) / 200_000) ** 0.5)


def test_the_paired_bootstrap_counts_away_from_the_gain() -> None:
    """Two-sided: at or below zero where the first system is better or equal, at or above where it is worse."""
    cutoffs = significance.get("paired_bootstrap").cutoffs
    gain = np.array([-1.0, 0.0, 1.0])
    low, high = cutoffs(gain, "two-sided")
    assert low.tolist() == [-np.inf, 0, 0]
    assert high.tolist() == [0, np.inf, np.inf]
    for side, expected in (("greater", [0, np.inf]), ("less", [-np.inf, 0])):
        assert [each.tolist() for each in cutoffs(gain, side)] == [[end] * 3 for end in expected]  # type: ignore[arg-type]
