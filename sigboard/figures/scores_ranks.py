"""Intervals of mean ranks of document sets, after Rankel et al. 2011, Figure 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.figures import rows
from sigboard.figures.style import Theme, escape, label, palette
from sigcore import Floats
from sigcore.studies import scores

LETTERS = 18
LINE = 13  # pixels a label needs
MOST_GROUPS = 70  # intervals that are drawn at most


def intervals(
    ranks: scores.MeanRanks, highlighted: str, alpha: float, theme: Theme = "light", compact: bool = False
) -> go.Figure:
    """Comparison intervals of mean ranks, best first: two groups differ where their intervals do not overlap.

    The highlighted group is a diamond in the accent colour; groups that differ from it are filled and orange, the others
    hollow and grey. With more than MOST_GROUPS groups, a sample evenly spaced over the ranks is drawn. The customdata of a
    marker is [index in `ranks.names`].
    """
    chosen = ranks.names.index(highlighted) if highlighted in ranks.names else int(np.argmax(ranks.means))
    order = drawn_groups(ranks, chosen)
    half = ranks.half_widths(alpha)
    differ = ranks.differing(chosen, alpha)
    figure = go.Figure(layout=_interval_layout(ranks, order, theme, compact))
    for edge in (-1, 1):
        figure.add_vline(
            x=float(ranks.means[chosen] + edge * half[chosen]),
            line={"color": palette(theme).accent, "width": 1, "dash": "4px,3px"},
        )
    position = {group: k for k, group in enumerate(order)}
    for kind, groups in (
        ("same", [g for g in order if g != chosen and not differ[g]]),
        ("differs", [g for g in order if differ[g]]),
        ("chosen", [chosen]),
    ):
        if groups:
            figure.add_trace(_bars(ranks, half, groups, [position[g] for g in groups], kind, theme))
    return figure


def drawn_groups(ranks: scores.MeanRanks, chosen: int) -> list[int]:
    """The groups that are drawn, best first; the chosen one is always among them."""
    order = [int(k) for k in np.argsort(-ranks.means, kind="stable")]
    if len(order) <= MOST_GROUPS:
        return order
    kept = {order[int(k)] for k in np.linspace(0, len(order) - 1, MOST_GROUPS - 1).round()} | {chosen}
    return [group for group in order if group in kept]


def clicked_group(points: Sequence[Mapping[str, Any]], ranks: scores.MeanRanks) -> str | None:
    """The name of the group that was clicked; None if there was none."""
    for point in points:
        data = point.get("customdata")
        place = data.get("0") if isinstance(data, Mapping) else data[0] if isinstance(data, Sequence) and data else data
        if isinstance(place, int | float) and 0 <= place < len(ranks.names):
            return ranks.names[int(place)]
    return None


def intervals_alt(ranks: scores.MeanRanks, highlighted: str, alpha: float) -> str:
    """One sentence that describes the intervals."""
    chosen = ranks.names.index(highlighted) if highlighted in ranks.names else int(np.argmax(ranks.means))
    differ = int(ranks.differing(chosen, alpha).sum())
    return (
        f"Intervals of the mean ranks of {len(ranks.names):,} {ranks.factor}: {differ:,} differ from "
        f"{ranks.names[chosen]} at alpha {alpha:g}."
    )


def _interval_layout(ranks: scores.MeanRanks, order: Sequence[int], theme: Theme, compact: bool) -> dict[str, Any]:
    labels = [label(ranks.names[g], 10 if compact else 24) for g in order]
    within = ranks.factor.startswith("systems within")
    title = f"mean rank {'within each row' if within else 'among all scores'}, right = better"
    whole = max(len(order) * (LINE + 1), 90) + 60
    return rows.labelled(labels, title, theme, compact, whole, 0.3)


def _bars(
    ranks: scores.MeanRanks, half: Floats, groups: Sequence[int], down: Sequence[int], kind: str, theme: Theme
) -> go.Scatter:
    colours = palette(theme)
    colour = {"chosen": colours.accent, "differs": colours.warm, "same": colours.muted}[kind]
    shape = {"chosen": "diamond", "differs": "circle", "same": "circle-open"}[kind]
    word = {"chosen": "highlighted", "differs": "differs", "same": "not shown to differ"}[kind]
    full = {"marker": {"opacity": 1.0}}
    hover = [
        f"<b>{escape(ranks.names[g])}</b>: {word}<br>mean rank {ranks.means[g]:.1f}, {ranks.counts[g]:,} scores"
        for g in groups
    ]
    return go.Scatter(
        x=ranks.means[list(groups)],
        y=np.asarray(down),
        mode="markers",
        marker={"symbol": shape, "size": 10 if kind == "chosen" else 7, "color": colour},
        error_x={"array": half[list(groups)], "color": colour, "thickness": 3 if kind == "chosen" else 1.5, "width": 0},
        selected=full,
        unselected=full,
        customdata=np.asarray(groups, dtype=np.int32)[:, None],
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
        name=word,
    )
