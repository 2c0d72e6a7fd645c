"""Gains on parts of the test set as a forest of intervals, and the curve of what the segments add together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import Theme, add_points, axis, base_layout, escape, layout, minus, palette
from sigcore.formatting import count, format_gain, format_interval, format_p
from sigcore.studies import segments


def slices(shown: Sequence[segments.Slice], theme: Theme = "light", compact: bool = False) -> go.Figure:
    """A row for each slice: the gain on it with its interval; the dashed line marks no gain."""
    colours, digits = palette(theme), shown[0].setup.decimals
    names = [_name(one) for one in shown]
    figure = go.Figure(layout=layout(names, f"gain in {shown[0].setup.metric_title}", theme, compact))
    points = np.array([one.gain for one in shown])
    ends = np.array([one.interval for one in shown])
    hover = [
        f"<b>{escape(name)}</b>, {count(one.segments, 'segment')}<br>gain {minus(format_gain(one.gain, digits))} "
        f"{minus(format_interval(one.interval, digits))}<br>p {format_p(one.p_value, one.setup.resamples)}, adjusted "
        f"{format_p(one.adjusted, one.setup.resamples)}"
        for name, one in zip(names, shown, strict=True)
    ]
    add_points(figure, points, ends, hover, theme)
    figure.add_vline(x=0, line={"color": colours.muted, "width": 1, "dash": "4px,3px"})
    return figure


HEIGHT = 320
POINTS = 400  # of the curve that are drawn


def curve(result: segments.SegmentsResult, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The share of the gain that the first segments bring, against their share; those that speak most for it come first."""
    colours, shares = palette(theme), result.curve
    places = np.unique(np.linspace(1, result.n, min(POINTS, result.n)).astype(int))
    figure = go.Figure(layout=base_layout(theme, HEIGHT, margin={"l": 8, "r": 14, "t": 14, "b": 8}, showlegend=False))
    figure.add_hline(y=1, line={"color": colours.muted, "width": 1, "dash": "4px,3px"})
    figure.add_trace(
        go.Scatter(
            x=np.concatenate([[0], places / result.n]),
            y=np.concatenate([[0], shares[places - 1]]),
            mode="lines",
            line={"color": colours.accent, "width": 2},
            customdata=np.concatenate([[0], places]),
            hovertemplate="%{customdata:,} segments (%{x:.1%}): %{y:.0%} of the gain<extra></extra>",
        )
    )
    figure.update_xaxes(axis(theme, "share of segments", range=[0, 1], tickformat=".0%", nticks=5 if compact else 10))
    figure.update_yaxes(axis(theme, "share of the gain", rangemode="tozero", showgrid=True, tickformat=".0%"))
    return figure


def curve_alt(result: segments.SegmentsResult) -> str:
    """One sentence that describes the curve."""
    few = result.most_of_it
    of = f"{count(few, 'segment')} of {result.n:,} bring 80% of it" if few else "none"
    return f"Share of the gain against the share of segments, those that add most first: {of}."


def _name(one: segments.Slice) -> str:
    """The slice with its kind, where the name alone does not say it."""
    if one.kind == "length":
        return f"{one.name} words"
    return one.name if one.kind in segments.DECLARED else f"{one.kind}: {one.name}"


def slices_alt(shown: Sequence[segments.Slice]) -> str:
    """One sentence that describes the figure."""
    clear = sum(one.significant for one in shown)
    return f"Gains on {count(len(shown), 'part')} of the test set with intervals; {clear} significant."
