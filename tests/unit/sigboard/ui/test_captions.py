"""The smallest p that a page announces."""

from __future__ import annotations

import numpy as np
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


def test_the_card_of_p_gives_no_count_without_a_p() -> None:
    """Where p is undefined, its card has no counted resamples."""
    assert captions._counted(factories.one_test(p_value=float("nan"))) == "This test gives no p-value here."
    assert captions._counted(factories.one_test()).startswith("38 of 10,000 ")


def test_the_cards_of_gains_count_defined_p_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gain without a p is not the largest one that is not significant; too few resamples give no verdict."""
    shown: list[list[tuple[str, str, str]]] = []
    monkeypatch.setattr(captions.page, "cards", shown.append)
    gains, p = np.array([31.0, 2.0, 1.0]), np.array([np.nan, 0.01, 0.3])
    for least in (0.0001, 0.06):
        captions.gain_cards(factories.gain(3, gains=gains, p_values=np.maximum(p, least), least_p=least), 0.05)
    assert [[value for _, value, _ in cards] for cards in shown] == [
        ["3", "1", "2.00", "1.00"],
        ["3", "no verdict", "no verdict", "no verdict"],
    ]
