"""Thresholds and detectable gains against the size of the test set, after Berg-Kirkpatrick et al. 2012, Figs. 9 and 10."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import NORMAL, SMALL, Part, Theme, axis, base_layout, escape, label, palette
from sigcore.formatting import count, format_level, format_size
from sigcore.studies import size

SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star")
HEIGHT = 420
LOWEST = 0.5  # confidence at the lower edge, as in the paper
MANY = 2_000  # pairs of one size above which they are drawn by WebGL
SPREAD = 0.9  # opacity of the points of the spread
TICKS = tuple(k * 10**power for power in range(7) for k in (1, 2, 5))
BEYOND = 16  # the axis of detectable gains reaches this many times the segments of the test set


def scatter(result: size.SizeResult, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """Confidence (1 - p) against gain, a colour for each size, the largest on top: Figures 9 and 10 of the paper.

    Pairs of systems are filled, pairs of mixtures hollow and smaller. Every pair is drawn; those below LOWEST are at the
    lower edge.
    """
    figure = go.Figure(layout=_layout(theme, legend=True, compact=compact))
    colours = palette(theme).classes
    sizes = list(dict.fromkeys(item.segments for item in result.curve if len(item.gains)))
    for k, segments in enumerate(sizes):
        for synthetic in (True, False):
            own = [i for i in result.curve if i.segments == segments and i.threshold.synthetic == synthetic]
            if sum(len(item.gains) for item in own):
                figure.add_trace(
                    _pairs_of(own, segments, synthetic, colours[k % len(colours)], SHAPES[k % len(SHAPES)])
                )
    title = f"gain ({escape(result.setup.metric_title)})"
    figure.update_xaxes(axis(theme, title, showgrid=True, rangemode="tozero"))
    edge = [LOWEST - 0.02, 1.02]
    figure.update_yaxes(axis(theme, "confidence, 1 \u2212 p", showgrid=True, range=edge, tickformat=".2~f"))
    if not sizes:
        _note(figure, "No size has a pair.", theme, x=0.5, y=0.5, xref="paper", yref="paper")
    return figure


def _pairs_of(
    own: Sequence[size.Size], segments: int, synthetic: bool, colour: str, shape: str
) -> go.Scatter | go.Scattergl:
    """The pairs of one size."""
    gains, p = (np.concatenate([getattr(item, name) for item in own]) for name in ("gains", "p_values"))
    kept = ~np.isnan(p)
    words = f"{count(segments, 'segment')}{', mixtures' if synthetic else ''}"
    symbol, wide = (f"{shape}-open", 5) if synthetic else (shape, 8)
    return (go.Scattergl if len(gains) > MANY else go.Scatter)(
        x=gains[kept],
        y=np.maximum(1 - p[kept], LOWEST),
        name=f"{words} ({int(kept.sum()):,})",
        mode="markers",
        marker={"color": colour, "symbol": symbol, "size": wide, "opacity": 0.5 if synthetic else 0.85},
        hovertemplate=f"{words}<br>gain %{{x:.3f}}, confidence %{{y:.4f}}<extra></extra>",
    )


def scatter_alt(result: size.SizeResult) -> str:
    """One sentence that describes the scatter."""
    sizes = dict.fromkeys(item.segments for item in result.curve if len(item.gains))
    parts = []
    for segments in sizes:
        gains = [gain for item in result.curve if item.segments == segments for gain in item.gains.tolist()]
        parts.append(f"{count(segments, 'segment')}: {count(len(gains), 'pair')}")
    return f"Confidence against gain in {result.setup.metric_title} by size of the test set; {'; '.join(parts) or 'no pairs'}."


def curve(result: size.SizeResult, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The threshold of every class with its interval, and its spread (hollow), against segments, on logarithmic axes.

    The dashed lines are constant / sqrt(segments).
    """
    figure = go.Figure(layout=_layout(theme, legend=True, compact=compact))
    colours = palette(theme).classes
    names = list(dict.fromkeys(item.pair_class for item in result.curve))
    drawn = [item for item in result.curve if not item.reason]
    for k, name in enumerate(names):
        own = [item for item in drawn if item.pair_class == name]
        colour, shape = colours[k % len(colours)], SHAPES[k % len(SHAPES)]
        if own:
            figure.add_trace(_thresholds(own, name, colour, shape, result))
            figure.add_trace(_spread(own, name, colour, shape, result))
    for line in result.lines:
        k = names.index(line.pair_class)
        x = sorted(item.drawn for item in drawn if item.pair_class == line.pair_class)
        ends = np.array([x[0] / 1.2, x[-1] * 1.2])
        dashed = {"color": colours[k % len(colours)], "width": 1.5, "dash": "5px,3px"}
        figure.add_trace(
            go.Scatter(
                x=ends, y=line.constant / np.sqrt(ends), mode="lines", line=dashed, showlegend=False, hoverinfo="skip"
            )
        )
    title = f"gain ({escape(result.setup.metric_title)})"
    figure.update_xaxes(axis(theme, "segments", type="log", showgrid=True, **_ticks([item.drawn for item in drawn])))
    figure.update_yaxes(axis(theme, title, type="log", showgrid=True, **_ticks(_values(drawn))))
    if not drawn:
        _note(figure, "No class has a threshold at any size.", theme, x=0.5, y=0.5, xref="paper", yref="paper")
    return figure


def curve_alt(result: size.SizeResult) -> str:
    """One sentence that describes the curve."""
    drawn = [item for item in result.curve if not item.reason]
    parts = [
        f"{item.pair_class}, {count(item.segments, 'segment')}: {format_size(item.threshold.threshold, result.setup.decimals)}"
        for item in drawn
    ]
    listed = "; ".join(parts) if parts else "no class has a threshold"
    return f"Thresholds in {result.setup.metric_title} against the size of the test set, on logarithmic axes: {listed}."


def detectable(
    result: size.SizeResult,
    pair: Sequence[str],
    power: float,
    n: int,
    planned: float,
    needed: float,
    theme: Theme = "light",
    compact: bool = False,
) -> go.Figure:
    """The smallest true gain that is found with this power against segments, for the median pair and the chosen one.

    Vertical line: the `n` segments of the test set. Horizontal line: the `planned` gain, with a cross where the median pair
    reaches it, at `needed` segments.
    """
    figure = go.Figure(layout=_layout(theme, legend=False, compact=compact))
    colours = palette(theme)
    most = max(BEYOND * n, 2 * needed if math.isfinite(needed) else 0)
    x = np.array([n / BEYOND, most])
    rows = lines(result, pair, power)
    for k, (name, constant) in enumerate(rows):
        colour = (colours.accent, colours.warm)[k % 2]
        figure.add_trace(
            go.Scatter(
                x=x,
                y=constant / np.sqrt(x),
                mode="lines",
                line={"color": colour, "width": 2, "dash": "solid" if k == 0 else "6px,3px"},
                hovertemplate=f"{escape(name)}<br>%{{x:,.0f}} segments: %{{y:.{result.setup.decimals}f}}<extra></extra>",
            )
        )
    # the line falls: above its left end and below its right end a label covers neither line
    for k, (name, constant) in enumerate(rows):
        upper = constant >= max(c for _, c in rows)
        at = x[0] if upper else x[1]
        place = (
            {"xanchor": "left", "yanchor": "bottom", "yshift": 4}
            if upper
            else {"xanchor": "right", "yanchor": "top", "yshift": -4}
        )
        words, y = label(name, 24 if compact else 48), math.log10(constant / math.sqrt(at))
        _note(figure, words, theme, (colours.accent, colours.warm)[k % 2], x=math.log10(at), y=y, **place)
    _draw_plan(figure, n, planned, needed, result, theme, compact)
    title = f"detectable gain ({escape(result.setup.metric_title)})"
    values = [c / math.sqrt(end) for _, c in rows for end in x.tolist()]
    figure.update_xaxes(axis(theme, "segments", type="log", showgrid=True, **_ticks(x.tolist())))
    figure.update_yaxes(axis(theme, title, type="log", showgrid=True, **_ticks([*values, planned])))
    return figure


def detectable_alt(result: size.SizeResult, pair: Sequence[str], power: float, n: int) -> str:
    """One sentence that describes the lines."""
    rows = lines(result, pair, power)
    parts = [f"{name}: {format_size(c / math.sqrt(n), result.setup.decimals)}" for name, c in rows]
    return (
        f"Smallest gain in {result.setup.metric_title} that is found with a probability of {format_level(power)} against "
        f"segments, on logarithmic axes; on {count(n, 'segment')}: {'; '.join(parts)}."
    )


def lines(result: size.SizeResult, pair: Sequence[str], power: float) -> list[tuple[str, float]]:
    """(name, constant) of the lines constant / sqrt(segments): the median pair, and the chosen one where it has one."""
    found = dict[str, float]()
    for item in result.detectable:
        own = item.system == size.MEDIAN or {item.system, item.baseline} == set(pair)
        if own and item.power == power and item.gain > 0:
            found.setdefault(named(item), item.gain * math.sqrt(item.segments))
    return list(found.items())


def named(item: size.Detectable) -> str:
    """The pair as people read it."""
    return " against ".join(filter(None, (item.system, item.baseline)))


def _draw_plan(
    figure: go.Figure, n: int, planned: float, needed: float, result: size.SizeResult, theme: Theme, compact: bool
) -> None:
    colours = palette(theme)
    figure.add_vline(x=n, line={"color": colours.muted, "width": 1, "dash": "2px,2px"})
    _note(
        figure,
        f"this test set: {n:,}",
        theme,
        x=math.log10(n),
        y=1,
        yref="paper",
        xanchor="left",
        yanchor="top",
        xshift=4,
        yshift=-24 if compact else 0,  # on a phone the label of the upper line ends here
    )
    if not math.isfinite(needed):
        return
    figure.add_hline(y=planned, line={"color": colours.ink, "width": 1, "dash": "5px,3px"})
    cross = {"symbol": "x", "size": 10, "color": colours.ink}
    text = f"{format_size(planned, result.setup.decimals)} {escape(result.setup.metric_title)}: about {size.rounded(needed):,} segments"
    figure.add_trace(
        go.Scatter(x=[needed], y=[planned], mode="markers", marker=cross, hovertemplate=f"{text}<extra></extra>")
    )
    _note(
        figure,
        text,
        theme,
        x=math.log10(needed),
        y=math.log10(planned),
        xanchor="right",
        yanchor="top",
        yshift=-8,
        xshift=-2,
    )


def _thresholds(own: Sequence[size.Size], name: str, colour: str, shape: str, result: size.SizeResult) -> go.Scatter:
    values = np.array([item.threshold.threshold for item in own])
    low, high = (np.array([getattr(item.threshold, end) for item in own]) for end in ("low", "high"))
    return go.Scatter(
        x=np.array([item.drawn for item in own]),
        y=values,
        error_y={"type": "data", "array": high - values, "arrayminus": values - low, "thickness": 1.2, "width": 4},
        name=f"threshold, {escape(name)}",
        mode="markers",
        marker={"color": colour, "symbol": shape, "size": 9},
        hovertemplate=f"{escape(name)}<br>%{{x:,.0f}} segments: %{{y:.{result.setup.decimals}f}}<extra></extra>",
    )


def _spread(own: Sequence[size.Size], name: str, colour: str, shape: str, result: size.SizeResult) -> go.Scatter:
    return go.Scatter(
        x=np.array([item.drawn for item in own]),
        y=np.array([item.threshold.spread for item in own]),
        name=f"spread, {escape(name)}",
        mode="markers",
        opacity=SPREAD,
        marker={"color": colour, "symbol": f"{shape}-open", "size": 8},
        hovertemplate=f"spread, {escape(name)}<br>%{{x:,.0f}} segments: %{{y:.{result.setup.decimals}f}}<extra></extra>",
    )


def _values(drawn: Sequence[size.Size]) -> list[float]:
    return [value for item in drawn for value in (item.threshold.low, item.threshold.high, item.threshold.spread)]


def _ticks(values: Sequence[float]) -> Part:
    """A range of a logarithmic axis around the values, and ticks 1, 2, 5, 10 ... in it."""
    positive = [value for value in values if value > 0]
    if not positive:
        return {"range": [0, 1]}
    low, high = min(positive) / 1.3, max(positive) * 1.3
    ticks = [tick / 10**3 for tick in TICKS] + [float(tick * 10**4) for tick in TICKS]
    inside = [tick for tick in ticks if low <= tick <= high]
    if len(inside) > 10:
        inside = [tick for tick in inside if str(f"{tick:e}")[0] == "1"]
    return {
        "range": [math.log10(low), math.log10(high)],
        "tickvals": inside,
        "ticktext": [f"{tick:,g}" if tick < 1 else f"{tick:,.0f}" for tick in inside],
    }


def _layout(theme: Theme, legend: bool, compact: bool) -> Part:
    below: Part = {"orientation": "h", "x": 0, "xanchor": "left", "y": -0.2, "yanchor": "top", "font": {"size": NORMAL}}
    margin = {"l": 8, "r": 14, "t": 16, "b": 8}
    return base_layout(theme, HEIGHT + 60 * (compact and legend), margin=margin, showlegend=legend, legend=below)


def _note(figure: go.Figure, text: str, theme: Theme, colour: str = "", **place: Any) -> None:
    font = {"size": SMALL, "color": colour or palette(theme).ink}
    figure.add_annotation(**{"text": text, "showarrow": False, "font": font, "bgcolor": palette(theme).paper, **place})
