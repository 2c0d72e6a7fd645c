"""How large a gain is usually real: confidence against gain for all pairs, after Berg-Kirkpatrick et al. 2012, Fig. 2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.style import (
    NORMAL,
    SMALL,
    Theme,
    axis,
    base_layout,
    escape,
    format_gain,
    label,
    minus,
    palette,
)
from sigcore import GainResult, Ints
from sigcore.formatting import NO_VERDICT, format_draws, format_units

SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star")
HOVER_LIMIT = 3000  # pairs up to which each has its names in the hover text; with more, megabytes would be sent
HEIGHT = 500
NO_CLASS = "no class"


def scatter(result: GainResult, alpha: float, theme: Theme = "light") -> go.Figure:
    """Confidence (1 - p) against gain, one colour and shape per pair class (one for all where there are none), the line at 1 - alpha dashed.

    Each point has customdata [k], its position in `result.systems` and `result.baselines` (see `clicked`).
    """
    figure = go.Figure(layout=_layout(result, theme))
    # sorted: a class keeps its colour when gains or groups change; pairs without a class are last
    for k, name in enumerate(sorted(set(result.pair_class), key=lambda name: (not name, name))):
        places = np.array([i for i, c in enumerate(result.pair_class) if c == name], dtype=np.int64)
        figure.add_trace(_points(result, name, places, k, theme))
    _draw_threshold(figure, alpha, theme)
    return figure


def clicked(points: Sequence[Mapping[str, Any]], result: GainResult) -> tuple[str, str] | None:
    """The (system, baseline) of a clicked point; None where nothing useful was clicked."""
    for point in points:
        data = point.get("customdata")
        place = data.get("0") if isinstance(data, Mapping) else data[0] if isinstance(data, Sequence) and data else data
        if isinstance(place, int | float) and 0 <= place < len(result.systems):
            return result.systems[int(place)], result.baselines[int(place)]
    return None


def alt_text(result: GainResult, alpha: float) -> str:
    """One sentence that describes the scatterplot."""
    count = len(result.systems)
    if not count:
        return "Scatterplot of confidence against gain: there are no pairs."
    real = int(result.significant(alpha).sum())
    verdicts = NO_VERDICT if result.setup.no_verdict(alpha) else f"{real:,} are significant at alpha {alpha:g}"
    return (
        f"Scatterplot of confidence against gain in {result.setup.metric_title} over {count:,} pairs "
        f"({format_units(result.setup.n, result.setup.unit)}, {result.setup.resamples:,} resamples): {verdicts}."
    )


def _layout(result: GainResult, theme: Theme) -> go.Layout:
    colours = palette(theme)
    count = len(result.systems)
    caption = f"{count:,} pairs, n = {format_units(result.setup.n, result.setup.unit)}, {format_draws(result.setup.resamples)}"
    highest = float(np.nanmax(result.gains)) if count and np.isfinite(result.gains).any() else 1.0
    shared = {"fixedrange": False, "showgrid": True, "ticks": ""}
    legend = {"x": 1, "xanchor": "right", "y": 0.02, "yanchor": "bottom", "font": {"size": NORMAL}}
    legend |= {"itemclick": "toggle", "bgcolor": colours.paper}
    return base_layout(
        theme,
        HEIGHT,
        margin={"l": 8, "r": 14, "t": 56, "b": 8},
        showlegend=len(set(result.pair_class)) > 1,
        legend=legend,
        title={
            "text": f"<b>{escape(result.setup.test_title)}</b><br>{caption}",
            "font": {"size": NORMAL, "color": colours.ink},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 1,
            "yanchor": "top",
            "pad": {"l": 8, "t": 18},
        },
        xaxis=axis(
            theme, f"gain ({escape(result.setup.metric_title)})", range=[-0.02 * highest, 1.06 * highest], **shared
        ),
        yaxis=axis(theme, "confidence, 1 − p", range=[0, 1.06], tickformat=".2~f", **shared),
    )


def _points(result: GainResult, name: str, places: Ints, k: int, theme: Theme) -> go.Scatter | go.Scattergl:
    colours = palette(theme)
    many = len(result.systems) > HOVER_LIMIT
    colour = colours.classes[k % len(colours.classes)]
    shape = SHAPES[k % len(SHAPES)]
    full = {"marker": {"opacity": 0.75}}
    trace = (go.Scattergl if many else go.Scatter)(
        x=result.gains[places],
        y=result.confidence[places],
        name=f"{label(name or NO_CLASS, 32)} ({len(places):,})",
        mode="markers",
        marker={"color": colour, "symbol": shape, "size": 5 if many else 8, "opacity": 0.75, "line": {"width": 0}},
        selected=full,
        unselected=full,
        customdata=places[:, None].astype(np.int32),
        hovertemplate=f"gain %{{x:+.{result.setup.decimals}f}}<br>confidence %{{y:.4f}}<extra></extra>",
    )
    if not many:
        trace.update(hovertext=[_hover(result, i) for i in places], hovertemplate="%{hovertext}<extra></extra>")
    return trace


def _hover(result: GainResult, i: int) -> str:
    gain = (
        f"gain {minus(format_gain(float(result.gains[i]), result.setup.decimals))} {escape(result.setup.metric_title)}"
    )
    pair = f"<b>{escape(result.systems[i])}</b> against <b>{escape(result.baselines[i])}</b>"
    p = result.written_p(i)
    return f"{pair}<br>{gain}, p {escape(p) if p.startswith('<') else f'= {p}'}"


def _draw_threshold(figure: go.Figure, alpha: float, theme: Theme) -> None:
    colours = palette(theme)
    figure.add_hline(y=1 - alpha, line={"color": colours.ink, "width": 1, "dash": "5px,3px"})
    figure.add_annotation(
        x=1,
        xref="paper",
        xanchor="right",
        y=1 - alpha,
        yanchor="top",
        text=f"1 − alpha = {1 - alpha:g}",
        showarrow=False,
        font={"size": SMALL, "color": colours.ink},
    )
