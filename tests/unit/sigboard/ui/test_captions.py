"""The smallest p that a page announces."""

from __future__ import annotations

import pytest

from sigboard.ui import captions
from tests.unit import factories


@pytest.mark.parametrize(
    ("test", "side", "least"),
    [
        ("approximate_randomization", "two-sided", 1 / 1001),
        ("paired_bootstrap", "two-sided", 2 / 1001),
        ("paired_bootstrap", "greater", 1 / 1001),
    ],
)
def test_a_doubled_p_has_a_doubled_minimum(test: str, side: str, least: float) -> None:
    """R resamples allow 1 / (R + 1), and twice that where the two-sided p is twice a one-sided p."""
    result = factories.matrix(test=test, side=side, resamples=1000)
    assert captions._least_p(result) == pytest.approx(least)
    assert captions._least_p(result, 10_000) == pytest.approx(least * 1001 / 10_001)
