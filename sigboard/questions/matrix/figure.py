"""The pairwise grid: which systems differ, after Graham et al. 2014, Figures 7 and 8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from sigboard.render import grid as matrix_key
from sigboard.render.grid import TEXT_LIMIT, diagonal, markers
from sigboard.render.style import CLEAR, NORMAL, SMALL, Theme, axis, base_layout, escape, minus, palette
from sigcore import Floats, MatrixResult, formatting
from sigcore.formatting import SYMBOLS, format_gain, format_score, shorten
from sigcore.results import matrix_summary
from sigcore.types import Bools

UNKNOWN = "? = no p-value"
CLICK_LIMIT = 80  # systems up to which cells respond to clicks and labels are shown
NAME_LIMIT = 20  # characters of a name on an axis
PHONE = 374  # pixels available on a narrow screen
FIGURE_SPACE = "\u2007"  # as wide as a digit: keeps scores aligned
GRID_HEIGHT = 396  # pixels for the cells of a small grid: with the head of the page, they fit a laptop screen
CELL_RANGE = (14, 46)  # pixels
LEAST_WIDTH = 480  # pixels of all cells on a small laptop beside the sidebar; on wider screens they are wider
LETTER = 7  # pixels of a letter of a name
NAMES = 26  # pixels above the cells for names or ranks
GAINS_LIMIT = 8  # systems up to which a cell has space for its gain


def grid(result: MatrixResult, alpha: float, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The coloured grid of many systems, sorted by score: blue where the row is better, orange where it is worse.

    Grids that are small enough for words in their cells are those of `matrix_cells`. Lines separate groups of systems
    (see `edges`), and pairs that more resamples could decide are hatched. Up to CLICK_LIMIT systems, each cell responds
    to clicks with customdata [row, column, ...], positions in `result.systems` (see `clicked`). `compact` is the form for
    a narrow screen: short names, no scores.
    """
    order, space = result.order, space_of(result, compact)
    levels = result.levels(alpha)[np.ix_(order, order)]
    adjusted = result.adjusted[np.ix_(order, order)]
    shown = np.where(np.isnan(adjusted) | np.eye(len(order), dtype=bool), np.nan, levels)
    undecided = result.undecided(alpha)[np.ix_(order, order)] & ~np.isnan(shown)
    figure = go.Figure(layout=_layout(result, space, theme))
    possible = matrix_key.classes(result, alpha)
    cells = _colours(result, shown, possible)
    key = matrix_key.look(possible, alpha, figure.layout.height, theme, compact)
    figure.add_trace(cells.update(key, showscale=not result.setup.no_verdict(alpha) and len(order) > 1))
    if len(order) <= CLICK_LIMIT:
        figure.add_traces([markers(result), diagonal(result)])
    if undecided.any():
        figure.add_trace(_hatching(undecided, theme))
    lines = edges(result, alpha)
    _draw_edges(figure, lines, len(order), theme)
    drawn = {matrix_key.UNDECIDED: undecided.any(), matrix_key.LINES: bool(lines)}
    marks = [words for words, shows in drawn.items() if shows and not compact]
    figure.layout.title = matrix_key.heading(result, alpha, theme, marks)
    if (np.isnan(shown) & ~np.eye(len(order), dtype=bool)).any():
        figure.layout.title.text += f" · {UNKNOWN}"
    return figure


def has_details(result: MatrixResult) -> bool:
    """Whether cells have space for words, and their details are sent as text (`matrix_cells`)."""
    return len(result.systems) <= TEXT_LIMIT


def edges(result: MatrixResult, alpha: float) -> list[int]:
    """The ranks below which a line is drawn (1 = below the best): every system above is significantly better than every
    system below. Systems between two lines are not separated by such a line, though some of their pairs may differ."""
    order = result.order
    wins = result.levels(alpha)[np.ix_(order, order)] > 0
    return [rank for rank in range(1, len(order)) if wins[:rank, rank:].all()]


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
        return f"Grid of {formatting.count(count, 'system')} sorted by {result.setup.metric_title}: {matrix_summary(result, alpha)}"
    best, last = result.systems[result.order[0]], result.systems[result.order[-1]]
    differing = int((result.levels(alpha) > 0).sum())
    return (
        f"Grid of {formatting.count(count, 'system')} sorted by {result.setup.metric_title}, from {best} to {last}: "
        f"{differing} of {formatting.count(count * (count - 1) // 2, 'pair')} differ significantly at alpha {alpha:g}."
    )


@dataclass(frozen=True)
class Space:
    """What fits: pixels of a cell, characters of a name; whether cells have symbols, and gains; whether axes have labels,
    and columns names (or else ranks)."""

    cell: int
    letters: int
    symbols: bool
    gains: bool
    labels: bool
    names: bool
    compact: bool


def space_of(result: MatrixResult, compact: bool) -> Space:
    """What fits into the grid of these systems, or into its narrow form."""
    count = len(result.systems)
    cell = int(np.clip(GRID_HEIGHT / max(count, 1), *CELL_RANGE)) if count <= CLICK_LIMIT else max(900 // count, 2)
    if not compact:
        longest = max((len(shorten(name, NAME_LIMIT)) for name in result.systems), default=0)
        names = longest * LETTER * count <= LEAST_WIDTH
        symbols, labels = count <= TEXT_LIMIT, count <= CLICK_LIMIT
        return Space(cell, NAME_LIMIT, symbols, count <= GAINS_LIMIT, labels, names, False)
    cell = min(cell, (PHONE - (120 if count <= 22 else 0)) // max(count, 1))
    return Space(max(cell, 1), 12, count <= 12, False, count <= 22, False, True)


def names_of(result: MatrixResult, space: Space) -> tuple[list[str], list[str]]:
    """The names of rows and columns; where they are too long for the columns, these have ranks, and rows both."""
    names = [shorten(result.systems[i], space.letters) for i in result.order]
    if space.names:
        return names, names
    ranks = [str(k + 1) for k in range(len(names))]
    return [f"{rank} {name}" for rank, name in zip(ranks, names, strict=True)], ranks


def _labels(result: MatrixResult, space: Space) -> tuple[list[str], list[str]]:
    """The labels of rows and columns, as Plotly reads them."""
    rows, columns = ([escape(name) for name in names] for names in names_of(result, space))
    if space.compact:
        return [f"{name} " for name in rows], columns
    scores = [format_score(float(result.scores[i]), result.setup.decimals) for i in result.order]
    widest = max(map(len, scores))
    whole = zip(rows, scores, strict=True)
    return [f"{name}\u2002{minus(score).rjust(widest, FIGURE_SPACE)} " for name, score in whole], columns


def _layout(result: MatrixResult, space: Space, theme: Theme) -> dict[str, Any]:
    count = len(result.systems)
    top = matrix_key.height(space.compact) + (NAMES if space.labels else 8)
    rows, columns = _labels(result, space)
    ticks: dict[str, Any] = {"tickmode": "array", "tickvals": np.arange(count), "showticklabels": space.labels}
    ticks |= {"ticks": "", "ticklabeloverflow": "allow", "tickangle": 0, "fixedrange": count <= TEXT_LIMIT}
    ink: dict[str, Any] = {"size": NORMAL if count <= 20 else SMALL, "color": palette(theme).ink}
    edge = [-0.5, max(count, 1) - 0.5]
    return base_layout(
        theme,
        height=top + space.cell * max(count, 1) + 8,
        hoverdistance=-1,  # the nearest cell, however wide the cells are
        margin={"l": 8, "r": 8, "t": top, "b": 8},
        barmode="overlay",
        bargap=0,
        xaxis=axis(theme, **ticks, side="top", range=edge, ticktext=columns) | {"tickfont": ink, "automargin": False},
        yaxis=axis(theme, **ticks, range=edge[::-1], ticktext=rows) | {"tickfont": ink, "automargin": "left"},
    )


def _colours(result: MatrixResult, shown: Floats, possible: list[int]) -> go.Heatmap:
    """The cells: the index of each verdict among the possible classes."""
    count, order = len(result.systems), result.order
    gap = 1 if count <= CLICK_LIMIT else 0
    classes = np.where(np.isnan(shown), np.nan, np.searchsorted(possible, np.nan_to_num(shown)))
    trace = go.Heatmap(z=classes.astype(np.float32), xgap=gap, ygap=gap, hoverinfo="skip")
    if count > CLICK_LIMIT:
        # gains as one typed array, and p as it is written everywhere
        gains = result.gains[np.ix_(order, order)].astype(np.float32)
        texts = np.array([[result.written_p(i, j) for j in order] for i in order])
        gain = f"gain %{{text:+.{result.setup.decimals}f}}"
        hover = f"%{{y}}<br>against %{{x}}<br>{gain}, adjusted p %{{customdata}}<extra></extra>"
        trace.update(text=gains, customdata=texts, hoverinfo="all", hovertemplate=hover)
    return trace


def written(result: MatrixResult, i: int, j: int, level: float, with_gain: bool) -> str:
    """The words in a cell: the symbol of the verdict, and the gain above it where that is asked."""
    symbol = minus(SYMBOLS[int(level)]).replace(".", "·")
    return (
        f"{minus(format_gain(float(result.gains[i, j]), result.setup.decimals))}<br>{symbol}" if with_gain else symbol
    )


def _hatching(undecided: Bools, theme: Theme) -> go.Bar:
    """A hatched square over each pair whose verdict more resamples could change."""
    down, across = (places.astype(np.int16) for places in np.nonzero(undecided))
    unfaded = {"marker": {"opacity": 1}}
    return go.Bar(
        x=across,
        y=np.ones(len(down), dtype=np.int16),
        base=down - 0.5,
        width=1,
        hoverinfo="skip",
        selected=unfaded,
        unselected=unfaded,
        marker={
            "color": CLEAR,
            "line": {"width": 0},
            "pattern": {"shape": "/", "size": 7, "solidity": 0.18, "fgcolor": palette(theme).ink, "bgcolor": CLEAR},
        },
    )


def _draw_edges(figure: go.Figure, ranks: Sequence[int], count: int, theme: Theme) -> None:
    line = {"color": palette(theme).ink, "width": 2}
    for rank in ranks:
        edge = rank - 0.5
        figure.add_shape(type="line", x0=-0.5, x1=count - 0.5, y0=edge, y1=edge, line=line)
        figure.add_shape(type="line", x0=edge, x1=edge, y0=-0.5, y1=count - 0.5, line=line)
