"""The score by a setting of which several values were tuned: n of top-n ListMLE (Chen et al. 2017, Fig. 2), list sizes (Table 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from sigboard.figures.style import SMALL, Theme, axis, base_layout, format_score, label, palette
from sigcore.studies import tuning

HEIGHT, LETTERS = 320, 30
NAMES = {"k": "size of the lists (k)"}


def settings(result: tuning.TuningResult) -> list[str]:
    """The settings with several values."""
    return list(dict.fromkeys(item.setting for item in result.sweeps))


def title(setting: str) -> str:
    """The printed name of a setting."""
    return NAMES.get(setting, setting.replace("_", " "))


def sweep(result: tuning.TuningResult, setting: str, theme: Theme, compact: bool = False) -> go.Figure:
    """The average score of the runs by the values of a setting, a line for each method; circles are single runs.

    Held-out scores, or without a held-out part those of the segments tuned on. Dashed: the baseline. Values are evenly
    spaced.
    """
    chosen = [item for item in result.sweeps if item.setting == setting]
    values = sorted({value for item in chosen for value, _ in item.values})
    colours, decimals = palette(theme), result.setup.decimals
    figure = go.Figure(layout=_layout(result, setting, values, theme, len(chosen) > 1, compact))
    part = result.test or result.dev
    figure.add_hline(y=part.baseline, line={"color": colours.ink, "width": 1, "dash": "dash"})
    figure.add_annotation(
        text=f"baseline {format_score(part.baseline, decimals)}",
        x=1,
        xref="paper",
        xanchor="right",
        y=part.baseline,
        yanchor="bottom",
        showarrow=False,
        font={"size": SMALL, "color": colours.muted},
    )
    for k, item in enumerate(chosen):
        colour = colours.classes[k % len(colours.classes)]
        places = [values.index(value) for value, _ in item.values]
        figure.add_traces(_line(result, item, places, colour))
    return figure


def _line(result: tuning.TuningResult, item: tuning.Sweep, places: Sequence[int], colour: str) -> list[go.Scatter]:
    """The averages of one method, and its single runs."""
    scores = [_scores(result, name) for _, name in item.values]
    name, decimals = label(item.title, LETTERS), result.setup.decimals
    averages = [sum(own) / len(own) for own in scores]
    average = go.Scatter(
        x=places,
        y=averages,
        mode="lines+markers",
        name=name,
        line={"color": colour, "width": 2},
        marker={"symbol": "diamond", "size": 9, "color": colour},
        hovertext=[
            f"{name}, {title(item.setting)} {value:g}: {format_score(score, decimals)}"
            for (value, _), score in zip(item.values, averages, strict=True)
        ],
        hoverinfo="text",
    )
    single = go.Scatter(
        x=[place for place, own in zip(places, scores, strict=True) for _ in own],
        y=[score for own in scores for score in own],
        mode="markers",
        showlegend=False,
        marker={"symbol": "circle-open", "size": 8, "color": colour, "line": {"width": 1.5, "color": colour}},
        hovertemplate=f"{name}, one run: %{{y:.{decimals}f}}<extra></extra>",
    )
    return [average, single]


def sweep_alt(result: tuning.TuningResult, setting: str) -> str:
    """The figure in words."""
    where = "held-out segments" if result.test else "the segments tuned on"
    rows = []
    for item in result.sweeps:
        if item.setting == setting:
            averages = [(value, _scores(result, name)) for value, name in item.values]
            points = [
                f"{value:g}: {format_score(sum(own) / len(own), result.setup.decimals)}" for value, own in averages
            ]
            rows.append(f"{item.title} {', '.join(points)}")
    return f"{result.setup.metric_title} on {where} by {title(setting)}: {'; '.join(rows)}."


def _scores(result: tuning.TuningResult, name: str) -> list[float]:
    return [item.test if result.test else item.dev for item in result.of(name)]


def _layout(
    result: tuning.TuningResult, setting: str, values: Sequence[float], theme: Theme, several: bool, compact: bool
) -> dict[str, Any]:
    where = "held out" if result.test else "tuned on"
    return base_layout(
        theme,
        HEIGHT + (24 if compact else 0),
        margin={"l": 8, "r": 12, "t": 30, "b": 8},
        xaxis=axis(
            theme,
            title(setting),
            tickvals=list(range(len(values))),
            ticktext=[f"{value:g}" for value in values],
            range=[-0.4, len(values) - 0.6],
        ),
        yaxis=axis(theme, f"{result.setup.metric_title}, {where}", showgrid=True),
        showlegend=several,
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "font": {"size": SMALL}},
    )
