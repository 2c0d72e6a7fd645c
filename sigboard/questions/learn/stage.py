"""What the animated figures of the lessons share: buttons, the slider, captions, mosaics of units, growing histograms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import plotly.graph_objects as go

from sigboard.render.bars import bars
from sigboard.render.style import CLEAR, FONT, HEADING, SMALL, Part, Theme, axis, base_layout, minus, palette
from sigcore import Floats, Ints, TestResult
from sigcore.formatting import format_gain
from sigcore.studies import learn

# Arrays of frames are lists: numpy arrays are sent as typed arrays, which a frame of another length would not replace.

HEIGHT = 430
CELLS = 240  # units of a mosaic; of more, the first ones are drawn
# Plotly draws a button under the pointer in one light colour, so the text on it is dark under both themes.
BUTTON, BUTTON_TEXT = {"light": "#F4F3F0", "dark": "#D8D4CC"}, "#1B1A18"
LONG, TALL = 5.0, 2.5  # a mosaic is about this many times as wide as high, and on a narrow screen

Play = tuple[str, Sequence[str], int]  # the label of a button, the names of its frames, milliseconds for each
INWARD = 0.22  # a line farther from the middle than this share of its axis has its label on the inner side
SLOW, MIDDLE, FAST = 1400, 450, 220  # of the first resample step by step, of the next nine, and of the rest


def layout(
    theme: Theme, plays: Sequence[Play], places: Sequence[tuple[str, str]] = (), at_end: bool = False, **more: Any
) -> Part:
    """The layout of an animated figure; `places` are (label, frame) of the steps of a slider below it, which begins at its
    end if the figure does."""
    settings: Part = {
        "margin": {"l": 12, "r": 12, "t": 44, "b": 92 if places else 44},
        "bargap": 0,
        "hovermode": "closest",
        "updatemenus": [_buttons(theme, plays)],
    }
    if places:
        settings["sliders"] = [_slider(theme, places, at_end)]
    return base_layout(theme, int(more.pop("height", HEIGHT)), **{**settings, **more})


def plays(first: str, parts: Sequence[str], places: Sequence[int]) -> list[Play]:
    """The buttons of a figure whose resamples come one after the other: the first by its parts, nine more, then the others."""
    ten = [str(place) for place in places if 1 < place <= 10]
    many = [str(place) for place in places if place > 10]
    return [(first, ["0", *(f"1 {part}" for part in parts), "1"], SLOW), ("10", ten, MIDDLE), ("1,000", many, FAST)]


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


def _slider(theme: Theme, places: Sequence[tuple[str, str]], at_end: bool) -> Part:
    colours = palette(theme)
    return {
        "steps": [{"label": label, "method": "animate", "args": [[frame], _timing(0)]} for label, frame in places],
        "active": len(places) - 1 if at_end else 0,
        "x": 0,
        "len": 1,
        "pad": {"l": 8, "r": 8, "t": 36, "b": 0},
        "font": {"size": SMALL, "color": colours.muted},
        "currentvalue": {"visible": False},
        "bgcolor": colours.line,
        "activebgcolor": colours.accent,
        "bordercolor": colours.line,
        "tickcolor": colours.line,
        "ticklen": 3,
        "minorticklen": 0,
    }


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


def mosaic(values: Floats, colours: Sequence[str], number: int, compact: bool = False) -> go.Heatmap:
    """Units as small squares on axes `number`: the value of each (0, 1, ...) is the position of its colour."""
    shown = np.asarray(values[:CELLS], dtype=float)
    rows = max(1, round(np.sqrt(len(shown) / (TALL if compact else LONG))))
    columns = -(-len(shown) // rows)
    rows = -(-len(shown) // columns)
    cells = np.full(rows * columns, np.nan)
    cells[: len(shown)] = np.minimum(shown, len(colours) - 1)
    steps = len(colours)
    scale = [[edge, colour] for k, colour in enumerate(colours) for edge in (k / steps, (k + 1) / steps)]
    return go.Heatmap(
        z=[[None if np.isnan(cell) else int(cell) for cell in row] for row in cells.reshape(rows, columns)[::-1]],
        zmin=-0.5,
        zmax=steps - 0.5,
        colorscale=scale,
        showscale=False,
        xgap=2,
        ygap=2,
        xaxis=f"x{number}",
        yaxis=f"y{number}",
        hoverinfo="skip",
    )


def mosaic_axes(figure: go.Figure, number: int, x: tuple[float, float], y: tuple[float, float]) -> None:
    """Invisible axes of a mosaic in this part of the figure."""
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(
        {f"xaxis{number}": {**hidden, "domain": x, "anchor": f"y{number}"}},
        **{f"yaxis{number}": {**hidden, "domain": y, "anchor": f"x{number}"}},
    )


class Pile:
    """A histogram that grows: the bars of a test's resamples, and their heights after the first k of them."""

    def __init__(self, test: TestResult, values: Floats, theme: Theme) -> None:
        pieces = bars(test.histogram, test.cutoffs, test.setup.decimals)
        filled = np.flatnonzero(pieces.heights > 0)
        part = slice(int(filled[0]), int(filled[-1]) + 1) if len(filled) else slice(None)
        self.left, self.right, self.tail = pieces.left[part], pieces.right[part], pieces.tail[part]
        self._values, self._theme = values, theme

    @property
    def middles(self) -> Floats:
        """The middle of each bar."""
        return (self.left + self.right) / 2

    def counts(self, first: int) -> Ints:
        """How many of the first resamples are in each bar."""
        places = np.clip(np.searchsorted(self.left, self._values[:first], side="right") - 1, 0, len(self.left) - 1)
        return np.bincount(places, minlength=len(self.left))

    def trace(self, first: int, number: int = 1, lift: float = 0.0, plain: bool = False) -> go.Bar:
        """The bars of the first resamples, those of the tail in the accent unless `plain`; `lift` moves them to the right."""
        colours = palette(self._theme)
        return go.Bar(
            x=(self.middles + lift).tolist(),
            width=((self.right - self.left) * 0.94).tolist(),
            y=self.counts(first).tolist(),
            marker={
                "color": [colours.accent if t and not plain else colours.bars for t in self.tail],
                "line": {"width": 0},
            },
            xaxis=f"x{number}" if number > 1 else "x",
            yaxis=f"y{number}" if number > 1 else "y",
            hovertemplate="%{y:,} resamples near %{x:.3g}<extra></extra>",
        )

    def top(self, first: int) -> float:
        """The end of the scale after the first resamples, with space above for a falling one and for labels."""
        return max(8.0, 1.45 * float(self.counts(first).max(initial=0)))


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


class Scene:
    """What all frames share in which the resamples of one test drop on its histogram, one after the other."""

    def __init__(self, numbers: learn.Steps, test: str, theme: Theme, compact: bool) -> None:
        self.numbers, self.theme, self.compact = numbers, theme, compact
        self.test = numbers.compared.result(test, "two-sided")

    def gain_text(self, gain: float) -> str:
        """The gain with its sign."""
        return minus(format_gain(gain, self.test.setup.decimals))

    @property
    def cuts(self) -> list[tuple[float, str, bool]]:
        """The observed gain and its mirror, as lines."""
        gain = self.test.gain
        return [(gain, f"observed {self.gain_text(gain)}", True), (-gain, f"mirror {self.gain_text(-gain)}", False)]

    def drop(self, value: float | None, top: float) -> go.Scatter:
        """The block that falls on the histogram at this value; None: no block."""
        return go.Scatter(
            x=[value],
            y=[None if value is None else 0.86 * top],
            mode="markers",
            marker={"size": 13, "symbol": "square", "color": palette(self.theme).ink},
            hoverinfo="skip",
        )
