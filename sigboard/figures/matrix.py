"""The pairwise grid: which systems differ, after Graham et al. 2014, Figures 7 and 8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import radians, sin
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.figures.matrix_hover import TEXT_LIMIT, diagonal, markers
from sigboard.figures.style import (
    NORMAL,
    SMALL,
    Theme,
    axis,
    base_layout,
    escape,
    format_score,
    label,
    minus,
    palette,
    shorten,
)
from sigcore import Floats, MatrixResult
from sigcore.formatting import NO_VERDICT, SYMBOLS, thresholds
from sigcore.verdicts import matrix_summary

CLICK_LIMIT = 80  # systems up to which cells respond to clicks and labels are shown
NAME_LIMIT = 20  # characters of a name on an axis
PHONE = 374  # pixels available on a narrow screen
FIGURE_SPACE = "\u2007"  # as wide as a digit: keeps scores aligned
GRID_HEIGHT = 396  # pixels for the cells of a small grid: with the head of the page, they fit a laptop screen
CELL_RANGE = (14, 60)  # pixels
KEY_HEIGHT, KEY_WIDTH = 104, 350  # pixels of the colour key with its labels, below the cells; it fits a phone


def grid(
    result: MatrixResult, alpha: float, theme: Theme = "light", clusters: Sequence[int] = (), compact: bool = False
) -> go.Figure:
    """The coloured grid, systems sorted by score: blue where the row is better, orange where it is worse.

    Up to CLICK_LIMIT systems, each cell responds to clicks with customdata [row, column, ...], positions in
    `result.systems` (see `clicked`). `clusters` are the ranks after which a line is drawn (1 = below the best).
    `compact` is the form for a narrow screen: rank numbers over the columns, short names, no scores.
    """
    order, space = result.order, _space(len(result.systems), compact)
    levels = result.levels(alpha)[np.ix_(order, order)]
    adjusted = result.adjusted[np.ix_(order, order)]
    shown = np.where(np.isnan(adjusted) | np.eye(len(order), dtype=bool), np.nan, levels)
    layout = _layout(result, space, theme)
    figure = go.Figure(layout=layout)
    cells = _colours(result, shown, alpha, space)
    if theme == "dark":
        cells.update(textfont={"color": "#FFFFFF"})
    figure.add_trace(cells.update(_look(alpha, layout.height, theme), showscale=not result.setup.no_verdict(alpha)))
    if len(order) <= CLICK_LIMIT:
        figure.add_traces([markers(result, levels, alpha), diagonal(result)])
    _draw_clusters(figure, clusters, len(order), theme)
    _draw_notes(figure, shown, space, theme)
    return figure


def clicked(points: Sequence[Mapping[str, Any]]) -> tuple[int, int] | None:
    """The (row, column) positions in `result.systems` of a clicked cell; None for no cell or the diagonal.

    `points` is the selection of `st.plotly_chart`, whose customdata is a list or a dict with the keys "0", "1", ...
    """
    for point in points:
        data = point.get("customdata")
        if isinstance(data, Mapping):
            data = [data.get("0"), data.get("1")]
        if isinstance(data, Sequence) and len(data) >= 2 and None not in data[:2]:
            row, column = int(data[0]), int(data[1])
            return None if row == column else (row, column)
    return None


def alt_text(result: MatrixResult, alpha: float) -> str:
    """One sentence that describes the grid."""
    count = len(result.systems)
    if count < 2:
        return f"Grid with {count} system: there are no pairs to compare."
    if result.setup.no_verdict(alpha):
        return f"Grid of {count} systems sorted by {result.setup.metric_title}: {matrix_summary(result, alpha)}"
    best, last = result.systems[result.order[0]], result.systems[result.order[-1]]
    differing = int((result.levels(alpha) > 0).sum())
    return (
        f"Grid of {count} systems sorted by {result.setup.metric_title}, from {best} to {last}: "
        f"{differing} of {count * (count - 1) // 2} pairs differ significantly at alpha {alpha:g}."
    )


@dataclass(frozen=True)
class _Space:
    """What fits: pixels of a cell, characters of a name, whether cells have symbols and axes have labels."""

    cell: int
    letters: int
    symbols: bool
    labels: bool
    compact: bool


def _space(count: int, compact: bool) -> _Space:
    cell = int(np.clip(GRID_HEIGHT / max(count, 1), *CELL_RANGE)) if count <= CLICK_LIMIT else max(900 // count, 2)
    if not compact:
        return _Space(cell, NAME_LIMIT, count <= TEXT_LIMIT, count <= CLICK_LIMIT, False)
    cell = min(cell, (PHONE - (120 if count <= 22 else 0)) // max(count, 1))
    return _Space(max(cell, 1), 12, count <= 12, count <= 22, True)


def _angle(count: int) -> int:
    return 45 if count <= 8 else 60 if count <= 16 else 90


def _labels(result: MatrixResult, space: _Space) -> tuple[list[str], list[str]]:
    """The labels of rows and columns; on a narrow screen, columns have ranks, and rows have ranks instead of scores."""
    names = [label(result.systems[i], space.letters) for i in result.order]
    if space.compact:
        ranks = [str(k + 1) for k in range(len(names))]
        return [f"{rank} {name} " for rank, name in zip(ranks, names, strict=True)], ranks
    scores = [format_score(float(result.scores[i]), result.setup.decimals) for i in result.order]
    widest = max(map(len, scores))
    rows = zip(names, scores, strict=True)
    return [f"{name}\u2002{minus(score).rjust(widest, FIGURE_SPACE)} " for name, score in rows], names


def _top(result: MatrixResult, space: _Space) -> int:
    """Pixels above the cells, for the column labels; the larger the grid, the steeper they are."""
    if not space.labels:
        return 12
    if space.compact:
        return 28
    longest = max(len(shorten(name, space.letters)) for name in result.systems)
    return int(longest * 6.6 * sin(radians(_angle(len(result.systems))))) + 20


def _layout(result: MatrixResult, space: _Space, theme: Theme) -> go.Layout:
    count = len(result.systems)
    top = _top(result, space)
    height = top + space.cell * count + KEY_HEIGHT
    rows, columns = _labels(result, space)
    ticks: dict[str, Any] = {"tickmode": "array", "tickvals": np.arange(count), "showticklabels": space.labels}
    ticks |= {"ticks": "", "ticklabeloverflow": "allow"}
    ticks |= {"fixedrange": count <= TEXT_LIMIT, "constrain": "domain"}
    ink: dict[str, Any] = {"size": NORMAL if count <= 20 else SMALL, "color": palette(theme).ink}
    edge = [-0.5, max(count, 1) - 0.5]
    angle = 0 if space.compact else -_angle(count)
    across: dict[str, Any] = {
        "side": "top",
        "tickangle": angle,
        "range": edge,
        "constraintoward": "left",
        "ticktext": columns,
    }
    down: dict[str, Any] = {"range": edge[::-1], "scaleanchor": "x", "constraintoward": "top", "ticktext": rows}
    return base_layout(
        theme,
        height=height,
        hoverdistance=int(0.75 * space.cell) + 2,
        title=_title(result, height, theme),
        margin={"l": 8, "r": 8, "t": top, "b": KEY_HEIGHT},
        xaxis=axis(theme, **ticks, **across) | {"tickfont": ink, "automargin": "right"},
        yaxis=axis(theme, **ticks, **down) | {"tickfont": ink, "automargin": "left"},
    )


def _look(alpha: float, height: int, theme: Theme) -> dict[str, Any]:
    """The colours of the cells and their key."""
    ends = {"zmin": -0.5, "zmax": len(_classes(alpha)) - 0.5}
    return {**ends, "colorscale": _steps(alpha, theme), "colorbar": _key(alpha, height, theme)}


def _colours(result: MatrixResult, shown: Floats, alpha: float, space: _Space) -> go.Heatmap:
    """The cells: the index of each verdict among the possible classes, with its symbol where there is space."""
    count, order = len(result.systems), result.order
    gap = 2 if count <= TEXT_LIMIT else 1 if count <= CLICK_LIMIT else 0
    classes = np.where(np.isnan(shown), np.nan, np.searchsorted(_classes(alpha), np.nan_to_num(shown)))
    trace = go.Heatmap(z=classes.astype(np.float32), xgap=gap, ygap=gap, hoverinfo="skip")
    if space.symbols and not result.setup.no_verdict(alpha):
        words = [[_symbol(v) for v in row] for row in shown]
        trace.update(text=words, texttemplate="%{text}", textfont={"size": NORMAL if count <= 20 else SMALL})
    if count > CLICK_LIMIT:
        # gains as one typed array, and p as it is written everywhere
        gains = result.gains[np.ix_(order, order)].astype(np.float32)
        texts = np.array([[result.written_p(i, j) for j in order] for i in order])
        gain = f"gain %{{text:+.{result.setup.decimals}f}}"
        hover = f"%{{y}}<br>against %{{x}}<br>{gain}, adjusted p %{{customdata}}<extra></extra>"
        trace.update(text=gains, customdata=texts, hoverinfo="all", hovertemplate=hover)
    return trace


def _symbol(level: float) -> str:
    return "" if np.isnan(level) else minus(SYMBOLS[int(level)]).replace(".", "·")


def _classes(alpha: float) -> list[int]:
    """The verdicts that are possible at alpha, from worst to best."""
    sizes = sorted(thresholds(alpha))
    return [-size for size in reversed(sizes)] + [0, *sizes]


def _steps(alpha: float, theme: Theme) -> list[tuple[float, str]]:
    """A colour scale of flat steps, one per class, worse to better."""
    classes = _classes(alpha)
    colours = [palette(theme).verdict(level) for level in classes]
    return [((k + end) / len(classes), colour) for k, colour in enumerate(colours) for end in (0, 1)]


def _key_words(alpha: float) -> list[str]:
    """The label of each class of the colour key: its symbol, its largest p, and what it means for the row."""
    bounds = thresholds(alpha)
    middle = sorted(bounds)[len(bounds) // 2]
    meanings = {-middle: "row worse", 0: "", middle: "row better"}
    words = {0: "·<br>not<br>significant"}
    for size, bound in bounds.items():
        for level in (size, -size):
            lines = [minus(SYMBOLS[level]), f"≤ {bound:g}".replace("≤ 0.", "≤ ."), meanings.get(level, "")]
            words[level] = "<br>".join(lines)
    return [words[level] for level in _classes(alpha)]


def _key(alpha: float, height: int, theme: Theme) -> dict[str, Any]:
    """The colour key below the grid, one field per class; its position is in pixels from the lower left corner."""
    return {
        "orientation": "h",
        "thickness": 12,
        "len": KEY_WIDTH,
        "lenmode": "pixels",
        "x": 0,
        "xanchor": "left",
        "xref": "container",
        "xpad": 8,
        "y": (KEY_HEIGHT - 36) / height,
        "yanchor": "top",
        "yref": "container",
        "ypad": 0,
        "outlinewidth": 0,
        "ticks": "",
        "tickangle": 0,
        "ticklabeloverflow": "allow",
        "tickmode": "array",
        "tickvals": list(range(len(_classes(alpha)))),
        "ticktext": _key_words(alpha),
        "tickfont": {"size": SMALL, "color": palette(theme).muted},
    }


def _title(result: MatrixResult, height: int, theme: Theme) -> dict[str, Any]:
    """The heading of the colour key: what the cells mean."""
    adjusted = "" if result.setup.correction == "none" else f" ({escape(result.setup.correction_title)})"
    adjusted += f": {NO_VERDICT}" if result.setup.as_printed else ""
    return {
        "text": f"Row against column, p{adjusted}",
        "font": {"size": NORMAL, "color": palette(theme).ink},
        "x": 0,
        "xref": "container",
        "xanchor": "left",
        "y": (KEY_HEIGHT - 14) / height,
        "yref": "container",
        "yanchor": "top",
        "pad": {"l": 8},
    }


def _draw_clusters(figure: go.Figure, clusters: Sequence[int], count: int, theme: Theme) -> None:
    line = {"color": palette(theme).ink, "width": 1.5}
    for rank in clusters:
        edge = rank - 0.5
        figure.add_shape(type="line", x0=-0.5, x1=count - 0.5, y0=edge, y1=edge, line=line)
        figure.add_shape(type="line", x0=edge, x1=edge, y0=-0.5, y1=count - 0.5, line=line)


def _draw_notes(figure: go.Figure, shown: Floats, space: _Space, theme: Theme) -> None:
    """Explain empty cells: a question mark where there is no p, a sentence where there are no pairs."""
    muted = {"size": NORMAL, "color": palette(theme).muted}
    if len(shown) < 2:
        figure.add_annotation(x=0, y=0, text="one system: no pairs to compare", showarrow=False, font=muted, xshift=60)
    undefined = np.isnan(shown) & ~np.eye(len(shown), dtype=bool)
    if not undefined.any():
        return
    figure.layout.title.text += "   ? = no p-value"
    for row, column in np.argwhere(undefined) if space.symbols else ():
        figure.add_annotation(x=int(column), y=int(row), text="?", showarrow=False, font=muted)
