"""The figure of a claim, with the panels, axes and order of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from sigboard.render.style import NORMAL, SMALL, Part, Theme, axis, base_layout, escape, label, palette
from sigcore.studies import reproduce

POINTS, GRID, SHORT, CELL = 330, 230, 190, 24  # pixels of a panel: points and lines, cells, bars
NAMED = 24  # pixels of a row that has a name
GAP_X, GAP_Y = 0.09, 66  # between panels: of the width, and pixels
TOP, BOTTOM, RANKS = 64, 56, 20  # RANKS: over the cells of a grid
MANY = 300  # points from which marks are small
MOST_NAMES = 26  # rows and columns of cells that have names
SMALL_NAME = 16  # characters of a name beside cells


def drawn(outcome: reproduce.Outcome, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """All panels in the rows and columns of the paper; on a phone one below the other."""
    panels = (
        [replace(panel, row=k, column=0) for k, panel in enumerate(outcome.found.panels)]
        if compact
        else outcome.found.panels
    )
    rows, columns = (max(getattr(panel, way) for panel in panels) + 1 for way in ("row", "column"))
    heights = [max(_height(panel, compact) for panel in panels if panel.row == row) for row in range(rows)]
    inside = sum(heights) + GAP_Y * (rows - 1)
    layout = base_layout(
        theme, inside + TOP + BOTTOM, margin={"l": 8, "r": 14, "t": TOP, "b": BOTTOM}, hovermode="closest"
    )
    figure = go.Figure(layout=layout)
    named = set[str]()
    for k, panel in enumerate(panels, 1):
        top = 1 - (sum(heights[: panel.row]) + GAP_Y * panel.row) / inside
        wide = (1 - GAP_X * (columns - 1)) / columns
        left = panel.column * (wide + GAP_X)
        _place(
            figure, panel, k, [left, min(left + wide, 1.0)], [max(top - heights[panel.row] / inside, 0.0), top], theme
        )
        for trace in _traces(panel, k, theme, named):
            figure.add_trace(trace)
    figure.update_layout(
        showlegend=len(named) > 1,
        legend={"orientation": "h", "x": 0, "y": 1, "yref": "container", "yanchor": "top", "font": {"size": SMALL}},
    )
    return figure


def _height(panel: reproduce.Panel, compact: bool) -> int:
    if panel.style == "cells":
        return POINTS if panel.shades else min(GRID, CELL * len(panel.rows))
    if panel.style == "bars":
        return SHORT
    names = _names(panel)
    return max(POINTS if not names else 120, NAMED * len(names))


def _names(panel: reproduce.Panel) -> list[str]:
    """The names on the vertical axis; [] where it has numbers."""
    values = [value for series in panel.series for value in list(series.y)]
    return list(dict.fromkeys(map(str, values))) if values and isinstance(values[0], str) else []


def _place(figure: go.Figure, panel: reproduce.Panel, k: int, x: list[float], y: list[float], theme: Theme) -> None:
    """The axes of one panel, its title, and its vertical lines."""
    number = "" if k == 1 else str(k)
    grid = panel.style == "cells"
    across = axis(theme, panel.x, fixedrange=True, showgrid=not grid, domain=x, anchor=f"y{number}", nticks=7)
    down = axis(theme, panel.y, fixedrange=True, showgrid=not grid, domain=y, anchor=f"x{number}")
    ticks = _of_cells(panel, number) if grid else (_logarithms(panel), _of_names(panel, theme))
    figure.update_layout({f"xaxis{number}": across | ticks[0], f"yaxis{number}": down | ticks[1]})
    place: Part = {"xref": "paper", "yref": "paper", "x": x[0], "y": y[1], "xanchor": "left", "yanchor": "bottom"}
    font: Part = {"size": NORMAL, "color": palette(theme).ink}
    lift = RANKS if grid and not panel.shades else 2
    figure.add_annotation(
        place | {"text": f"<b>{escape(panel.title)}</b>", "font": font, "showarrow": False, "yshift": lift}
    )
    for at, words in panel.lines:
        inside: Part = {"xref": f"x{number}", "yref": f"y{number} domain"}
        line: Part = {"color": palette(theme).warm, "width": 1.5, "dash": "4px,3px"}
        figure.add_shape(inside | {"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "line": line})
        said: Part = {"text": words, "x": at, "y": 1, "xanchor": "left", "yanchor": "top", "showarrow": False}
        figure.add_annotation(inside | said | {"font": {"size": SMALL, "color": palette(theme).warm}})


def _logarithms(panel: reproduce.Panel) -> Part:
    """The ticks of a logarithmic axis: at its points, where they are few."""
    if not panel.log:
        return {}
    values = sorted({float(x) for series in panel.series for x in series.x})
    few: Part = {"tickvals": values, "ticktext": [f"{x:.3g}" for x in values]}
    return {"type": "log"} | (few if len(values) < 13 else {})


def _of_names(panel: reproduce.Panel, theme: Theme) -> Part:
    """The ticks of a vertical axis with names; none where it has numbers."""
    names = _names(panel)
    if not names:
        return {}
    ink: Part = {"size": SMALL, "color": palette(theme).ink}
    order: Part = {"categoryorder": "array", "categoryarray": names, "autorange": "reversed", "tickfont": ink}
    return order | {"tickvals": names, "ticktext": [label(name, 28) for name in names]}


def _of_cells(panel: reproduce.Panel, number: str) -> tuple[Part, Part]:
    """The ticks of both axes of cells; a grid of verdicts has square cells, and places over its columns."""
    across = _cell_axis(panel.columns, ranks=not panel.shades) | {"side": "bottom" if panel.shades else "top"}
    named = panel.column == 0 and len(panel.rows) <= MOST_NAMES
    down = _cell_axis(panel.rows) | {"autorange": "reversed", "showticklabels": named}
    if not panel.shades:
        down |= {"scaleanchor": f"x{number}", "constrain": "domain", "constraintoward": "top"}
        across |= {"constrain": "domain", "constraintoward": "left"}
    return across, down


def _cell_axis(names: Sequence[str], ranks: bool = False) -> Part:
    """Names of rows with their places, or the places alone for the columns of a grid."""
    step = max(1, len(names) // 10)
    places = [str(k) if (k - 1) % step == 0 else "" for k in range(1, len(names) + 1)]
    ticks = places if ranks else [label(name, SMALL_NAME) for name in names]
    shown: Part = {"showticklabels": len(names) <= MOST_NAMES, "tickangle": 0 if ranks else None, "ticks": ""}
    return {"tickmode": "array", "tickvals": list(range(len(names))), "ticktext": ticks, **shown}


def _traces(panel: reproduce.Panel, k: int, theme: Theme, named: set[str]) -> list[Part]:
    number = "" if k == 1 else str(k)
    at: Part = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    if panel.style == "cells":
        return [_cells(panel, theme) | at]
    traces = []
    for place, series in enumerate(panel.series):
        colour = palette(theme).classes[place % len(palette(theme).classes)]
        trace = _bars(series, theme) if panel.style == "bars" else _points(panel, series, colour, place)
        first = series.name not in named and panel.style != "bars"
        named |= {series.name} if first else set()
        traces.append(trace | at | {"name": escape(series.name), "legendgroup": series.name, "showlegend": first})
    return traces


def _bars(series: reproduce.Series, theme: Theme) -> Part:
    return {"type": "bar", "x": np.asarray(series.x), "y": np.asarray(series.y), "marker": {"color": palette(theme).bars},
            "hovertemplate": "%{x:.3g}: %{y:,}<extra></extra>"}  # fmt: skip


def _points(panel: reproduce.Panel, series: reproduce.Series, colour: str, place: int) -> Part:
    """Points or a line, with intervals where there are such; every point is drawn."""
    many = len(series.x) > MANY
    marker: Part = {"color": colour, "size": 4 if many else 7, "opacity": 0.55 if many else 0.9, "symbol": place % 6}
    trace: Part = {
        "type": "scattergl" if len(series.x) > 5 * MANY else "scatter", "x": list(series.x), "y": list(series.y), "marker": marker,
        "mode": "lines+markers" if panel.style == "line" else "markers", "line": {"color": colour, "width": 2},
    }  # fmt: skip
    if len(series.low):
        across = isinstance(next(iter(series.y)), str)
        middle = np.asarray(series.x if across else series.y, dtype=float)
        ends: Part = {"type": "data", "symmetric": False, "array": np.asarray(series.high) - middle,
                      "arrayminus": middle - np.asarray(series.low), "color": colour, "thickness": 1.2, "width": 3}  # fmt: skip
        trace["error_x" if across else "error_y"] = ends
    return trace


def _cells(panel: reproduce.Panel, theme: Theme) -> Part:
    """A grid of verdicts in their colours, or of shades."""
    assert panel.cells is not None
    colours = palette(theme)
    scale = [((k + end) / 7, colours.verdict(level)) for k, level in enumerate(range(-3, 4)) for end in (0, 1)]
    bounds: Part = {"zmin": -3.5, "zmax": 3.5, "colorscale": scale, "xgap": 1, "ygap": 1}
    if panel.shades:
        bounds = {"zmin": 0, "zmax": 1, "colorscale": [(0.0, "#111111"), (1.0, "#f3efe4")]}
    hover = [[f"{escape(row)}<br>{escape(column)}" for column in panel.columns] for row in panel.rows]
    return {
        "type": "heatmap",
        "z": panel.cells.astype(np.float32),
        "showscale": False,
        "hovertext": hover,
        "hoverinfo": "text",
        **bounds,
    }


def alt_text(outcome: reproduce.Outcome) -> str:
    """One sentence that describes the figure."""
    titles = "; ".join(panel.title for panel in outcome.found.panels)
    return f"Figure of the claim {outcome.claim.id}, {outcome.claim.place}: {titles}. {outcome.verdict}."
