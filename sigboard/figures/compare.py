"""One pair under one test: a histogram of its resamples with the tail magnified, after Graham et al. 2014, Figure 5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.figures import compare_tail
from sigboard.figures.compare_bars import Bars, bars, lines, p_label, span
from sigboard.figures.style import (
    CLEAR,
    HEADING,
    NORMAL,
    SMALL,
    Theme,
    axis,
    base_layout,
    escape,
    format_gain,
    label,
    minus,
    p_text,
    palette,
)
from sigcore import CompareResult, Floats, TestResult

HEIGHT, HEIGHT_SMALL = 320, 92  # pixels of the large histogram and of a small one
HEAD, HEAD_SMALL, FOOT, SIDE = 52, 22, 44, 64  # pixels above for the name and p, below and beside for the axes
LABEL_SHARE = 0.22  # share above the bars that is reserved for the labels of the lines
DOT = 9  # pixels of a single resample
COLUMNS = 60  # columns in which single resamples are stacked


@dataclass(frozen=True)
class _Scene:
    """What all parts of one figure share."""

    result: CompareResult
    test: TestResult
    span: tuple[float, float]
    theme: Theme
    compact: bool = False

    @property
    def decimals(self) -> int:
        return self.result.setup.decimals


def stage(
    result: CompareResult, test: TestResult, theme: Theme = "light", first: int | None = None, compact: bool = False
) -> go.Figure:
    """The histogram of one test of the pair, with its axes; where the tail is small, it is magnified in an inset.

    Accent = the resamples that count; the solid line = the observed gain; dashed lines = the other cut-offs. With
    `first`, only that many resamples are drawn, the first ones, each as a dot (see `steps`). `compact` is the form for a
    narrow screen.
    """
    scene = _Scene(result, test, span(of_side(result, test.setup.side), result), theme, compact)
    figure = go.Figure(layout=_layout(scene, HEIGHT, HEAD, FOOT, SIDE))
    title = f"gain on a resample ({escape(result.setup.metric_title)}, positive: {label(result.system, 24)} is better)"
    figure.update_xaxes(axis(theme, title, range=list(scene.span), fixedrange=True, nticks=8, automargin=False))
    _heading(figure, f"<b>{escape(test.setup.test_title)}</b>, {_side(test)}", HEAD - 2, palette(theme).ink, HEADING)
    values = steps(test, first)
    if values is None:
        _draw_bars(figure, scene)
    else:
        _draw_dots(figure, scene, values)
    return figure


def small(result: CompareResult, test: TestResult, theme: Theme = "light") -> go.Figure:
    """A small histogram of one test on the axis of gains of all tests of its side, with p and without labels."""
    scene = _Scene(result, test, span(of_side(result, test.setup.side), result), theme)
    figure = go.Figure(layout=_layout(scene, HEIGHT_SMALL, HEAD_SMALL, 4, 8))
    pieces = bars(test.histogram, test.cutoffs, scene.decimals)
    figure.add_trace(_bars_trace(pieces, scene))
    top = float(pieces.heights.max()) * 1.05 or 1.0
    figure.update_xaxes(axis(theme, range=list(scene.span), showticklabels=False, fixedrange=True))
    figure.update_yaxes(visible=False, range=[0, top], fixedrange=True)
    _draw_lines(figure, scene, top, labels=False)
    text = p_text(test.p_value, test.setup.resamples, test.p_interval[1])
    _heading(figure, text, HEAD_SMALL - 2, _p_colour(test, theme), NORMAL)
    return figure


def of_side(result: CompareResult, side: str) -> list[TestResult]:
    """The tests that were run on that side."""
    return [item for item in result.results if item.setup.side == side]


def steps(test: TestResult, first: int | None) -> Floats | None:
    """The first resamples of a test, in the order in which they were drawn; None for all, and where they are not kept."""
    if first is None or test.null is None or first >= len(test.null):
        return None
    return test.null[:first]


def alt_text(result: CompareResult, test: TestResult, first: int | None = None) -> str:
    """One sentence that describes the histogram."""
    shown = steps(test, first)
    drawn = "" if shown is None else f"the first {len(shown):,} of "
    return (
        f"{'Histogram' if shown is None else 'Dot plot'} of the gains on {drawn}{test.setup.resamples:,} resamples, "
        f"{result.system} against {result.baseline}, observed gain {format_gain(result.gain, result.setup.decimals)} "
        f"{result.setup.metric_title}. {test.setup.test_title}, {test.setup.side}: {p_label(test)}."
    )


def _side(test: TestResult) -> str:
    return {"two-sided": "two-sided", "greater": "one-sided: better", "less": "one-sided: worse"}[test.setup.side]


def _p_colour(test: TestResult, theme: Theme) -> str:
    return palette(theme).accent if test.p_value == test.p_value else palette(theme).muted


def _layout(scene: _Scene, height: int, head: int, foot: int, side: int) -> dict[str, Any]:
    margin = {"l": side, "r": 12, "t": head, "b": foot}
    return base_layout(scene.theme, height, margin=margin, bargap=0, barmode="overlay", hovermode="closest")


def _heading(figure: go.Figure, text: str, shift: int, colour: str, size: int) -> None:
    figure.add_annotation(
        text=text,
        x=0,
        xref="paper",
        xanchor="left",
        y=1,
        yref="paper",
        yanchor="top",
        yshift=shift,
        showarrow=False,
        align="left",
        font={"size": size, "color": colour},
    )


def _draw_bars(figure: go.Figure, scene: _Scene) -> None:
    """All resamples as bars, with the scale of their heights, p, and the magnified tail."""
    test, theme = scene.test, scene.theme
    pieces = bars(test.histogram, test.cutoffs, scene.decimals)
    figure.add_trace(_bars_trace(pieces, scene))
    top = float(pieces.heights.max()) / (1 - LABEL_SHARE) or 1.0
    scale = {"range": [0, top], "fixedrange": True, "nticks": 5, "tickformat": ",d", "automargin": False}
    figure.update_yaxes(axis(theme, "resamples per bin", **scale))
    _draw_lines(figure, scene, top)
    _heading(figure, p_label(test), HEAD - 24, _p_colour(test, theme), HEADING)
    compare_tail.draw(figure, test, pieces, scene.span, theme, scene.compact)


def _draw_dots(figure: go.Figure, scene: _Scene, values: Floats) -> None:
    """The given resamples as single dots, and how many of them are at or beyond a cut-off."""
    colours = palette(scene.theme)
    tail = (values <= scene.test.cutoffs[0]) | (values >= scene.test.cutoffs[1])
    heights = compare_tail.stacked(values, scene.span, COLUMNS)
    hover = [minus(format_gain(float(value), scene.decimals)) for value in values]
    figure.add_trace(
        go.Scatter(
            x=values,
            y=heights,
            mode="markers",
            marker={"size": DOT, "color": [colours.accent if one else colours.muted for one in tail]},
            hovertext=hover,
            hovertemplate="one resample: gain %{hovertext}<extra></extra>",
        )
    )
    top = max(12.0, float(heights.max()) * 1.1) / (1 - LABEL_SHARE)
    figure.update_yaxes(visible=False, range=[0, top], fixedrange=True)
    figure.add_hline(y=0, line={"color": colours.line, "width": 1})
    _draw_lines(figure, scene, top)
    which = "the first resample" if len(values) == 1 else f"the first {len(values):,} resamples"
    beyond = f"{int(tail.sum()):,} of them at or beyond a cut-off"
    if len(values) == 1:
        beyond = f"its gain is {hover[0]}, {'' if tail[0] else 'not '}at or beyond a cut-off"
    _heading(figure, f"{which}, each a dot: {beyond}", HEAD - 24, colours.accent, HEADING)


def _bars_trace(pieces: Bars, scene: _Scene) -> go.Bar:
    colours, decimals = palette(scene.theme), scene.decimals
    share = np.where(pieces.split, " (the cut-off is inside this bin)", "")
    hover = [
        f"{_edge(a, decimals)} to {_edge(b, decimals)}{note}<br>{'counts towards p' if t else 'does not count'}"
        for a, b, t, note in zip(pieces.left, pieces.right, pieces.tail, share, strict=True)
    ]
    title = escape(scene.test.setup.test_title)
    full = {"marker": {"opacity": 1}}
    return go.Bar(
        x=(pieces.left + pieces.right) / 2,
        width=pieces.right - pieces.left,
        y=pieces.heights,
        marker={"color": [colours.accent if t else colours.bars for t in pieces.tail], "line": {"width": 0}},
        selected=full,
        unselected=full,
        hovertext=hover,
        hovertemplate="%{hovertext}<br>%{y:,.0f} resamples per bin<extra>" + title + "</extra>",
    )


def _edge(place: float, decimals: int) -> str:
    """The edge of a bar, one digit finer than the gains."""
    return minus(f"{place:.{decimals + 1}f}")


def _draw_lines(figure: go.Figure, scene: _Scene, top: float, labels: bool = True) -> None:
    colours, drawn = palette(scene.theme), lines(scene.test, scene.decimals)
    low, high = scene.span
    for k, (place, words, solid) in enumerate(drawn):
        line: dict[str, Any] = {"color": colours.ink, "width": 1.5, "dash": "solid" if solid else "5px,3px"}
        figure.add_shape(type="line", x0=place, x1=place, y0=0, y1=top, line=line)
        middle = 0 < k < len(drawn) - 1
        leftwards = _leftwards(k, len(drawn), (place - low) / (high - low))
        if labels:
            figure.add_annotation(
                x=place,
                y=top * (1 - LABEL_SHARE / 2 if middle else 1),
                text=words,
                xanchor="right" if leftwards else "left",
                yanchor="top",
                xshift=-3 if leftwards else 3,
                showarrow=False,
                bgcolor=colours.paper if middle else CLEAR,
                font={"size": SMALL, "color": colours.ink},
            )


def _leftwards(k: int, count: int, share: float) -> bool:
    """Whether the label of line k is on its left: outwards where there is space, otherwise inwards."""
    if count > 1 and k == 0:
        return share > 0.28
    return share > 0.72
