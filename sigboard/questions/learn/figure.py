"""The figures of the lessons: the word of a lesson names the module of its figure, which moves in the browser."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

import plotly.graph_objects as go

from sigboard.render.style import Theme


class Scene(Protocol):
    """What the module of a lesson's figure must define."""

    def draw(self, numbers: Any, theme: Theme, compact: bool) -> go.Figure:
        """The figure, from the numbers of the lesson."""

    def alt(self, numbers: Any) -> str:
        """One sentence that describes the figure."""


def scene(word: str) -> Scene:
    """The module of the lesson of that word."""
    return cast(Scene, import_module(f"sigboard.questions.learn.{word}"))


def draw(word: str, numbers: Any, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The figure of the lesson of that word, from its numbers."""
    return scene(word).draw(numbers, theme, compact)


def alt(word: str, numbers: Any) -> str:
    """One sentence that describes the figure."""
    return scene(word).alt(numbers)
