"""The smallest p that a page announces."""

from __future__ import annotations

import pytest

from sigboard.ui import captions
from tests.unit import factories


@pytest.mark.parametrize(("least", "shown"), [(1 / 1001, "0.0010"), (2 / 10_001, "0.00020"), (0.0, "< 0.0074")])
def test_the_card_shows_the_least_p_of_the_grid(least: float, shown: str) -> None:
    """The card and the hint under the key read the smallest adjusted p that R can give."""
    result = factories.matrix(resamples=1000, least_p=least)
    assert captions._smallest_p(result)[1] == shown
    assert not captions._out_of_reach(result)
    assert "cannot be reached" in captions._out_of_reach(factories.matrix(resamples=1000, least_p=0.0011))
