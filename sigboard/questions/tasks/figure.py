"""Gains of one pair of systems on every task and on average, with the intervals of the test and those by formula."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import Theme, add_points, escape, layout, palette
from sigcore.formatting import count, format_p
from sigcore.studies import tasks

MOST = 60  # tasks that are drawn


def gains(shown: Sequence[tasks.Gain], level: float, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """A row for each task: the gain with the interval of the test, thin and grey below it the interval by formula (t).

    `shown` are the gains of one pair, all with the same system first.
    """
    drawn, colours = list(shown[:MOST]), palette(theme)
    first = drawn[0]
    figure = go.Figure(
        layout=layout([one.task for one in drawn], f"gain of {first.system} over {first.baseline}", theme, compact)
    )
    points = np.array([one.gain for one in drawn])
    ends = np.array([one.interval for one in drawn])
    half = np.array([one.margin(level) for one in drawn])
    hover = [
        f"<b>{escape(one.task)}</b>: {one.gain:+.4f} [{one.interval[0]:+.4f}, {one.interval[1]:+.4f}]<br>standard error "
        f"{one.drawn_error:.4f}, by formula {one.error:.4f}<br>p {format_p(one.p_value, one.resamples)}, adjusted "
        f"{format_p(one.adjusted, one.resamples)}"
        for one in drawn
    ]
    figure.add_scatter(
        x=points,
        y=np.arange(len(drawn)) + 0.24,
        mode="markers",
        marker={"size": 1, "color": colours.muted},
        error_x={"array": half, "color": colours.muted, "thickness": 1, "width": 3},
        hoverinfo="skip",
        name="by formula",
    )
    add_points(figure, points, ends, hover, theme, "resampled")
    figure.add_vline(x=0, line={"color": colours.muted, "width": 1, "dash": "4px,3px"})
    return figure


def gains_alt(shown: Sequence[tasks.Gain]) -> str:
    """One sentence that describes the figure."""
    last = shown[-1]
    return f"Gains of {last.system} over {last.baseline} on {count(len(shown), 'row')} of tasks with intervals; {last.task}: {last.gain:+.4f}."
