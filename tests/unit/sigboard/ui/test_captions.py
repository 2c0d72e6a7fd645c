"""The smallest p that a page announces."""

from __future__ import annotations

import pytest

from sigboard.questions.matrix import page
from sigboard.shell import captions
from tests.unit import factories


@pytest.mark.parametrize(("least", "shown"), [(1 / 1001, "0.0010"), (2 / 10_001, "0.00020")])
def test_the_line_above_the_grid_has_the_least_p(least: float, shown: str) -> None:
    """The line and the hint under the key read the smallest adjusted p that R, or the units, can give."""
    for result in (
        factories.matrix(resamples=1000, least_p=least),
        factories.matrix(resamples=1000, least_by_units=least),
    ):
        assert page.line(result, 0.05).endswith(f"smallest possible p {shown}")
        assert not captions._out_of_reach(result)
    words = captions._out_of_reach(factories.matrix(resamples=1000, least_p=0.0011))
    assert (
        words
        == "With 1,000 resamples p cannot fall below 0.0011: automatic resamples settle alpha, not the stronger colours."
    )
