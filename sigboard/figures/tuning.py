"""Did tuning help? The held-out scores of every method beside the baseline, after the question of Chen et al. 2017."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.style import SMALL, Theme, axis, base_layout, format_gain, format_score, label, minus, palette
from sigcore.formatting import p_text
from sigcore.studies import tuning

ROW, AROUND = 46, 92  # pixels of one method, and of everything around the rows
LETTERS = 28
UPPER, LOWER = -0.14, 0.18  # held-out and tuned-on circles, relative to the middle of their row


def scores(result: tuning.TuningResult, theme: Theme, compact: bool = False) -> go.Figure:
    """One row for each method: its runs on both parts, and the interval of its average gain beside the baseline.

    Without held-out segments there are only the runs on the segments tuned on, and their baseline.
    """
    colours, methods = palette(theme), result.methods
    held_out = result.test is not None
    part = result.test or result.dev
    figure = go.Figure(layout=_layout(result, theme, compact))
    line = {"color": colours.ink, "width": 1, "dash": "dash"}
    figure.add_vline(x=part.baseline, line=line)
    figure.add_annotation(
        text=f"baseline {format_score(part.baseline, result.setup.decimals)}",
        x=part.baseline,
        y=1,
        yref="paper",
        yanchor="bottom",
        showarrow=False,
        font={"size": SMALL, "color": colours.muted},
    )
    if held_out:
        _intervals(figure, result, part.baseline, theme)
    sides = (("dev", "tuned on", "circle-open", colours.muted), ("test", "held out", "circle", colours.accent))
    for side, name, symbol, colour in sides[: 1 + held_out]:
        rows = [(methods.index(item.method), getattr(item, side), item) for item in result.replicates]
        figure.add_trace(
            go.Scatter(
                x=[score for _, score, _ in rows],
                y=[row + (LOWER if side == "dev" else UPPER) for row, _, _ in rows],
                mode="markers",
                name=name,
                marker={"symbol": symbol, "size": 10, "color": colour, "line": {"width": 1.5, "color": colour}},
                hovertext=[
                    f"{label(item.title, LETTERS)} {item.number}, {name}: {format_score(score, result.setup.decimals)}"
                    for _, score, item in rows
                ],
                hoverinfo="text",
            )
        )
    return figure


def _intervals(figure: go.Figure, result: tuning.TuningResult, baseline: float, theme: Theme) -> None:
    """The interval of the average gain of every method, as scores; methods without one have none."""
    known = [(row, item) for row, item in enumerate(result.tests) if not math.isnan(item.interval[0])]
    sign = 1 if result.setup.better == "higher" else -1
    ends = np.array([item.interval for _, item in known]).reshape(-1, 2)
    averages = np.array([item.average for _, item in known])
    ends = np.sort(baseline + sign * ends, axis=1)  # (methods, 2)
    decimals = result.setup.decimals
    figure.add_trace(
        go.Scatter(
            x=averages,
            y=[row + UPPER for row, _ in known],
            mode="markers",
            name=f"average, {result.setup.level:.0%} interval of the gain".replace("%", " %"),
            marker={
                "symbol": "line-ns",
                "size": 16,
                "color": palette(theme).ink,
                "line": {"width": 2, "color": palette(theme).ink},
            },
            error_x={
                "type": "data",
                "symmetric": False,
                "array": ends[:, 1] - averages,
                "arrayminus": averages - ends[:, 0],
                "color": palette(theme).ink,
                "thickness": 1.5,
                "width": 0,
            },
            hovertext=[
                f"{label(item.title, LETTERS)}: gain {minus(format_gain(item.gain, decimals))}, "
                f"{p_text(item.adjusted, result.setup.resamples)} after correction"
                for _, item in known
            ],
            hoverinfo="text",
        )
    )


def _layout(result: tuning.TuningResult, theme: Theme, compact: bool) -> dict[str, Any]:
    methods = result.methods
    titles = [label(result.of(name)[0].title, LETTERS // 2 if compact else LETTERS) for name in methods]
    return base_layout(
        theme,
        ROW * len(methods) + AROUND + (24 if compact else 0),
        margin={"l": 8, "r": 16, "t": 26, "b": 8},
        xaxis=axis(theme, result.setup.metric_title, showgrid=True),
        yaxis=axis(
            theme,
            tickvals=list(range(len(methods))),
            ticktext=titles,
            range=[len(methods) - 0.4, -0.6],
            tickfont={"size": SMALL, "color": palette(theme).ink},
        ),
        showlegend=True,
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0, "font": {"size": SMALL}},
    )


def scores_alt(result: tuning.TuningResult) -> str:
    """The figure in words."""
    part = result.test or result.dev
    where = "held-out segments" if result.test else "the segments tuned on"
    decimals = result.setup.decimals
    rows = []
    for name in result.methods:
        runs = [item.test if result.test else item.dev for item in result.of(name)]
        rows.append(f"{result.of(name)[0].title} {', '.join(format_score(score, decimals) for score in runs)}")
    baseline = format_score(part.baseline, decimals)
    return f"{result.setup.metric_title} on {where}: baseline {baseline}; {'; '.join(rows)}."
