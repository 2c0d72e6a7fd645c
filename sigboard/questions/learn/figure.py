"""The figures of the lessons, by the word of the lesson: each animates in the browser, without another run of the page."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from sigboard.questions.learn import bootstrap, many, mean, null, predict, shuffle, tail, three
from sigboard.render.style import Theme

FIGURES: dict[str, Any] = {
    "shuffle": shuffle,
    "bootstrap": bootstrap,
    "three": three,
    "tail": tail,
    "null": null,
    "mean": mean,
    "many": many,
    "predict": predict,
}


def draw(word: str, numbers: Any, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The figure of the lesson of that word, from its numbers."""
    figure: go.Figure = FIGURES[word].draw(numbers, theme, compact)
    return figure


def alt(word: str, numbers: Any) -> str:
    """One sentence that describes the figure."""
    return str(FIGURES[word].alt(numbers))
