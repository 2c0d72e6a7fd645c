"""Scores of documents by systems, after Rankel et al. 2011: heatmaps (Figs 2-5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import radians, sin

import numpy as np
import plotly.graph_objects as go

from sigboard.render import style
from sigboard.render.style import NORMAL, SMALL, Part, Theme, axis, base_layout, escape, label, palette
from sigcore import Floats, ScoreMatrix
from sigcore.formatting import count, shorten
from sigcore.studies import scores

SORTED = ("as loaded", "mean score", "name")
USUAL = "mean score"  # how the page sorts rows and columns unless something else is chosen
ROW_RANGE = (2, 16)  # pixels of a document
TALLEST = 560  # pixels for all documents
LETTERS = 18
LINE = 13  # pixels a label needs
KEY = 78  # pixels below the cells for the colour key
SHADES: dict[str, tuple[str, ...]] = {
    "light": ("#F1F5F8", "#BBDCEF", "#5DA9D6", "#0072B2", "#003A5E"),
    "dark": ("#1E2A33", "#174A6B", "#1F78B0", "#5FB4E6", "#D6EEFB"),
}
MISSING: dict[str, str] = {"light": "#F0B48A", "dark": "#8A4516"}  # a separate hue: a missing score is not a low one


# ---- the heatmap


def row_order(matrix: ScoreMatrix, by: str = SORTED[0]) -> list[int]:
    """The documents as loaded, by name, by their mean score, or by the score of a named system; best first.

    Documents without that score come last.
    """
    if by == SORTED[0]:
        return list(range(matrix.n))
    if by == SORTED[2]:
        return sorted(range(matrix.n), key=lambda k: matrix.documents[k])
    if by in matrix.systems:
        return _best_first(matrix.values[:, matrix.systems.index(by)], matrix.better)
    return _best_first(_means(matrix.values), matrix.better)


def column_order(matrix: ScoreMatrix, by: str = SORTED[0]) -> list[int]:
    """The systems as loaded, by name or by mean score, best first; human systems at the right end, as in the paper."""
    if by == SORTED[2]:
        order = sorted(range(len(matrix.systems)), key=lambda k: matrix.systems[k])
    else:
        order = list(range(len(matrix.systems))) if by == SORTED[0] else matrix.order
    return sorted(order, key=lambda k: bool(matrix.human[k]))


def _means(values: Floats) -> Floats:
    present = ~np.isnan(values)
    count = present.sum(axis=1)
    return np.where(count > 0, np.where(present, values, 0).sum(axis=1) / np.maximum(count, 1), np.nan)


def _best_first(values: Floats, better: str) -> list[int]:
    turned = values if better == "lower" else -values
    return [int(k) for k in np.argsort(turned, kind="stable")]  # nan sorts last


def heatmap(
    matrix: ScoreMatrix,
    rows: Sequence[int] | None = None,
    columns: Sequence[int] | None = None,
    theme: Theme = "light",
    compact: bool = False,
) -> go.Figure:
    """Every score as a colour, documents down and systems across; missing scores have a separate colour.

    `rows` and `columns` are the order (see `row_order`, `column_order`). Human systems are marked by a bold name and a bar
    below their columns. `compact` is the form for a narrow screen.
    """
    down = list(range(matrix.n)) if rows is None else list(rows)
    across = list(range(len(matrix.systems))) if columns is None else list(columns)
    values = matrix.values[np.ix_(down, across)]
    inside = int(np.clip(matrix.n * ROW_RANGE[1], 120, TALLEST))
    names = _column_names(matrix, across, compact)
    top = _top(names, matrix, across, compact)
    figure = go.Figure(layout=_layout(matrix, down, names, inside, top, theme, compact))
    figure.add_trace(_cells(values, matrix, inside, top, theme))
    if np.isnan(values).any():
        figure.add_trace(_holes(values, matrix.row, theme))
        _say_missing(figure, theme, compact)
    _mark_humans(figure, matrix, across, inside, theme)
    return figure


def heatmap_alt(matrix: ScoreMatrix) -> str:
    """One sentence that describes the heatmap."""
    missing = f", {matrix.missing:,} scores missing" if matrix.missing else ""
    people = f", {len(matrix.humans)} of them human" if matrix.humans else ""
    present = matrix.values[~np.isnan(matrix.values)]
    span = f"from {present.min():.4g} to {present.max():.4g}" if len(present) else "none"
    return (
        f"Heatmap of {matrix.title}: {matrix.n:,} {matrix.rows} by {count(len(matrix.systems), 'system')}{people}; "
        f"scores {span}{missing}."
    )


def _column_names(matrix: ScoreMatrix, across: Sequence[int], compact: bool) -> list[str]:
    letters = 12 if compact else LETTERS
    human = matrix.human
    words = [label(matrix.systems[k], letters) for k in across]
    return [f"<b>{word}</b>" if human[k] else word for word, k in zip(words, across, strict=True)]


def _labelled(count: int, compact: bool) -> bool:
    """Whether every column has space for its name."""
    return count <= (22 if compact else 72)


def _angle(count: int, compact: bool) -> int:
    return 90 if compact or count > 16 else 45


def _top(names: Sequence[str], matrix: ScoreMatrix, across: Sequence[int], compact: bool) -> int:
    if not _labelled(len(names), compact):
        return 14
    longest = max(len(shorten(matrix.systems[k], 12 if compact else LETTERS)) for k in across)
    return int(longest * 6.8 * sin(radians(_angle(len(names), compact)))) + 22


def _layout(
    matrix: ScoreMatrix, down: Sequence[int], names: Sequence[str], inside: int, top: int, theme: Theme, compact: bool
) -> Part:
    count, n = len(names), len(down)
    ink: Part = {"size": SMALL, "color": palette(theme).ink}
    each = max(1, int(np.ceil(LINE * n / inside)))  # every k-th document has space for its name
    shown = np.arange(0, n, each)
    shared: Part = {"tickmode": "array", "ticks": "", "tickfont": ink, "ticklabeloverflow": "allow"}
    return base_layout(
        theme,
        inside + top + KEY,
        margin={"l": 8, "r": 8, "t": top, "b": KEY},
        xaxis=axis(theme, **shared)
        | {
            "side": "top",
            "tickvals": np.arange(count),
            "ticktext": list(names),
            "showticklabels": _labelled(count, compact),
            "tickangle": -_angle(count, compact),
            "range": [-0.5, count - 0.5],
            "tickfont": ink,
            "automargin": "right",
            "fixedrange": compact,
        },
        yaxis=axis(theme, **shared)
        | {
            "tickvals": shown,
            "ticktext": [label(matrix.documents[down[int(k)]], 10 if compact else LETTERS) + " " for k in shown],
            "range": [n - 0.5, -0.5],
            "automargin": "left",
            "fixedrange": compact,
        },
    )


def _cells(values: Floats, matrix: ScoreMatrix, inside: int, top: int, theme: Theme) -> go.Heatmap:
    shades = SHADES[theme]
    scale = [(k / (len(shades) - 1), shade) for k, shade in enumerate(shades)]
    height = inside + top + KEY
    small = {"size": SMALL, "color": palette(theme).muted}
    better = "low is better" if matrix.better == "lower" else "high is better"
    return go.Heatmap(
        z=values.astype(np.float32),
        colorscale=scale,
        hoverongaps=False,
        xgap=1 if values.shape[1] <= 40 else 0,
        hovertemplate=f"{matrix.row} %{{y}}<br>%{{x}}<br>%{{z:.4~g}}<extra></extra>",
        colorbar={
            "orientation": "h",
            "thickness": 12,
            "len": 220,
            "lenmode": "pixels",
            "x": 0,
            "xanchor": "left",
            "xref": "container",
            "xpad": 8,
            "y": (KEY - 20) / height,
            "yanchor": "top",
            "yref": "container",
            "ypad": 0,
            "outlinewidth": 0,
            "ticks": "",
            "nticks": 4,
            "tickfont": small,
            "title": {"text": f"{label(matrix.title, 20)} ({better})", "side": "bottom", "font": small},
        },
    )


def _holes(values: Floats, row: str, theme: Theme) -> go.Heatmap:
    return go.Heatmap(
        z=np.where(np.isnan(values), 1.0, np.nan).astype(np.float32),
        colorscale=[(0, MISSING[theme]), (1, MISSING[theme])],
        showscale=False,
        hoverongaps=False,
        xgap=1 if values.shape[1] <= 40 else 0,
        hovertemplate=f"{row} %{{y}}<br>%{{x}}<br>no score<extra></extra>",
    )


def _say_missing(figure: go.Figure, theme: Theme, compact: bool) -> None:
    """The key of the missing colour, to the right of the colour scale."""
    figure.add_annotation(
        text=f'<span style="color:{MISSING[theme]};font-size:18px">■</span> no score',
        x=1 if compact else 0,
        xref="paper",
        xanchor="right" if compact else "left",
        xshift=0 if compact else 220,
        y=0,
        yref="paper",
        yanchor="top",
        yshift=-32 if compact else -12,
        showarrow=False,
        font={"size": NORMAL, "color": palette(theme).muted},
    )


def _mark_humans(figure: go.Figure, matrix: ScoreMatrix, across: Sequence[int], inside: int, theme: Theme) -> None:
    """A bar below the columns of human systems, with one word."""
    places = [k for k, system in enumerate(across) if matrix.human[system]]
    colours = palette(theme)
    for place in places:
        figure.add_shape(
            type="rect",
            x0=place - 0.46,
            x1=place + 0.46,
            y0=-7 / inside,
            y1=-2 / inside,
            yref="paper",
            fillcolor=colours.ink,
            line={"width": 0},
        )
    if places:
        right = places[-1] > len(across) / 2
        figure.add_annotation(
            text="human",
            x=places[-1] + 0.5 if right else places[0] - 0.5,
            xanchor="right" if right else "left",
            y=0,
            yref="paper",
            yanchor="top",
            yshift=-8,
            showarrow=False,
            font={"size": SMALL, "color": colours.ink},
        )


# Intervals of mean ranks of document sets, after Rankel et al. 2011, Figure 1.

RANKS_LINE = 13  # pixels a label needs
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
    ends = ranks.ends(alpha)
    differ = ranks.differing(chosen, alpha)
    figure = go.Figure(layout=_interval_layout(ranks, order, theme, compact))
    for edge in ends:
        figure.add_vline(x=float(edge[chosen]), line={"color": palette(theme).accent, "width": 1, "dash": "4px,3px"})
    position = {group: k for k, group in enumerate(order)}
    for kind, groups in (
        ("same", [g for g in order if g != chosen and not differ[g]]),
        ("differs", [g for g in order if differ[g]]),
        ("chosen", [chosen]),
    ):
        if groups:
            figure.add_trace(_bars(ranks, ends, groups, [position[g] for g in groups], kind, theme))
    return figure


def drawn_groups(ranks: scores.MeanRanks, chosen: int) -> list[int]:
    """The groups that are drawn, best first; the chosen one is always among them."""
    order = [int(k) for k in np.argsort(-ranks.means, kind="stable")]
    if len(order) <= MOST_GROUPS:
        return order
    kept = {order[int(k)] for k in np.linspace(0, len(order) - 1, MOST_GROUPS - 1).round()} | {chosen}
    return [group for group in order if group in kept]


def clicked_group(points: Sequence[Mapping[str, object]], ranks: scores.MeanRanks) -> str | None:
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


def _interval_layout(ranks: scores.MeanRanks, order: Sequence[int], theme: Theme, compact: bool) -> Part:
    labels = [label(ranks.names[g], 10 if compact else 24) for g in order]
    within = ranks.factor.startswith("systems within")
    title = f"mean rank {'within each row' if within else 'among all scores'}, right = better"
    whole = max(len(order) * (RANKS_LINE + 1), 90) + 60
    return style.labelled(labels, title, theme, compact, whole, 0.3)


def _bars(
    ranks: scores.MeanRanks,
    ends: tuple[Floats, Floats],
    groups: Sequence[int],
    down: Sequence[int],
    kind: str,
    theme: Theme,
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
    chosen = list(groups)
    bars: Part = {"array": (ends[1] - ranks.means)[chosen], "arrayminus": (ranks.means - ends[0])[chosen]}
    bars |= {"symmetric": False, "color": colour, "thickness": 3 if kind == "chosen" else 1.5, "width": 0}
    return go.Scatter(
        x=ranks.means[chosen],
        y=np.asarray(down),
        mode="markers",
        marker={"symbol": shape, "size": 10 if kind == "chosen" else 7, "color": colour},
        error_x=bars,
        selected=full,
        unselected=full,
        customdata=np.asarray(groups, dtype=np.int32)[:, None],
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
        name=word,
    )
