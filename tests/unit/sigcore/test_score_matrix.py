"""A matrix of scores by document and system: what is read off it without any test."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from sigcore import ScoreMatrix


@pytest.mark.parametrize(("better", "order"), [("higher", ["b", "d", "a", "c"]), ("lower", ["a", "b", "d", "c"])])
def test_systems_are_ordered_by_their_mean(better: Literal["higher", "lower"], order: list[str]) -> None:
    """The best first, equal ones as loaded, one without any score last; a missing score does not count as 0."""
    values = np.array([[1.0, 3.0, np.nan, 3.0], [2.0, np.nan, np.nan, 3.0]])
    matrix = ScoreMatrix("set", ("d1", "d2"), ("a", "b", "c", "d"), values, better=better)
    assert [matrix.systems[k] for k in matrix.order] == order
