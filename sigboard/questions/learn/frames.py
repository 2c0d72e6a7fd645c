"""The parts of the game's animated figure: buttons, frames, captions, axes, lines with labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import plotly.graph_objects as go

from sigboard.render.style import CLEAR, FONT, HEADING, SMALL, Part, Theme, axis, base_layout, palette

# Arrays of frames are lists: numpy arrays are sent as typed arrays, which a frame of another length would not replace.

HEIGHT = 430
# Plotly draws a button under the pointer in one light colour, so the text on it is dark under both themes.
BUTTON, BUTTON_TEXT = {"light": "#F4F3F0", "dark": "#D8D4CC"}, "#1B1A18"

Play = tuple[str, Sequence[str], int]  # the label of a button, the names of its frames, milliseconds for each
INWARD = 0.22  # a line farther from the middle than this share of its axis has its label on the inner side


def layout(theme: Theme, plays: Sequence[Play], **more: Any) -> Part:
    """The layout of an animated figure."""
    settings: Part = {
        "margin": {"l": 12, "r": 12, "t": 44, "b": 44},
        "bargap": 0,
        "hovermode": "closest",
        "updatemenus": [_buttons(theme, plays)],
    }
    return base_layout(theme, int(more.pop("height", HEIGHT)), **{**settings, **more})


def _buttons(theme: Theme, plays: Sequence[Play]) -> Part:
    pause: Part = {"label": "Pause", "method": "animate", "args": [[None], _timing(0, "next")]}
    listed: list[Part] = [
        {"label": f"\u25b6 {label}", "method": "animate", "args": [list(frames), _timing(each)]}
        for label, frames, each in plays
    ]
    return {
        "type": "buttons",
        "direction": "right",
        "buttons": [*listed, pause] if any(len(frames) > 1 for _, frames, _ in plays) else listed,
        "showactive": False,
        "x": 0,
        "xanchor": "left",
        "y": 1,
        "yanchor": "bottom",
        "pad": {"l": 0, "r": 0, "t": 0, "b": 8},
        "bgcolor": BUTTON[theme],
        "bordercolor": palette(theme).line,
        "font": {"family": FONT, "size": HEADING, "color": BUTTON_TEXT},
    }


def _timing(each: int, mode: str = "immediate") -> Part:
    frame, still = {"duration": each, "redraw": True}, {"duration": 0}
    return {"mode": "immediate" if mode == "next" else mode, "fromcurrent": False, "frame": frame, "transition": still}


class Line(NamedTuple):
    """A line of text at (x, y) in shares of the figure."""

    x: float
    y: float
    text: str
    colour: str
    size: int
    position: str = "middle right"


def captions(texts: Sequence[Line]) -> go.Scatter:
    """Lines of text over the figure; see `over`."""
    x, y, words, colours, sizes, positions = zip(*texts, strict=True)
    return go.Scatter(
        x=x,
        y=y,
        text=words,
        mode="text",
        textposition=positions,
        textfont={"color": colours, "size": sizes},
        xaxis="x9",
        yaxis="y9",
        hoverinfo="skip",
        cliponaxis=False,
    )


def over(figure: go.Figure) -> None:
    """The invisible axes of `captions`, over the whole figure."""
    hidden = {"visible": False, "fixedrange": True, "range": [0, 1]}
    figure.update_layout(
        xaxis9={**hidden, "domain": [0, 1], "anchor": "y9"}, yaxis9={**hidden, "domain": [0, 1], "anchor": "x9"}
    )


def frame(name: str, traces: Sequence[Any], top: float | None = None) -> go.Frame:
    """The frame of that name with all traces of the figure, and the end of the scale of its histogram."""
    layout = None if top is None else {"yaxis": {"range": [0, top]}}
    return go.Frame(name=name, data=traces, traces=list(range(len(traces))), layout=layout)


def gain_axis(theme: Theme, title: str, ends: tuple[float, float], **more: Any) -> Part:
    """The axis of gains."""
    return axis(theme, title, range=list(ends), fixedrange=True, nticks=8, showline=True, **more)


def count_axis(theme: Theme, end: float, top: float, nticks: int = 4) -> Part:
    """The axis of resamples up to `top`, in the part of the figure below `end`."""
    scale = [0, top]
    return axis(theme, fixedrange=True, domain=[0, end], anchor="x", nticks=nticks, tickformat=",d", range=scale)


def cut_lines(figure: go.Figure, cuts: Sequence[tuple[float, str, bool]], theme: Theme, number: int = 1) -> None:
    """Vertical lines with labels: (place, words, whether solid)."""
    name = "" if number == 1 else str(number)
    last = max((place for place, _, _ in cuts), default=0.0)
    ends = figure.layout[f"xaxis{name}"].range
    for place, words, solid in cuts:
        figure.add_shape(
            type="line",
            x0=place,
            x1=place,
            y0=0,
            y1=1,
            xref=f"x{name}",
            yref=f"y{name} domain",
            line={"color": palette(theme).ink, "width": 1.5, "dash": "solid" if solid else "5px,3px"},
        )
        figure.add_annotation(
            x=place,
            y=1,
            xref=f"x{name}",
            yref=f"y{name} domain",
            text=words,
            showarrow=False,
            xanchor=_side(place, place == last, ends),
            yanchor="bottom",
            bgcolor=CLEAR,
            font={"size": SMALL, "color": palette(theme).ink},
        )


def _side(place: float, last: bool, ends: Sequence[float] | None) -> Literal["left", "right"]:
    """Which end of a label is at its line: the labels of two lines that are close to each other do not meet, and those at the
    ends of the axis (lowest, highest) stay inside."""
    if ends is not None:
        share = (place - ends[0]) / (ends[1] - ends[0])
        if abs(share - 0.5) > INWARD:
            return "left" if share < 0.5 else "right"
    return "left" if last else "right"
