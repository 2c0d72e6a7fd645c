"""The distribution of p over repetitions without a difference, against the diagonal that a valid test has."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import NORMAL, Part, Theme, axis, base_layout, palette
from sigcore import Floats
from sigcore.formatting import count
from sigcore.studies import trust

HEIGHT = 380
BAND = 1.36  # over the root of the repetitions: the 95% band of Kolmogorov around the diagonal
STEPS = np.linspace(0, 1, 201)  # where the curve is drawn


def share_below(p_values: Floats) -> Floats:
    """The share of sorted p at most each of the STEPS; rounding of a p that is a whole number of steps does not count."""
    return np.searchsorted(p_values, STEPS + 1e-9, side="right") / max(len(p_values), 1)


def distribution(result: trust.TrustResult, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The share of repetitions with p at most x, against x: on the diagonal p means what it says, above it p is too small."""
    above: Part = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": NORMAL}}
    colours, margin = palette(theme), {"l": 8, "r": 14, "t": 40, "b": 8}
    figure = go.Figure(layout=base_layout(theme, HEIGHT, margin=margin, showlegend=True, legend=above))
    half = BAND / np.sqrt(max(result.done, 1))
    edges = np.concatenate([np.minimum(STEPS + half, 1), np.maximum(STEPS - half, 0)[::-1]])
    figure.add_trace(
        go.Scatter(
            x=np.concatenate([STEPS, STEPS[::-1]]),
            y=edges,
            fill="toself",
            line={"width": 0},
            fillcolor=colours.neutral,
            name="a valid test" if compact else "where a valid test is (95%)",
            hoverinfo="skip",
        )
    )
    ends = {"color": colours.muted, "width": 1, "dash": "4px,3px"}
    figure.add_trace(go.Scatter(x=[0, 1], y=[0, 1], mode="lines", line=ends, hoverinfo="skip", showlegend=False))
    curves = [("no difference", result.p_values, colours.accent)]
    for one, values, colour in zip(result.planted, result.planted_p, colours.classes[1:], strict=False):
        curves.append((f"{100 * one.share:g}% of the gain", values, colour))
    for name, values, colour in curves:
        figure.add_trace(
            go.Scatter(
                x=STEPS,
                y=share_below(values),
                mode="lines",
                line={"color": colour, "width": 2, "shape": "hv"},
                name=name,
                hovertemplate="p at most %{x:.3f}: %{y:.1%}<extra></extra>",
            )
        )
    ticks: Part = {"tickvals": [0, 0.25, 0.5, 0.75, 1], "ticktext": ["0", ".25", ".5", ".75", "1"]}
    words = "p" if result.tests == 1 else "smallest adjusted p"
    figure.update_xaxes(axis(theme, words, range=[0, 1], **ticks))
    figure.update_yaxes(axis(theme, "share with p at most this", range=[0, 1.01], showgrid=True, **ticks))
    return figure


def distribution_alt(result: trust.TrustResult) -> str:
    """One sentence that describes the figure."""
    rates = ", ".join(f"{trust.percent(rate.share)} at most {rate.alpha:g}" for rate in result.rates)
    return f"Distribution of p over {count(result.done, 'repetition')} without a difference: {rates}."
