"""The layout of figures with a named row for each system, pair or task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.style import SMALL, Theme, axis, base_layout, label, palette
from sigcore import Floats

ROW = 26  # pixels of one row


def height(rows: int) -> int:
    """The height of a figure with this number of rows, in pixels."""
    return max(rows * ROW, 2 * ROW) + 68


def layout(names: Sequence[str], title: str, theme: Theme, compact: bool) -> dict[str, Any]:
    """A layout with these names to the left, the first at the top, and an axis of numbers with this title below."""
    labels = [label(name, 18 if compact else 44) for name in names]
    return labelled(labels, title, theme, compact, height(len(names)), 0.4)


def labelled(
    labels: Sequence[str], title: str, theme: Theme, compact: bool, whole: int, inside: float
) -> dict[str, Any]:
    """The same with labels as they are written, in a figure `whole` pixels high; the axis ends `1 - inside` rows beyond the
    first and the last."""
    return base_layout(
        theme,
        whole,
        margin={"l": 8, "r": 14, "t": 8, "b": 52},
        hovermode="closest",
        xaxis=axis(theme, title, showgrid=True, fixedrange=True, nticks=5 if compact else 9),
        yaxis=axis(theme)
        | {
            "tickmode": "array",
            "tickvals": np.arange(len(labels)),
            "ticktext": [f"{text} " for text in labels],
            "range": [len(labels) - inside, inside - 1],
            "tickfont": {"size": SMALL, "color": palette(theme).ink},
            "fixedrange": True,
            "automargin": "left",
            "ticks": "",
        },
    )


def add_points(
    figure: go.Figure, points: Floats, ends: Floats, hover: Sequence[str], theme: Theme, name: str | None = None
) -> None:
    """Add a point to each row (rows,), with its interval from `ends` (rows, 2)."""
    colour = palette(theme).accent
    reach = {"array": ends[:, 1] - points, "arrayminus": points - ends[:, 0]}
    figure.add_scatter(
        x=points,
        y=np.arange(len(points)),
        mode="markers",
        marker={"size": 9, "color": colour},
        error_x=reach | {"color": colour, "thickness": 2, "width": 4},
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
        name=name,
    )
