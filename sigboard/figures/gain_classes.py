"""Thresholds of the classes of pairs, and mixtures of systems, on the scatter of confidence against gain."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.gain import HEIGHT, HOVER_LIMIT, SHAPES, Scale, heights, reach, scatter
from sigboard.figures.style import SMALL, Theme, escape, label, palette
from sigcore import GainResult
from sigcore.formatting import format_size
from sigcore.studies import gain

LEGEND = 60  # pixels of height that the legend needs below the axis
RIGHT = 0.7  # of the axis: labels of lines beyond it are at their left
DASH, DASH_OF_MIXTURES = "solid", "dot"
SHORT = {"mixtures of the same two systems": "same two", "mixtures of different systems": "different"}


def drawn(
    result: GainResult,
    alpha: float,
    theme: Theme,
    scale: Scale,
    whole: bool,
    compact: bool,
    mixed: GainResult | None,
    thresholds: Sequence[gain.Threshold],
    over: GainResult | None = None,
    named: str = "",
) -> go.Figure:
    """The scatter of the real pairs; `mixed` pairs are hollow, with other colours, and named as mixtures in the legend;
    those of `over`, another test set or metric, are crosses under its name.

    A vertical line is the threshold of a class: solid for real pairs, dotted for mixtures.
    """
    figure = scatter(result, alpha, theme, scale, whole, compact)
    real = len(figure.data)
    classes = sorted({name for name in result.pair_class if name})
    if mixed is not None:
        _draw_mixtures(figure, mixed, len(classes), scale, theme)
    if over is not None:
        _draw_over(figure, over, named, scale, theme)
    if mixed is not None or over is not None:
        figure.data = (*figure.data[real:], *figure.data[:real])  # real pairs are drawn last, above the others
        # below the axis: with as many kinds of pairs it would cover points
        below = {"orientation": "h", "x": 0, "xanchor": "left", "y": -0.2, "yanchor": "top"}
        figure.update_layout(showlegend=True, legend=below, height=HEIGHT + LEGEND)
    right = None if whole else reach(result, alpha)
    _draw_thresholds(figure, thresholds, classes, result.setup.decimals, right, theme, compact)
    return figure


def _draw_mixtures(figure: go.Figure, mixed: GainResult, taken: int, scale: Scale, theme: Theme) -> None:
    colours = palette(theme).classes
    own = heights(mixed, scale)
    for k, name in enumerate(sorted(set(mixed.pair_class))):
        places = np.flatnonzero(np.array(mixed.pair_class) == name)
        kind = go.Scattergl if len(mixed.gains) > HOVER_LIMIT else go.Scatter
        full = {"marker": {"opacity": 0.45}}
        trace = kind(
            x=mixed.gains[places],
            y=own[places],
            name=f"{name} ({len(places):,})",
            mode="markers",
            marker={
                "color": colours[_colour(taken, k)],
                "symbol": f"{SHAPES[_colour(taken, k)]}-open",
                "size": 5,
                "opacity": 0.45,
            },
            selected=full,
            unselected=full,
            hovertemplate=f"{name}<br>gain %{{x:+.{mixed.setup.decimals}f}}<extra></extra>",
        )
        figure.add_trace(trace)


def _draw_over(figure: go.Figure, over: GainResult, named: str, scale: Scale, theme: Theme) -> None:
    """The pairs of another test set or metric, all in one colour; gains of another metric are in its units."""
    full = {"marker": {"opacity": 0.8}}
    gained = f"gain %{{x:+.{over.setup.decimals}f}} {escape(over.setup.metric_title)}"
    figure.add_trace(
        go.Scatter(
            x=over.gains,
            y=heights(over, scale),
            name=f"{label(named, 32)} ({len(over.gains):,})",
            mode="markers",
            marker={
                "color": palette(theme).muted,
                "symbol": "x-thin-open",
                "size": 7,
                "opacity": 0.8,
                "line": {"width": 1.5},
            },
            selected=full,
            unselected=full,
            hovertemplate=f"{escape(named)}<br>{gained}<extra></extra>",
        )
    )


def _colour(taken: int, k: int) -> int:
    """The colours of mixtures follow those of the real classes."""
    return (max(taken, 1) + k) % len(SHAPES)


def _number(item: gain.Threshold, classes: Sequence[str], mixtures: Sequence[str]) -> int:
    """Which colour the points of this class have."""
    if item.synthetic:
        return _colour(len(classes), mixtures.index(item.pair_class))
    return [*classes, item.pair_class].index(item.pair_class)


def _draw_thresholds(
    figure: go.Figure,
    thresholds: Sequence[gain.Threshold],
    classes: Sequence[str],
    decimals: int,
    right: float | None,
    theme: Theme,
    compact: bool,
) -> None:
    colours, end = palette(theme), figure.layout.xaxis.range[1]
    mixtures = sorted(item.pair_class for item in thresholds if item.synthetic)
    shown = [item for item in thresholds if not item.reason and (right is None or item.threshold <= right)]
    for k, item in enumerate(sorted(shown, key=lambda item: item.threshold)):
        colour = colours.classes[_number(item, classes, mixtures) % len(colours.classes)]
        dash = DASH_OF_MIXTURES if item.synthetic else DASH
        figure.add_vline(x=item.threshold, line={"color": colour, "width": 2, "dash": dash})
        name = SHORT.get(item.pair_class, item.pair_class)
        figure.add_annotation(
            text=f"{label(name, 12 if compact else 24)} {format_size(item.threshold, decimals)}",
            x=item.threshold,
            y=0.02 + 0.07 * k,
            yref="paper",
            xanchor="right" if item.threshold > RIGHT * end else "left",
            yanchor="bottom",
            xshift=-2 if item.threshold > RIGHT * end else 2,
            showarrow=False,
            bgcolor=colours.paper,
            font={"size": SMALL, "color": colour},
        )
