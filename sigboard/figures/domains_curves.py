"""Confidence against gain on equally many segments of several domains, after Berg-Kirkpatrick et al. 2012, Figure 11."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.domains import HEIGHT, SHAPES
from sigboard.figures.style import NORMAL, SMALL, Theme, axis, base_layout, escape, label, palette
from sigcore.formatting import format_size
from sigcore.studies import domains

LOWEST = 0.5  # confidence at the lower edge, as in the paper's figures
BEYOND = 1.5  # times the largest threshold, or the largest gain that is not significant: where the axis of gains ends
MANY = 1_000  # pairs of a domain above which they are drawn by the graphics card
MIXED = "mixtures (synthetic)"


def curves(result: domains.DomainsResult, alpha: float, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """Every pair on the same number of first segments of every domain: a colour and shape for each domain, hollow for pairs
    of mixtures; vertical lines are thresholds, dotted those of mixtures."""
    below = {"orientation": "h", "x": 0, "xanchor": "left", "y": -0.2, "yanchor": "top", "font": {"size": NORMAL}}
    margin = {"l": 8, "r": 14, "t": 20, "b": 8}
    layout = base_layout(theme, HEIGHT + 60 * compact, margin=margin, showlegend=True, legend=below)
    figure, colours = go.Figure(layout=layout), palette(theme).classes
    names = list(dict.fromkeys(curve.domain for curve in result.curves))[: domains.MOST + 1]
    shown = [curve for curve in result.curves if curve.domain in names]
    for curve in sorted(shown, key=lambda curve: not curve.synthetic):  # real pairs are drawn last, above the others
        k = names.index(curve.domain)
        figure.add_trace(_points(curve, colours[k % len(colours)], SHAPES[k % len(SHAPES)]))
    limits = [
        (item.threshold.threshold, curve.domain, curve.synthetic)
        for curve in shown
        for item in curve.sizes
        if not item.reason
    ]
    _draw_thresholds(figure, limits, names, result.setup.decimals, theme)
    right = _right(shown, [limit for limit, _, _ in limits], alpha)
    figure.update_xaxes(axis(theme, f"gain ({escape(result.setup.metric_title)})", range=[0, right]))
    figure.update_yaxes(axis(theme, "confidence (1 \u2212 p)", range=[LOWEST - 0.02, 1.03], showgrid=True))
    figure.add_hline(y=1 - alpha, line={"color": palette(theme).ink, "width": 1, "dash": "5px,3px"})
    return figure


def curves_alt(result: domains.DomainsResult) -> str:
    """One sentence that describes the curves."""
    decimals, title = result.setup.decimals, result.setup.metric_title
    own = [
        f"{name}, {item.pair_class}: {format_size(item.threshold.threshold, decimals)} {title}"
        for name, item in result.sizes
        if not item.reason
    ]
    listed = "; ".join(own) if own else "no class has a threshold"
    return (
        f"Confidence against gain on the first {min(result.segments):,} segments of every domain; thresholds: {listed}."
    )


def _points(curve: domains.Curve, colour: str, shape: str) -> go.Scatter:
    name = f"{label(curve.domain, 28)}{', ' + MIXED if curve.synthetic else ''}"
    opacity = 0.4 if curve.synthetic else 0.85
    kind = go.Scattergl if len(curve.gains) > MANY else go.Scatter
    return kind(
        x=curve.gains,
        y=np.maximum(1 - curve.p_values, LOWEST),
        name=f"{name} ({len(curve.gains):,})",
        mode="markers",
        marker={
            "color": colour,
            "symbol": f"{shape}-open" if curve.synthetic else shape,
            "size": 5 if curve.synthetic else 8,
            "opacity": opacity,
        },
        hovertemplate="%{x:.3g}: confidence %{y:.3f}<extra>" + escape(curve.domain) + "</extra>",
    )


def _draw_thresholds(
    figure: go.Figure, limits: Sequence[tuple[float, str, bool]], names: Sequence[str], decimals: int, theme: Theme
) -> None:
    colours = palette(theme)
    for k, (limit, name, synthetic) in enumerate(sorted(limits)):
        colour = colours.classes[names.index(name) % len(colours.classes)]
        figure.add_vline(x=limit, line={"color": colour, "width": 2, "dash": "dot" if synthetic else "solid"})
        figure.add_annotation(
            text=format_size(limit, decimals),
            x=limit,
            y=0.02 + 0.07 * (k % 6),
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            xshift=2,
            showarrow=False,
            bgcolor=colours.paper,
            font={"size": SMALL, "color": colour},
        )


def _right(shown: Sequence[domains.Curve], limits: Sequence[float], alpha: float) -> float:
    """Where the axis of gains ends; pairs beyond it are significant on every domain."""
    gains = np.concatenate([curve.gains for curve in shown])
    p = np.concatenate([curve.p_values for curve in shown])
    rest = gains[~(p <= alpha)]
    most = max([*limits, float(rest.max(initial=0.0))])
    return float(min(1.05 * gains.max(initial=0.0), BEYOND * most) if most > 0 else 1.05 * gains.max(initial=1e-6))
