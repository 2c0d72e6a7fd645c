"""What makes the score of a system with several runs uncertain: runs, documents, segments, after Clark et al. 2011."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from sigboard.figures.style import SMALL, Theme, axis, base_layout, format_score, label, palette
from sigcore.studies import runs

BAR, AROUND, LETTERS = 20, 84, 24


def spread(result: runs.RunsResult, chosen: Sequence[int], theme: Theme, compact: bool = False) -> go.Figure:
    """The standard deviations of the score over runs, documents and segments, a bar for each of the chosen systems.

    What is undefined (one run, no documents) has no bar.
    """
    parts = _parts(result, chosen)
    colours = palette(theme).classes
    height = BAR * len(parts) * (len(chosen) + 1) + AROUND + (16 if compact else 0)
    figure = go.Figure(
        layout=base_layout(
            theme,
            height,
            margin={"l": 8, "r": 16, "t": 30, "b": 8},
            barmode="group",
            xaxis=axis(theme, f"standard deviation, {result.setup.metric_title}", showgrid=True, rangemode="tozero"),
            yaxis=axis(theme, autorange="reversed", tickfont={"size": SMALL, "color": palette(theme).ink}),
            showlegend=True,
            legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "font": {"size": SMALL}},
        )
    )
    for place, k in enumerate(chosen):
        values = [values[k] for values in parts.values()]
        figure.add_trace(
            go.Bar(
                x=[float(value) for value in values],
                y=list(parts),
                orientation="h",
                name=label(result.systems[k], LETTERS),
                marker={"color": colours[place % len(colours)]},
                text=[format_score(float(value), result.setup.decimals) for value in values],
                textposition="outside",
                cliponaxis=False,
                hoverinfo="skip",
            )
        )
    return figure


def spread_alt(result: runs.RunsResult, chosen: Sequence[int]) -> str:
    """The figure in words."""
    parts = _parts(result, chosen)
    rows = [
        f"{result.systems[k]}: "
        + ", ".join(f"{name} {format_score(float(values[k]), result.setup.decimals)}" for name, values in parts.items())
        for k in chosen
    ]
    return f"Standard deviations of {result.setup.metric_title} {'; '.join(rows)}."


def _parts(result: runs.RunsResult, chosen: Sequence[int]) -> dict[str, Sequence[float]]:
    """What a score varies over; without the parts that no chosen system has."""
    parts = {
        "over runs": result.s_opt,
        "over documents": result.over_documents,
        "over segments": result.over_segments,
    }
    return {
        name: values.tolist() for name, values in parts.items() if any(not math.isnan(float(values[k])) for k in chosen)
    }
