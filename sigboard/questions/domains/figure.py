"""How far p holds: on drawn test sets of one population, and on other domains, after Berg-Kirkpatrick et al. 2012, Table 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import NORMAL, SMALL, Part, Theme, axis, base_layout, escape, label, palette
from sigcore.formatting import count, format_size
from sigcore.studies import domains

SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "x", "star")
HEIGHT = 400
APART = 0.14  # of a bin, between the points of one bin
MIXED = "mixtures (synthetic)"


def calibration(result: domains.DomainsResult, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """Of the tests on drawn test sets, by their p, the share that found the better system, with its exact interval.

    Mixtures are hollow. An empty figure says that no test sets were drawn yet.
    """
    figure = go.Figure(layout=_layout(theme))
    colours = palette(theme)
    shown = [("systems", result.real, colours.classes[0], False)]
    if result.mixed is not None:
        shown.append((MIXED, result.mixed, colours.classes[2], True))
    bins: Sequence[domains.Bin] = ()
    for k, (name, held, colour, hollow) in enumerate(shown):
        if held.calibration is not None:
            bins = held.calibration.bins
            counts = [(item.agree, item.pairs) for item in bins]
            shift = APART * (k - (len(shown) - 1) / 2)
            figure.add_trace(_shares(counts, name, colour, SHAPES[k], hollow, shift))
    _draw_axes(
        figure,
        [(item.low, item.high) for item in bins],
        "p on a drawn test set",
        "agree with the population",
        theme,
        compact,
    )
    if not bins:
        _note(figure, "No test set has been drawn.", theme)
    return figure


def signs(
    result: domains.DomainsResult, mixed: bool = False, theme: Theme = "light", compact: bool = False
) -> go.Figure:
    """Of the pairs in each bin of p on the home domain, the share with the same sign on every other domain; hollow if of
    mixtures."""
    figure = go.Figure(layout=_layout(theme))
    held = result.mixed if mixed and result.mixed is not None else result.real
    colours = palette(theme).classes
    cells = domains.readable(held.table)
    others = list(dict.fromkeys(cell.other for cell in cells))
    for k, other in enumerate(others):
        counts = [(cell.same, cell.pairs) for cell in cells if cell.other == other]
        shift = APART * (k - (len(others) - 1) / 2)
        figure.add_trace(
            _shares(counts, label(other, 28), colours[k % len(colours)], SHAPES[k % len(SHAPES)], mixed, shift)
        )
    bins = list(dict.fromkeys((cell.low, cell.high) for cell in held.table))
    _draw_axes(figure, bins, f"p on {escape(result.home)}", "have the same sign", theme, compact)
    if not any(cell.pairs for cell in held.table):
        _note(figure, "No pair has p in these bins.", theme)
    return figure


def calibration_alt(result: domains.DomainsResult) -> str:
    """One sentence that describes the calibration."""
    held = result.real.calibration
    return f"Share of tests that agree with the population, by p. {held}" if held else "No test set has been drawn."


def signs_alt(result: domains.DomainsResult, mixed: bool = False) -> str:
    """One sentence that describes the shares on other domains."""
    held = result.mixed if mixed and result.mixed is not None else result.real
    pairs = sum(cell.pairs for cell in held.table) // max(1, len(result.domains) - 1)
    return f"Share of pairs with the same sign on other domains, by p on {result.home}; {count(pairs, 'pair')} are in a bin."


def _shares(
    counts: Sequence[tuple[int, int]], name: str, colour: str, shape: str, hollow: bool, shift: float
) -> go.Scatter:
    """Points with exact intervals, one for each (part, pairs) of a bin with pairs; the hover text has the counts."""
    places = [k for k, (_, pairs) in enumerate(counts) if pairs]
    shares = [domains.share(*counts[k]) for k in places]
    y, low, high = (np.array([each[k] for each in shares]) for k in range(3))
    return go.Scatter(
        x=np.array(places) + shift,
        y=y,
        error_y={"type": "data", "array": high - y, "arrayminus": y - low, "thickness": 1.2, "width": 3},
        mode="markers",
        name=name,
        marker={"color": colour, "symbol": f"{shape}-open" if hollow else shape, "size": 9},
        hovertext=[
            f"{counts[k][0]:,} of {counts[k][1]:,}: {percent:.0f}%" for k, percent in zip(places, y, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _draw_axes(
    figure: go.Figure, bins: Sequence[tuple[float, float]], across: str, share: str, theme: Theme, compact: bool
) -> None:
    ticks = [f"{low:g}".lstrip("0") or "0" for low, _ in bins]
    words = [f"{tick}–<br>{high:g}".replace("<br>0.", "<br>.") for tick, (_, high) in zip(ticks, bins, strict=True)]
    shared: Part = {"tickvals": list(range(len(bins))), "ticktext": words, "range": [-0.5, max(len(bins), 1) - 0.5]}
    if compact:
        shared |= {"tickangle": -90, "ticktext": [text.replace("<br>", "") for text in words]}
    figure.update_xaxes(axis(theme, across, **shared))
    figure.update_yaxes(axis(theme, f"% that {share}", range=[-3, 104], showgrid=True, tickvals=[0, 25, 50, 75, 100]))
    figure.add_hline(y=50, line={"color": palette(theme).ink, "width": 1, "dash": "5px,3px"})


def _layout(theme: Theme) -> Part:
    above: Part = {
        "orientation": "h",
        "x": 0,
        "xanchor": "left",
        "y": 1.02,
        "yanchor": "bottom",
        "font": {"size": NORMAL},
    }
    return base_layout(theme, HEIGHT, margin={"l": 8, "r": 8, "t": 40, "b": 8}, showlegend=True, legend=above)


def _note(figure: go.Figure, text: str, theme: Theme) -> None:
    font = {"size": SMALL, "color": palette(theme).ink}
    figure.add_annotation(text=text, x=0.5, y=0.6, xref="paper", yref="paper", showarrow=False, font=font)


# Confidence against gain on equally many segments of several domains, after Berg-Kirkpatrick et al. 2012, Figure 11.

LOWEST = 0.5  # confidence at the lower edge, as in the paper's figures
BEYOND = 1.5  # times the largest threshold, or the largest gain that is not significant: where the axis of gains ends
MANY = 1_000  # pairs of a domain above which they are drawn by the graphics card
CURVES_MIXED = "mixtures (synthetic)"


def curves(result: domains.DomainsResult, alpha: float, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """Every pair on the same number of first segments of every domain: a colour and shape for each domain, hollow for pairs
    of mixtures; vertical lines are thresholds, dotted those of mixtures."""
    below: Part = {"orientation": "h", "x": 0, "xanchor": "left", "y": -0.2, "yanchor": "top", "font": {"size": NORMAL}}
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
    return f"Confidence against gain on the first {count(min(result.segments), 'segment')} of every domain; thresholds: {listed}."


def _points(curve: domains.Curve, colour: str, shape: str) -> go.Scatter:
    name = f"{label(curve.domain, 28)}{', ' + CURVES_MIXED if curve.synthetic else ''}"
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
