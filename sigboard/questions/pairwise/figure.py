"""Pairwise judgments: strengths with intervals, and wins, ties and losses of each pair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import SMALL, Theme, add_points, escape, height, layout, palette
from sigcore.formatting import count, format_p
from sigcore.studies import pairwise

MOST = 60  # rows that are drawn
EXACT = 0  # resamples behind an exact p
WIDEST = 0.58  # of a bold letter on average, in units of its height


def ranking(result: pairwise.PairwiseResult, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """Elo points of the systems with intervals, best first; an interval without an end reaches the edge."""
    shown = result.ranking[:MOST]
    points = np.array([one.elo for one in shown])
    ends = np.array([one.elo_interval for one in shown])
    inside = ends[np.isfinite(ends)]
    low, high = min([*points, *inside]), max([*points, *inside])
    room = 0.06 * max(high - low, 20.0)
    ends = np.clip(ends, low - room, high + room)
    figure = go.Figure(
        layout=layout([one.system for one in shown], "Elo points (mean of all systems: 1000)", theme, compact)
    )
    hover = [
        f"<b>{escape(one.system)}</b>: {one.elo:.0f} [{one.elo_interval[0]:.0f}, {one.elo_interval[1]:.0f}]<br>"
        f"rank {one.ranks[0]} to {one.ranks[1]}, {count(one.compared, 'comparison')}"
        for one in shown
    ]
    add_points(figure, points, ends, hover, theme)
    figure.update_xaxes(range=[low - room, high + room])
    return figure


def ranking_alt(result: pairwise.PairwiseResult) -> str:
    """One sentence that describes the ranking."""
    first = result.ranking[0]
    return f"Bradley-Terry strengths of {count(len(result.ranking), 'system')} with intervals: {first.system} is first with {first.elo:.0f} Elo points."


def outcomes(
    pairs: Sequence[pairwise.JudgedPair], noun: str, alpha: float, theme: Theme = "light", compact: bool = False
) -> go.Figure:
    """Shares of questions won, tied and lost by the first system of each pair; p to the right, bold where adjusted p is at
    most alpha."""
    shown = list(pairs[:MOST])
    colours = palette(theme)
    names = [f"{one.system} \u2013 {one.baseline}" for one in shown]
    figure = go.Figure(layout=layout(names, f"share of {noun}s, in percent", theme, compact))
    totals = [max(1, one.wins + one.ties + one.losses) for one in shown]
    parts = (
        ("wins", [one.wins for one in shown], colours.accent),
        ("ties", [one.ties for one in shown], colours.neutral),
        ("losses", [one.losses for one in shown], colours.warm),
    )
    for name, numbers, colour in parts:
        hover = [
            f"<b>{escape(one.system)}</b> against {escape(one.baseline)}<br>{one.wins:,} wins, {one.ties:,} ties, {one.losses:,} "
            f"losses<br>p {format_p(one.p_value, EXACT)}, adjusted {format_p(one.adjusted, EXACT)}"
            for one in shown
        ]
        figure.add_bar(
            x=[100 * number / total for number, total in zip(numbers, totals, strict=True)],
            y=np.arange(len(shown)),
            orientation="h",
            name=name,
            marker={"color": colour, "line": {"width": 0}},
            hovertext=hover,
            hovertemplate="%{hovertext}<extra></extra>",
        )
    texts, written = [], [f"p {format_p(one.adjusted, EXACT)}" for one in shown]
    font = {"size": SMALL, "color": colours.ink}
    for k, (one, p) in enumerate(zip(shown, written, strict=True)):
        text = f"<b>{escape(p)}</b>" if one.adjusted <= alpha else escape(p)
        texts.append({"x": 100, "xshift": 4, "y": k, "text": text, "showarrow": False, "xanchor": "left", "font": font})
    figure.update_layout(annotations=texts)  # one by one, Plotly would check all before it again
    figure.update_layout(barmode="stack", bargap=0.25, showlegend=True)
    figure.update_layout(legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "traceorder": "normal"})
    figure.update_xaxes(range=[0, 100], tickvals=[0, 25, 50, 75, 100])
    above = 64 if compact else 36  # on a phone the legend is below the buttons of the figure
    right = 16 + round(
        WIDEST * SMALL * max(map(len, written), default=0)
    )  # the texts are beside the bars, on a screen of any width
    figure.update_layout(margin={"l": 8, "r": right, "t": above, "b": 52}, height=height(len(shown)) + above - 8)
    return figure


def outcomes_alt(pairs: Sequence[pairwise.JudgedPair], noun: str, alpha: float) -> str:
    """One sentence that describes the bars."""
    found = sum(one.adjusted <= alpha for one in pairs)
    return f"Wins, ties and losses of {count(len(pairs), 'pair')} of systems; {found:,} differ at alpha {alpha:g}."
