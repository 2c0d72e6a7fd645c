"""Gains on parts of the test set as a forest of intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import Theme, add_points, escape, layout, minus, palette
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


def _name(one: segments.Slice) -> str:
    """The slice with its kind, where the name alone does not say it."""
    return f"{one.name} words" if one.kind == "length" else one.name


def slices_alt(shown: Sequence[segments.Slice]) -> str:
    """One sentence that describes the figure."""
    clear = sum(one.significant for one in shown)
    return f"Gains on {count(len(shown), 'part')} of the test set with intervals; {clear} significant."
