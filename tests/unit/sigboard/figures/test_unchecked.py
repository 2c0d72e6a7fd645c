"""Figures that Plotly does not check while they are made: each of them is one that Plotly accepts."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go
import pytest

from sigboard.questions.compare import figure as pair
from sigboard.questions.gain import figure as gain
from tests.unit.factories import compare
from tests.unit.sigboard.figures.test_gain import MIXED

FIGURES: dict[str, Callable[[], go.Figure]] = {
    "small": lambda: pair.small(compare(), compare().results[0], "dark"),
    "bars": lambda: pair.stage(compare(), compare().results[0], "light"),
    "dots": lambda: pair.stage(compare(), compare().results[0], "dark", 20, True),
    "gain": lambda: gain.drawn(MIXED, 0.05, "light", "confidence", False, False, MIXED, ()),
    "log p": lambda: gain.drawn(MIXED, 0.01, "dark", "log", True, True, None, ()),
}


@pytest.mark.parametrize("name", FIGURES)
def test_plotly_accepts_the_whole_figure(name: str) -> None:
    """Every name and every value in it."""
    content = FIGURES[name]().to_dict()
    checked = go.Figure(content).to_dict()
    assert checked["layout"].keys() == content["layout"].keys()
    assert checked["data"]


def test_a_wrong_part_would_be_noticed() -> None:
    content = FIGURES["small"]().to_dict()
    content["layout"]["xaxis"]["rage"] = [0, 1]
    with pytest.raises(ValueError, match="rage"):
        go.Figure(content)
