"""The game: a gain and ten shuffles as a hint; after the prediction all of them, and p; at the end the results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.learn.report import points
from sigboard.render.style import (
    CLEAR,
    FONT,
    HEADING,
    NORMAL,
    SMALL,
    Part,
    Theme,
    axis,
    base_layout,
    escape,
    label,
    minus,
    palette,
)
from sigcore.formatting import format_gain, format_p, format_size
from sigcore.studies import learn

HINT = 10  # shuffles that are shown before the prediction
SLOW, FAST = 450, 90  # milliseconds of a frame
BINS, HEIGHT = 40, 410


def draw(numbers: learn.Game, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The round that is shown, or the results of all rounds."""
    if numbers.at is None:
        return _results(numbers, theme)
    shown = numbers.rounds[numbers.at]
    whole = HINT if numbers.answer(numbers.at) is None else len(shown.null)
    course = [*range(HINT + 1)] if whole == HINT else [*range(0, 100, 10), *range(100, whole, 50), whole]
    begin = 0 if whole == HINT else whole
    figure = go.Figure(data=_traces(numbers, begin, theme, compact), layout=_layout(numbers, course, theme))
    over(figure)
    ends = [(shown.gain, "the gain", True), (-shown.gain, "mirror", False)]
    cut_lines(figure, ends if shown.gain else ends[:1], theme)
    figure.frames = [frame(str(first), _traces(numbers, first, theme, compact), _top(shown, first)) for first in course]
    return figure


def alt(numbers: learn.Game) -> str:
    """One sentence that describes the figure."""
    if numbers.at is None:
        return f"Results: {points(numbers.points)} points in {len(numbers.answers)} rounds."
    shown = numbers.rounds[numbers.at]
    said = "p is shown after the prediction" if numbers.answer(numbers.at) is None else f"p = {_p(shown)}"
    return (
        f"Round {numbers.at + 1}: on {shown.n} {numbers.unit}, {shown.system} has "
        f"{format_size(shown.gain, numbers.decimals)} more {numbers.title} than {shown.baseline}; {said}."
    )


def _p(shown: learn.Round) -> str:
    return format_p(shown.p, len(shown.null))


def _bins(shown: learn.Round) -> np.ndarray:
    """The edges of the bars: the gain and its mirror are edges, and a shuffle that equals them is outside."""
    reach = max(float(np.nanmax(np.abs(shown.null))), shown.gain, 1e-9) * 1.02
    slack = 1e-9 * reach
    width = shown.gain / max(1, round(shown.gain * BINS / (2 * reach))) if shown.gain > 0 else 2 * reach / BINS
    steps = math.ceil(reach / width)
    edges = np.arange(-steps, steps + 1) * width
    return np.where(edges > 0, edges - slack, edges + slack)


def _counts(shown: learn.Round, first: int) -> np.ndarray:
    return np.histogram(shown.null[:first], _bins(shown))[0]


def _top(shown: learn.Round, first: int) -> float:
    return max(6.0, 1.35 * float(_counts(shown, first).max(initial=0)))


def _layout(numbers: learn.Game, course: list[int], theme: Theme) -> Part:
    assert numbers.at is not None
    shown = numbers.rounds[numbers.at]
    edges, names = _bins(shown), [str(first) for first in course]
    words, each = ("a hint: ten shuffles", SLOW) if course[-1] == HINT else ("Play again", FAST)
    reach = 1.15 * float(edges[-1])
    title = f"gain on a shuffle ({escape(numbers.title)})"
    return layout(
        theme,
        [(words, names, each)],
        height=HEIGHT,
        xaxis=gain_axis(theme, title, (-reach, reach), domain=[0, 1], anchor="y"),
        yaxis=count_axis(theme, 0.62, _top(shown, course[-1] if course[-1] > HINT else 0)),
    )


def _traces(numbers: learn.Game, first: int, theme: Theme, compact: bool) -> list[go.Bar | go.Scatter]:
    """The shuffles so far, and the words."""
    assert numbers.at is not None
    shown, colours = numbers.rounds[numbers.at], palette(theme)
    edges = _bins(shown)
    middles = (edges[:-1] + edges[1:]) / 2
    tail = np.abs(middles) >= shown.gain
    bars = go.Bar(
        x=middles.tolist(),
        y=_counts(shown, first).tolist(),
        width=(np.diff(edges) * 0.94).tolist(),
        marker={"color": [colours.accent if t else colours.bars for t in tail], "line": {"width": 0}},
        hovertemplate="%{y:,} shuffles<extra></extra>",
    )
    return [bars, captions(_texts(numbers, first, theme, compact))]


def _texts(numbers: learn.Game, first: int, theme: Theme, compact: bool) -> list[Line]:
    assert numbers.at is not None
    shown, colours, limit = numbers.rounds[numbers.at], palette(theme), 14 if compact else 24
    gain = minus(format_gain(shown.gain, numbers.decimals))
    what = (
        f"Round {numbers.at + 1} of {len(numbers.rounds)}: {gain} {escape(numbers.title)} on {shown.n} {numbers.unit}"
    )
    systems = f"{label(shown.system, limit)} against {label(shown.baseline, limit)}"
    out = [Line(0.0, 0.95, f"<b>{what}</b>", colours.ink, HEADING + 2), Line(0.0, 0.87, systems, colours.muted, NORMAL)]
    answer = numbers.answer(numbers.at)
    if answer is None:
        words = f"How likely is p of at most {numbers.alpha:g}?"
        out.append(Line(0.0, 0.78, f"<b>{words}</b>", colours.accent, HEADING + 2))
        return out
    if first == len(shown.null):
        verdict = "significant" if numbers.is_found(numbers.at) else "not significant"
        paid = f"You said {100 * answer:.0f}%: {points(numbers.paid(numbers.at, answer))} points."
        out.append(Line(0.0, 0.79, f"<b>p = {_p(shown)}: {verdict}. {paid}</b>", colours.accent, HEADING + 2))
        out.append(Line(0.0, 0.72, _truth(shown), colours.ink, NORMAL))
    return out


def _truth(shown: learn.Round) -> str:
    """What only the one who made the round knows."""
    if shown.is_null:
        return "Made without a difference: a coin decided who gets which output."
    return "Made of the outputs as they are, on units drawn from your test set."


def _results(numbers: learn.Game, theme: Theme) -> go.Figure:
    """p of every round that was played, on a logarithmic axis; blue: points won, orange: points lost."""
    played = sorted(k for k, _ in numbers.answers)
    figure = go.Figure(data=_played(numbers, played, theme), layout=_results_layout(numbers, played, theme))
    over(figure)
    figure.add_shape(
        type="line", x0=numbers.alpha, x1=numbers.alpha, y0=0, y1=1, yref="y domain",
        line={"color": palette(theme).ink, "width": 1.5, "dash": "5px,3px"},
    )  # fmt: skip
    figure.frames = [frame(str(k), _played(numbers, played[:k], theme)) for k in range(len(played) + 1)]
    return figure


def _results_layout(numbers: learn.Game, played: list[int], theme: Theme) -> Part:
    names = [str(k) for k in range(len(played) + 1)]
    ticks = [0.001, 0.01, 0.05, 0.1, 1]
    rows: Part = {"range": [len(numbers.rounds) + 0.5, 0.5], "dtick": 1}
    return layout(
        theme,
        [("one by one", names, 600)],
        height=HEIGHT,
        xaxis=axis(
            theme, "p (logarithmic)", type="log", range=[-3.3, 0.6], tickvals=ticks, ticktext=[f"{t:g}" for t in ticks],
            fixedrange=True, domain=[0, 1], anchor="y", showline=True,
        ),
        yaxis=axis(theme, "round", fixedrange=True, domain=[0, 0.82], anchor="x", **rows),
    )  # fmt: skip


def _played(numbers: learn.Game, played: list[int], theme: Theme) -> list[go.Scatter]:
    colours = palette(theme)
    paid = [numbers.paid(k, dict(numbers.answers)[k]) for k in played]
    words = []
    for k in played:
        shown, said = numbers.rounds[k], f"{100 * dict(numbers.answers)[k]:.0f}%"
        gain = minus(format_gain(shown.gain, numbers.decimals))
        words.append(f"  {gain} on {shown.n}; you said: {said}{' (no difference)' if shown.is_null else ''}")
    dots = go.Scatter(
        x=[numbers.rounds[k].p for k in played],
        y=[k + 1 for k in played],
        mode="markers+text",
        text=words,
        textposition=["middle left" if numbers.rounds[k].p > 0.03 else "middle right" for k in played],
        textfont={"size": NORMAL, "color": colours.ink},
        marker={
            "size": 15,
            "color": [colours.accent if one >= 0 else colours.warm for one in paid],
            "symbol": ["circle" if one >= 0 else "x" for one in paid],
        },
        hoverinfo="skip",
        cliponaxis=False,
    )
    score = f"<b>{points(sum(paid))} points in {len(played)} rounds</b>"
    key = f"circle: points won, cross: points lost; dashed: alpha {numbers.alpha:g}"
    texts = [Line(0.0, 0.96, score, colours.accent, HEADING + 4), Line(0.0, 0.88, key, colours.muted, NORMAL)]
    return [dots, captions(texts)]


# The parts of an animated figure.

# Arrays of frames are lists: numpy arrays are sent as typed arrays, which a frame of another length would not replace.

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
    return base_layout(theme, int(more.pop("height")), **{**settings, **more})


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
