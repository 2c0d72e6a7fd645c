"""The pairwise grid: which systems differ, after Graham et al. 2014, Figures 7 and 8; the form for many systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from sigboard.render.grid import (
    CLICK_LIMIT,
    DRAWN_LIMIT,
    MONTE_CARLO,
    TEXT_LIMIT,
    Space,
    about_system,
    heading,
    key_words,
    names_of,
    p_of,
    space_of,
    statement,
)
from sigboard.render.style import CLEAR, NORMAL, SMALL, Part, Theme, axis, base_layout, escape, minus, palette
from sigcore import Ints, MatrixResult
from sigcore.results import Cell, Grid
from sigcore.types import Bools, Floats

FIGURE_SPACE = "\u2007"  # as wide as a digit: keeps scores aligned
NAMES = 26  # pixels above the cells for names or ranks
FIELD, FIELD_COMPACT = 76, 50  # pixels of one field of the key with its label
HEIGHT, HEIGHT_COMPACT = 72, 90  # pixels of the heading, the fields and their labels
HEADING = 22  # pixels of the heading


def grid(
    result: MatrixResult, alpha: float, theme: Theme = "light", compact: bool = False, ranks: range | None = None
) -> go.Figure:
    """The coloured grid of many systems, sorted by score: blue where the row is better, orange where it is worse.

    Grids that are small enough for words in their cells are those of `render.grid.cells`. Lines separate groups of
    systems (see `Grid`), and pairs that more resamples could decide are hatched. Up to CLICK_LIMIT systems, each cell
    responds to clicks with customdata [row, column, ...], positions in `result.systems` (see `clicked`). `compact` is
    the form for a narrow screen: short names, no scores. `ranks`, counted from 0, are those that are drawn (None: all).
    """
    shown = _shown(result, alpha, ranks)
    count, space = len(shown.cells), space_of(shown.names, compact)
    figure = go.Figure(layout=_layout(shown, space, theme))
    key = _look(shown, figure.layout.height, theme, compact)
    figure.add_trace(_colours(shown).update(key, showscale=not shown.no_verdict and count > 1))
    if count <= CLICK_LIMIT:
        figure.add_traces([_markers(shown), _diagonal(shown)])
    if count <= DRAWN_LIMIT and shown.undecided.any():
        figure.add_trace(_hatching(shown.undecided, theme))
    _draw_edges(figure, shown.lines, count, theme)
    figure.layout.title = _heading(heading(shown, compact), theme)
    return figure


def _shown(result: MatrixResult, alpha: float, ranks: range | None) -> Grid:
    whole = Grid.of(result, alpha)
    return whole if ranks is None else whole.at(ranks)


def alt(result: MatrixResult, alpha: float, ranks: range | None = None) -> str:
    """One sentence that describes the grid, or these ranks of it."""
    return _shown(result, alpha, ranks).alt


def clicked(points: Sequence[Mapping[str, object]]) -> tuple[int, int] | None:
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


# The colour key of the grid.


def _steps(possible: list[int], theme: Theme) -> list[tuple[float, str]]:
    """A colour scale of flat steps, one per class, worse to better."""
    colours = [palette(theme).verdict(level) for level in possible]
    return [((k + end) / len(possible), colour) for k, colour in enumerate(colours) for end in (0, 1)]


def _look(shown: Grid, whole: int, theme: Theme, compact: bool) -> Part:
    """The colours of the cells and their key, in a figure `whole` pixels high."""
    possible = shown.possible
    ends = {"zmin": -0.5, "zmax": len(possible) - 0.5}
    bar = _bar(possible, shown.alpha, whole, theme, compact)
    return {**ends, "colorscale": _steps(possible, theme), "colorbar": bar}


def _heading(parts: list[str], theme: Theme) -> Part:
    return {
        "text": " · ".join([escape(parts[0]), *parts[1:]]),
        "font": {"size": NORMAL, "color": palette(theme).ink},
        "x": 0,
        "xref": "container",
        "xanchor": "left",
        "y": 1,
        "yref": "container",
        "yanchor": "top",
        "pad": {"l": 8, "t": 2},
    }


def _bar(possible: list[int], alpha: float, whole: int, theme: Theme, compact: bool) -> Part:
    """The fields of the key; their position is in pixels from the upper left corner."""
    return {
        "orientation": "h",
        "thickness": 12,
        "len": (FIELD_COMPACT if compact else FIELD) * len(possible),
        "lenmode": "pixels",
        "x": 0,
        "xanchor": "left",
        "xref": "container",
        "xpad": 8,
        "y": 1 - HEADING / whole,
        "yanchor": "top",
        "yref": "container",
        "ypad": 0,
        "outlinewidth": 0,
        "ticks": "",
        "tickangle": 0,
        "ticklabeloverflow": "allow",
        "tickmode": "array",
        "tickvals": list(range(len(possible))),
        "ticktext": key_words(possible, alpha, compact),
        "tickfont": {"size": SMALL, "color": palette(theme).muted},
    }


# The details of the cells; over those of a large grid invisible markers, for clicks and hover text.


def _invisible(across: Ints, down: Ints, **more: Any) -> go.Scatter:
    """Invisible markers; a click selects the nearest one, for any size of the cells on the screen.

    They are small on purpose: markers as large as a cell overlap on a narrow screen, and the wrong one gets the click.
    """
    unseen = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=across.astype(np.int16),
        y=down.astype(np.int16),
        mode="markers",
        marker={"symbol": "square", "size": 4, "opacity": 0, "line": {"width": 0}},
        selected=unseen,
        unselected=unseen,
        **more,
    )


def _markers(shown: Grid) -> go.Scatter:
    """One marker per pair of a large grid: a heatmap reports no clicks, markers do.

    Places as one typed array, and only the texts of gains and p: the message of 60 systems stays below 300 kB.
    """
    down, across = np.nonzero(~np.eye(len(shown.cells), dtype=bool))
    order = np.asarray(shown.order, dtype=np.int64)
    data = np.stack([order[down], order[across]], axis=1).astype(np.int16)
    texts = []
    for cell in shown.pairs:
        p, counted = p_of(cell)
        drawn = f"{p}, {counted.removeprefix(MONTE_CARLO)}; {statement(cell.adjusted)}"
        texts.append(drawn if cell.asked else cell.word)
    gains = [minus(cell.gain) for cell in shown.pairs]
    hover = "%{y}<br>against %{x}<br>gain %{hovertext}<br>p, Monte Carlo; adjusted p:<br>%{text}<extra></extra>"
    return _invisible(across, down, customdata=data, text=texts, hovertext=gains, hovertemplate=hover)


def _diagonal(shown: Grid) -> go.Scatter:
    """One marker per system, so that a click on the diagonal does not select a neighbour; its hover text is the score."""
    places, order = np.arange(len(shown.cells)), shown.order
    words = [about_system(line[k]) for k, line in enumerate(shown.cells)]
    pairs = np.stack([order, order], axis=1).astype(np.int16)
    return _invisible(places, places, customdata=pairs, hovertext=words, hovertemplate="%{hovertext}<extra></extra>")


def _labels(shown: Grid, space: Space) -> tuple[list[str], list[str]]:
    """The labels of rows and columns, as Plotly reads them."""
    rows, columns = ([escape(name) for name in names] for names in names_of(shown.names, space))
    if space.compact:
        return [f"{name} " for name in rows], columns
    if len(rows) > DRAWN_LIMIT:  # what is sent for each cell is its colour: the hover text has both scores
        found = [f"{name}, {minus(score)}" for name, score in zip(rows, shown.scores, strict=True)]
        return found, found
    widest = max(map(len, shown.scores))
    whole = zip(rows, shown.scores, strict=True)
    return [f"{name}\u2002{minus(score).rjust(widest, FIGURE_SPACE)} " for name, score in whole], columns


def _layout(shown: Grid, space: Space, theme: Theme) -> Part:
    count = len(shown.cells)
    top = (HEIGHT_COMPACT if space.compact else HEIGHT) + (NAMES if space.labels else 8)
    rows, columns = _labels(shown, space)
    ticks: Part = {"tickmode": "array", "tickvals": np.arange(count), "showticklabels": space.labels}
    ticks |= {"ticks": "", "ticklabeloverflow": "allow", "tickangle": 0, "fixedrange": count <= TEXT_LIMIT}
    ink: Part = {"size": NORMAL if count <= 20 else SMALL, "color": palette(theme).ink}
    edge = [-0.5, max(count, 1) - 0.5]
    return base_layout(
        theme,
        top + space.cell * max(count, 1) + 8,
        hoverdistance=-1,  # the nearest cell, however wide the cells are
        margin={"l": 8, "r": 8, "t": top, "b": 8},
        barmode="overlay",
        bargap=0,
        xaxis=axis(theme, **ticks, side="top", range=edge, ticktext=columns) | {"tickfont": ink, "automargin": False},
        yaxis=axis(theme, **ticks, range=edge[::-1], ticktext=rows) | {"tickfont": ink, "automargin": "left"},
    )


def _colours(shown: Grid) -> go.Heatmap:
    """The cells: the index of each verdict among the possible classes."""
    count, levels = len(shown.cells), shown.levels
    gap = 1 if count <= CLICK_LIMIT else 0
    classes = np.where(np.isnan(levels), np.nan, np.searchsorted(shown.possible, np.nan_to_num(levels)))
    trace = go.Heatmap(z=_small(classes, shown.possible.index(0)), xgap=gap, ygap=gap, hoverinfo="skip")
    if count > DRAWN_LIMIT:
        trace.update(hoverinfo="all", hovertemplate="%{y}<br>against %{x}<extra></extra>")
    elif count > CLICK_LIMIT:
        # gains and p as they are written everywhere
        gains = _once(shown, shown.result.gains, lambda cell: minus(cell.gain))
        texts = _once(shown, shown.result.adjusted, attrgetter("adjusted"))
        hover = "%{y}<br>against %{x}<br>gain %{text}, adjusted p %{customdata}<extra></extra>"
        trace.update(text=gains, customdata=texts, hoverinfo="all", hovertemplate=hover)
    return trace


def _small(classes: Floats, no_verdict: int) -> NDArray[np.generic]:
    """The classes (S, S) as they are sent: a byte each in a large grid where no p is missing. Its diagonal
    then has the class of no verdict."""
    if len(classes) > DRAWN_LIMIT and np.isnan(classes).sum() == len(classes):
        return np.where(np.eye(len(classes), dtype=bool), no_verdict, classes).astype(np.uint8)
    return classes.astype(np.float32)


def _once(shown: Grid, table: Floats, write: Callable[[Cell], str]) -> NDArray[np.str_]:
    """A text (S, S) for each cell, written once for each value: a million cells have some thousand gains, and as many p."""
    upper, square = shown.result.adjusted_high, np.ix_(shown.order, shown.order)
    own = table[square]  # first the cells that are drawn: they may be few of many
    high = np.zeros_like(own) if upper is None else np.nan_to_num(upper[square])  # a p of 0 is written as below it
    ordered = np.where(shown.tested[..., None], np.stack([own, high], axis=-1), np.inf)  # not asked: no p
    ordered[np.diag_indices(len(shown.order))] = -np.inf
    _, first, place = np.unique(ordered.reshape(-1, 2).view(np.complex128), return_index=True, return_inverse=True)
    cells = (shown.cell(*divmod(at, len(shown.order))) for at in first.tolist())
    return np.array([write(cell) for cell in cells])[place.reshape(shown.levels.shape)]


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
    line, ends = {"type": "line", "line": {"color": palette(theme).ink, "width": 2}}, (-0.5, count - 0.5)
    shapes = []
    for edge in (rank - 0.5 for rank in ranks):
        shapes.append({**line, "x0": ends[0], "x1": ends[1], "y0": edge, "y1": edge})
        shapes.append({**line, "x0": edge, "x1": edge, "y0": ends[0], "y1": ends[1]})
    figure.layout.shapes = shapes  # at once: for each that is added, Plotly copies those before
