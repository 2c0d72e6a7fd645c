"""The layout of figures with a named row for each system, pair or task."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.style import SMALL, Theme, axis, base_layout, label, palette

ROW = 26  # pixels of one row


def height(rows: int) -> int:
    """The height of a figure with this number of rows, in pixels."""
    return max(rows * ROW, 2 * ROW) + 68


def layout(names: Sequence[str], title: str, theme: Theme, compact: bool) -> go.Layout:
    """A layout with these names to the left, the first at the top, and an axis of numbers with this title below."""
    letters = 18 if compact else 44
    return base_layout(
        theme,
        height(len(names)),
        margin={"l": 8, "r": 14, "t": 8, "b": 52},
        hovermode="closest",
        xaxis=axis(theme, title, showgrid=True, fixedrange=True, nticks=5 if compact else 9),
        yaxis=axis(theme)
        | {
            "tickmode": "array",
            "tickvals": np.arange(len(names)),
            "ticktext": [f"{label(name, letters)} " for name in names],
            "range": [len(names) - 0.4, -0.6],
            "tickfont": {"size": SMALL, "color": palette(theme).ink},
            "fixedrange": True,
            "automargin": "left",
            "ticks": "",
        },
    )
