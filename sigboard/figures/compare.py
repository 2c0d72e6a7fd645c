"""One pair under its tests: histograms of the resamples on one axis, after Graham et al. 2014, Figures 5 and 6."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

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
from sigcore import CompareResult, Floats, Histogram, TestResult
from sigcore.verdicts import DOUBLED

PANEL = 80  # pixels of one histogram
HEAD = 46  # pixels above it, for its name and p
FOOT = 46  # pixels below the last one for the axis
LABEL_SHARE = 0.30  # share of a panel above the bars that is reserved for the labels of the lines
SAME = 1e-6  # relative distance below which two positions on the axis are equal


@dataclass(frozen=True)
class Bars:
    """The bars of a histogram: `left`, `right`, `heights` and whether each counts (`tail`), all (bars,).

    The area of a bar is its share of the resamples: a height is resamples per bin of the usual width.
    """

    left: Floats
    right: Floats
    heights: Floats
    tail: Any
    split: Any


def bars(histogram: Histogram, cutoffs: tuple[float, float], decimals: int = 2) -> Bars:
    """The bars of a histogram; a bar that contains a cut-off is split there, so that each part has its own colour.

    A null with a single value becomes one bar around it; `decimals` of the metric determine its width.
    """
    low, high = cutoffs
    edges = np.asarray(histogram.edges, dtype=float)
    if edges[-1] - edges[0] <= 0:
        return _point(float(edges[0]), float(histogram.counts.sum()), cutoffs, decimals)
    inner = [c for c in cutoffs if math.isfinite(c) and edges[0] < c < edges[-1]]
    cuts = np.unique(np.concatenate([edges, inner]))
    middles = (cuts[:-1] + cuts[1:]) / 2
    bins = np.clip(np.searchsorted(edges, middles) - 1, 0, len(histogram.counts) - 1)
    widths = np.diff(edges)
    usual = float(np.median(widths[widths > 0]))
    heights = histogram.counts[bins] * usual / widths[bins]
    split = np.diff(cuts) < widths[bins] * (1 - SAME)
    return Bars(cuts[:-1], cuts[1:], heights, (middles <= low) | (middles >= high), split)


def _point(place: float, count: float, cutoffs: tuple[float, float], decimals: int) -> Bars:
    half = max(abs(place), _clear_gain(decimals)) * 0.02
    tail = np.array([place <= cutoffs[0] or place >= cutoffs[1]])
    return Bars(np.array([place - half]), np.array([place + half]), np.array([count]), tail, np.array([False]))


def nulls(result: CompareResult, alternative: str, theme: Theme = "light") -> go.Figure:
    """The histogram of every test of that side, one below the other on one axis of gains.

    Accent = the resamples that count; the solid line = the observed gain; dashed lines = the other cut-offs.
    """
    tests = [item for item in result.results if item.setup.side == alternative]
    rows = max(len(tests), 1)
    height = rows * (PANEL + HEAD) + FOOT
    inside = rows * (PANEL + HEAD) - HEAD
    figure = make_subplots(rows=rows, cols=1, shared_xaxes=True, vertical_spacing=HEAD / inside if rows > 1 else 0)
    figure.layout = base_layout(theme, height, margin={"l": 10, "r": 10, "t": HEAD, "b": FOOT}).update(
        {key: value for key, value in figure.layout.to_plotly_json().items() if key.startswith(("xaxis", "yaxis"))}
    )
    figure.update_layout(bargap=0, barmode="overlay")
    span = _span(tests, result)
    for row, test in enumerate(tests, start=1):
        _draw_panel(figure, row, test, span, theme, result.setup.decimals)
    figure.update_xaxes(
        axis(theme, range=list(span), showticklabels=False, fixedrange=True, ticks="", automargin=False)
    )
    title = f"gain on a resample ({escape(result.setup.metric_title)}, positive: {label(result.system, 24)} is better)"
    bottom = axis(theme, title, range=list(span), fixedrange=True, showticklabels=True, nticks=8)
    figure.update_xaxes({**bottom, "automargin": False}, row=rows, col=1)
    if not tests:
        figure.add_annotation(
            text="no test was run on this side", x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False
        )
    return figure


def alt_text(result: CompareResult, alternative: str) -> str:
    """One sentence that describes the histograms."""
    tests = [item for item in result.results if item.setup.side == alternative]
    results = (
        "; ".join(
            f"{item.setup.test_title} {p_text(item.p_value, item.setup.resamples, item.p_interval[1])}"
            for item in tests
        )
        or "none was run"
    )
    return (
        f"Histograms of the gains on {result.setup.resamples:,} resamples, {result.system} against {result.baseline}, "
        f"observed gain {format_gain(result.gain, result.setup.decimals)} {result.setup.metric_title}, {alternative} tests: {results}."
    )


def _clear_gain(decimals: int) -> float:
    """A gain that is large among those of the metric: 1 of BLEU, 0.01 of COMET."""
    return float(10.0 ** (2 - decimals))


def _span(tests: list[TestResult], result: CompareResult) -> tuple[float, float]:
    """The common range of the axis: all bars and lines, with a margin."""
    places = [result.gain, 0.0]
    for test in tests:
        pieces = bars(test.histogram, test.cutoffs, result.setup.decimals)
        filled = pieces.heights > 0
        places += [float(pieces.left[filled].min()), float(pieces.right[filled].max())] if filled.any() else []
        places += [c for c in test.cutoffs if math.isfinite(c)]
    places = [x for x in places if math.isfinite(x)]
    width = max(places) - min(places)
    margin = _clear_gain(result.setup.decimals)
    if width < 0.1 * margin:
        return min(places) - margin, max(places) + margin
    return min(places) - 0.04 * width, max(places) + 0.04 * width


def _draw_panel(
    figure: go.Figure, row: int, test: TestResult, span: tuple[float, float], theme: Theme, decimals: int
) -> None:
    colours = palette(theme)
    pieces = bars(test.histogram, test.cutoffs, decimals)
    figure.add_trace(_bars_trace(pieces, test, theme, decimals), row=row, col=1)
    top = float(pieces.heights.max()) / (1 - LABEL_SHARE) or 1.0
    figure.update_yaxes(visible=False, range=[0, top], fixedrange=True, row=row, col=1)
    figure.add_hline(y=0, line={"color": colours.line, "width": 1}, row=row, col=1)
    _draw_lines(figure, row, lines(test, decimals), top, span, theme)
    place = figure.layout["yaxis" if row == 1 else f"yaxis{row}"].domain[1]
    _title(figure, f"<b>{escape(test.setup.test_title)}</b>", 44, colours.ink, HEADING, place)
    colour = colours.accent if test.p_value == test.p_value else colours.muted
    _title(figure, _p_label(test), 22, colour, NORMAL, place)


def _title(figure: go.Figure, text: str, shift: int, colour: str, size: int, place: float) -> None:
    figure.add_annotation(
        text=text,
        x=0,
        xref="paper",
        xanchor="left",
        y=place,
        yref="paper",
        yanchor="top",
        yshift=shift,
        showarrow=False,
        align="left",
        font={"size": size, "color": colour},
    )


def _p_label(test: TestResult) -> str:
    """The p-value and the counted resamples: "p = 0.034, 339 of 10,000 resamples"; and whether p is twice their share."""
    words = [p_text(test.p_value, test.setup.resamples, test.p_interval[1])]
    if math.isnan(test.p_value):
        return words[0]
    if test.exact:
        words.append("exact")
    if test.setup.resamples and not test.exact:
        words.append(f"{test.tail:,} of {test.setup.resamples:,} resamples{DOUBLED if test.doubled else ''}")
    if test.ties:
        words.append(f"{test.ties:,} on the cut-off")
    return ", ".join(words)


def _bars_trace(pieces: Bars, test: TestResult, theme: Theme, decimals: int) -> go.Bar:
    colours = palette(theme)
    share = np.where(pieces.split, " (the cut-off is inside this bin)", "")
    hover = [
        f"{_edge(a, decimals)} to {_edge(b, decimals)}{note}<br>{'counts towards p' if t else 'does not count'}"
        for a, b, t, note in zip(pieces.left, pieces.right, pieces.tail, share, strict=True)
    ]
    return go.Bar(
        x=(pieces.left + pieces.right) / 2,
        width=pieces.right - pieces.left,
        y=pieces.heights,
        marker={"color": [colours.accent if t else colours.bars for t in pieces.tail], "line": {"width": 0}},
        hovertext=hover,
        hovertemplate="%{hovertext}<br>%{y:,.0f} resamples per bin<extra>" + escape(test.setup.test_title) + "</extra>",
    )


def _edge(place: float, decimals: int) -> str:
    """The edge of a bar, one digit finer than the gains."""
    return minus(f"{place:.{decimals + 1}f}")


def lines(test: TestResult, decimals: int = 2) -> list[tuple[float, str, bool]]:
    """The vertical lines of a panel from left to right: position, label, whether solid (the observed gain)."""
    scale = SAME * max(1.0, abs(test.gain))
    marked = [(test.gain, f"gain {minus(format_gain(test.gain, decimals))}", True)]
    for cutoff in sorted({c for c in test.cutoffs if math.isfinite(c)}):
        if abs(cutoff - test.gain) <= scale:
            continue
        if abs(cutoff + test.gain) <= scale:
            words = f"mirror {minus(format_gain(-test.gain, decimals))}"
        elif abs(cutoff - 2 * test.gain) <= 2 * scale:
            words = "2 × gain"
        else:
            words = "cut-off 0" if abs(cutoff) <= scale else f"cut-off {minus(format_gain(cutoff, decimals))}"
        marked.append((cutoff, words, False))
    return sorted(marked)


def _draw_lines(
    figure: go.Figure,
    row: int,
    drawn: list[tuple[float, str, bool]],
    top: float,
    span: tuple[float, float],
    theme: Theme,
) -> None:
    colours = palette(theme)
    for k, (place, words, solid) in enumerate(drawn):
        line = {"color": colours.ink, "width": 1.5, "dash": "solid" if solid else "5px,3px"}
        figure.add_shape(type="line", x0=place, x1=place, y0=0, y1=top, line=line, row=row, col=1)
        middle = 0 < k < len(drawn) - 1
        share = (place - span[0]) / (span[1] - span[0])
        leftwards = _leftwards(k, len(drawn), share)
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
            row=row,
            col=1,
        )


def _leftwards(k: int, count: int, share: float) -> bool:
    """Whether the label of line k is on its left: outwards where there is space, otherwise inwards."""
    if count > 1 and k == 0:
        return share > 0.28
    return share > 0.72
