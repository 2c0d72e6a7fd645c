"""The figures of the lessons, by the word of the lesson: each animates in the browser, without another run of the page."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from sigboard.figures import (
    learn_bootstrap,
    learn_many,
    learn_mean,
    learn_null,
    learn_predict,
    learn_shuffle,
    learn_tail,
    learn_three,
)
from sigboard.figures.style import Theme

FIGURES: dict[str, Any] = {
    "shuffle": learn_shuffle,
    "bootstrap": learn_bootstrap,
    "three": learn_three,
    "tail": learn_tail,
    "null": learn_null,
    "mean": learn_mean,
    "many": learn_many,
    "predict": learn_predict,
}


def draw(word: str, numbers: Any, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The figure of the lesson of that word, from its numbers."""
    figure: go.Figure = FIGURES[word].draw(numbers, theme, compact)
    return figure


def alt(word: str, numbers: Any) -> str:
    """One sentence that describes the figure."""
    return str(FIGURES[word].alt(numbers))
